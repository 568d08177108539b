# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2054 # read by make-sample
# The ordinary case: the kernel and the tools of Debian bookworm. Tracing goes
# on up to the panic, so the dump has events that the truth does not have.
kernel=x86_64-6.1
suite=bookworm
tools=(busybox-static=1:1.35.0-4+deb12u1+b1 kexec-tools=1:2.0.25-3+deb12u3 makedumpfile=1:1.7.2-1)
memory=192M
cpus=2
frozen=no
panic='sysrq-trigger c from the shell that wrote the truth'
# Pointers are printed as they are, so that the text can be compared.
append='crashkernel=64M no_hash_pointers'
qemu=(qemu-system-x86_64 -M pc -cpu Nehalem)
console=ttyS0
qemu_package='qemu-system-x86'
disk_device=virtio-blk-pci
