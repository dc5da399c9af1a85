#!/usr/bin/env bash
# Leeway against general solvers on Leeway's own exports, as a table in Markdown:
#   tools/bench-peers.sh [TEXT]
# TEXT: only the cells below that contain it. Solvers are taken from the path and
# run one at a time, with the options that they start with; those absent are named.
# Times are user and system seconds of whole processes, so that a busy machine
# disturbs little: of "prove" the median of three runs, of a solver that is at most
# twice as slow as well, else one run.
#
# A solver gets every form of its format: symmetry broken (sym) or not, in OPB and
# LP also with the rows of --strengthen (rows). It gets twice the time of "prove"
# and at least a second; after an answer, no longer than that took. After a form
# without an answer, and none before it, the others are left out.
#
# Exit status: 0, 1 if a solver finds a placement where Leeway proves that there
# is none, or stops early without an answer, or if Leeway fails.
set -euo pipefail
cd "$(dirname "$0")/.."

# Arguments of prove; each value is the optimum, so that none is below.
cells='--torus 6x6 --size 12 --routing odr --below 6
--torus 7x7 --size 14 --routing odr --below 6
--torus 8x8 --size 13 --routing odr --below 7
--torus 8x8 --size 17 --routing odr --below 11
--torus 8x8 --size 24 --routing odr --below 18
--torus 10x10 --size 12 --routing odr --below 6
--torus 5x5x5 --size 16 --routing odr --below 6
--torus 8x8 --size 17 --routing odr:tie=both --below 9
--torus 4x4x4 --size 9 --routing odr:tie=both --below 7/2
--torus 6x6 --size 17 --routing udr --below 9
--torus 7x7 --size 15 --routing udr --below 6
--torus 8x8 --size 17 --routing udr --below 8
--torus 9x9 --size 11 --routing udr --below 3
--torus 4x4x4 --size 12 --routing udr --below 8/3
--torus 5x5x5 --size 11 --routing udr --below 11/6
--torus 6x6 --size 12 --routing udr:tie=both --below 3
--torus 7x7 --size 14 --routing udr:tie=both --below 4
--torus 8x8 --size 16 --routing udr:tie=both --below 4
--torus 6x6 --size 25 --routing udr:tie=both --below 69/4
--torus 8x8 --size 24 --routing udr:tie=both --below 39/4
--torus 4x4x4 --size 16 --routing udr:tie=both --below 8/3
--torus 3x3x3 --size 12 --routing orders:012+120 --below 3
--torus 2x4x4 --size 10 --routing orders:012+210 --below 7/2
--torus 4x4x4 --size 10 --routing orders:012+120+201 --below 7/3
--torus 5x5 --size 10 --routing minimal --below 3
--torus 6x6 --size 10 --routing minimal --below 3
--torus 3x3x3 --size 12 --routing minimal --below 10/3
--torus 4x4x4 --size 9 --routing minimal --below 5/3
--torus 5x5 --size 11 --routing avoid --below 7/2
--torus 6x6 --size 11 --routing avoid --below 3
--mesh 6x6 --size 12 --routing odr --below 10
--mesh 7x7 --size 11 --routing udr --below 11/2
--mesh 5x5 --size 8 --routing minimal --below 62/15
--torus 4x8:twist=4 --size 13 --routing udr:tie=both --below 9/2
--torus 3x6:twist=3 --size 10 --routing odr --below 5
--mesh 8x8 --size 16 --routing xy --traffic clients:request=1:reply=1 --below 78
--torus 8x8 --size 10 --routing udr:tie=both --traffic clients:request=1:reply=4 --below 335/4
--torus 7x7 --size 14 --routing udr:tie=both --radius 1 --below 5
--torus 7x7 --size 10 --routing udr --fixed 0,0+3,3 --below 5/2
--torus 6x6 --size 10 --routing udr:tie=both --forbidden rows:at=0 --below 3'
solvers='cadical kissat roundingsat highs cbc'

# cpu LIMIT COMMAND... sets seconds and status; what it prints goes to $work/output.
cpu() {
	local TIMEFORMAT='%3U %3S' limit=$1
	shift
	status=0
	{ time (
		ulimit -t "$limit"
		"$@" </dev/null >"$work/output" 2>&1
	); } 2>"$work/time" || status=$?
	seconds=$(tail -n 1 "$work/time" | awk '{printf "%.3f", $1 + $2}')
}

