# SPDX-License-Identifier: GPL-2.0-or-later
#
# make check-unit: build each */test/test-*.c with sanitizers and run it. The
# includer sets CC, CSTD, WARN, CPPFLAGS, and LIB_SRC and DAMAGE_SRC, which need
# no crash.
#
#   make check-unit TESTS=ftrace/test/test-page      only this one

UNIT := build/test
UNIT_SAN := -fsanitize=address,undefined -fno-sanitize-recover=all
UNIT_CFLAGS = $(CSTD) -O1 -g $(WARN) -fno-omit-frame-pointer $(UNIT_SAN)
UNIT_LIBS := -lcmocka -ltraceevent

UNIT_TEST_SRC := $(sort $(wildcard extensions/*/test/test-*.c))
UNIT_TEST_OBJ := $(patsubst %.c,$(UNIT)/%.o,$(UNIT_TEST_SRC))
UNIT_LIB_OBJ := $(patsubst %.c,$(UNIT)/%.o,$(sort $(LIB_SRC) $(DAMAGE_SRC) \
	$(wildcard extensions/test/*.c)))
UNIT_BIN := $(UNIT_TEST_OBJ:.o=)

TESTS ?= $(patsubst extensions/%.c,%,$(UNIT_TEST_SRC))

.PHONY: check-unit
check-unit: $(TESTS:%=$(UNIT)/extensions/%)
	@extensions/test/run-tests $^

$(UNIT_TEST_OBJ) $(UNIT_LIB_OBJ): $(UNIT)/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CPPFLAGS) $(UNIT_CFLAGS) -MMD -MP -c -o $@ $<

# A test takes what it needs, so each is linked against all.
$(UNIT)/lib.a: $(UNIT_LIB_OBJ)
	@rm -f $@
	@echo "  AR      $@"
	$(Q)$(AR) rcs $@ $^

$(UNIT_BIN): %: %.o $(UNIT)/lib.a
	@echo "  LD      $@"
	$(Q)$(CC) $(UNIT_SAN) -o $@ $< $(UNIT)/lib.a $(UNIT_LIBS)

-include $(UNIT_TEST_OBJ:.o=.d) $(UNIT_LIB_OBJ:.o=.d)
