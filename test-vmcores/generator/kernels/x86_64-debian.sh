# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034 # read by fetch-kernel and make-sample
# The kernel of a Debian server, as it is on the mirror today.
arch=x86_64
karch=x86_64
cross=
image_package=linux-image-amd64
package_suite=bookworm
