// SPDX-License-Identifier: GPL-2.0-or-later
#include "ftrace/tables.h"

void ft_write_header_page(const struct ft_layout *layout, size_t subbuf_size,
			  bool char_signed, FILE *out)
{
	fprintf(out, "\tfield: u64 timestamp;\toffset:0;\tsize:%u;\tsigned:0;\n",
		layout->dp_time_stamp.size);
	fprintf(out,
		"\tfield: local_t commit;\toffset:%u;\tsize:%u;\tsigned:1;\n",
		layout->dp_commit.off, layout->dp_commit.size);
	/*
	 * 7.3 calls it a char. No member tells from when on; trace_buffer.remote is
	 * about as new.
	 */
	if (!vm_has(&layout->tb_remote))
		fprintf(out, "\tfield: int overwrite;");
	else
		fprintf(out, "\tfield: char overwrite;");
	fprintf(out, "\toffset:%u;\tsize:1;\tsigned:%d;\n",
		layout->dp_commit.off,
		!vm_has(&layout->tb_remote) || char_signed);
	fprintf(out, "\tfield: char data;\toffset:%u;\tsize:%zu;\tsigned:%d;\n",
		layout->dp_data.off, subbuf_size - layout->dp_data.off,
		char_signed);
}

void ft_write_header_event(FILE *out)
{
	/* The encoding that ftrace/page.c reads, in the kernel's words. */
	fputs("# compressed entry header\n"
	      "\ttype_len    :    5 bits\n"
	      "\ttime_delta  :   27 bits\n"
	      "\tarray       :   32 bits\n"
	      "\n"
	      "\tpadding     : type == 29\n"
	      "\ttime_extend : type == 30\n"
	      "\ttime_stamp : type == 31\n"
	      "\tdata max type_len  == 28\n",
	      out);
}