# failed TEXT ends the run, with what was printed last.
failed() {
	tail -n 5 "$work/output" >&2
	echo "bench-peers: $cell: $1" >&2
	exit 1
}

# prove runs it on the cell.
prove() {
	cpu 600 bin/leeway prove "${arguments[@]}" -j 1 --out "$work/proof.json"
	rm -f "$work/proof.json"
	grep -q ': E_max below .* is infeasible' "$work/output" || failed 'prove fails'
}

# solve SOLVER FILE LIMIT sets seconds, to nothing where the solver has no answer within the limit.
solve() {
	local command=("$1" "$2")
	[ "$1" != cbc ] || command+=(solve quit)
	cpu "$3" "${command[@]}"
	if [ $status = 20 ] || grep -qE 'proven infeasible|Problem is infeasible|Model status *: *Infeasible|^s UNSAT' "$work/output"; then
		return
	fi
	case $status in
	137 | 152) ;; # it was ended
	*) [ "$(number 'a >= 0.8 * b' "$seconds" "$3")" = 1 ] || failed "$1 on $2 has another answer after $seconds s" ;;
	esac
	seconds=''
}

# median COMMAND... sets seconds to that of three runs.
median() {
	: >"$work/times"
	for _ in 1 2 3; do
		"$@"
		echo "$seconds" >>"$work/times"
	done
	seconds=$(sort -n "$work/times" | sed -n 2p)
}

# number EXPRESSION prints its value with a, b for the arguments after it.
number() { awk -v a="${2:-}" -v b="${3:-}" "BEGIN {print ($1)}"; }

# attempt SOLVER sets best to the least seconds of all forms and form to its name, else to nothing.
attempt() {
	local format=lp name file options
	case $1 in
	cadical | kissat) format=dimacs ;;
	roundingsat) format=opb ;;
	esac
	best='' form='' limit=0
	for name in sym+rows sym plain; do
		file=$work/$name.$format
		options=()
		case $name in *rows) [ $format != dimacs ] || continue; options+=(--strengthen) ;; esac
		case $name in sym*) options+=(--break-symmetry) ;; esac
		[ -e "$file" ] || bin/leeway export --formula $format "${arguments[@]}" "${options[@]}" --out "$file" \
			2>"$work/output" || { tail -n 1 "$work/output" >&2; continue; }
		limit=$(number 'int(b != "" ? b + 1 : a > 0.5 ? 2 * a + 1 : 1)' "$own" "$best")
		form=${form:-none}
		solve "$1" "$file" "$limit"
		[ -n "$best$seconds" ] || break
		if [ -n "$seconds" ] && [ "$(number 'b == "" || a + 0 < b + 0' "$seconds" "$best")" = 1 ]; then
			best=$seconds form=$name
		fi
	done
	case $form in
	'' | none) ;;
	*)
		if [ "$(number 'a < 2 * b' "$best" "$own")" = 1 ]; then
			median solve "$1" "$work/$form.$format" 60
			best=$seconds
		fi
		;;
	esac
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
present=''
for solver in $solvers; do
	if command -v "$solver" >/dev/null; then present+=" $solver"; else echo "absent: $solver"; fi
done
bin/leeway version
echo
echo "| cell | prove |$(printf ' %s |' $present) ratio |"
echo "|---|---|$(printf -- '---|%.0s' $present)---|"
grep -F -e "${1:-}" <<<"$cells" | while read -r cell; do
	read -ra arguments <<<"$cell"
	rm -f "$work"/*
	median prove
	own=$seconds columns='' least=''
	for solver in $present; do
		attempt "$solver"
		case $form in
		'') columns+=' no formula |' ;;
		none) columns+=" > $limit |" ;;
		*)
			columns+=" $best $form |"
			least=$(number 'b == "" || a + 0 < b + 0 ? a : b' "$best" "$least")
			;;
		esac
	done
	[ -z "$least" ] || least=$(number 'sprintf("%.1f", a / b)' "$least" "$own")
	echo "| \`$cell\` | $own |$columns ${least:+$least} |"
done
