#!/bin/sh
# Schedules complete exchange with all ports among the processors of every proved cell of the atlas on 4x4 to 8x8 under
# odr, udr and minimal, and prints a row for each: the cell with its hash, the steps found along the paths of the routing
# and the bound that holds for these, the steps along any paths with their bound, and the schedule of the first: block by
# block, from each processor to each other one, its moves. A letter is a link (a is + in dimension 0, b is -, c and d the
# same in dimension 1), and a number before it says how many steps the block waits first. The checker follows every
# schedule. With arguments SIDES... it does these tori only.
set -e
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT

# value FIELD FILE prints a field of a document.
value() { sed -n "s/^ *\"$1\": \"*\([^\",]*\)\"*,*\$/\1/p" "$2" | head -n 1; }

# bound FILE prints the bound of a document.
bound() { sed -n '/"lower_bound"/,/}/s/^ *"steps": //p' "$1"; }

# moves FILE prints the moves of the blocks of a schedule.
moves() {
	awk '
		NR == 1 && match($0, /"participants":\[[^]]*/) { count = split(substr($0, RSTART + 16, RLENGTH - 16), node, ",") }
		/^\[/ {
			sends = split($0, send, "{\"from\":")
			for (i = 2; i <= sends; i++) {
				split(send[i], f, /[^0-9+-]+/) # from, to, axis, dir, block
				block = f[5] " " f[6]
				wait = phase - arrived[block]
				moves[block] = moves[block] (wait ? wait : "") substr("abcd", 2 * f[3] + (f[4] == "+" ? 1 : 2), 1)
				arrived[block] = phase + 1
				if (!(f[5] in seen)) { seen[f[5]]; all++ }
			}
			phase++
		}
		END {
			if (!count) for (count = all; all; all--) node[all] = all - 1
			for (i = 1; i <= count; i++) for (j = 1; j <= count; j++) printf "%s", moves[node[i] " " node[j]]
		}' "$1"
}

[ $# = 0 ] && set -- 4x4 5x5 6x6 7x7 8x8
echo torus,routing,size,claim,steps,lower_bound,any,any_bound,moves
for torus in "$@"; do
	bin/leeway atlas proved --torus "$torus" --json |
		sed -n 's/^ *"\(routing\|size\|status\)": "*\([^",]*\)"*,$/\2/p' | paste -d ' ' - - - |
		while read -r routing size status; do
			case $routing-$size-$status in avoid*|*-1-*) continue;; *-optimal) ;; *) continue;; esac
			rm -f "$files"/*
			ask() { bin/leeway exchange --model all-port --torus "$torus" --placement "@$files/cell.json" --json "$@" 2>/dev/null; }
			bin/leeway atlas show --torus "$torus" --routing "$routing" --size "$size" --out "$files/cell.json" >/dev/null 2>&1
			ask --routing "$routing" --out "$files/along.json" >"$files/along"
			steps=$(value steps "$files/along") bound=$(bound "$files/along") any=$steps least=$bound
			if [ "$steps" != "$bound" ] || [ "$(value bound_reason "$files/along")" = paths ]; then
				ask >"$files/any"
				any=$(value steps "$files/any") least=$(bound "$files/any")
				[ "$any" -le "$steps" ] || any=$steps
			fi
			echo "$torus,$routing,$size,$(value claim_sha256 "$files/cell.json"),$steps,$bound,$any,$least,$(moves "$files/along.json")"
		done
done
