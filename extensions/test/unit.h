/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TEST_UNIT_H
#define TEST_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"

/* A test case. Its name says what holds. */
#define TEST(name) static void name(void **state __attribute__((unused)))

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#endif
