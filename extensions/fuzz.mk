# SPDX-License-Identifier: GPL-2.0-or-later
#
# libFuzzer, for clang. The includer sets CSTD, WARN, CPPFLAGS and LIB_SRC.
#
#   make fuzz [FUZZ=page] [TIME=600]   each target for so many seconds; what is
#                                      new goes to build/fuzz/corpus/
#   make check-fuzz [TIME=10]          the stored corpus, and a little more
#   make fuzz-corpus                   store what covers most: after make fuzz

FUZZ_OUT := build/fuzz
FUZZ_CC ?= clang
FUZZ_SAN := address,undefined -fno-sanitize-recover=all
FUZZ_CFLAGS = $(CSTD) -O1 -g $(WARN) -fno-omit-frame-pointer \
	-fsanitize=fuzzer-no-link,$(FUZZ_SAN)
FUZZ_CORPUS := extensions/fuzz/corpus

FUZZ_TARGET_SRC := $(sort $(wildcard extensions/fuzz/fuzz-*.c))
# What unit tests build kernels with, but nothing that wants their library.
FUZZ_LIB_SRC := $(LIB_SRC) extensions/fuzz/patch.c extensions/fuzz/seen.c \
	$(addprefix extensions/test/,kbuf-reader.c mock-layout.c mock-vmcore.c \
		page-builder.c region-builder.c ring-builder.c)
FUZZ_LIB_OBJ := $(FUZZ_LIB_SRC:%.c=$(FUZZ_OUT)/%.o)
FUZZ_TARGET_OBJ := $(FUZZ_TARGET_SRC:%.c=$(FUZZ_OUT)/%.o)
FUZZ_BIN := $(patsubst extensions/fuzz/%.c,$(FUZZ_OUT)/%,$(FUZZ_TARGET_SRC))

FUZZ ?= $(patsubst extensions/fuzz/fuzz-%.c,%,$(FUZZ_TARGET_SRC))
TIME ?= $(if $(filter fuzz,$(MAKECMDGOALS)),600,10)

.PHONY: fuzz check-fuzz fuzz-corpus
fuzz check-fuzz fuzz-corpus: $(FUZZ:%=$(FUZZ_OUT)/fuzz-%)
	@extensions/fuzz/run-fuzz $@ $(TIME) $(FUZZ_CORPUS) $^

$(FUZZ_LIB_OBJ) $(FUZZ_TARGET_OBJ): $(FUZZ_OUT)/%.o: %.c
	@mkdir -p $(@D)
	@echo "  FUZZCC  $@"
	$(Q)$(FUZZ_CC) $(CPPFLAGS) $(FUZZ_CFLAGS) -MMD -MP -c -o $@ $<

$(FUZZ_OUT)/lib.a: $(FUZZ_LIB_OBJ)
	@rm -f $@
	@echo "  AR      $@"
	$(Q)$(AR) rcs $@ $^

$(FUZZ_BIN): $(FUZZ_OUT)/%: $(FUZZ_OUT)/extensions/fuzz/%.o $(FUZZ_OUT)/lib.a
	@echo "  LD      $@"
	$(Q)$(FUZZ_CC) -fsanitize=fuzzer,$(FUZZ_SAN) -o $@ $^ -ltraceevent

-include $(FUZZ_LIB_OBJ:.o=.d) $(FUZZ_TARGET_OBJ:.o=.d)
