# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034 # used by those who source this
#
# Sourced by the generator's scripts, after they set name: folders, and what
# goes into manifests.

. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lib.sh"
export LC_ALL=C

GENERATOR_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
VMCORES_DIR=$(dirname "$GENERATOR_DIR")
CACHE=$(cache_dir)

# What a stored file was made from is no longer to be had: not a failure, the
# stored file is as good as before.
gone() {
	log "SKIP: $*"
	exit "$EXIT_GONE"
}

# Value of "key: value" in a manifest.
manifest_get() { sed -n "s/^$2: //p" "$1"; }

file_size() { stat -c %s "$1"; }
sha256() { sha256sum | cut -d' ' -f1; }

# Lines of a manifest for a stored file, and for what is in it.
manifest_stored() {
	local name=${1##*/}

	printf 'size-%s: %s\n' "$name" "$(file_size "$1")"
	printf 'sha256-%s: %s\n' "$name" "$(sha256 <"$1")"
	case $name in *.xz)
		printf 'unpacked-size-%s: %s\n' "$name" "$(xz -dc "$1" | wc -c)"
		printf 'unpacked-sha256-%s: %s\n' "$name" "$(xz -dc "$1" | sha256)"
		;;
	esac
}

# installed_version PACKAGE
installed_version() { dpkg-query -W -f '${Version}' "$1" 2>/dev/null || true; }
