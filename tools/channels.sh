#!/bin/sh
# The table of docs/deadlock.md: the least E_max found of single shortest paths that V virtual channels keep free of
# deadlock, with a processor on every node, and a lower bound for all of them. The same numbers on every machine.
#
#     tools/channels.sh LEEWAY [EVALUATIONS]
leeway=$1
evaluations=${2:-300000}

# field prints a text of a JSON document.
field() { sed -n "s/^  \"$1\": \"\\(.*\\)\",*\$/\\1/p"; }

row() {
	name=$1
	shift
	line=
	for channels in 1 2 3 4; do
		answer=$("$leeway" restrict "$@" --placement full --channels $channels --evaluations "$evaluations" --json 2>&1)
		status=$?
		load=$(printf '%s\n' "$answer" | field max_load)
		case "$status $answer" in
		0*) bound=$(printf '%s\n' "$answer" | field lower_bound) ;;
		*"not enough for any"*) load=impossible ;;
		*) load=- ;;
		esac
		line="$line $load |"
		[ "$load" = "$bound" ] && break
	done
	printf '| %s | %s |%s\n' "$name" "$bound" "$line"
}

for side in 4 5 6 7 8; do row "mesh ${side}x$side" --mesh "${side}x$side"; done
for side in 3 4 5 6 7 8; do row "torus ${side}x$side" --torus "${side}x$side"; done
for slice in 4x8:twist=4 8x16:twist=8 4x4x8:twist=0,0,4+0,0,4+0,0,0; do row "$slice" --torus "$slice"; done
