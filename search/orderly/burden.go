package orderly

import (
	"context"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/search/flows"
)

// A burden is what links carry in a branch, and what a processor at any other node would bring: at least, where paths
// depend on the processors.
type burden struct {
	*refuter
	flows *flows.Table
	avoid *alternatives // in place of what pairs send each other, where that depends on the others
	most  []int64       // by link: what it may carry
	room  []int64       // by link: the rest
	bring [][]int64     // by open node, and link
	total []int64       // by link: what all open nodes bring, together
	ports [2][][]core.Link

	slabbings []slabbing // where that pays: on twisted tori, and where all paths take the dimensions in one order

	hints       [][4]core.Link // by number of processors
	left, costs []int64        // scratches of over and close
	own, others []int64        // scratches of needed

	known, perhaps core.Set // scratches of recount
}

func newBurden(ctx context.Context, r *refuter, p objective.Problem, value *big.Rat) (*burden, error) {
	t := r.torus
	b := &burden{refuter: r, hints: make([][4]core.Link, p.Size+1), total: make([]int64, t.M()),
		left: make([]int64, t.M()), known: core.NewSet(t.N()), perhaps: core.NewSet(t.N())}
	if avoid, ok := p.Routing.(*routing.Avoid); ok {
		b.avoid = newAlternatives(avoid)
		b.most = flows.Limits(t, b.avoid.unit, value, r.all)
	} else {
		table, err := flows.New(ctx, p)
		if err != nil {
			return nil, err
		}
		b.flows, b.most = table, table.Limits(t, value, r.all)
	}
	b.ports[0], b.ports[1] = t.LinksAround()
	if orders, ok := p.Routing.(*routing.Orders); b.avoid == nil && (!t.Separable() || ok && len(orders.List()) == 1) {
		b.slabbings = b.newSlabbings()
	}
	b.room = slices.Clone(b.most)
	for range r.state {
		b.bring = append(b.bring, make([]int64, len(b.room)))
	}
	return b, nil
}

// preserved reports whether maps of nodes and links preserve what all pairs put on links.
func (b *burden) preserved(images []int, links []core.Link) bool {
	if b.avoid != nil {
		return b.avoid.preserved(images, links)
	}
	return b.flows.Preserved(images, links)
}

// decide takes what a node brings from the total of the open ones, or with sign 1 adds it, when it is open again. Under
// avoid the total is counted when it is asked for, as all the rest.
func (b *burden) decide(v int, sign int64) {
	if b.avoid == nil {
		for l, amount := range b.bring[v] {
			b.total[l] += sign * amount
		}
	}
}

// add counts the loads of a processor, or no more.
func (b *burden) add(v int, sign int64) {
	if b.avoid != nil {
		return
	}
	for l, amount := range b.bring[v] {
		b.room[l] -= sign * amount
	}
	for x, s := range b.state {
		if s == open {
			row := b.bring[x]
			for _, s := range b.flows.Pair(v, x) {
				row[s.Link] += sign * s.Amount
				b.total[s.Link] += sign * s.Amount
			}
		}
	}
}

// bars reports whether a processor on a node, with those that there are, overloads a link whatever follows.
func (b *burden) bars(v int) bool {
	room := b.room
	for l, amount := range b.bring[v] {
		if amount > room[l] {
			return b.avoid == nil
		}
	}
	return false
}

// overloads returns a link that carries too much, -1 if none does, with processors on some nodes more and no others.
func (b *burden) overloads(more []int) int {
	if b.avoid != nil {
		b.recount(more, nil)
		return slices.IndexFunc(b.room, func(room int64) bool { return room < 0 })
	}
	room := b.left
	copy(room, b.room)
	for i, v := range more {
		for l, amount := range b.bring[v] {
			room[l] -= amount
		}
		for _, u := range more[:i] {
			for _, s := range b.flows.Pair(u, v) {
				room[s.Link] -= s.Amount
			}
		}
	}
	return slices.IndexFunc(room, func(room int64) bool { return room < 0 })
}

