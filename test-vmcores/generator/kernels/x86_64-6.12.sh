# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034 # read by build-kernel and make-sample
arch=x86_64
karch=x86_64
cross=
compiler=gcc
package=linux-source-6.12
package_suite=bookworm
package_version=6.12.117-1~deb12u1
boot_file=arch/x86/boot/bzImage
