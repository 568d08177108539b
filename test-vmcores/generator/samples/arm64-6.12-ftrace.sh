# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2054 # read by make-sample
# Everything ftrace has on a current arm64 kernel, frozen before the truth was
# written: no difference is allowed.
kernel=arm64-6.12
# Debian 13's makedumpfile 1.7.6 does not know 6.12's free pages, and dumps them.
suite=forky
tools=(busybox-static=1:1.38.0-3+b1 kexec-tools=1:2.0.32-3+b1 makedumpfile=1:1.7.8-1)
memory=192M
cpus=2
frozen=yes
panic='sysrq-trigger c from the shell that wrote the truth'
# Pointers are printed as they are, so that the text can be compared.
append='crashkernel=64M no_hash_pointers reserve_mem=256K:4096:trace trace_instance=boot_map@trace'
qemu=(qemu-system-aarch64 -M virt,gic-version=3 -cpu cortex-a57)
console=ttyAMA0
qemu_package='qemu-system-arm'
disk_device=virtio-blk-device
