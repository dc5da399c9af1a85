#!/usr/bin/env bash
# Builds the engine of the editor, a script that holds a WebAssembly module, packed, and what runs it:
#   tools/engine.sh FILE
# Packages in which no time goes are not inlined, which makes it a tenth smaller: all of the standard library, and these.
# Packed it may have 3,000,000 bytes: more is an error.
set -euo pipefail
mkdir -p "$(dirname "$1")"
out=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/.."
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
small=()
for package in std leeway/results/... leeway/encode/... leeway/cmd/work/engine leeway/core/family \
	leeway/core/symmetry leeway/objective/{bisect,bound,congestion,exchange} \
	leeway/search/{backend,elaborate,exhaustive,family,genetic,joint,portfolio,restrict,sat} \
	github.com/MaxHalford/... golang.org/...; do
	small+=("-gcflags=$package=-l")
done
CGO_ENABLED=0 GOOS=js GOARCH=wasm go build -trimpath -buildvcs=false "${small[@]}" \
	-ldflags='-s -w -buildid=' -o "$temp/engine.wasm" ./cmd/engine
gzip -9n <"$temp/engine.wasm" >"$temp/packed"
size=$(wc -c <"$temp/packed")
if ((size > 3000000)); then
	echo "engine.sh: the engine has $size bytes packed, of at most 3000000: leave something out of it" >&2
	exit 1
fi
{
	printf 'const LeewayEngine = {\nrun: () => {\n'
	cat "$(go env GOROOT)/lib/wasm/wasm_exec.js"
	printf '\n},\npacked: "'
	base64 <"$temp/packed" | tr -d '\n'
	printf '"};\n'
} >"$temp/engine.js"
mv "$temp/engine.js" "$out"
