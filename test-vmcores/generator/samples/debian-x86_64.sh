# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2054,SC2154 # read by make-sample
# For make sample-distro: the kernel of a Debian server with all of its modules
# that bring events. Not stored.
kernel=x86_64-debian
keep=no
suite=bookworm
tools=(busybox-static=1:1.35.0-4+deb12u1+b1 kexec-tools=1:2.0.25-3+deb12u3 makedumpfile=1:1.7.2-1)
memory=1536M
cpus=2
frozen=yes
append='crashkernel=256M no_hash_pointers'
qemu=(qemu-system-x86_64 -M pc -cpu Nehalem)
console=ttyS0
qemu_package='qemu-system-x86'
disk_device=virtio-blk-pci
truth_size=512M
dump_size=1536M
seconds=1800

modules() {
	grep -rla _ftrace_events "$kdir/root/lib/modules" |
		sed 's,.*/,,; s,\.ko$,,' | sort
}
