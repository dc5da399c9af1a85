#!/bin/sh
# Schedules complete exchange with all ports on all networks of up to 64 nodes in two dimensions and 36 in three, and
# prints a row for each: the network, the bound before it is rounded up, the steps that no schedule goes below, the steps
# found, and where that is more than the bound, what no schedule that is the same at every node goes below. The checker
# follows every schedule. With arguments DIMS FROM TO it does these numbers of nodes only.
set -e

# row NETWORK
row() {
	bin/leeway exchange --model all-port --torus "$1" --json | awk -v network="$1" '
		function value(line) { gsub(/[",]|^.*: /, "", line); return line }
		/^  "load_bound":/ { load = value($0) }
		/^  "steps":/ { steps = value($0) }
		/^    "steps":/ { bound = value($0) }
		/^  "invariant_steps":/ { invariant = value($0) }
		END { print "\"" network "\"," load "," bound "," steps "," (invariant + 0 > bound + 0 ? invariant : "") }'
}

# rows DIMS FROM TO
rows() {
	for n in $(seq "$2" "$3"); do
		bin/leeway networks --nodes "$n" --dims "$1" --json | sed -n 's/^ *"network": "\(.*\)",$/\1/p' |
			while read -r network; do row "$network"; done
	done
}

if [ $# = 3 ]; then
	rows "$@"
else
	echo network,load_bound,lower_bound,steps,invariant
	rows 2 4 64
	rows 3 8 36
fi
