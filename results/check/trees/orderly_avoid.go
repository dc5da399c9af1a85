package trees

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/results/check/census"
	"leeway/results/check/meter"
	"leeway/results/check/shares"
)

// maxAvoidNodes is the most nodes of a torus whose placements are judged under avoid: one bit each.
const maxAvoidNodes = 64

// An orderlyAvoid has all messages that two nodes can send each other under avoid, with the paths to choose from, and
// what links may carry, in units of 1/D (docs/proofs.md).
type orderlyAvoid struct {
	torus    *core.Torus
	size     int                 // processors
	unit     int64               // D
	none     bool                // L is negative
	limits   []int64             // by link, of those that are looked at; -1: it carries what its reverse does
	mirrored bool                // the paths back are those there: one message stands for both ways
	messages [][][]*avoidMessage // by nodes p < v
	out      [][]core.Link       // by node: the links out of it, as those that are looked at
	paths    int                 // the most of a message
	rings    []avoidRing
}

// An avoidRing has the nodes of each slab of a dimension, and by number of processors whether what so many and the
// others send each other is too much for two cuts across it.
type avoidRing struct {
	slabs   []uint64
	tooMany []bool
}

// An avoidMessage has a first node, a last, and the paths between them: nodes strictly inside, and links.
type avoidMessage struct {
	from, to int
	inner    []uint64
	links    [][]core.Link
}

// newOrderlyAvoid lists the paths of all pairs. The limits are those of docs/proofs.md for a value, or for all loads up
// to it if inclusive. It fails with a *core.InputError where sums pass 62 bits.
func newOrderlyAvoid(m *meter.Meter, r *routing.Avoid, n int, value *big.Rat, inclusive bool) (*orderlyAvoid, error) {
	t := r.Torus()
	a := &orderlyAvoid{torus: t, size: n, mirrored: true, messages: make([][][]*avoidMessage, t.N())}
	for v := range t.N() {
		a.messages[v] = make([][]*avoidMessage, t.N())
		for p := range v {
			there, back := listAvoid(m, r, p, v), listAvoid(m, r, v, p)
			a.paths = max(a.paths, len(there.links), len(back.links))
			a.mirrored = a.mirrored && mirrored(t, there, back)
			a.messages[p][v] = []*avoidMessage{there, back}
		}
	}
	unit := big.NewInt(1)
	for i := 2; i <= a.paths; i++ {
		unit = shares.LCM(unit, big.NewInt(int64(i)))
	}
	sums := new(big.Int).Mul(unit, big.NewInt(int64(n*n*t.Degree()*t.CommonBandwidth()*t.N())))
	if sums.BitLen() > 62 {
		return nil, &core.InputError{Text: r.String(),
			Problem: fmt.Sprintf("on torus %s loads are multiples of 1/%s: sums of %d processors pass 62 bits", t, unit, n)}
	}
	a.unit = unit.Int64()
	for l := range core.Link(t.M()) {
		limit := int64(-1)
		if _, port := t.LinkFrom(l); t.HasLink(l) && !(a.mirrored && t.Reverse(l) < l) {
			limit = a.limit(int64(t.Bandwidth(port.Dim)), value, inclusive)
			a.none = a.none || limit < 0
		}
		a.limits = append(a.limits, limit)
	}
	for s := range t.D() {
		k := t.Slabs(s)
		if k < 3 || t.Open(s) {
			continue
		}
		ring := avoidRing{slabs: make([]uint64, k)}
		for some, cuts := 0, 2*int64(t.N()/k)*a.limits[t.Link(0, s, core.Plus)]; some <= n; some++ {
			ring.tooMany = append(ring.tooMany, int64(some*(n-some))*a.unit > cuts)
		}
		for v := range t.N() {
			ring.slabs[t.Slab(v, s)] |= 1 << v
		}
		a.rings = append(a.rings, ring)
	}
	if a.mirrored {
		for p := range a.messages {
			for v := p + 1; v < t.N(); v++ {
				a.fold(p, v)
			}
		}
	}
	a.out = make([][]core.Link, t.N())
	for l := range core.Link(t.M()) {
		v, at := int(l)%t.N(), l
		if a.mirrored && t.HasLink(l) {
			at = min(l, t.Reverse(l))
		}
		if a.limits[at] >= 0 {
			a.out[v] = append(a.out[v], at)
		}
	}
	return a, nil
}

