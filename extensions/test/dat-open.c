// SPDX-License-Identifier: GPL-2.0-or-later
#include "test/dat-reader.h"
#include "test/tmpdir.h"
#include "test/unit.h"

struct dat *dat_open(const char *path)
{
	struct dat *dat = calloc(1, sizeof(*dat));
	size_t len;
	void *bytes = file_read(path, &len);

	assert_non_null(dat);
	if (!dat_init(dat, bytes, len))
		fail_msg("%s: %s", path, dat->fault);
	return dat;
}

void dat_close(struct dat *dat)
{
	void *bytes = (void *)dat->bytes;

	dat_deinit(dat);
	free(bytes);
	free(dat);
}
