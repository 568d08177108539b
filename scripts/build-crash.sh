#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# usage: build-crash.sh [-t ARM64|X86_64] [-f | -n]
#
# Builds crash, to run on this machine, for dumps of the target's kind. Prints
# where it is: that directory has bin/crash, and for building extensions
# include/crash/defs.h and include/crash/cflags, the macros which that crash was
# built with. What was built before is used again at once.
#
#	-t TARGET	default ARM64
#	-f		build again
#	-n		never build: fail when there is none
#
# The source is the package of Debian's sid. Own changes to crash go as patches
# (-p1) into crash-patches/, each with its reason.

set -euo pipefail
. "$(dirname "$(readlink -f "$0")")/lib.sh"

# What is known to work. The mirror keeps one version only: once that is a newer
# one, it is used, and said so.
VERSION=9.0.2
PACKAGE_VERSION=$VERSION+~16.3-1

# Most of the time goes into reading gdb's C++ headers, so no optimisation would
# save next to nothing. (Nor do precompiled headers: loading them takes as long.)
# Debug information would cost time and 200 MB.
OPTIMISE='-O1 -g0 -pipe -w'

# For dumps that makedumpfile compressed with -l, -p and -z; zlib is always in.
DEFINES=(-DLZO -DSNAPPY -DZSTD)
LIBRARIES=(-llzo2 -lsnappy -lzstd)

# gdb reads DWARF and prints types here: leave out whatever else can be left
# out. crash links with the system's zlib anyway.
GDB_OPTIONS=(--with-separate-debug-dir=/usr/lib/debug --with-bugurl=
	--with-expat=no --with-python=no --disable-sim --disable-nls
	--disable-gprofng --disable-gdbserver --disable-tui --disable-gdbmi
	--disable-unit-tests --disable-libctf --disable-libbacktrace
	--disable-source-highlight --with-system-zlib --without-lzma
	--without-zstd --without-guile --without-babeltrace
	--without-debuginfod --without-intel-pt --without-xxhash)

target=ARM64 force=no build=yes
while getopts hfnt: opt; do
	case $opt in
	h) usage; exit 0 ;;
	f) force=yes ;;
	n) build=no ;;
	t) target=$OPTARG ;;
	*) bad_usage "unknown option" ;;
	esac
done
[ "$OPTIND" -gt $# ] || bad_usage "unexpected: ${*:$OPTIND}"
case $target:$(uname -m) in
ARM64:x86_64|ARM64:aarch64|X86_64:x86_64) ;;
ARM64:*|X86_64:*) die "crash for $target dumps cannot run on $(uname -m)" ;;
*) bad_usage "the target is ARM64 or X86_64" ;;
esac

cache=$(cache_dir)

shopt -s nullglob
patches=("$SCRIPTS_DIR"/crash-patches/*.patch)

# The stamp is written into a finished directory before that gets its name.
is_built() {
	[ "$(cat "$prefix/stamp" 2>/dev/null)" = "$recipe" ]
}

# run COMMAND...: with its output in the log file. What the calling make or the
# caller's environment want for their own compilations is not for crash.
# gdb's configure scripts would look for bash; with Debian's small /bin/sh they
# and libtool take two thirds of the time.
run() {
	printf '\n+ %s\n' "$*" >>"$logfile"
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u CFLAGS -u CXXFLAGS \
		-u CPPFLAGS -u LDFLAGS -u TARGET -u ARCH -u CROSS_COMPILE \
		-u GDB -u target LC_ALL=C CONFIG_SHELL=/bin/sh "$@" \
		>>"$logfile" 2>&1 </dev/null
}

# Prints what is being done now and then, until it is killed.
report_progress() {
	local objects

	# Its sleep outlives it, and must not hold on to our caller's pipe.
	while sleep 20 >/dev/null 2>&1; do
		objects=$(find "$work" -name '*.o' 2>/dev/null | wc -l) || true
		log "$(cat "$work/step"), $objects objects so far," \
			"$((SECONDS / 60)) min $((SECONDS % 60)) s"
	done
}

step() {
	printf '%s\n' "$*" >"$work/step"
	printf '\n## %s (after %s s)\n' "$*" "$SECONDS" >>"$logfile"
	# What this shell and its children used so far, user and system.
	times >>"$logfile"
}

finish() {
	local status=$?

	[ -z "${reporter:-}" ] || kill "$reporter" 2>/dev/null || true
	if [ "$status" != 0 ] && [ -e "$work/step" ]; then
		log "failed: $(cat "$work/step"). The end of the log:"
		tail -n 30 "$logfile" | sed 's/^/\t/' >&2
		log "the full log: $logfile"
	fi
}

get_source() {
	local files=$work/files status=0 dsc version

	step "fetching the source"
	# Without the packaging dsc is empty; see unpack_upstream.
	dsc=$("$SCRIPTS_DIR/apt-suite" sid source \
		"crash=$PACKAGE_VERSION" "$files") || status=$?
	if [ "$status" = "$EXIT_GONE" ]; then
		dsc=$("$SCRIPTS_DIR/apt-suite" sid source crash "$files")
		version=$(find "$files" -name 'crash_*.orig.tar.*' |
			sed 's/.*crash_//; s/\.orig\..*//')
		log "note: building version $version, not $PACKAGE_VERSION"
		case $version in
		9.*) ;;
		*) die "crash $version is too different" ;;
		esac
	elif [ "$status" != 0 ]; then
		exit "$status"
	fi

	step "unpacking the source"
	if [ -n "$dsc" ]; then
		run dpkg-source --no-copy -x "$dsc" "$work/src"
	else
		unpack_upstream "$files"
	fi
}

