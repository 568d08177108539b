# SPDX-License-Identifier: GPL-2.0-or-later
#
#   make                     the extensions, for one crash target
#   make install             to where crash looks for them
#   make demo, make check    see README.md
#   make check-unit          the tests that need no crash
#   make lint, make bench
#   make fuzz, make damage   see docs/testing.md
#   make sample NAME=...     make a sample vmcore anew, from nothing
#   make kernel NAME=...     the same for a sample's kernel
#   make check-kernel-patches the series of kernel patches: applied, built, looked at
#   make check-panic-path    what they do at panic, in forty ways
#   make sample-distro       a distribution's kernel: made, compared, in figures
#
# CRASH_TARGET   what the dumps are of, as crash names it
# CRASH_INCLUDE  the folder with defs.h of the crash that will load them
# BUILD          where it is built, build/TARGET: what is for different crashes must
#                not mix
# DESTDIR, EXTDIR  for install

CRASH_TARGET ?= ARM64
# Debian's crash has its defs.h there; for arm64, what build-crash.sh built.
ifeq ($(CRASH_TARGET),X86_64)
CRASH_INCLUDE ?= /usr/include/crash
else ifndef CRASH_INCLUDE
CRASH_INCLUDE := $(addsuffix /include/crash,$(shell \
	scripts/build-crash.sh -n -t $(CRASH_TARGET) 2>/dev/null))
endif
EXTDIR ?= /usr/lib/crash/extensions
DESTDIR ?=

BUILD := build/$(CRASH_TARGET)

ifeq ($(origin CC),default)
CC := gcc
endif
CSTD := -std=gnu11 -D_GNU_SOURCE
WARN := -Wall -Wextra -Wshadow -Wformat=2 -Werror
CFLAGS ?= -O2 -g
CPPFLAGS += -Iextensions
# Prints events for ftdump -r.
EXT_LIBS := -ltraceevent
EXT_CFLAGS = $(CSTD) $(CFLAGS) $(WARN) -fPIC -fvisibility=hidden

# V=1 shows the commands.
Q := $(if $(V),,@)

# The files that include crash's defs.h; no other one needs crash.
FTDUMP_SRC := extensions/ftdump.c extensions/vmcore/vmcore-crash.c
# For make bench: reads what ftdump reads, and drops it.
FTREAD_SRC := extensions/bench/ftread.c extensions/vmcore/vmcore-crash.c
# For the damage tests: ftdump's parts, on a dump that they damage.
FTDAMAGE_SRC := extensions/damage/ftdamage.c extensions/vmcore/vmcore-crash.c
DAMAGE_SRC := $(filter-out $(FTDAMAGE_SRC),$(wildcard extensions/damage/*.c)) \
	extensions/test/dat-reader.c
LIB_SRC := $(filter-out $(FTDUMP_SRC),$(wildcard $(addprefix extensions/,\
	$(addsuffix /*.c,base vmcore ftrace tracedat views))))

LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/%.o)
FTDUMP_OBJ := $(FTDUMP_SRC:%.c=$(BUILD)/%.o)
FTREAD_OBJ := $(FTREAD_SRC:%.c=$(BUILD)/%.o)
FTDAMAGE_OBJ := $(FTDAMAGE_SRC:%.c=$(BUILD)/%.o)
DAMAGE_OBJ := $(DAMAGE_SRC:%.c=$(BUILD)/%.o)
CRASH_OBJ := $(sort $(FTDUMP_OBJ) $(FTREAD_OBJ) $(FTDAMAGE_OBJ))

.DELETE_ON_ERROR:
.PHONY: all install clean demo check lint bench bench-tools damage sample sample-distro kernel check-kernel-patches check-panic-path FORCE

all: $(BUILD)/ftdump.so

# crash itself has the symbols that stay undefined here.
$(BUILD)/ftdump.so: $(LIB_OBJ) $(FTDUMP_OBJ)
	@echo "  LD      $@"
	$(Q)$(CC) -shared $(LDFLAGS) -o $@ $^ $(EXT_LIBS)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(CPPFLAGS) $(EXT_CFLAGS) -MMD -MP -c -o $@ $<

# defs.h is not written for our warnings, hence -isystem. Its enum type_code
# depends on a GDB_* macro; this one is right for every crash since 8.0.
$(CRASH_OBJ): CPPFLAGS += -isystem $(CRASH_INCLUDE) -D$(CRASH_TARGET) -DGDB_10_2
$(CRASH_OBJ): $(BUILD)/defs.h.sum
$(LIB_OBJ): | $(BUILD)/defs.h.sum

# Another crash has another defs.h: what was built with the last one is void.
$(BUILD)/defs.h.sum: FORCE
	@mkdir -p $(@D)
	@[ -r "$(CRASH_INCLUDE)/defs.h" ] || { \
	echo "make: no defs.h of a crash for $(CRASH_TARGET) dumps. Build one with" >&2; \
	echo "        scripts/build-crash.sh" >&2; \
	echo "      or set CRASH_INCLUDE to the folder that has that of yours. For x86_64" >&2; \
	echo "      dumps: make CRASH_TARGET=X86_64 CRASH_INCLUDE=/usr/include/crash" >&2; \
	exit 1; }
	@sum=$$(cksum <"$(CRASH_INCLUDE)/defs.h"); \
	[ "$$sum" = "$$(cat $@ 2>/dev/null)" ] || echo "$$sum" >$@

# Not in BUILD: all extensions that lie there are loaded.
bench-tools: build/bench/$(CRASH_TARGET)/ftread.so

build/bench/$(CRASH_TARGET)/ftread.so: $(LIB_OBJ) $(FTREAD_OBJ)
	@mkdir -p $(@D)
	@echo "  LD      $@"
	$(Q)$(CC) -shared $(LDFLAGS) -o $@ $^ $(EXT_LIBS)

damage: build/damage/$(CRASH_TARGET)/ftdamage.so

build/damage/$(CRASH_TARGET)/ftdamage.so: $(LIB_OBJ) $(DAMAGE_OBJ) $(FTDAMAGE_OBJ)
	@mkdir -p $(@D)
	@echo "  LD      $@"
	$(Q)$(CC) -shared $(LDFLAGS) -o $@ $^ $(EXT_LIBS)

install: all
	install -d $(DESTDIR)$(EXTDIR)
	install -m 755 $(BUILD)/ftdump.so $(DESTDIR)$(EXTDIR)/

clean:
	rm -rf build

demo check bench:
	$(Q)scripts/$@

lint:
	$(Q)scripts/test-lint

sample kernel:
	@[ -n "$(NAME)" ] || { echo "make: $@ needs NAME=" >&2; exit 1; }
	$(Q)test-vmcores/generator/$(if $(filter sample,$@),make-sample,build-kernel) $(NAME)

check-panic-path:
	test-vmcores/test/panic-path

check-kernel-patches:
	kernel-patches/check

sample-distro:
	$(Q)test-vmcores/test/distro

include extensions/test.mk
include extensions/fuzz.mk
include test-vmcores/rig/rig.mk

-include $(LIB_OBJ:.o=.d) $(DAMAGE_OBJ:.o=.d) $(CRASH_OBJ:.o=.d)
