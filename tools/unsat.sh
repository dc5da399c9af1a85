#!/usr/bin/env bash
# Proves cells with a SAT solver that logs its proof, and checks every proof:
# tools/unsat.sh [SOLVER], cadical by default. One line a cell: torus, size, routing,
# optimum, bytes of proof, seconds to prove (the solver's formula and warm-up
# included) and to check. Ends with status 1 if a cell fails.
set -euo pipefail
cd "$(dirname "$0")/.."
solver=${1:-cadical}
command -v "$solver" >/dev/null || { echo "unsat.sh: $solver is not installed" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
CGO_ENABLED=0 go build -o "$work/leeway" ./cmd/leeway

cells="4x4 odr 4 8
4x4 udr:tie=both 8 12
4x4 minimal 6 8
5x5 odr 5 7 10
5x5 udr 7 8 9 10 12
5x5 minimal 6 7
4x6 odr 8
4x6 udr:tie=both 8
4x6 minimal 6
6x6 odr 6 12
6x6 odr:tie=both 8 12
6x6 udr 7 10 12
6x6 udr:tie=both 7 8 9 11 12 18
6x6 minimal 5
7x7 odr 7 10 14
7x7 udr 9 11 14
8x8 odr 8 16
8x8 odr:tie=both 8 16
8x8 udr 8 16
8x8 udr:tie=both 8 9 16 17 18 24
9x9 udr 18
10x10 odr 10
10x10 udr:tie=both 10 20
3x3x3 odr 9
3x3x3 udr 9
3x3x3 minimal 6
4x4x4 udr:tie=both 8"

failed=0
while read -r torus routing sizes; do
	for n in $sizes; do
		out=$work/cell.json
		began=$(date +%s.%N)
		if ! "$work/leeway" prove --torus "$torus" --size "$n" --routing "$routing" --backend "$solver" --json --out "$out" >/dev/null 2>&1; then
			echo "$torus n=$n $routing: not proved"
			failed=1
			continue
		fi
		proved=$(date +%s.%N)
		value=$(sed -n 's/.*"max_load": "\(.*\)",/\1/p' "$out" | head -1)
		verdict=$("$work/leeway" check "$out" | head -1 || true)
		checked=$(date +%s.%N)
		case $verdict in *"valid, proof verified") ;; *) failed=1 ;; esac
		awk -v cell="$torus n=$n $routing" -v value="$value" -v bytes="$(stat -c %s "$work/cell.lrat")" -v a="$began" -v b="$proved" -v c="$checked" -v verdict="${verdict##*: }" \
			'BEGIN { printf "%-26s %-8s %10d bytes  prove %6.2f s  check %6.2f s  %s\n", cell, value, bytes, b - a, c - b, verdict }'
	done
done <<<"$cells"
exit $failed
