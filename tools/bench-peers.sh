#!/usr/bin/env bash
# Leeway against general solvers on Leeway's own exports, as a table in Markdown:
#   tools/bench-peers.sh [--limit SECONDS] [--repeats N] [--only TEXT] [--all]
# --limit: CPU seconds that a solver gets for one file (60); --repeats: runs of
# "prove" and "check" (7); --only: the cells whose line below contains TEXT.
# Solvers are taken from the path and run one at a time, with the options that
# they start with; those absent are named. All times are user and system seconds
# of whole processes, so that a busy machine disturbs little.
#
# A solver gets a format with the rows of --strengthen and with symmetry broken,
# both, either and neither. Once it has an answer, a further form gets only the
# time of the best one. If it has none with symmetry broken, the others are left out;
# and without --all OPB and LP, which are products of pairs in every cell, are not
# put to that solver again in the cells that follow. Whatever else, one
# pseudo-Boolean solver gets the plain products: OPB as it is.
#
# Exit status: 0, 1 if a solver finds a placement where Leeway proves that there
# is none, or stops early without an answer, or if Leeway fails, 2 for bad usage.
set -euo pipefail
cd "$(dirname "$0")/.."

# torus, size, routing, below; each value is the optimum, so that none is below.
cells='6x6 12 udr:tie=both 3
7x7 14 udr:tie=both 4
8x8 16 udr:tie=both 4
8x8 13 odr 7
6x6 25 udr:tie=both 69/4
8x8 24 udr:tie=both 39/4
4x4x4 16 udr:tie=both 8/3'
# A peer is a solver and the format that it gets.
peers=('roundingsat opb' 'clasp opb' 'clasp dimacs' 'cadical dimacs' 'kissat dimacs' 'cryptominisat5 dimacs' 'minisat dimacs'
	'scip opb' 'highs lp' 'cbc lp' 'glpsol lp')

# forms FORMAT prints the forms of a format, those first that mostly are the best.
forms() {
	case $1 in
	dimacs) echo dimacs+sym dimacs ;;
	*) echo "$1+sym $1+rows+sym $1 $1+rows" ;;
	esac
}

# version SOLVER prints that of its Debian package, else what it says itself.
version() {
	local package
	if package=$(dpkg -S "$(command -v "$1")" 2>/dev/null); then
		dpkg-query -W -f '${Version}' "${package%%:*}"
	else
		"$1" --version 2>&1 | head -n 1 || true
	fi
}

# export_form FORM writes the question once and sets file to where it is. Some
# solvers go by the end of its name.
export_form() {
	local form=$1 options=()
	file=$work/$form.${form%%+*}
	[ ! -e "$file" ] || return 0
	case $form in *+rows*) options+=(--strengthen) ;; esac
	case $form in *+sym) options+=(--break-symmetry) ;; esac
	bin/leeway export --formula "${form%%+*}" --torus "$torus" --size "$size" --routing "$routing" \
		--below "$below" "${options[@]}" --out "$file"
}

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

# solve SOLVER FILE LIMIT sets seconds and answer: none, some or unknown.
solve() {
	local command
	case $1 in
	cbc) command=(cbc "$2" solve quit) ;;
	glpsol) command=(glpsol --lp "$2") ;;
	scip) command=(scip -f "$2") ;;
	*) command=("$1" "$2") ;;
	esac
	cpu "$3" "${command[@]}"
	answer=unknown
	case $status in
	20) answer=none ;;
	10) answer=some ;;
	0)
		if grep -qE 'proven infeasible|Problem is infeasible|NO (INTEGER|PRIMAL) FEASIBLE|\[infeasible\]|Model status *: *Infeasible|^s UNSAT' "$work/output"; then
			answer=none
		elif grep -qE 'Optimal solution found|INTEGER OPTIMAL|\[optimal|Model status *: *Optimal|^s (SAT|OPT)' "$work/output"; then
			answer=some
		fi
		;;
	esac
}

# attempt SOLVER FORM LIMIT runs the solver and keeps in took[SOLVER FORM] the
# seconds, or nothing; what took already has is not run again. A solver that stops
# early without an answer ends the run: its column would say what it did not do.
attempt() {
	local key="$1 $2" cell="$torus $size $routing $below" file
	[ -z "${took[$key]+set}" ] || return 0
	export_form "$2"
	echo "bench-peers: $cell: $1 on $2, up to $3 s" >&2
	solve "$1" "$file" "$3"
	if [ "$answer" = some ]; then
		echo "bench-peers: $cell: $1 on $2 found a placement that cannot be" >&2
		exit 1
	elif [ "$answer" = unknown ] && [ "$status" != 137 ]; then
		tail -n 5 "$work/output" >&2
		echo "bench-peers: $cell: $1 on $2 stopped after $seconds s without an answer" >&2
		exit 1
	fi
	took[$key]=
	[ "$answer" != none ] || took[$key]=$seconds
}

