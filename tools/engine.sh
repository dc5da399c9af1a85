#!/usr/bin/env bash
# Builds the engine of the editor, a script that holds a WebAssembly module, packed, and what runs it:
#   tools/engine.sh FILE
set -euo pipefail
mkdir -p "$(dirname "$1")"
out=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/.."
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
CGO_ENABLED=0 GOOS=js GOARCH=wasm go build -ldflags='-s -w -buildid=' -o "$temp/engine.wasm" ./cmd/engine
{
	echo 'const LeewayEngine = { run: () => {'
	sed -E '5,$ { s/^[[:space:]]+//; /^\/\//d; /^$/d }' "$(go env GOROOT)/lib/wasm/wasm_exec.js" # below its licence
	printf '}, packed: "'
	gzip -9n <"$temp/engine.wasm" | base64 | tr -d '\n'
	echo '" };'
} >"$temp/engine.js"
mv "$temp/engine.js" "$out"
