package bisect

import (
	"slices"

	"leeway/core"
)

// refine improves a cut by the moves of Fiduccia and Mattheyses (19th Design
// Automation Conference, 1982) and returns it with its links out. A pass moves
// every node once, always one whose move saves most or costs least, and goes back to the best
// cut met; passes end when one brings nothing. Departures: only processors count
// for the balance, so other nodes move freely, and within a pass a side may be
// one processor short. Cost per pass O(M).
func (g *graph) refine(q Question, start core.Set) (core.Set, int) {
	best, out := start, g.capacityOut(start)
	for {
		p := newPass(g, q, best, out)
		p.run()
		if p.bestOut >= out {
			return best, out
		}
		best, out = p.undo(), p.bestOut
	}
}

// pass is one pass of refine.
type pass struct {
	*graph
	q          Question
	processors core.Set
	side       core.Set
	locked     core.Set
	saves      []int // by node: the capacity out that its move saves, plus that of a node
	queues     [4]queue
	count, out int
	moves      []int
	bestOut    int
	bestMoves  int
}

// queue holds nodes by the capacity that their move saves, plus that of a node. Entries
// may be out of date.
type queue struct {
	nodes [][]int32
	top   int
}

func newPass(g *graph, q Question, start core.Set, out int) *pass {
	p := &pass{graph: g, q: q, processors: q.Placement.Set(), side: slices.Clone(start),
		locked: core.NewSet(g.nodes), saves: make([]int, g.nodes),
		count: processorsInside(q.Placement, start), out: out, bestOut: out}
	for i := range p.queues {
		p.queues[i].nodes = make([][]int32, 2*g.capacity+1)
	}
	for v := range g.nodes {
		p.saves[v] = 2*g.crossing(start, v) + g.capacity - g.nodeCapacity(v)
		p.push(v)
	}
	return p
}

// class tells processors from other nodes and S from the rest.
func (p *pass) class(v int) int {
	c := 0
	if p.processors.Has(v) {
		c = 2
	}
	if p.side.Has(v) {
		c++
	}
	return c
}

func (p *pass) push(v int) {
	q := &p.queues[p.class(v)]
	s := p.saves[v]
	q.nodes[s] = append(q.nodes[s], int32(v))
	q.top = max(q.top, s)
}

// peek drops entries out of date and returns the class's best node, -1 if there
// is none.
func (p *pass) peek(class int) int {
	q := &p.queues[class]
	for q.top >= 0 {
		list := q.nodes[q.top]
		if len(list) == 0 {
			q.top--
			continue
		}
		v := int(list[len(list)-1])
		if !p.locked.Has(v) && p.saves[v] == q.top {
			return v
		}
		q.nodes[q.top] = list[:len(list)-1]
	}
	q.top = 0
	return -1
}

// pick returns the node to move next, -1 if no move is allowed.
func (p *pass) pick() int {
	best := -1
	for class := range p.queues {
		if class == 2 && p.count > p.q.most() || class == 3 && p.count < p.q.Least {
			continue
		}
		if v := p.peek(class); v >= 0 && (best < 0 || p.saves[v] > p.saves[best]) {
			best = v
		}
	}
	return best
}

// run moves nodes until none is left, or the cut has not improved for long.
func (p *pass) run() {
	patience := 64 + p.nodes/4
	for len(p.moves)-p.bestMoves < patience {
		v := p.pick()
		if v < 0 {
			return
		}
		p.move(v)
		if p.out < p.bestOut && p.q.fits(p.count) {
			p.bestOut, p.bestMoves = p.out, len(p.moves)
		}
	}
}

func (p *pass) move(v int) {
	p.out += p.capacity - p.saves[v]
	p.locked.Add(v)
	p.moves = append(p.moves, v)
	entering := !p.side.Has(v)
	flip(p.side, v)
	if p.processors.Has(v) {
		if entering {
			p.count++
		} else {
			p.count--
		}
	}
	for i, w := range p.neighbours(v) {
		switch {
		case int(w) == v:
			continue
		case p.side.Has(int(w)) == p.side.Has(v):
			p.saves[w] -= 2 * p.linkCapacity(v, i)
		default:
			p.saves[w] += 2 * p.linkCapacity(v, i)
		}
		if !p.locked.Has(int(w)) {
			p.push(int(w))
		}
	}
}

// undo returns the best cut met.
func (p *pass) undo() core.Set {
	for _, v := range p.moves[p.bestMoves:] {
		flip(p.side, v)
	}
	return p.side
}
