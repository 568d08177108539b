// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/err.h"

const char *err_str(enum err e)
{
	switch (e) {
	case ERR_NONE:
		return "no error";
	case ERR_MISSING:
		return "page excluded from or missing in the dump";
	case ERR_UNMAPPED:
		return "address not mapped";
	case ERR_BAD_DATA:
		return "bad data";
	case ERR_UNSUPPORTED:
		return "not supported";
	case ERR_NOMEM:
		return "out of memory";
	case ERR_IO:
		return "write failed";
	case ERR_INTERRUPTED:
		return "interrupted";
	}
	return "unknown error";
}
