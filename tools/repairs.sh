#!/bin/sh
# The table of docs/faults.md: for the best placements of the atlas, E_max if both links of an edge fail, whose failure is
# the worst, with the shortest paths that are left chosen anew. The same numbers on every machine.
#
#     tools/repairs.sh LEEWAY
leeway=$1
record=$(mktemp)
trap 'rm -f "$record"' EXIT

# row NETWORK SIZE, under O1TURN
row() {
	"$leeway" atlas show --torus "$1" --size "$2" --routing udr:tie=both --json >"$record" 2>/dev/null || return 0
	"$leeway" faults "$record" --repair 2>/dev/null | awk -v network="$1" -v size="$2" '
		/^pairs lost/ { lost = $3 }
		/^E_max/ { before = $2; after = $0; sub(/.*failure /, "", after); sub(/[ ,].*/, "", after); sub(/,/, "", before) }
		/^repair / { edges = $2; cut = $7 }
		/^repaired/ { least = $3; exact = /no shortest paths have less/ }
		END { if (edges) printf "| %s | %d | %s | %s | %s | %s%s | %d of %d |\n", network, size, before, after, lost, least, exact ? "" : " at most", cut, edges }'
}

for side in 4 5 6 7 8; do row "${side}x$side" $side; row "${side}x$side" $((2 * side)); done
for side in 4 5 6 7 8; do row "${side}x$side:open=0,1" $side; row "${side}x$side:open=0,1" $((2 * side)); done
for slice in 4x8:twist=4 4x4x8:twist=0,0,4+0,0,4+0,0,0 4x4x8; do for size in 8 16; do row $slice $size; done; done
