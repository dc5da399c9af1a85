#!/usr/bin/env bash
# Named passes over the tree: tools/check.sh PASS...
#   fmt vet lint imports trusted tidy generated licences browser simgrid solver test race short fuzz
#   quick = fmt vet lint imports tidy generated licences short
#   all   = fmt vet lint imports tidy generated licences browser simgrid solver test race
# Everything that they need is pinned in go.mod; the race detector needs a C
# compiler and is left out without one. It runs the short tests. With LEEWAY_LONG=1
# the pass test tries all random cases, and runs the longest tests.
set -euo pipefail
cd "$(dirname "$0")/.."
# As the Makefile has it: what make build compiled is not compiled again.
export CGO_ENABLED=0 GOGC=400
export GOFLAGS="${GOFLAGS:-} -gcflags=all=-dwarf=false '-gcflags=github.com/nats-io/nats-server/...=-dwarf=false -l'"

pass_fmt() {
	local bad
	bad=$(gofmt -l -s cmd core encode examples objective results search tools)
	[ -z "$bad" ] || { echo "not formatted: $bad"; return 1; }
	bad=$(find . -name '*.go' -print0 | xargs -0 awk 'FNR == 1 { generated = /^\/\/ Code generated/ } length($0) > 120 && !generated { print FILENAME ":" FNR }')
	[ -z "$bad" ] || { echo "lines of more than 120 columns: $bad"; return 1; }
}

pass_vet() {
	go vet ./...
	GOOS=js GOARCH=wasm go build -o /dev/null ./cmd/engine
}

pass_lint() {
	go tool staticcheck ./...
	local bare
	bare=$(go list -f '{{if not .Doc}}{{.ImportPath}}{{end}}' ./...)
	[ -z "$bare" ] || { echo "packages without a comment: $bare"; return 1; }
}

# Layers import to the left only: core, objective, encode, then search and
# results side by side, then cmd.
pass_imports() {
	go list -f '{{$p := .ImportPath}}{{range .Imports}}{{$p}} {{.}}{{"\n"}}{{end}}' ./... | awk '
		function layer(path) { split(path, part, "/"); return part[2] }
		function room(path) { return path ~ /^leeway\/results\/check\/?/ ? (path == "leeway/results/check" ? "check" : substr(path, 22)) : "" }
		BEGIN { rooms["check"] = " kernel meter "; rooms["exchange"] = rooms["assigned"] = " meter "; rooms["sat"] = " meter optima "; rooms["optima"] = rooms["answer"] = " check meter "; rooms["witnesses"] = " check meter assigned "; rooms["worst"] = " check meter answer "; rooms["channels"] = " check meter answer witnesses "; rooms["documents"] = " check meter assigned optima sat exchange witnesses worst channels " }
		BEGIN { rank["core"] = 1; rank["objective"] = 2; rank["encode"] = 3; rank["search"] = 4; rank["results"] = 4; rank["cmd"] = rank["examples"] = 5 }
		$1 ~ /test$/ { next }
		$2 !~ /^leeway\// { if (layer($1) == "core" && $2 ~ /\./) { print $1 " imports " $2 ": core uses the standard library only"; bad = 1 } next }
		{ a = layer($1); b = layer($2) }
		rank[b] > rank[a] || (rank[b] == rank[a] && a != b) { print $1 " imports " $2 ": not a layer to the left"; bad = 1 }
		room($1) ~ /^(sat|exchange|documents)$/ && b != "core" && b != "encode" && $2 !~ /^leeway\/(objective(\/exchange|\/fast)?|results(\/schedules|\/disk|\/answers|\/check.*)?)$/ { print $1 " imports " $2 ": the checker trusts core, the naive evaluator, the builder of formulas, the record and the words of schedules only"; bad = 1 }
		room($1) != "" && room($2) != "" && index(rooms[room($1)], " " room($2) " ") == 0 { print $1 " imports " $2 ": not a room of the checker to the left"; bad = 1 }
		room($1) ~ /^(check|meter|assigned|optima|witnesses|answer|worst|channels)$/ && b != "core" && $2 !~ /^leeway\/(encode\/cut|objective(\/lowerbound)?|results(\/answers|\/check(\/.*)?)?)$/ { print $1 " imports " $2 ": what judges records trusts core, the definitions and the record only"; bad = 1 }
		$1 == "leeway/results/check/kernel" && b != "core" { print $1 " imports " $2 ": the kernel trusts networks and paths only"; bad = 1 }
		$1 == "leeway/objective/exchange" && b != "core" || $1 == "leeway/results/schedules" && b != "core" && $2 !~ /^leeway\/(objective\/exchange|results|results\/disk)$/ { print $1 " imports " $2 ": what checker and generators share has no algorithms"; bad = 1 }
		$1 == "leeway/results/audit/model" && $2 ~ /^leeway\/results\/audit/ { print $1 " imports " $2 ": what the papers describe knows nothing of claims"; bad = 1 }
		$1 == "leeway/cmd/cli" && b != "core" { print $1 " imports " $2 ": what any command line needs knows nothing of searches and results"; bad = 1 }
		$2 == "leeway/results/audit/claims" && a != "cmd" { print $1 " imports " $2 ": pages show findings without the checks"; bad = 1 }
		END { exit bad }'
}