# best SOLVER FORMAT sets best to the least seconds, with bestform; or to
# nothing, with tried=1 if some form was tried.
best() {
	local form limit
	best='' bestform='' tried=''
	[ -z "${given_up[$1 $2]:-}" ] || return 0
	for form in $(forms "$2"); do
		[ -n "$best" ] || [[ $form = *+sym ]] || break
		limit=$options_limit
		[ -z "$best" ] || limit=$(awk -v s="$best" 'BEGIN {print int(s) + 1}')
		attempt "$1" "$form" "$limit"
		tried=1
		improve "${took[$1 $form]}" "$form"
	done
	[ -n "$best$options_all" ] || [ "$2" = dimacs ] || given_up[$1 $2]=1
}

# improve SECONDS FORM updates best and bestform.
improve() {
	if fewer "$1" "$best"; then best=$1 bestform=$2; fi
}

# fewer A B reports whether A seconds are fewer than B; nothing is more than all.
fewer() { awk -v a="$1" -v b="$2" 'BEGIN {exit !(a != "" && (b == "" || a + 0 < b + 0))}'; }

# prove_and_check sets prove and check to "least median" of the runs on a proof.
prove_and_check() {
	local i
	: >"$work/proves" && : >"$work/checks"
	for ((i = 0; i < options_repeats; i++)); do
		rm -f "$work/proof.json"
		cpu "$options_limit" bin/leeway prove --torus "$torus" --size "$size" --routing "$routing" --below "$below" \
			-j 1 --out "$work/proof.json"
		printed ': E_max below .* is infeasible'
		echo "$seconds" >>"$work/proves"
		cpu "$options_limit" bin/leeway check -j 1 "$work/proof.json"
		printed 'valid, proof verified'
		echo "$seconds" >>"$work/checks"
	done
	prove=$(spread "$work/proves") check=$(spread "$work/checks")
}

# printed TEXT ends the run unless Leeway ended well and said so.
printed() {
	[ "$status" != 0 ] || ! grep -q "$1" "$work/output" || return 0
	cat "$work/output" >&2
	exit 1
}

spread() { sort -n "$1" | awk '{v[NR] = $1} END {print v[1], v[int((NR + 1) / 2)]}'; }

# shown SECONDS NOTE TRIED prints one entry: seconds, how many times Leeway's
# median that is, and the note.
shown() {
	[ -n "$3" ] || { printf 'not tried'; return; }
	awk -v s="$1" -v limit="$options_limit" -v own="${prove#* }" -v note="$2" '
		function brief(x) { return sprintf(x < 1 ? "%.3f" : x < 10 ? "%.1f" : "%.0f", x) }
		BEGIN {
			if (s == "") printf ">%d s, >%sx", limit, brief(limit / own)
			else printf "%s s, %sx%s", brief(s), brief(s / own), note
		}'
}

# row measures the cell torus, size, routing, below and prints its line of the table.
row() {
	local peer form columns='' strongest='' strongpeer='' seen='' plain='no solver' best bestform tried
	rm -f "$work"/*
	took=()
	prove_and_check
	if [ -n "$planner" ]; then
		attempt "$planner" opb "$options_limit"
		plain=$(shown "${took[$planner opb]}" "" 1)
	fi
	for peer in "${present[@]}"; do
		best "${peer% *}" "${peer#* }"
		form=${bestform#"${peer#* }"}
		columns+=" $(shown "$best" ", ${form:-plain}" "$tried") |"
		seen+=$tried
		if fewer "$best" "$strongest"; then strongest=$best strongpeer=${peer% *}; fi
	done
	echo "| $torus n=$size \`$routing\` < $below | ${prove/ / / } | ${check/ / / } |$columns" \
		"$(shown "$strongest" ", $strongpeer" "$seen") | $plain |"
}

options_limit=60 options_repeats=7 options_only='' options_all=''
while [ $# -gt 0 ]; do
	case $1 in
	--all) options_all=1 ;;
	--limit | --repeats | --only)
		[ $# -gt 1 ] || { echo "bench-peers: $1 needs a value" >&2; exit 2; }
		[ "$1" = --only ] || [[ $2 =~ ^[1-9][0-9]{0,5}$ ]] || { echo "bench-peers: $1 $2: not a number from 1" >&2; exit 2; }
		declare "options_${1#--}=$2"
		shift
		;;
	*) sed -n '2,18s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
	esac
	shift
done

cells=$(grep -F -e "$options_only" <<<"$cells") || { echo "bench-peers: no cell contains $options_only" >&2; exit 2; }
present=() absent='' versions='' planner='' seen=''
for peer in "${peers[@]}"; do
	solver=${peer% *}
	if ! command -v "$solver" >/dev/null; then
		absent+=" $solver"
		continue
	fi
	present+=("$peer")
	[ -n "$planner" ] || [ "${peer#* }" != opb ] || planner=$solver
	[ "$seen" = "$solver" ] || versions+="$solver $(version "$solver")"$'\n'
	seen=$solver
done
[ ${#present[@]} -gt 0 ] || { echo "bench-peers: no solver on the path; looked for$absent" >&2; exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
declare -A took given_up
status=0 seconds='' answer=''

bin/leeway version
echo "${versions}absent:${absent:- none}"
echo
echo "| cell | prove, s: least / median | check, s |$(printf ' %s |' "${present[@]}") strongest | plain products${planner:+, $planner} |"
echo "|---|---|---|$(printf -- '---|%.0s' "${present[@]}")---|---|"
while read -r torus size routing below; do row; done <<<"$cells"
