# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2054 # read by make-sample
# Two boots with a warm reset between them: the boot-mapped buffer has what the
# first one recorded.
scenario=lastboot
kernel=arm64-7.3
suite=sid
tools=(busybox-static=1:1.38.0-3+b1 kexec-tools=1:2.0.32-3+b1 makedumpfile=1:1.7.8-1)
dump_level=1
memory=160M
cpus=2
frozen=yes
boots=2
panic='sysrq-trigger c from the shell that wrote the truth, in the second boot'
append='crashkernel=56M no_hash_pointers init_on_free=1 reserve_mem=512K:4096:trace trace_instance=boot_map^traceoff@trace'
qemu=(qemu-system-aarch64 -M virt,gic-version=3 -cpu cortex-a57)
console=ttyAMA0
qemu_package='qemu-system-arm'
disk_device=virtio-blk-device