# What a verdict about a record rests on, with the lines of each package; no engine is among it. Then what verdicts about
# lists of bounds, assignments of tasks, lists of optima, proofs of formulas, and schedules of complete
# exchange rest on as well.
pass_trusted() {
	closure ./results/check
	closure ./results/check/witnesses ./results/check
	closure ./results/check/assigned ./results/check
	closure ./results/check/optima ./results/check
	closure ./results/check/sat ./results/check
	closure ./results/check/exchange ./results/check
}

# closure PACKAGE [LESS] lists what a package links, but for what LESS links.
closure() {
	local less
	less=" $([ $# = 1 ] || go list -deps "$2" | tr '\n' ' ') "
	echo "$1:"
	go list -deps -f '{{if not .Standard}}{{$p := .}}{{range .GoFiles}}{{$p.ImportPath}} {{$p.Dir}}/{{.}}{{"\n"}}{{end}}{{range .SFiles}}{{$p.ImportPath}} {{$p.Dir}}/{{.}}{{"\n"}}{{end}}{{end}}' "$1" | awk -v less="$less" '
		index(less, " " $1 " ") { next }
		NF == 2 { while ((getline line < $2) > 0) { lines[$1]++; all++ } close($2) }
		$1 ~ /^leeway\/search/ { print $1 ": the checker must not rest on an engine"; bad = 1 }
		END { for (p in lines) printf "%6d %s\n", lines[p], p | "sort -k2"; close("sort -k2"); printf "%6d lines in all\n", all; exit bad }'
}

pass_tidy() { go mod tidy -diff; }

# What is generated is what its generator writes.
pass_generated() {
	local before status=0
	before=$(mktemp -d)
	cp -R objective/lanes "$before"
	go generate ./objective/lanes
	diff -r "$before/lanes" objective/lanes || status=1
	rm -r "$before"
	return "$status"
}

pass_licences() { tools/licences.sh | diff docs/licences.md - || { echo "docs/licences.md is behind: make docs"; return 1; }; }

# obtain NAME PACKAGE... installs what some tests need, where we may; otherwise those tests say that they are skipped.
obtain() {
	local name=$1
	shift
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		echo "no $name: it is installed now with apt-get, for the tests that need it"
		apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@" && return
	fi
	echo "no $name: the tests that need it are skipped"
}

# The pages are tested in a real browser.
pass_browser() {
	command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null ||
		obtain Chromium chromium
}

# Loads are compared with SimGrid, a simulator of networks.
pass_simgrid() {
	command -v g++ >/dev/null && printf '#if !__has_include(<simgrid/s4u.hpp>)\n#error\n#endif\n' | g++ -E -x c++ - >/dev/null 2>&1 ||
		obtain SimGrid g++ libsimgrid-dev
}

# Proofs of a SAT solver are checked. CaDiCaL writes them in LRAT from version 1.7.0 on.
pass_solver() {
	command -v cadical >/dev/null || obtain CaDiCaL cadical
	local status=0
	printf 'p cnf 1 1\n0\n' | cadical -q --no-binary --lrat >/dev/null 2>&1 || status=$?
	[ $status = 20 ] || echo "no CaDiCaL that writes LRAT: the tests that need it are skipped"
}

# A test that hangs is stopped, with the stacks of its goroutines; the time for one
# package is generous, since a busy machine is slow. The pass vet has vetted tests too.
timeout=20m
[ -z "${LEEWAY_LONG:-}" ] || timeout=60m

tests() { go test -vet=off -timeout "$timeout" "$@"; }

# The pages in a browser take longest and begin first, beside the others.
pass_test() { tests ./results/web ./...; }

pass_short() { tests -short ./...; }

# The race detector tells of what runs at the same time: in packages with tests that start goroutines or share what locks
# and atomic values guard, or whose tests do. What only makes a value once is watched where these use it. The long form
# has it watch all of them. It does not watch the database and the server of the cluster, large packages that are not ours.
concurrent() {
	local dir
	for dir in $(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}}{{end}}' ./...); do
		! grep -qE '\<go func|\.Go\(|sync\.(Mutex|RWMutex|WaitGroup)|atomic\.|parallel\.(Each|Await)' "$dir"/*.go || echo "$dir"
	done
}

pass_race() {
	local unwatched
	if command -v "$(go env CC)" >/dev/null; then
		unwatched='-dwarf=false -race=false'
		GOFLAGS="$GOFLAGS '-gcflags=modernc.org/...=$unwatched' '-gcflags=github.com/nats-io/nats-server/...=$unwatched -l'" \
			CGO_ENABLED=1 tests -race -short $(if [ -n "${LEEWAY_LONG:-}" ]; then echo ./...; else concurrent; fi)
	else
		echo "no C compiler: no race detector"
	fi
}

pass_fuzz() {
	local package name
	for package in $(go list ./...); do
		for name in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
			go test -run '^$' -fuzz "^$name\$" -fuzztime "${FUZZTIME:-60s}" "$package"
		done
	done
}

pass_quick() { run fmt vet lint imports tidy generated licences short; }

pass_all() { run fmt vet lint imports tidy generated licences browser simgrid solver test race; }

run() {
	local pass
	for pass in "$@"; do
		declare -F "pass_$pass" >/dev/null || { echo "unknown pass: $pass" >&2; exit 2; }
		echo "== $pass"
		"pass_$pass"
	done
}

[ $# -gt 0 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
run "$@"
