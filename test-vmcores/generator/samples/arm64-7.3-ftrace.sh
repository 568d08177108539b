# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2054 # read by make-sample
# The first sample's content on the layout of 7.3; snapshots, large sub-buffers,
# and a panic in an interrupt. Frozen.
kernel=arm64-7.3
suite=sid
tools=(busybox-static=1:1.38.0-3+b1 kexec-tools=1:2.0.32-3+b1 makedumpfile=1:1.7.8-1)
# On 7.3 makedumpfile 1.7.8 takes pages in use for free ones: all that are not
# zero are dumped.
dump_level=1
memory=160M
cpus=2
frozen=yes
panic='the module, in a hard interrupt'
panic_at=sample_die
# Pointers are printed as they are, so that the text can be compared. Zeroed, free
# pages are not dumped.
append='crashkernel=56M no_hash_pointers init_on_free=1 reserve_mem=256K:4096:trace trace_instance=boot_map@trace'
qemu=(qemu-system-aarch64 -M virt,gic-version=3 -cpu cortex-a57)
console=ttyAMA0
qemu_package='qemu-system-arm'
disk_device=virtio-blk-device
