# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# For tests that run crash: results in lines, and a place to work in.

. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lib.sh"

TEST_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck disable=SC2034 # used by those who source this file
FAILED=0
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
cd "$WORK"

pass() {
	printf 'PASS %s\n' "$*"
}

fail() {
	printf 'FAIL %s\n' "$*"
	FAILED=1
}

skip() {
	printf 'SKIP %s\n' "$*"
}

# in_crash SAMPLE: runs the commands on standard input, within a time limit.
# Output, errors included, goes to the file "out". crash hides a segmentation
# fault and exits with 0, so look for it.
in_crash() {
	local status=0

	{ cat; echo quit; } >commands
	timeout 120 "$SCRIPTS_DIR/open-sample" "$1" -s <commands >out 2>&1 ||
		status=$?
	if [ $status != 0 ]; then
		fail "$1: crash ended with status $status:" \
			"$(tail -n 3 out | tr '\n' ' ')"
	elif grep -q 'segmentation violation' out; then
		fail "$1: segmentation violation"
	fi
}

# said NAME REGEX: is there such a line in "out"?
said() {
	if grep -qE -- "$2" out; then
		pass "$1"
	else
		fail "$1: no line like '$2' in: $(tail -n 5 out | tr '\n' '|')"
	fi
}

# holds NAME COMMAND...
holds() {
	local name=$1
	shift
	if "$@"; then
		pass "$name"
	else
		fail "$name: not so: $*"
	fi
}

absent() {
	! [ -e "$1" ]
}
