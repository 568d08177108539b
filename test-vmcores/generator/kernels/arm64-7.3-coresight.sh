# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034 # read by build-kernel and make-sample
# Debian's source, unpatched: for the rig, and for samples of unpatched kernels.
arch=arm64
karch=arm64
cross=aarch64-linux-gnu-
compiler=gcc-aarch64-linux-gnu
package=linux-source-7.3
package_suite=trixie-backports
package_version=7.3.4-1~bpo13+1
boot_file=arch/arm64/boot/Image
store="boot vmlinux"
module=rig/guest/module/rig_load
