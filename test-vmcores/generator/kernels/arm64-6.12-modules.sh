# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034 # read by build-kernel and make-sample
# The same with every CoreSight driver as a module.
arch=arm64
karch=arm64
cross=aarch64-linux-gnu-
compiler=gcc-aarch64-linux-gnu
package=linux-source-6.12
package_suite=bookworm
package_version=6.12.117-1~deb12u1
patches=v6.12
like=arm64-6.12-coresight
boot_file=arch/arm64/boot/Image
lean=yes
