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
	rings    []avoidRing
}

// An avoidRing has the nodes of each slab of a dimension, and what two cuts across it carry at most.
type avoidRing struct {
	slabs []uint64
	cuts  int64
}

// An avoidMessage has a first node, a last, and paths between them.
type avoidMessage struct {
	from, to int
	paths    []avoidPath
}

// An avoidPath has nodes strictly inside, and links.
type avoidPath struct {
	inner uint64
	links []core.Link
}

// newOrderlyAvoid lists the paths of all pairs. The limits are those of docs/proofs.md for a value, or for all loads up
// to it if inclusive. It fails with a *core.InputError where sums pass 62 bits.
func newOrderlyAvoid(m *meter.Meter, r *routing.Avoid, n int, value *big.Rat, inclusive bool) (*orderlyAvoid, error) {
	t := r.Torus()
	a := &orderlyAvoid{torus: t, size: n, mirrored: true, messages: make([][][]*avoidMessage, t.N())}
	most := 0
	for v := range t.N() {
		a.messages[v] = make([][]*avoidMessage, t.N())
		for p := range v {
			there, back := listAvoid(m, r, p, v), listAvoid(m, r, v, p)
			most = max(most, len(there.paths), len(back.paths))
			a.mirrored = a.mirrored && mirrored(t, there, back)
			a.messages[p][v] = []*avoidMessage{there, back}
		}
	}
	unit := big.NewInt(1)
	for i := 2; i <= most; i++ {
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
		if t.Side(s) < 3 || t.Open(s) {
			continue
		}
		ring := avoidRing{make([]uint64, t.Side(s)), 2 * int64(t.N()/t.Side(s)) * a.limits[t.Link(0, s, core.Plus)]}
		for v := range t.N() {
			ring.slabs[t.Coord(v, s)] |= 1 << v
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
	return a, nil
}

// listAvoid lists the paths of a message.
func listAvoid(m *meter.Meter, r *routing.Avoid, from, to int) *avoidMessage {
	a := &avoidMessage{from: from, to: to}
	for links := range m.Paths(r.Candidates(), from, to, nil) {
		m.Charge(int64(16 * len(links)))
		p := avoidPath{links: slices.Clone(links)}
		for _, l := range links[1:] {
			v, _ := r.Torus().LinkFrom(l)
			p.inner |= 1 << v
		}
		a.paths = append(a.paths, p)
	}
	return a
}

// mirrored reports whether the paths back are those there, the other way round.
func mirrored(t *core.Torus, there, back *avoidMessage) bool {
	return len(there.paths) == len(back.paths) && !slices.ContainsFunc(back.paths, func(p avoidPath) bool {
		turned := slices.Clone(p.links)
		slices.Reverse(turned)
		for i, l := range turned {
			turned[i] = t.Reverse(l)
		}
		return !slices.ContainsFunc(there.paths, func(q avoidPath) bool { return slices.Equal(q.links, turned) })
	})
}

// fold leaves one message between two nodes, on the links that are looked at.
func (a *orderlyAvoid) fold(p, v int) {
	a.messages[p][v] = a.messages[p][v][:1]
	for _, path := range a.messages[p][v][0].paths {
		for i, l := range path.links {
			path.links[i] = min(l, a.torus.Reverse(l))
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

// An avoidLevel is what is known of the messages of a list.
type avoidLevel struct {
	settled []int64         // by link: the load of messages whose paths are known
	others  []*avoidMessage // the other ones
}

// enterAvoid is enter where paths depend on processors.
func (k *orderlyWalker) enterAvoid(m, i int) bool {
	from, to, v := &k.levels[m], &k.levels[m+1], k.levels[m].nodes[i]
	if !k.spend(4+len(from.nodes)-i) || !k.first.push(m, v) {
		return false
	}
	to.nodes = to.nodes[:0]
	dropped := &k.first.levels[m+1].dropped
	for _, u := range from.nodes[i+1:] {
		if m+1 < k.size && dropped[u>>6]>>(u&63)&1 == 0 {
			to.nodes = append(to.nodes, u)
		}
	}
	to.settled, to.others = append(to.settled[:0], from.settled...), append(to.others[:0], from.others...)
	for _, list := range [][]int{k.fixed, k.list[:m]} {
		for _, u := range list {
			to.others = append(to.others, k.avoid.messages[min(u, v)][max(u, v)]...)
		}
	}
	if !k.avoids(m + 1) {
		k.first.pop(m, v)
		return false
	}
	to.hash = census.Hash(from.hash, v)
	return true
}

// beginAvoid is begin where paths depend on processors.
func (k *orderlyWalker) beginAvoid() bool {
	none := &k.levels[0]
	none.nodes, none.settled, none.others = k.free, make([]int64, k.torus.M()), nil
	for i, v := range k.fixed {
		for _, u := range k.fixed[:i] {
			none.others = append(none.others, k.avoid.messages[min(u, v)][max(u, v)]...)
		}
	}
	return k.avoids(0)
}

// avoids reports whether the list of m numbers has enough candidates, no band of slabs that is sure to send too much,
// no link that is sure to carry too much, and room for the rest at every processor. It settles what can be.
func (k *orderlyWalker) avoids(m int) bool {
	a, at := k.avoid, &k.levels[m]
	has, may := uint64(0), uint64(0)
	for _, list := range [][]int{k.fixed, k.list[:m]} {
		for _, v := range list {
			has |= 1 << v
		}
	}
	for _, v := range at.nodes {
		may |= 1 << v
	}
	if m+len(at.nodes) < k.size || !a.bandsFit(has, may) {
		return false
	}
	var owed [maxAvoidNodes]int64
	loads := append(k.sure[:0], at.settled...)
	k.sure = loads
	kept := at.others[:0]
	looks := k.torus.M()
	for _, message := range at.others {
		possible, all, fewest := message.choose(has, may)
		share, sure := a.unit/int64(possible), int64(0)
		looks += 2 * len(message.paths)
		for i := range message.paths {
			path := &message.paths[i]
			if bits.OnesCount64(path.inner&(has|may)) > fewest {
				continue
			}
			sure += share
			for _, l := range path.links {
				if loads[l] += share; loads[l] > a.limits[l] {
					return false
				}
				if all {
					at.settled[l] += share
				}
			}
			looks += len(path.links)
		}
		if all {
			continue
		}
		kept = append(kept, message)
		owed[message.from] += a.unit - sure
		if a.mirrored {
			owed[message.to] += a.unit - sure
		}
	}
	at.others = kept
	if !k.spend(looks) {
		return false
	}
	missing := int64(a.size-bits.OnesCount64(has)) * a.unit
	for rest := has; rest != 0; rest &= rest - 1 {
		v := bits.TrailingZeros64(rest)
		if a.free(loads, v) < missing+owed[v] {
			return false
		}
	}
	return true
}

// choose returns how many paths of a message are possible, whether all of these are certain, and the fewest processors
// that a path has inside, if the nodes of has have one and those of may perhaps.
func (m *avoidMessage) choose(has, may uint64) (possible int, all bool, fewest int) {
	fewest, worst := maxAvoidNodes, maxAvoidNodes
	for i := range m.paths {
		now := bits.OnesCount64(m.paths[i].inner & has)
		fewest = min(fewest, now)
		worst = min(worst, now+bits.OnesCount64(m.paths[i].inner&may))
	}
	all = true
	for i := range m.paths {
		if inner := m.paths[i].inner; bits.OnesCount64(inner&has) <= worst {
			possible++
			all = all && bits.OnesCount64(inner&(has|may)) <= fewest
		}
	}
	return possible, all, fewest
}

// free returns the units that the links out of a node can carry beside their loads.
func (a *orderlyAvoid) free(loads []int64, v int) (sum int64) {
	for l := core.Link(v); int(l) < len(loads); l += core.Link(a.torus.N()) {
		at := l
		if a.mirrored && a.torus.HasLink(l) {
			at = min(l, a.torus.Reverse(l))
		}
		if a.limits[at] >= 0 {
			sum += a.limits[at] - loads[at]
		}
	}
	return sum
}

// bandsFit reports whether every band of up to half of the slabs of a ring can have a number of processors for which
// what they send to the others fits the two cuts around the band.
func (a *orderlyAvoid) bandsFit(has, may uint64) bool {
	all, free := bits.OnesCount64(has), bits.OnesCount64(may)
	for _, ring := range a.rings {
		k := len(ring.slabs)
		for x, first := range ring.slabs {
			in, more := bits.OnesCount64(has&first), bits.OnesCount64(may&first)
			for y := x + 1; ; y++ {
				least, most := max(in, a.size-(all-in)-(free-more)), min(in+more, a.size-(all-in))
				if a.crosses(least) > ring.cuts && a.crosses(most) > ring.cuts {
					return false
				}
				if y >= x+k/2 {
					break
				}
				in += bits.OnesCount64(has & ring.slabs[y%k])
				more += bits.OnesCount64(may & ring.slabs[y%k])
			}
		}
	}
	return true
}

// crosses returns what so many processors and the others send each other one way, in units.
func (a *orderlyAvoid) crosses(some int) int64 { return int64(some*(a.size-some)) * a.unit }
