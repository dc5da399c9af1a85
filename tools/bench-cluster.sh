#!/bin/sh
# Prints what a proof and a search take alone and with 1, 2, 4 and 8 workers, each in a network of its own on this
# machine, behind a bridge with TLS and a token as between machines: wall time, and user seconds of the coordinator and
# of all workers together, start included. Takes root, iproute2, openssl and GNU time. Usage: bench-cluster.sh LEEWAY
set -eu

[ $# = 1 ] || { echo "usage: $0 LEEWAY" >&2; exit 2; }
leeway=$(realpath "$1")
dir=$(mktemp -d)
cd "$dir"
finish() {
	trap - EXIT INT TERM
	for i in 1 2 3 4 5 6 7 8; do
		ip netns pids lw$i 2>/dev/null | xargs -r kill 2>/dev/null || true
		ip netns del lw$i 2>/dev/null || true
	done
	ip link del lwbridge 2>/dev/null || true
	rm -r "$dir"
}
trap finish EXIT
trap 'exit 1' INT TERM

ip link add lwbridge type bridge
ip addr add 10.77.0.100/24 dev lwbridge
ip link set lwbridge up
for i in 1 2 3 4 5 6 7 8; do
	ip netns add lw$i
	ip link add lwhost$i type veth peer name eth0 netns lw$i
	ip link set lwhost$i master lwbridge up
	ip -n lw$i addr add 10.77.0.$i/24 dev eth0
	ip -n lw$i link set eth0 up
done
openssl rand -hex 32 >token
chmod 600 token
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=head" \
	-addext subjectAltName=IP:10.77.0.100 -keyout head.key -out head.pem 2>/dev/null

# user FILE... prints the user seconds of files that time has written, added up.
user() { cat "$@" | awk '{ sum += $2 } END { printf "%.2f", sum }'; }

# run NAME COMMAND... prints the rows of a command.
run() {
	name=$1
	shift
	time -o alone -f '%e %U' "$leeway" "$@" -j 1 --out alone.json >/dev/null 2>log || { cat log >&2; exit 1; }
	echo "$name | alone, -j 1 | $(cut -d' ' -f1 alone) | $(user alone) | "
	for workers in 1 2 4 8; do
		for i in $(seq $workers); do
			ip netns exec lw$i time -o worker$i -f '%e %U' "$leeway" worker --join tls://10.77.0.100:4222 -j 1 \
				--token-file token --tls-ca head.pem >/dev/null 2>&1 &
		done
		time -o head -f '%e %U' "$leeway" "$@" -j 0 --out shared.json --cluster listen:10.77.0.100:4222 \
			--token-file token --tls-cert head.pem --tls-key head.key >/dev/null 2>log || { cat log >&2; exit 1; }
		for i in $(seq $workers); do
			ip netns pids lw$i | xargs -r kill -INT 2>/dev/null || true
		done
		wait
		echo "$name | $workers workers | $(cut -d' ' -f1 head) | $(user head) | $(user worker?)"
		rm worker?
	done
}

echo "question | machines | wall | alone or coordinator | workers"
run "proof" prove --torus 6x6 --size 15 --routing avoid:tie=both --below 11/2 --engine orderly
run "search" search --torus 6x6x6 --size 36 --routing udr:tie=both --evaluations 1000000
