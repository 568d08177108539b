# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2054 # read by make-sample
# A perf session on all CPUs, of kernel and programs, with time stamps and context
# IDs; the traced processes are alive at the panic. ftrace was recording on the same
# clock.
kernel=arm64-6.12-traced
suite=forky
tools=(busybox-static=1:1.38.0-3+b1 kexec-tools=1:2.0.32-3+b1 makedumpfile=1:1.7.8-1)
dump_level=1
memory=192M
cpus=4
rig=(-p etf=8192 -p scatter=on)
qemu=()
frozen=no
panic='sysrq-trigger c on CPU 0, while perf traced all CPUs'
module_folder=fault
module_name=sample_fault
module_symbol=sample_store
programs=(perf-session workload)
# Zeroed, free pages are not dumped.
append='crashkernel=56M crash_kexec_post_notifiers init_on_free=1'
console=ttyAMA0
disk_device=virtio-blk-device
