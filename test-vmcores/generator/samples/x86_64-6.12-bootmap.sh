# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2054 # read by make-sample
# A boot-mapped buffer on x86-64, with the events of the boot that died. Frozen
# before the truth was written: no difference is allowed.
kernel=x86_64-6.12
# makedumpfile from 1.7.8 on knows 6.12's free pages.
suite=sid
tools=(busybox-static=1:1.38.0-3+b1 kexec-tools=1:2.0.32-3 makedumpfile=1:1.7.8-1)
memory=192M
cpus=2
frozen=yes
panic='sysrq-trigger c from the shell that wrote the truth'
# Pointers are printed as they are, so that the text can be compared.
append='crashkernel=64M no_hash_pointers reserve_mem=256K:4096:trace trace_instance=boot_map@trace'
qemu=(qemu-system-x86_64 -M pc -cpu Nehalem)
console=ttyS0
qemu_package='qemu-system-x86'
disk_device=virtio-blk-pci
