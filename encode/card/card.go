// Package card writes cardinality and pseudo-Boolean constraints as clauses.
//
// ExactlyK, AtMostK and AtMost propagate completely: whenever the literals that are set
// already force another one, unit propagation finds it. Unary numbers are for
// sums that are used more than once.
package card

import (
	"slices"

	"leeway/core"
	"leeway/encode/cnf"
)

// An AtMost is the constraint "the sum of the weights of the literals that hold
// is at most a limit", ready to be written for any literals.
//
// It is a reduced ordered decision diagram over the literals in sequence (I.
// Abio and others, A new look at BDDs for pseudo-Boolean constraints, JAIR
// 2012): a node stands for an interval of budgets that leave the same choices
// to the literals still to come. Only one direction is written, two clauses a
// node: a node that holds demands that the rest keeps to its budget. That
// suffices since the sum grows with the literals. Building the diagram once
// and writing it often pays on a torus, where all links of one port are
// translates of each other.
type AtMost struct {
	nodes []node
	root  int32
	terms int
}

// A node asks literal number level; the rest must fit the budget of the node
// with if the literal holds, and of without if not.
type node struct {
	level         int32
	with, without int32
}

// The two ends of a diagram.
const (
	holds int32 = -1
	fails int32 = -2
)

// NewAtMost returns the constraint for weights, which must not be negative and
// whose sum must fit an int64. Descending weights make it smallest. It fails with
// a *cnf.SizeError when it would need more than maxClauses clauses, and with the error of the watch. Cost
// O(nodes) searches among the nodes of a level; there are at most
// min(limit, 2^terms) nodes a level.
func NewAtMost(w *core.Watch, weights []int64, limit, maxClauses int64) (*AtMost, error) {
	g := &diagram{weights: weights, rest: make([]int64, len(weights)+1), levels: make([][]span, len(weights)),
		maxNodes: maxClauses / 2, watch: w}
	for i := len(weights) - 1; i >= 0; i-- {
		g.rest[i] = g.rest[i+1] + weights[i]
	}
	root := g.node(0, limit)
	if g.ended != nil {
		return nil, g.ended
	}
	if g.full {
		return nil, &cnf.SizeError{What: "a pseudo-Boolean constraint", Limit: maxClauses}
	}
	return &AtMost{nodes: g.nodes, root: root.node, terms: len(weights)}, nil
}

// A span is a node with the budgets, lo to hi, for which it stands.
type span struct {
	lo, hi int64
	node   int32
}

// unbounded is a budget beyond all sums.
const unbounded = int64(1) << 62

// stepsPerSpan is what a watch counts a span as, besides the spans of its level that are moved.
const stepsPerSpan = 16

type diagram struct {
	weights  []int64
	rest     []int64 // by level: the sum of the weights from there on
	levels   [][]span
	nodes    []node
	maxNodes int64
	full     bool
	watch    *core.Watch
	ended    error // of the watch
}

// node returns the node of a level for a budget with its span, made on first
// demand.
func (g *diagram) node(level int, budget int64) span {
	switch {
	case budget < 0:
		return span{lo: -unbounded, hi: -1, node: fails}
	case budget >= g.rest[level]:
		return span{lo: g.rest[level], hi: unbounded, node: holds}
	case g.full || g.ended != nil:
		return span{lo: budget, hi: budget, node: fails}
	}
	at, found := g.find(level, budget)
	if found {
		return g.levels[level][at]
	}
	w := g.weights[level]
	with, without := g.node(level+1, budget-w), g.node(level+1, budget)
	s := span{lo: max(with.lo+w, without.lo), hi: min(with.hi+w, without.hi), node: without.node}
	if with.node != without.node {
		s.node = int32(len(g.nodes))
		g.nodes = append(g.nodes, node{level: int32(level), with: with.node, without: without.node})
		g.full = int64(len(g.nodes)) > g.maxNodes
	}
	g.ended = g.watch.Err(stepsPerSpan + len(g.levels[level])/8)
	// The spans of a level are disjoint, and making children never touches it.
	g.levels[level] = slices.Insert(g.levels[level], at, s)
	return s
}

// find returns where the span with a budget stands in its level, or belongs.
func (g *diagram) find(level int, budget int64) (int, bool) {
	return slices.BinarySearchFunc(g.levels[level], budget, func(s span, budget int64) int {
		switch {
		case s.hi < budget:
			return -1
		case s.lo > budget:
			return 1
		default:
			return 0
		}
	})
}

// Holds reports whether the constraint is true whatever the literals are, so
// that nothing has to be written.
func (a *AtMost) Holds() bool { return a.root == holds }

