#!/usr/bin/env bash
# The modules that the program is built from, with their licences:
#   tools/licences.sh          as a table in Markdown, docs/licences.md
#   tools/licences.sh DIR      copies their licence texts into DIR
set -euo pipefail
cd "$(dirname "$0")/.."

# For all platforms that are released: some modules serve one of them only.
modules() {
	local os
	for os in linux darwin windows; do
		GOOS=$os CGO_ENABLED=0 go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./cmd/leeway
	done | LC_ALL=C sort -u
}

# The texts of a module, its own first.
texts() { find "$1" -maxdepth 1 -type f \( -iname 'licen[sc]e*' -o -iname 'copying*' -o -iname 'notice*' \) | LC_ALL=C sort; }

kind() {
	local text
	text=$(tr -s ' \n\t' ' ' <"$1")
	case $text in
	*"Apache License"*) echo Apache-2.0 ;;
	*"Mozilla Public License"*) echo MPL-2.0 ;;
	*"Permission is hereby granted, free of charge"*) echo MIT ;;
	*"Neither the name"*) echo BSD-3-Clause ;;
	*"Redistribution and use in source and binary forms"*) echo BSD-2-Clause ;;
	*) echo "unknown licence in $1" >&2 && return 1 ;;
	esac
}

if [ $# -eq 0 ]; then
	printf '# Licences\n\nLeeway is under BSD-3-Clause, see [LICENSE](../LICENSE). The program is built from these modules, whose licence texts\ncome with every release. Written by `tools/licences.sh`.\n\n| module | version | licence |\n|---|---|---|\n'
fi
modules | while read -r path version dir; do
	first=$(texts "$dir" | head -1)
	[ -n "$first" ] || { echo "$path has no licence text" >&2; exit 1; }
	if [ $# -eq 0 ]; then
		echo "| $path | $version | $(kind "$first") |"
	else
		mkdir -p "$1/$path"
		texts "$dir" | while read -r text; do install -m 644 "$text" "$1/$path/"; done
	fi
done