// recount counts what links carry at least, with processors on some nodes more and perhaps on free ones, and what each
// of these brings at least.
func (b *burden) recount(more, free []int) {
	copy(b.room, b.most)
	clear(b.avoid.unsure)
	clear(b.known)
	clear(b.perhaps)
	known := slices.Concat(b.nodes, more)
	for _, v := range known {
		b.known.Add(v)
	}
	for _, v := range free {
		b.perhaps.Add(v)
		clear(b.bring[v])
	}
	for i, x := range known {
		for _, u := range known[:i] {
			b.avoid.sure(u, x, b.known, b.perhaps, b.room, -1)
		}
	}
	for _, x := range free {
		for _, u := range known {
			b.avoid.sure(u, x, b.known, b.perhaps, b.bring[x], 1)
		}
	}
}

// close writes steps that close the branch if it finds that links carry too much. It looks at every link, then at the
// links out of every processor and those into it: have they room for what the missing processors bring at least? Links
// at which branches with as many processors were closed last come first.
func (b *burden) close() bool {
	if b.avoid != nil {
		var free []int
		for v, s := range b.state {
			if s == open {
				free = append(free, v)
			}
		}
		b.recount(nil, free)
		clear(b.total)
		for _, x := range free {
			for l, amount := range b.bring[x] {
				b.total[l] += amount
			}
		}
	}
	need := b.need()
	hints := &b.hints[len(b.nodes)]
	for i, l := range hints {
		if b.full([]core.Link{l}, -1, 0) {
			copy(hints[1:i+1], hints[:i])
			hints[0] = l
			b.weigh(l)
			return true
		}
	}
	for l, room := range b.room {
		if room*int64(b.free) < b.total[l]*int64(need) && b.full([]core.Link{core.Link(l)}, -1, 0) {
			copy(hints[1:], hints[:])
			hints[0] = core.Link(l)
			b.weigh(core.Link(l))
			return true
		}
	}
	for _, v := range b.nodes {
		for side, lists := range b.ports {
			room, total := int64(0), int64(0)
			for _, l := range lists[v] {
				room += b.room[l]
				total += b.total[l]
			}
			if (b.avoid != nil || room*int64(b.free) < total*int64(need)) && b.full(lists[v], v, side) { // as in full
				b.weigh(lists[v]...)
				return true
			}
		}
	}
	return b.scarce()
}

// weigh closes the branch by what the processors, and the missing ones, put on links.
func (b *burden) weigh(links ...core.Link) {
	b.to.Weigh(b.to.Weighting(steps.Evenly(links...)), steps.Identity, b.to.View([]steps.Set{steps.All}, nil))
}

// full reports whether links have less room than what as many open nodes as are missing bring at least. They are those
// out of a node, or into it, or v is -1: what is not sure of the messages of v passes them, too.
func (b *burden) full(list []core.Link, v, side int) bool {
	b.costs = b.costs[:0]
	room, total, unsure := int64(0), int64(0), b.avoid != nil && v >= 0
	for _, l := range list {
		room += b.room[l]
	}
	for x, s := range b.state {
		cost := int64(0)
		if unsure && s != barred {
			cost = b.avoid.unsure[[2]int{v*len(b.state) + x, x*len(b.state) + v}[side]]
		}
		switch s {
		case taken:
			room -= cost
		case open:
			for _, l := range list {
				cost += b.bring[x][l]
			}
			b.costs = append(b.costs, cost)
			total += cost
		}
	}
	if room*int64(len(b.costs)) >= total*int64(b.need()) {
		return false // the mean of all open nodes leaves room
	}
	slices.Sort(b.costs)
	for _, cost := range b.costs[:min(b.need(), len(b.costs))] {
		room -= cost
	}
	return room < 0
}
