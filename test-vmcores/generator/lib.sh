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

# The package with a kernel's source, of the suite that kernels/KNAME.sh names; it
# is not installed. Sets tarball and version: of the version that is named there, or
# with CRASH_CORESIGHT_ANY_VERSION=1 another one where that is gone.
# shellcheck disable=SC2154 # the variables of kernels/KNAME.sh
find_source() {
	local wanted=$package=$package_version folder=$CACHE/debs/$package deb

	if [ "$(cat "$folder/done" 2>/dev/null)" != "$wanted" ]; then
		rm -rf "$folder"
		mkdir -p "$folder"
		if ! deb=$("$SCRIPTS_DIR/apt-suite" "$package_suite" \
			download "$wanted" "$folder"); then
			[ -n "${CRASH_CORESIGHT_ANY_VERSION:-}" ] ||
				gone "$package_suite has no $wanted"
			log "$package_suite has no $wanted; taking what it has"
			deb=$("$SCRIPTS_DIR/apt-suite" "$package_suite" \
				download "$package" "$folder") ||
				gone "$package_suite has no $package"
		fi
		dpkg-deb -x "$deb" "$folder"
		dpkg-deb -f "$deb" Version >"$folder/version"
		rm "$deb"
		echo "$wanted" >"$folder/done"
	fi
	# shellcheck disable=SC2034 # for our callers
	tarball=$folder/usr/src/$package.tar.xz
	version=$(cat "$folder/version")
	[ -e "$tarball" ] || gone "$package has no $tarball"
	[ "$version" = "$package_version" ] ||
		[ -n "${CRASH_CORESIGHT_ANY_VERSION:-}" ] ||
		gone "$kname is of $package $package_version, and that is $version"
}
