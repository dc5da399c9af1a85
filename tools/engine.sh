#!/usr/bin/env bash
# Builds the engine of the editor, a script that holds a WebAssembly module, packed, and what runs it:
#   tools/engine.sh FILE
# Packages in which no time goes are not inlined, which makes it a tenth smaller: all of the standard library, and these.
set -euo pipefail
mkdir -p "$(dirname "$1")"
out=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/.."
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
small=()
for package in std leeway/results/... leeway/encode/... leeway/cmd/work/engine leeway/core/family \
	leeway/core/symmetry leeway/objective/{bisect,bound,congestion,exchange,margin,simplex} \
	leeway/search leeway/search/{backend,census,clients,elaborate,exhaustive,family,genetic,joint,linear,orbit,portfolio} \
	leeway/search/{refute,restrict,sat} \
	github.com/MaxHalford/... golang.org/...; do
	small+=("-gcflags=$package=-l")
done
CGO_ENABLED=0 GOOS=js GOARCH=wasm go build -trimpath -buildvcs=false "${small[@]}" \
	-ldflags='-s -w -buildid=' -o "$temp/engine.wasm" ./cmd/engine
gzip -9n <"$temp/engine.wasm" |
	CGO_ENABLED=0 go run ./cmd/engine "$(go env GOROOT)/lib/wasm/wasm_exec.js" >"$temp/engine.js"
mv "$temp/engine.js" "$out"
