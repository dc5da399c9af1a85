#!/usr/bin/env bash
# Writes the whole atlas as one archive, as one would deposit it, and as a table for other programs:
#   tools/snapshot.sh PROGRAM [DIR]       PROGRAM: a leeway; DIR: dist
# The archive holds the records, their proofs as steps up to STREAMS bytes each (default 100000: nine in ten; none: 0), the
# table, what other programs verified, the schemas of the files, a README and checksums. Streams stay in DIR/streams, from
# which a later run continues.
set -euo pipefail
program=$(realpath "$1")
dist=${2:-dist}
mkdir -p "$dist"
dist=$(cd "$dist" && pwd)
cd "$(dirname "$0")/.."
name=leeway-atlas-$("$program" version | awk 'NR == 1 { print $2 }')
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
to=$temp/$name
mkdir "$to"
"$program" atlas export --format jsonl --out "$to/records.jsonl"
"$program" atlas export --format csv --out "$to/records.csv"
"$program" atlas export --format sqlite --out "$to/atlas.sqlite"
"$program" atlas export --format streams --largest "${STREAMS:-100000}" --out "$dist/streams"
cp -r "$dist/streams" "$to"
cp results/record.schema.json results/table.schema.json LICENSE CITATION.cff "$to"
cp results/atlas/verified*.jsonl results/atlas/history.jsonl results/atlas/worst.csv "$to"
cp docs/formats.md docs/conventions.md docs/steps.md docs/completeness.md tools/steps.py "$to"
cat >"$to/README.md" <<'README'
# The atlas of Leeway

Placements of processors on tori, meshes and twisted tori with the smallest largest load of a link that is known, lower
bounds, and why these hold. formats.md explains every field, completeness.md says what is complete and how it was checked.

* records.jsonl: a record for each cell, one a line, with its label, placement, value and proof; records.csv: the same
  short, for spreadsheets. The schema is record.schema.json. `leeway check FILE` checks a record.
* streams/LABEL.steps: the proof of a cell, as steps (steps.md). With its line of records.jsonl as r.json,
  `leeway check --stream streams/LABEL.steps r.json` and `python3 steps.py r.json streams/LABEL.steps` follow it. A
  monotone proof is that of the cell that it names; a bound is computed again. What is not there is large: `leeway check`
  has the engine that the record names write it again.
* atlas.sqlite: the table `cells`, for queries.
* verified*.jsonl: the hashes of formulas and proofs that checkers written elsewhere accepted.
* worst.csv: what the placements carry under the worst permutation of their processors.
* history.jsonl: what the atlas said before it knew better.
* SHA256SUMS: of all these files.

To cite the whole, see CITATION.cff; a cell is cited by its label.
README
(cd "$to" && find . -type f ! -name SHA256SUMS -print0 | sort -z | xargs -0 sha256sum >SHA256SUMS)
tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$temp" -cf - "$name" | gzip -9n >"$dist/$name.tar.gz"
cp "$to/atlas.sqlite" "$dist/$name.sqlite"
(cd "$dist" && sha256sum -- "$name.tar.gz" "$name.sqlite" >"$name.sha256")
