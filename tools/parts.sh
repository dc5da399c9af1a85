#!/bin/sh
# Compares all networks of up to 128 nodes, and the shapes of pods, with k, a quarter and a half of the nodes as
# processors: writes results/findings/parts.json, pod-parts.json and parts.jsonl. Documents that are there are not made
# again, so that it continues where it was stopped.
set -e
work=parts.work
mkdir -p $work

# part NAME SIZE NETWORKS...: one document
part() {
	name=$1 size=$2
	shift 2
	test -e "$work/$name-$size.json" || {
		bin/leeway networks "$@" --size "$size" --json --store $work/parts.store >"$work/new"
		mv "$work/new" "$work/$name-$size.json"
	}
	cat "$work/$name-$size.json"
}

# parts NAME K NODES NETWORKS...: the documents of each number of processors; large ones are beyond proof, so that less
# is tried
parts() {
	name=$1 k=$2 nodes=$3
	shift 3
	for size in $(printf '%s\n' "$k" $((nodes / 4)) $((nodes / 2)) | sort -nu); do
		if [ "$nodes" -gt 64 ] && [ "$size" -gt 12 ]; then
			part "$name" "$size" "$@" --evaluations 400000
		elif [ "$size" -gt 1 ]; then
			part "$name" "$size" "$@"
		fi
	done
}

for n in $(seq 4 128); do
	k=$(awk "BEGIN { while ((k+1)^2 <= $n) k++; print k }")
	parts "2-$n" "$k" "$n" --nodes "$n" --dims 2
done >$work/all
for n in $(seq 8 64); do
	k=$(awk "BEGIN { while ((k+1)^3 <= $n) k++; print k }")
	parts "3-$n" "$k" "$n" --nodes "$n" --dims 3
done >>$work/all
mv $work/all results/findings/parts.json

for k in $(seq 2 16); do
	t=${k}x$((2 * k))
	parts "$t" "$k" $((2 * k * k)) $t "$t:twist=$k"
done >$work/all
for k in $(seq 2 6); do
	t=${k}x${k}x$((2 * k))
	parts "$t" "$k" $((2 * k * k * k)) $t "$t:twist=0,0,$k+0,0,$k+0,0,0" "$t:twist=0,0,$k+0,0,0+0,0,0"
done >>$work/all
for k in $(seq 2 5); do
	t=${k}x$((2 * k))x$((2 * k))
	parts "$t" "$k" $((4 * k * k * k)) $t "$t:twist=0,$k,$k+0,0,0+0,0,0" "$t:twist=0,$k,0+0,0,0+0,0,0"
done >>$work/all
mv $work/all results/findings/pod-parts.json

bin/leeway atlas export --store $work/parts.store --format atlas --out results/findings/parts.jsonl
