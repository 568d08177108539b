# SPDX-License-Identifier: GPL-2.0-or-later
#
# The rig: plugin, device tree, the guest's programs. From the top:
#
#   make rig              what run-rig needs
#   make check-rig        boot, trace, decode, compare
#   make check-rig-unit   encoder and formatter against OpenCSD
#                         SEEDS=1000: programs for each of its configurations

RIG := test-vmcores/rig
RIG_OUT := build/rig
RIG_CC ?= gcc
RIG_CFLAGS = $(CSTD) -O2 -g $(WARN) -fPIC -fvisibility=hidden -I$(RIG) \
	-I$(RIG)/etm \
	$(shell pkg-config --cflags glib-2.0)
RIG_SRC := $(filter-out %/dts.c,$(wildcard $(RIG)/plugin/*.c $(RIG)/etm/*.c))
RIG_OBJ := $(RIG_SRC:%.c=$(RIG_OUT)/%.o)

ARM64_CC ?= aarch64-linux-gnu-gcc
RIG_GUEST := $(addprefix $(RIG_OUT)/guest/,workload perf-session)

.PHONY: rig check-rig
rig: $(RIG_OUT)/librig.so $(RIG_OUT)/dts $(RIG_GUEST)

check-rig:
	$(Q)$(RIG)/test/check-rig

$(RIG_OBJ): $(RIG_OUT)/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(RIG_CC) $(RIG_CFLAGS) -MMD -MP -c -o $@ $<

# QEMU has what stays undefined: its own interface, and glib.
$(RIG_OUT)/librig.so: $(RIG_OBJ)
	@echo "  LD      $@"
	$(Q)$(RIG_CC) -shared -o $@ $^ -lpthread

$(RIG_OUT)/dts: $(RIG)/plugin/dts.c $(RIG)/plugin/board.h
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(RIG_CC) $(CSTD) -O2 $(WARN) -o $@ $<

# A decoder knows one memory only: each program has addresses of its own.
$(RIG_OUT)/guest/workload: RIG_BASE := 0x10000000
$(RIG_OUT)/guest/perf-session: RIG_BASE := 0x20000000
$(RIG_GUEST): $(RIG_OUT)/guest/%: $(RIG)/guest/%.c
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(ARM64_CC) $(CSTD) -O1 $(WARN) -static -s \
		-Wl,-Ttext-segment=$(RIG_BASE) -o $@ $<

-include $(RIG_OBJ:.o=.d)

RIG_TEST := $(RIG_OUT)/test
RIG_SAN := -fsanitize=address,undefined -fno-sanitize-recover=all
RIG_TEST_CFLAGS = $(CSTD) -O1 -g $(WARN) -fno-omit-frame-pointer $(RIG_SAN) \
	-I$(RIG)/etm
RIG_TESTS := $(patsubst $(RIG)/etm/test/%.c,$(RIG_TEST)/%,\
	$(wildcard $(RIG)/etm/test/test-*.c))
RIG_TEST_OBJ := $(patsubst $(RIG)/etm/%.c,$(RIG_TEST)/etm/%.o,\
	$(filter-out $(RIG)/etm/test/test-%,$(wildcard $(RIG)/etm/*.c $(RIG)/etm/test/*.c)))

.PHONY: check-rig-unit
check-rig-unit: $(RIG_TESTS)
	@extensions/test/run-tests $^

$(RIG_TEST)/etm/%.o: $(RIG)/etm/%.c
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(RIG_CC) $(RIG_TEST_CFLAGS) -MMD -MP -c -o $@ $<

$(RIG_TESTS): $(RIG_TEST)/%: $(RIG_TEST)/etm/test/%.o $(RIG_TEST_OBJ)
	@echo "  LD      $@"
	$(Q)$(RIG_CC) $(RIG_SAN) -o $@ $^ -lcmocka -lopencsd_c_api -lopencsd -lstdc++

-include $(RIG_TEST_OBJ:.o=.d)
