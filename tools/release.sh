#!/usr/bin/env bash
# Builds what is released into a folder, with checksums:
#   tools/release.sh [--platform OS/ARCH]... [DIR]       DIR: dist
# An archive for each platform holds the program, the engine of its editor, its man
# pages, the completion of shells, and licences. The same tree gives the same bytes, wherever and whenever
# it is built with the same Go: tools/release.sh --verify builds twice, in two
# places, and compares.
set -euo pipefail
cd "$(dirname "$0")/.."

platforms=()
verify=
while [ $# -gt 0 ]; do
	case $1 in
	--platform) platforms+=("$2"); shift 2 ;;
	--verify) verify=yes; shift ;;
	-*) echo "release.sh: unknown option $1" >&2; exit 2 ;;
	*) break ;;
	esac
done
[ ${#platforms[@]} -gt 0 ] || platforms=(linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64)

if [ -n "$verify" ]; then
	temp=$(mktemp -d)
	trap 'rm -rf "$temp"' EXIT
	options=()
	for p in "${platforms[@]}"; do options+=(--platform "$p"); done
	tools/release.sh "${options[@]}" "$temp/here"
	mkdir "$temp/elsewhere"
	# What git holds or would hold, at another path.
	git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf - | tar -xf - -C "$temp/elsewhere"
	(cd "$temp/elsewhere" && GOCACHE=$temp/cache tools/release.sh "${options[@]}" "$temp/there")
	diff "$temp/here/SHA256SUMS" "$temp/there/SHA256SUMS"
	echo "two builds are identical"
	exit
fi

dist=${1:-dist}
mkdir -p "$dist"
dist=$(cd "$dist" && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
export CGO_ENABLED=0 GOFLAGS='-trimpath -buildvcs=false'

build() { GOOS=$1 GOARCH=$2 go build -ldflags '-s -w -buildid=' -o "$3" ./cmd/leeway; }

# The program of this machine writes what is the same for all.
build "$(go env GOHOSTOS)" "$(go env GOHOSTARCH)" "$stage/leeway"
version=$("$stage/leeway" version --json | sed -n 's/.*"version": "\([^"]*\)".*/\1/p')
common=$stage/common
mkdir -p "$common/completion"
tools/engine.sh "$common/engine.wasm.js"
cp README.md CHANGELOG.md LICENSE "$common"
"$stage/leeway" manual --man "$common/man/man1"
for shell in bash zsh fish powershell; do "$stage/leeway" completion "$shell" >"$common/completion/leeway.$shell"; done
tools/licences.sh "$common/licences"

archives=()
for platform in "${platforms[@]}"; do
	os=${platform%/*} arch=${platform#*/}
	name=leeway-$version-$os-$arch
	cp -R "$common" "$stage/$name"
	program=leeway
	[ "$os" = windows ] && program=leeway.exe
	build "$os" "$arch" "$stage/$name/$program"
	tar --sort=name --mtime='2026-01-01 00:00Z' --owner=0 --group=0 --numeric-owner --mode='u+w,go-w,a+rX' -C "$stage" -cf - "$name" | gzip -9n >"$dist/$name.tar.gz"
	archives+=("$name.tar.gz")
	echo "$name.tar.gz"
done
(cd "$dist" && sha256sum "${archives[@]}" >SHA256SUMS)