// listAvoid lists the paths of a message.
func listAvoid(m *meter.Meter, r *routing.Avoid, from, to int) *avoidMessage {
	a := &avoidMessage{from: from, to: to}
	for links := range m.Paths(r.Candidates(), from, to, nil) {
		m.Charge(int64(16 * len(links)))
		inner := uint64(0)
		for _, l := range links[1:] {
			v, _ := r.Torus().LinkFrom(l)
			inner |= 1 << v
		}
		a.inner, a.links = append(a.inner, inner), append(a.links, slices.Clone(links))
	}
	return a
}

// mirrored reports whether the paths back are those there, the other way round.
func mirrored(t *core.Torus, there, back *avoidMessage) bool {
	return len(there.links) == len(back.links) && !slices.ContainsFunc(back.links, func(path []core.Link) bool {
		turned := slices.Clone(path)
		slices.Reverse(turned)
		for i, l := range turned {
			turned[i] = t.Reverse(l)
		}
		return !slices.ContainsFunc(there.links, func(q []core.Link) bool { return slices.Equal(q, turned) })
	})
}

// fold leaves one message between two nodes, on the links that are looked at.
func (a *orderlyAvoid) fold(p, v int) {
	a.messages[p][v] = a.messages[p][v][:1]
	for _, path := range a.messages[p][v][0].links {
		for i, l := range path {
			path[i] = min(l, a.torus.Reverse(l))
		}
	}
}

// limit returns the most units that a link of a bandwidth may carry.
func (a *orderlyAvoid) limit(bandwidth int64, value *big.Rat, inclusive bool) int64 {
	v := new(big.Rat).Mul(value, new(big.Rat).SetInt(new(big.Int).Mul(big.NewInt(bandwidth), big.NewInt(a.unit))))
	limit := shares.Ceil(v)
	if !inclusive || !v.IsInt() {
		limit.Sub(limit, big.NewInt(1))
	}
	most := a.unit * bandwidth * int64(a.size*a.size) // more than all messages
	if limit.Cmp(big.NewInt(most)) > 0 {
		return most
	}
	return limit.Int64()
}

// An avoidLevel is what is known of a list: its nodes and its candidates, one bit each, and the messages of its nodes.
type avoidLevel struct {
	has, may uint64          // has: with the fixed nodes
	settled  []int64         // by link: the load of messages whose paths are known
	others   []*avoidMessage // the other ones
}

// An avoidScratch is what avoids needs for a moment.
type avoidScratch struct {
	sure     []int64 // by link: loads of paths that are certain
	now, may []uint8 // by path of a message: how many processors it has inside, and may have
}

// enterAvoid is enter where paths depend on processors.
func (k *orderlyWalker) enterAvoid(m, i int) bool {
	from, to, v := &k.levels[m], &k.levels[m+1], k.levels[m].nodes[i]
	if !k.spend(4+len(from.nodes)-i) || !k.first.push(m, v) {
		return false
	}
	to.has, to.may = from.has|1<<v, 0
	if m+1 < k.size {
		to.may = from.may &^ (2<<v - 1) &^ k.first.levels[m+1].dropped[0]
	}
	if m+1+bits.OnesCount64(to.may) < k.size || !k.avoid.bandsFit(to.has, to.may) {
		k.first.pop(m, v)
		return false
	}
	to.settled, to.others = append(to.settled[:0], from.settled...), append(to.others[:0], from.others...)
	for rest := from.has; rest != 0; rest &= rest - 1 {
		u := bits.TrailingZeros64(rest)
		to.others = append(to.others, k.avoid.messages[min(u, v)][max(u, v)]...)
	}
	if !k.avoids(m + 1) {
		k.first.pop(m, v)
		return false
	}
	to.nodes = to.nodes[:0]
	for rest := to.may; rest != 0; rest &= rest - 1 {
		to.nodes = append(to.nodes, bits.TrailingZeros64(rest))
	}
	to.hash = census.Hash(from.hash, v)
	return true
}