// Clauses returns how many clauses Write writes.
func (a *AtMost) Clauses() int64 {
	if a.root == fails {
		return 1
	}
	count := int64(0)
	for _, n := range a.nodes {
		for _, next := range []int32{n.with, n.without} {
			if next != holds {
				count++
			}
		}
	}
	return count
}

// Write writes the constraint for the given literals, one for every weight and
// in the same sequence. It takes a variable for every node but the root.
func (a *AtMost) Write(b *cnf.Builder, literals []int) {
	if len(literals) != a.terms {
		panic("card: as many literals as weights are needed")
	}
	if a.root == fails {
		b.Clause()
		return
	}
	first := b.Vars() + 1
	for range len(a.nodes) - 1 {
		b.Var()
	}
	for i, n := range a.nodes {
		// The root is the last node made; it must hold and needs no variable.
		v := entry{variable: first + i}
		if int32(i) == a.root {
			v = entry{fixed: true, value: true}
		}
		clause(b, v.not(), nodeEntry(n.without, first))
		clause(b, v.not(), literal(-literals[n.level]), nodeEntry(n.with, first))
	}
}

func nodeEntry(n int32, first int) entry {
	if n < 0 {
		return entry{fixed: true, value: n == holds}
	}
	return entry{variable: first + int(n)}
}

// pairwise is how many literals are excluded pair by pair.
const pairwise = 5

// AtMostK writes that at most k of the literals hold, by a sequential counter in one
// direction (C. Sinz, CP 2005): about k variables and 2k clauses for each literal. Of a
// few literals at most one holds by a clause for every pair. A k below 0 gives the
// clause that cannot hold.
func AtMostK(b *cnf.Builder, literals []int, k int) {
	switch {
	case k < 0:
		b.Clause()
		return
	case k == 1 && len(literals) <= pairwise:
		for i, x := range literals {
			for _, y := range literals[:i] {
				b.Clause(-x, -y)
			}
		}
		return
	}
	var before []int // before[j] must hold if at least j+1 of the literals so far do
	for i, x := range literals {
		now := make([]int, min(i+1, k))
		for j := range now {
			now[j] = b.Var()
			if j < len(before) {
				b.Clause(-before[j], now[j])
			}
			if j == 0 {
				b.Clause(-x, now[j])
			} else {
				b.Clause(-x, -before[j-1], now[j])
			}
		}
		switch {
		case k == 0:
			b.Clause(-x)
		case i >= k:
			b.Clause(-x, -before[k-1])
		}
		before = now
	}
}

// ExactlyK writes that exactly k of the literals hold, by a sequential counter
// (C. Sinz, Towards an optimal CNF encoding of Boolean cardinality constraints,
// CP 2005) in both directions. A k outside 0..len(literals) gives the clause
// that cannot hold. It takes about k len(literals) variables and four times as
// many clauses.
func ExactlyK(b *cnf.Builder, literals []int, k int) {
	n := len(literals)
	if k < 0 || k > n {
		b.Clause()
		return
	}
	// count[j] holds when at least j of the literals so far do. It is a
	// constant where the rest decides: j = 0 holds, more than there are fails,
	// and fewer than the remaining ones can bring to k must hold.
	count := make([]entry, k+2)
	count[0] = entry{fixed: true, value: true}
	for j := 1; j <= k+1; j++ {
		count[j] = entry{fixed: true}
	}
	for i, x := range literals {
		next := make([]entry, k+2)
		for j := range next {
			next[j] = count[j]
			switch {
			case j == 0:
			case j <= k-(n-1-i):
				next[j] = entry{fixed: true, value: true}
			case j <= min(i+1, k):
				next[j] = entry{variable: b.Var()}
			}
		}
		for j := 1; j <= k+1; j++ {
			step(b, x, count[j-1], count[j], next[j])
		}
		count = next
	}
}

// An entry of the counter is a variable or a constant.
type entry struct {
	variable int
	fixed    bool
	value    bool
}

// step writes next = old or (x and less): j are reached if they were before, or
// if x is the one missing.
func step(b *cnf.Builder, x int, less, old, next entry) {
	clause(b, old.not(), next)
	clause(b, less.not(), next, literal(-x))
	clause(b, next.not(), less)
	clause(b, next.not(), old, literal(x))
}

func literal(l int) entry { return entry{variable: l} }

func (e entry) not() entry {
	return entry{variable: -e.variable, fixed: e.fixed, value: !e.value}
}

// clause writes the entries as a clause, without the constants.
func clause(b *cnf.Builder, entries ...entry) {
	literals := make([]int, 0, 3)
	for _, e := range entries {
		if e.fixed && e.value {
			return
		}
		if !e.fixed {
			literals = append(literals, e.variable)
		}
	}
	b.Clause(literals...)
}