# unpack_upstream DIR: does without Debian's packaging what it does for us, that
# is bring gdb to where crash wants it. Crash knows its gdb by version, Debian's
# has a later minor one, and crash's changes to it apply to that as well.
unpack_upstream() {
	local gdb

	log "note: without Debian's patches"
	mkdir "$work/src"
	run tar -xf "$1"/crash_*.orig.tar.* -C "$work/src" --strip-components=1
	gdb=$(cd "$work/src" && echo gdb-*.patch)
	gdb=${gdb%.patch}
	mkdir "$work/gdb"
	run tar -xf "$1"/crash_*.orig-gdb.tar.* -C "$work/gdb"
	mv "$work"/gdb/gdb-* "$work/src/$gdb"
	(
		cd "$work/src"
		run patch -p0 -i "$gdb.patch"
		# Tell crash that this was done, and whom for.
		cp "$gdb.patch" "$gdb/"
		printf '%s\n' "$target" >"$gdb/crash.target"
	)
}

apply_patches() {
	local patch

	for patch in "${patches[@]}"; do
		step "applying ${patch##*/}"
		run patch -d "$work/src" -p1 -i "$patch"
	done
}

# Has crash's own configuration program choose the target's flags.
configure_crash() {
	step "configuring crash"
	printf '%s\n' "${DEFINES[@]}" >CFLAGS.extra
	printf '%s\n' "${LIBRARIES[@]}" >LDFLAGS.extra
	run make make_configure
	run ./configure "-t$target" -b
	gdb=$(sed -n 's/^GDB=//p' Makefile)
	[ -e "$gdb/README" ] || run make gdb_unzip
}

# The Makefile of crash would configure gdb itself, with less left out.
build_gdb_libraries() {
	local -a conf

	step "configuring gdb and building its libraries"
	read -ra conf < <(sed -n 's/^GDB_CONF_FLAGS=//p' Makefile)
	cd "$gdb"
	run env "CFLAGS=$OPTIMISE" "CXXFLAGS=$OPTIMISE" \
		./configure "${conf[@]}" "${GDB_OPTIONS[@]}"
	run make "${MAKE_ARGS[@]}" configure-gdb all-gnulib all-gdbsupport \
		all-readline all-opcodes all-libdecnumber
	cd ..
}

# gdb_merge is what crash's "all" does once everything is configured.
build_crash() {
	step "building gdb and crash"
	run make "${MAKE_ARGS[@]}" gdb_merge
}

install_crash() {
	local new=$work/new

	step "installing"
	mkdir -p "$new/bin" "$new/include/crash"
	run strip -o "$new/bin/crash" crash
	cp defs.h "$new/include/crash/"
	printf '%s\n' "-D$target -D$(tr a-z.- A-Z__ <<<"$gdb")" \
		>"$new/include/crash/cflags"
	run "$new/bin/crash" --version
	printf '%s\n' "$recipe" >"$new/stamp"
	[ ! -e "$prefix" ] || mv "$prefix" "$work/old"
	mv "$new" "$prefix"
}

# What makes a difference to the result: settings, patches, and the functions as
# bash understood them, so without comments.
recipe=$({
	declare -p PACKAGE_VERSION OPTIMISE DEFINES LIBRARIES GDB_OPTIONS
	declare -f run get_source unpack_upstream apply_patches \
		configure_crash build_gdb_libraries build_crash install_crash
	cat /dev/null "${patches[@]}"
} | sha256sum | cut -d' ' -f1)

# Checkouts that differ in this do not take each other's away.
name=crash-$VERSION-${target,,}-${recipe:0:8}
prefix=$cache/$name
work=$prefix.build
logfile=$prefix.log

if [ "$force" = no ] && is_built; then
	printf '%s\n' "$prefix"
	exit 0
fi
[ "$build" = yes ] || die "crash for $target dumps is not built yet"

mapfile -t packages < <("$SCRIPTS_DIR/package-list" crash-build)
need_packages "${packages[@]}"

lock "$prefix.lock"
# Another run may have built it while we waited.
if [ "$force" = yes ] || ! is_built; then
	MAKE_ARGS=("-j$(nproc)" "CRASH_TARGET=$target" "CFLAGS=$OPTIMISE"
		"CXXFLAGS=$OPTIMISE" MAKEINFO=true V=1)
	SECONDS=0
	trap finish EXIT
	rm -rf "$work"
	mkdir -p "$work"
	: >"$logfile"
	log "building crash for $target dumps (about 15 minutes of CPU time)"
	report_progress {LOCK_FD}>&- >/dev/null &
	reporter=$!

	get_source
	apply_patches
	cd "$work/src"
	configure_crash
	build_gdb_libraries
	build_crash
	install_crash

	cd "$cache"
	rm -rf "$work"
	# Not in a pipe or $(): times would be about that.
	times >"$prefix/times"
	cpu=$(awk 'NR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/)
		printf "%.0f", (u[1] + s[1]) * 60 + u[2] + s[2] }' \
		"$prefix/times")
	log "built $name in $SECONDS s ($cpu s of CPU time)"
fi
printf '%s\n' "$prefix"
