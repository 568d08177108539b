# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2054 # read by make-sample
# An unpatched kernel. Each tracer was told through sysfs to stop at the entry of the
# fault path, so what the ETR's buffer has is from before the panic.
kernel=arm64-7.3-coresight
suite=sid
tools=(busybox-static=1:1.38.0-3+b1 kexec-tools=1:2.0.32-3+b1 makedumpfile=1:1.7.8-1)
dump_level=1
memory=192M
cpus=2
rig=(-p etf=8192)
qemu=()
frozen=no
panic='the module, a write through a NULL pointer in a hard interrupt'
panic_at=sample_store
module_folder=fault
module_name=sample_fault
module_symbol=sample_store
# Zeroed, free pages are not dumped.
append='crashkernel=56M init_on_free=1'
console=ttyAMA0
disk_device=virtio-blk-device
