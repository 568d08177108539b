# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# For tests that damage a sample in memory, with the extension ftdamage. To be
# sourced after lib.sh.

# Memory is quicker than a disk, for thousands of files.
if [ -w /dev/shm ]; then
	rm -rf "$WORK"
	WORK=$(mktemp -d -p /dev/shm)
	cd "$WORK" || exit
fi

# damage_begin NAME: unpacks the sample, and builds what it takes.
damage_begin() {
	local prefix arch

	SAMPLE_DIR=$("$SCRIPTS_DIR/unpack-sample" "$1")
	arch=$(sed -n 's/^arch: *//p' "$REPO_DIR/test-vmcores/samples/$1/manifest")
	prefix=$("$SCRIPTS_DIR/find-crash" -t "$arch" "$SAMPLE_DIR/vmlinux")
	CRASH_PROGRAM=$prefix/bin/crash
	DAMAGE_SO=$REPO_DIR/build/damage/${arch^^}/ftdamage.so
	make -s -C "$REPO_DIR" damage "CRASH_TARGET=${arch^^}" \
		"CRASH_INCLUDE=$prefix/include/crash" >&2
}

# damage_run DIR COMMAND...: in a crash with ftdamage. What it prints goes to
# DIR/out. Its exit status, or 1 where crash caught a segmentation fault.
damage_run() {
	local dir=$1 status=0
	shift

	printf '%s\n' "extend $DAMAGE_SO" "$*" quit >"$dir/commands"
	timeout 580 "$CRASH_PROGRAM" -s "$SAMPLE_DIR/vmlinux" \
		"$SAMPLE_DIR/vmcore" <"$dir/commands" >"$dir/out" 2>&1 || status=$?
	! grep -q 'segmentation violation' "$dir/out" || status=1
	return $status
}
