# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The nodes of coresight_dump_list, by crash's own commands. Whoever sources this has
# a function ask: crash's answer to the commands on standard input goes to the file
# "out".

# find_nodes: of all nodes, what test/traced.py reads, to the file "said"; what sinks
# hold, to the files sink.N.
find_nodes() {
	local type name node buf size sinks=0

	ask <<-EOF
		list -H coresight_dump_list -o coresight_dump_node.list -s coresight_dump_node.csdev,buf,buf_size
		log
	EOF
	cp out first
	awk '/^[0-9a-f]+$/ { node = $1 }
		$1 == "csdev" { csdev = $3 }
		$1 == "buf" { buf = $3 }
		$1 == "buf_size" { print node, csdev, buf, $3 }' first | tr -d , >nodes
	while read -r _ csdev _; do
		echo "struct coresight_device.type,dev.kobj.name $csdev"
	done <nodes | ask
	grep -E '^ *type = ' out | sed 's/.*_TYPE_\([A-Z]*\).*/\1/' >types
	grep -E 'kobj.name = ' out | sed 's/.*"\(.*\)".*/\1/' >names
	while read -r type name node _ buf size; do
		if [ "$type" != SOURCE ]; then
			echo "!echo @ sink $name"
			echo "struct coresight_dump_node.state,sink -d $node"
			[ $((buf)) = 0 ] || echo "rd -r $PWD/sink.$sinks $buf $size"
			sinks=$((sinks + 1))
		elif [ $((buf)) != 0 ]; then
			echo "!echo @ source $name"
			echo "struct coresight_dump_etmv4 -d $buf"
		fi
	done < <(paste -d ' ' types names nodes) | ask
	cp out said
}