// beginAvoid is begin where paths depend on processors.
func (k *orderlyWalker) beginAvoid() bool {
	none := &k.levels[0]
	none.nodes, none.settled, none.others = k.free, make([]int64, k.torus.M()), nil
	none.has, none.may = maskOf(k.fixed), maskOf(k.free)
	for i, v := range k.fixed {
		for _, u := range k.fixed[:i] {
			none.others = append(none.others, k.avoid.messages[min(u, v)][max(u, v)]...)
		}
	}
	return len(k.free) >= k.size && k.avoid.bandsFit(none.has, none.may) && k.avoids(0)
}

// maskOf returns nodes as one bit each.
func maskOf(nodes []int) (set uint64) {
	for _, v := range nodes {
		set |= 1 << v
	}
	return set
}

// avoids reports whether the list of m numbers has no link that is sure to carry too much, and room for the rest at
// every processor. It settles what can be.
func (k *orderlyWalker) avoids(m int) bool {
	a, at := k.avoid, &k.levels[m]
	has, both := at.has, at.has|at.may
	var owed [maxAvoidNodes]int64
	loads := append(k.scratch.sure[:0], at.settled...)
	k.scratch.sure = loads
	kept := at.others[:0]
	looks := len(loads)
	for _, message := range at.others {
		now, may := k.scratch.now[:len(message.inner)], k.scratch.may[:len(message.inner)]
		fewest, worst := uint8(maxAvoidNodes), uint8(maxAvoidNodes)
		for i, inner := range message.inner {
			now[i], may[i] = uint8(bits.OnesCount64(inner&has)), uint8(bits.OnesCount64(inner&both))
			fewest, worst = min(fewest, now[i]), min(worst, may[i])
		}
		looks += 2 * len(now)
		if worst > fewest { // any path may have more inside than another
			kept = append(kept, message)
			owed[message.from] += a.unit
			if a.mirrored {
				owed[message.to] += a.unit
			}
			continue
		}
		possible, certain := 0, 0 // paths; those that are certain have the fewest inside, whatever comes
		for i := range now {
			if now[i] == fewest {
				possible++
			}
			if may[i] == fewest {
				certain++
			}
		}
		share := a.unit / int64(possible)
		for i, links := range message.links {
			if may[i] > fewest {
				continue
			}
			for _, l := range links {
				if loads[l] += share; loads[l] > a.limits[l] {
					return false
				}
			}
			if possible == certain {
				for _, l := range links {
					at.settled[l] += share
				}
			}
			looks += len(links)
		}
		if possible == certain {
			continue
		}
		kept = append(kept, message)
		owed[message.from] += a.unit - share*int64(certain)
		if a.mirrored {
			owed[message.to] += a.unit - share*int64(certain)
		}
	}
	at.others = kept
	if !k.spend(looks) {
		return false
	}
	missing := int64(a.size-bits.OnesCount64(has)) * a.unit
	for rest := has; rest != 0; rest &= rest - 1 {
		v := bits.TrailingZeros64(rest)
		free := -missing - owed[v]
		for _, l := range a.out[v] {
			free += a.limits[l] - loads[l]
		}
		if free < 0 {
			return false
		}
	}
	return true
}

// bandsFit reports whether every band of up to half of the slabs of a ring can have a number of processors for which
// what they send to the others fits the two cuts around the band, if the nodes of has have one and those of may
// perhaps.
func (a *orderlyAvoid) bandsFit(has, may uint64) bool {
	all, free := bits.OnesCount64(has), bits.OnesCount64(may)
	for i := range a.rings {
		ring := &a.rings[i]
		var ins, mores [maxAvoidNodes]int
		k := len(ring.slabs)
		for x, slab := range ring.slabs {
			ins[x], mores[x] = bits.OnesCount64(has&slab), bits.OnesCount64(may&slab)
		}
		for x := range k {
			for y, in, more := x, 0, 0; y < x+k/2; y++ {
				at := y
				if at >= k {
					at -= k
				}
				in, more = in+ins[at], more+mores[at]
				least, most := max(in, a.size-(all-in)-(free-more)), min(in+more, a.size-(all-in))
				if ring.tooMany[least] && ring.tooMany[most] {
					return false
				}
			}
		}
	}
	return true
}
