// Package routing has the routings: which shortest paths the messages of a pair take, as listed paths (the
// definition) and as exact shares of links, with their text form.
package routing

import (
	"iter"
	"math/big"

	"leeway/core"
)

// A Tie says which way a path takes around a ring when both are equally short.
type Tie uint8

// The tie rules.
const (
	TiePlus Tie = iota
	TieBoth
)

// String returns "plus" or "both".
func (t Tie) String() string {
	if t == TieBoth {
		return "both"
	}
	return "plus"
}

// A Flow is the traffic of one ordered pair: a link with share s carries s/Den
// of it. Shares are positive and every link stands at most once.
type Flow struct {
	Den    *big.Int
	Shares []Share
}

// A Share is one link's part of a Flow; above 1 where messages use the link more than once.
type Share struct {
	Link core.Link
	Num  *big.Int
}

// Units yields the links with what a message puts on them after division by their bandwidths, in units of 1/den,
// rounded down. These numbers must fit an int64.
func (f Flow) Units(t *core.Torus, den *big.Int) iter.Seq2[core.Link, int64] {
	return func(yield func(core.Link, int64) bool) {
		of := new(big.Int).Mul(f.Den, big.NewInt(int64(t.CommonBandwidth())))
		unit, rest := new(big.Int).QuoRem(den, of, new(big.Int))
		for _, s := range f.Shares {
			scale := int64(t.LinkScale(s.Link))
			load := s.Num.Int64() * unit.Int64() * scale
			if rest.Sign() != 0 {
				x := new(big.Int).Mul(s.Num, den)
				load = x.Quo(x.Mul(x, big.NewInt(scale)), of).Int64()
			}
			if !yield(s.Link, load) {
				return
			}
		}
	}
}

// A Routing is a set of paths, mostly shortest ones, for every ordered pair of distinct nodes
// of one torus. Implementations are immutable and safe for concurrent use.
type Routing interface {
	// Torus returns the torus that the routing is for.
	Torus() *core.Torus
	// String returns the canonical text form, which Parse reads back; "table"
	// for a table, whose entries stand in a file.
	String() string
	// Tie returns the tie rule.
	Tie() Tie
	// DependsOnPlacement reports whether the paths of a pair depend on where
	// the other processors are. If not, they depend on the pair only, and on its
	// displacement only if Invariant says so.
	DependsOnPlacement() bool
	// Paths yields the paths from p to q as their links in order, each with its
	// weight: a message takes a path with the probability of its weight over the
	// sum of all. Where a path comes again, its weights add up; see Uniform. The
	// slice is reused between steps. Cost: the number of paths times their
	// length. The set of processors is read only by routings that depend on it.
	Paths(p, q int, processors core.Set) iter.Seq2[[]core.Link, int64]
	// Flow returns the exact share of every link that some path uses.
	Flow(p, q int, processors core.Set) Flow
	// Denominator returns a D such that every load, of every placement, is a
	// multiple of 1/D, or nil if the least one is too large to be of use.
	Denominator() *big.Int
}

// Shortest reports whether every path is a shortest one. What follows from the displacement of a pair, as which slabs
// its messages cross, holds only then.
func Shortest(r Routing) bool {
	s, ok := r.(interface{ Shortest() bool })
	return !ok || s.Shortest()
}

// Uniform reports whether the paths of every pair are distinct and all have the same weight.
func Uniform(r Routing) bool {
	u, ok := r.(interface{ Uniform() bool })
	return !ok || u.Uniform()
}

// Unordered reports whether the routing takes no dimension before another, and no direction before the other but at
// ties: a permutation of equal dimensions takes its paths to its paths, and on a network with its dimensions in another
// order the routing has the same text.
func Unordered(r Routing) bool {
	u, ok := r.(interface{ Unordered() bool })
	return ok && u.Unordered()
}

// FlowWatched returns r.Flow, or the error of the watch when that ends first: between
// paths where a routing lists them, between lattice points or splits where it does not.
func FlowWatched(r Routing, p, q int, processors core.Set, w *core.Watch) (Flow, error) {
	switch r := r.(type) {
	case *Minimal:
		return r.flow(p, q, w)
	case *Avoid:
		return r.flow(p, q, processors, w)
	case *Orders:
		return r.flow(p, q, w)
	case *Legs:
		return r.flow(p, q, w)
	}
	return r.Flow(p, q, processors), nil
}

// A base has what all routings say alike: the network that they are for, and the tie rule.
type base struct {
	torus *core.Torus
	tie   Tie
}

// Torus returns the network that the routing is for.
func (b *base) Torus() *core.Torus { return b.torus }

// Tie returns the tie rule.
func (b *base) Tie() Tie { return b.tie }

// DependsOnPlacement returns false.
func (b *base) DependsOnPlacement() bool { return false }

// differing returns the dimensions in which p and q differ, ascending.
func differing(t *core.Torus, p, q int) []int {
	var dims []int
	for j := range t.D() {
		if t.Coord(p, j) != t.Coord(q, j) {
			dims = append(dims, j)
		}
	}
	return dims
}

// appendSegment appends the links of the straight way of the given number of steps, up or, if it is negative, down from
// node and returns them with the node reached.
func appendSegment(t *core.Torus, path []core.Link, node, dim, steps int) ([]core.Link, int) {
	dir := core.Plus
	if steps < 0 {
		dir = core.Minus
	}
	for range max(steps, -steps) {
		path = append(path, t.Link(node, dim, dir))
		node = t.Shift(node, dim, int(dir))
	}
	return path, node
}

// flowOf sorts shares gathered in a map into a Flow.
func flowOf(den *big.Int, shares map[core.Link]*big.Int) Flow {
	f := Flow{Den: den, Shares: make([]Share, 0, len(shares))}
	for _, l := range sortedLinks(shares) {
		f.Shares = append(f.Shares, Share{Link: l, Num: shares[l]})
	}
	return f
}
