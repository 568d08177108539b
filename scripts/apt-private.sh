# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# An apt of our own beside the machine's: for apt-suite. To be sourced after
# lib.sh. Set the first three, then call private_setup, which sets STATE.
SUITE=
# An architecture, or "source".
ARCH=
# deb or deb-src
KIND=
# Where this suite's lists and the rest of apt's state are.
STATE=

# Lists are fetched anew after this time even if nothing seems to be missing.
LISTS_MAX_MINUTES=720

# machine_entries: what the machine's apt is set up with, one line an entry:
#	RELEASE URI COMPONENT FILE:ENTRY
# apt itself says this, so every form of its configuration is understood.
machine_entries() {
	# The dollars are apt's.
	# shellcheck disable=SC2016
	apt-get indextargets --no-release-info --format \
		'$(RELEASE) $(REPO_URI) $(COMPONENT) $(SOURCESENTRY)' \
		'Created-By: Packages' | awk '!seen[$0]++'
}

# machine_archive main|security: "URI FILE:ENTRY" of the Debian archive, or of
# its security archive.
machine_archive() {
	local names='sid|unstable|testing|(old)*stable'

	names="$names|bullseye|bookworm|trixie|forky|duke"
	machine_entries | awk -v want="$1" -v debian="^($names)(\$|[-/])" '
		$3 != "main" { next }
		$1 ~ /(-security|\/updates)$/ { kind = "security" }
		$1 !~ /(-security|\/updates)$/ { kind = "main" }
		# A suite of Debian, not of somebody who also has a "main".
		$1 !~ debian { next }
		kind == want { print $2, $4; exit }'
}

# signed_by FILE:ENTRY: the value of Signed-By in that entry, which may be
# several lines (a key as it is). Nothing where the entry has none.
signed_by() {
	local file=${1%:*} entry=${1##*:}

	case $file in
	*.sources)
		awk -v want="$entry" '
			/^#/ { next }
			/^[[:space:]]*$/ { in_entry = in_field = 0; next }
			!in_entry { in_entry = 1; n++ }
			/^[^[:space:]]/ { in_field = 0 }
			n == want && tolower($0) ~ /^signed-by:/ {
				in_field = 1
				sub(/^[^:]*:[[:space:]]*/, "")
				print
				next
			}
			in_field { print }' "$file"
		;;
	*)
		# A one-line entry: deb [ signed-by=FILE arch=... ] URI ...
		sed -n "${entry}{s/.*[[ ]signed-by=\([^] ]*\).*/\1/p}" "$file"
		;;
	esac
}

# source_entry SUITES URI FILE:ENTRY: an entry for our own sources.
source_entry() {
	local key

	key=$(signed_by "$3")
	printf 'Types: %s\nURIs: %s\nSuites: %s\nComponents: main\n' \
		"$KIND" "$2" "$1"
	[ -z "$key" ] || printf 'Signed-By: %s\n' "$key"
	printf '\n'
}

write_sources() {
	local archive security suites=$SUITE

	case $SUITE in
	*-backports) suites="${SUITE%-backports} $SUITE" ;;
	esac
	archive=$(machine_archive main)
	[ -n "$archive" ] ||
		die "no Debian archive in this machine's apt configuration"
	# shellcheck disable=SC2086 # two words: URI and entry
	source_entry "$suites" $archive

	case $SUITE in
	bullseye|bookworm|trixie)
		security=$(machine_archive security)
		# shellcheck disable=SC2086
		[ -z "$security" ] ||
			source_entry "$SUITE-security" $security
		;;
	esac
}

# Everything that could make apt look at, or write to, the machine's own state
# is pointed elsewhere.
write_config() {
	local arch=$ARCH

	[ "$arch" != source ] || arch=$(dpkg --print-architecture)
	cat <<-EOF
		APT::Architecture "$arch";
		APT::Architectures { "$arch"; };
		Dir::Etc::SourceList "$STATE/none";
		Dir::Etc::SourceParts "$STATE/sources";
		Dir::Etc::Preferences "$STATE/none";
		Dir::Etc::PreferencesParts "$STATE/none.d";
		Dir::State "$STATE";
		Dir::State::Lists "$STATE/lists";
		Dir::State::status "$STATE/status";
		Dir::Cache "$STATE/cache";
		Dir::Cache::Archives "$STATE/archives";
		// Nothing here is done as root, and then nothing as _apt either.
		APT::Sandbox::User "root";
		Debug::NoLocking "true";
		Acquire::Languages "none";
		Acquire::PDiffs "false";
		Acquire::Retries "3";
		Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled "false";
		Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
		#clear APT::Update::Post-Invoke;
		#clear APT::Update::Post-Invoke-Success;
		#clear DPkg::Post-Invoke;
	EOF
}

private_apt() {
	APT_CONFIG=$STATE/apt.conf apt-get -q "$@"
}

# recent MINUTES: have the lists been fetched since?
recent() {
	[ -n "$(find "$STATE/fresh" -mmin "-$1" 2>/dev/null)" ]
}

# refresh_lists: at most once a run, and not again and again by one run after
# the other.
refresh_lists() {
	[ -z "${REFRESHED:-}" ] || return 0
	! recent 5 || return 0
	REFRESHED=yes
	log "$SUITE: fetching the package lists ($ARCH)"
	if private_apt -o APT::Update::Error-Mode=any update \
		>"$STATE/log" 2>&1; then
		touch "$STATE/fresh"
		return
	fi
	grep '^[EW]:' "$STATE/log" >&2 || true
	if grep -q 'does not have a Release file' "$STATE/log"; then
		gone "no such suite"
	fi
	[ -e "$STATE/fresh" ] || die "$SUITE: cannot fetch the package lists"
	log "$SUITE: going on with the lists of $(date -r "$STATE/fresh" +%F)"
}

# list_versions PKG: what the lists have, the newest first.
list_versions() {
	# madison also answers for the source of a binary package's name.
	APT_CONFIG=$STATE/apt.conf apt-cache madison -- "$1" 2>/dev/null |
		awk -F ' *[|] *' '{ sub(/^ */, "", $1) }
			$2 != "" && !seen[$2]++ { print $2 }'
}

private_setup() {
	STATE=$(cache_dir)/apt/$SUITE-$ARCH
	mkdir -p "$STATE"/{sources,lists/partial,archives/partial,cache,none.d}
	lock "$STATE/lock"
	: >>"$STATE/status"
	write_config >"$STATE/apt.conf"
	write_sources >"$STATE/new.sources"
	if ! cmp -s "$STATE/new.sources" "$STATE/sources/suite.sources"; then
		# Another mirror: what was fetched from the last one is void.
		rm -f "$STATE/fresh"
	fi
	mv "$STATE/new.sources" "$STATE/sources/suite.sources"
	recent "$LISTS_MAX_MINUTES" || refresh_lists
}
