# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2054 # read by make-sample
# The age of enterprise kernels, with the tools of Debian bookworm. Frozen before
# the truth was written: no difference is allowed.
kernel=x86_64-5.10
suite=bookworm
tools=(busybox-static=1:1.35.0-4+deb12u1+b1 kexec-tools=1:2.0.25-3+deb12u3 makedumpfile=1:1.7.2-1)
memory=192M
cpus=2
frozen=yes
panic='sysrq-trigger c from the shell that wrote the truth'
# Pointers are printed as they are, so that the text can be compared.
append='crashkernel=64M no_hash_pointers'
qemu=(qemu-system-x86_64 -M pc -cpu Nehalem)
console=ttyS0
qemu_package='qemu-system-x86'
disk_device=virtio-blk-pci
