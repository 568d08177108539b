# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2054 # read by make-sample
# Large ring buffers, for make bench. Nothing of it is stored.
kernel=arm64-6.12
suite=forky
tools=(busybox-static=1:1.38.0-3+b1 kexec-tools=1:2.0.32-3+b1 makedumpfile=1:1.7.8-1)
memory=512M
cpus=2
frozen=yes
keep=no
panic='sysrq-trigger c from the shell that wrote the truth'
append='crashkernel=64M no_hash_pointers'
qemu=(qemu-system-aarch64 -M virt,gic-version=3 -cpu cortex-a57)
console=ttyAMA0
qemu_package='qemu-system-arm'
disk_device=virtio-blk-device
