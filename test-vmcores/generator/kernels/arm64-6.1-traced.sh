# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034 # read by build-kernel and make-sample
# With this project's patches, for machines that panic while the rig traces them.
arch=arm64
karch=arm64
cross=aarch64-linux-gnu-
compiler=gcc-aarch64-linux-gnu
package=linux-source-6.1
package_suite=bookworm
package_version=6.1.192-3
patches=v6.1
like=arm64-6.12-coresight
boot_file=arch/arm64/boot/Image
lean=yes
