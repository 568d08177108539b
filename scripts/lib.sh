# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Functions shared by the scripts. To be sourced, by bash:
#
#	. "$(dirname "$(readlink -f "$0")")/lib.sh"
#
# Messages go to stderr, so that a script's stdout is what it was asked for.

# Exit statuses with a meaning of their own, the same in every script.
# 2 is a wrong command line; anything else that failed is 1.
# shellcheck disable=SC2034 # used by those who source this file
EXIT_USAGE=2 EXIT_PACKAGES=3 EXIT_GONE=4

SCRIPTS_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck disable=SC2034 # used by those who source this file
REPO_DIR=$(dirname "$SCRIPTS_DIR")

log() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
}

die() {
	log "error: $*"
	exit 1
}

# Prints the comment block below the SPDX line of the calling script: a
# script's help is kept in one place, where its reader looks first.
usage() {
	awk 'NR > 2 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"
}

bad_usage() {
	log "$*"
	log "try ${0##*/} -h"
	exit "$EXIT_USAGE"
}

# Where everything that can be made again is kept. Losing it costs time only.
cache_dir() {
	local base="${XDG_CACHE_HOME:-${HOME:-}/.cache}/crash-coresight"
	local dir=${CRASH_CORESIGHT_CACHE:-$base}

	mkdir -p "$dir" || die "cannot make the cache directory $dir"
	(cd "$dir" && pwd -P)
}

# lock FILE: waits for, and takes, a lock. It is held until unlock, or until
# this shell and the commands it started since have ended.
lock() {
	exec {LOCK_FD}>>"$1"
	if ! flock -n "$LOCK_FD"; then
		log "waiting for another run to finish ($1)"
		flock "$LOCK_FD"
	fi
}

unlock() {
	exec {LOCK_FD}>&-
}

# missing_packages PKG...: those of the Debian packages that are not installed.
# NAME:ARCH asks for the package of another architecture.
missing_packages() {
	# What dpkg has never heard of is an error to it, not to us.
	{ dpkg-query -W -f '${db:Status-Status} ${Package} ${Architecture}\n' \
		"$@" 2>/dev/null || true; } | awk '
		BEGIN {
			for (i = 1; i < ARGC; i++)
				wanted[i] = ARGV[i]
			n = ARGC
			ARGC = 1
		}
		$1 == "installed" { have[$2]; have[$2 ":" $3] }
		END {
			for (i = 1; i < n; i++)
				if (!(wanted[i] in have))
					print wanted[i]
		}' "$@"
}

# need_packages PKG...: installs what is missing, or says what to install and
# exits with EXIT_PACKAGES. Silent and quick when nothing is missing.
need_packages() {
	"$SCRIPTS_DIR/install-packages" "$@" || exit
}

# need_commands CMD...: for scripts that need a program wherever it came from.
need_commands() {
	local cmd

	for cmd; do
		command -v "$cmd" >/dev/null ||
			die "$cmd is needed, and is not in PATH"
	done
}
