# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2054 # read by make-sample
# A kernel at EL2 (VHE), every CoreSight driver a module, and module code among what
# was traced.
kernel=arm64-6.12-modules
suite=forky
tools=(busybox-static=1:1.38.0-3+b1 kexec-tools=1:2.0.32-3+b1 makedumpfile=1:1.7.8-1)
dump_level=1
memory=192M
cpus=2
rig=(-e -p etf=8192)
qemu=()
frozen=no
panic='the module, a write through a NULL pointer in a hard interrupt'
panic_at=sample_store
module_folder=fault
module_name=sample_fault
module_symbol=sample_store
kernel_modules=(coresight coresight-tmc coresight-funnel coresight-etm4x coresight-cti)
# Zeroed, free pages are not dumped.
append='crashkernel=56M crash_kexec_post_notifiers init_on_free=1'
console=ttyAMA0
disk_device=virtio-blk-device
