# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2054 # read by make-sample
# An ETF that two busy CPUs share, wrapped, and stopped by CTIs at a NULL pointer in
# an interrupt; a boot-mapped ftrace instance was recording meanwhile.
kernel=arm64-7.3-traced
suite=sid
tools=(busybox-static=1:1.38.0-3+b1 kexec-tools=1:2.0.32-3+b1 makedumpfile=1:1.7.8-1)
# On 7.3 makedumpfile 1.7.8 takes pages in use for free ones: all that are not
# zero are dumped.
dump_level=1
memory=192M
cpus=2
rig=(-p etf=32768)
qemu=()
frozen=no
panic='the module, a write through a NULL pointer in a hard interrupt'
panic_at=sample_store
module_folder=fault
module_name=sample_fault
module_symbol=sample_store
# Zeroed, free pages are not dumped.
append='crashkernel=56M crash_kexec_post_notifiers init_on_free=1 reserve_mem=256K:4096:trace trace_instance=boot_map@trace'
console=ttyAMA0
disk_device=virtio-blk-device
