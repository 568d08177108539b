# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2054 # read by make-sample
# For test/panic-path, which runs this guest again and again: not stored. What it
# does comes with the command line.
kernel=arm64-7.3-traced
suite=sid
tools=(busybox-static=1:1.38.0-3+b1 kexec-tools=1:2.0.32-3+b1 makedumpfile=1:1.7.8-1)
dump_level=1
memory=192M
cpus=2
rig=(-p etf=32768)
qemu=()
dump=no
frozen=no
panic='sysrq-trigger c'
module_folder=fault
module_name=sample_hook
module_symbol=hook_call
programs=(perf-session)
append='crashkernel=56M crash_kexec_post_notifiers init_on_free=1 phase=run symbol=none'
console=ttyAMA0
disk_device=virtio-blk-device
