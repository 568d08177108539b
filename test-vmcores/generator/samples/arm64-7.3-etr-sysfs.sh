# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2054 # read by make-sample
# An ETR that four CPUs share, wrapped several times. One of them is in a loop with
# interrupts off when another one panics.
kernel=arm64-7.3-traced
suite=sid
tools=(busybox-static=1:1.38.0-3+b1 kexec-tools=1:2.0.32-3+b1 makedumpfile=1:1.7.8-1)
dump_level=1
memory=192M
cpus=4
rig=(-p etf=8192)
qemu=()
frozen=no
panic='sysrq-trigger c on CPU 0, while CPU 3 was stuck'
# crash finds the panicking CPU's registers where the kernel says that CPU 3 did not stop.
panic_at=machine_kexec
module_folder=fault
module_name=sample_fault
module_symbol=sample_stuck
# Zeroed, free pages are not dumped.
append='crashkernel=56M crash_kexec_post_notifiers init_on_free=1'
console=ttyAMA0
disk_device=virtio-blk-device
