// SPDX-License-Identifier: GPL-2.0-or-later
#include "test/trace-cmd.h"
#include "test/unit.h"

void trace_cmd_needed(void)
{
	if (system("command -v trace-cmd >/dev/null") == 0)
		return;
	print_message("# SKIP reason: trace-cmd is not installed\n");
	skip();
}

char *trace_cmd(const char *args, const char *path)
{
	char *command, *text = NULL, line[1024];
	size_t len = 0;
	FILE *out = open_memstream(&text, &len), *in;

	assert_true(asprintf(&command, "trace-cmd %s '%s' 2>&1", args, path) > 0);
	in = popen(command, "r");
	assert_non_null(in);
	while (fgets(line, sizeof(line), in))
		fputs(line, out);
	fclose(out);
	if (pclose(in) != 0)
		fail_msg("%s: %s", command, text);
	free(command);
	return text;
}
