#!/usr/bin/env bash
# Builds the engine of the editor, a script that holds a WebAssembly module, packed, and what runs it. Five digits to the
# base of 85 are four of its bytes, which takes 6 % less than base64:
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
	cat "$(go env GOROOT)/lib/wasm/wasm_exec.js"
	gzip -9n <"$temp/engine.wasm" >"$temp/packed"
	od -An -v -tu1 "$temp/packed" | awk -v bytes="$(wc -c <"$temp/packed")" '
		BEGIN {
			digits = "!%()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~"
			for (i = 0; i < 85; i++) digit[i] = substr(digits, i + 1, 1)
			printf "}, bytes: %d, digits: \"%s\", packed: \"", bytes, digits
		}
		{
			for (i = 1; i <= NF; i += 4) {
				n = (($i * 256 + $(i + 1)) * 256 + $(i + 2)) * 256 + $(i + 3)
				group = ""
				for (k = 0; k < 5; k++) { group = digit[n % 85] group; n = int(n / 85) }
				printf "%s", group
			}
		}
		END { print "\" };" }'
} >"$temp/engine.js"
mv "$temp/engine.js" "$out"
