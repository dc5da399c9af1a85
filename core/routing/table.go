package routing

import (
	"fmt"
	"iter"
	"math/big"

	"leeway/core"
)

// Table is an explicit routing restriction: it lists the allowed paths of every
// displacement, or of every ordered pair of nodes, and a pair takes one of them
// uniformly. Every path corrects the dimensions one after the other, each in
// full, as those of Orders do; which orders and which way around a tie is what
// the table says. The papers fix the restriction beforehand; here it may be
// searched for.
//
// A table by pair may leave pairs out; Covers says whether a placement can use
// it.
type Table struct {
	torus   *core.Torus
	byPair  bool
	entries map[int][]TablePath // by displacement, or by from*N+to
	den     *big.Int
	most    int // paths of the largest entry
}

// A TableEntry lists the allowed paths of one displacement To, with From 0, or of
// the ordered pair From, To of nodes.
type TableEntry struct {
	From, To int
	Paths    []TablePath
}

// A TablePath corrects the dimensions of Order one after the other, the i-th in
// direction Dirs[i]. On a side of 2 the direction is Plus.
type TablePath struct {
	Order []int
	Dirs  []core.Dir
}

// Torus returns the torus that the table is for.
func (r *Table) Torus() *core.Torus { return r.torus }

// Tie returns TieBoth: a table may take either way around a tie, or both.
func (r *Table) Tie() Tie { return TieBoth }

// DependsOnPlacement returns false.
func (r *Table) DependsOnPlacement() bool { return false }

// ByPair reports whether the entries are for ordered pairs of nodes and not for
// displacements.
func (r *Table) ByPair() bool { return r.byPair }

// Invariant reports whether the paths of a pair depend on its displacement only.
func (r *Table) Invariant() bool { return !r.byPair }

// String returns "table". Parse does not read it: the entries stand in a file.
func (r *Table) String() string { return "table" }

// Denominator returns the least common multiple of the numbers of paths of the
// entries.
func (r *Table) Denominator() *big.Int { return new(big.Int).Set(r.den) }

// MostPaths returns the number of paths of the entry that has most of them.
func (r *Table) MostPaths() int { return r.most }

// key returns where the entry of a pair is kept.
func (r *Table) key(p, q int) int {
	if r.byPair {
		return p*r.torus.N() + q
	}
	return r.torus.Displacement(p, q)
}

// Choices returns the allowed paths from p to q in canonical order, nil if the
// table has no entry for the pair. The result is shared: it must not be changed.
func (r *Table) Choices(p, q int) []TablePath { return r.entries[r.key(p, q)] }

// Paths yields the paths of the entry for p and q. It panics for a pair without
// an entry, which Covers finds beforehand.
func (r *Table) Paths(p, q int, _ core.Set) iter.Seq[[]core.Link] {
	choices := r.choices(p, q)
	return func(yield func([]core.Link) bool) {
		var path []core.Link
		for _, choice := range choices {
			if path = r.follow(path[:0], p, q, choice); !yield(path) {
				return
			}
		}
	}
}

// Flow counts the paths of the entry through each link. It panics like Paths.
// Cost: the number of paths times their length.
func (r *Table) Flow(p, q int, _ core.Set) Flow {
	choices := r.choices(p, q)
	share := new(big.Int).Div(r.den, big.NewInt(int64(len(choices))))
	shares := map[core.Link]*big.Int{}
	var path []core.Link
	for _, choice := range choices {
		path = r.follow(path[:0], p, q, choice)
		addShares(shares, path, share)
	}
	return flowOf(r.Denominator(), shares)
}

func (r *Table) choices(p, q int) []TablePath {
	choices := r.Choices(p, q)
	if choices == nil {
		panic("routing: the table has no entry for the pair")
	}
	return choices
}

// follow appends the links of one choice from p to q.
func (r *Table) follow(path []core.Link, p, q int, choice TablePath) []core.Link {
	node := p
	for i, j := range choice.Order {
		steps := core.CyclicDistance(r.torus.Coord(node, j), r.torus.Coord(q, j), r.torus.Side(j))
		path, node = appendSegment(r.torus, path, node, j, choice.Dirs[i], steps)
	}
	return path
}

// Covers returns nil if r has paths for every ordered pair of processors of p,
// otherwise an *core.InputError that names the first pair without. Only tables by
// pair can leave pairs out. Cost O(n^2) look-ups for these.
func Covers(r Routing, p core.Placement) error {
	table, ok := r.(*Table)
	if !ok || !table.byPair {
		return nil
	}
	nodes := p.Nodes()
	for _, from := range nodes {
		for _, to := range nodes {
			if from != to && table.Choices(from, to) == nil {
				return &core.InputError{Text: "table", Hint: "add an entry for every ordered pair of processors",
					Problem: fmt.Sprintf("there is no entry from %v to %v", r.Torus().Coords(from), r.Torus().Coords(to))}
			}
		}
	}
	return nil
}

// Complete returns nil if r has paths for every ordered pair of nodes, as a
// search needs them, otherwise an *core.InputError.
func Complete(r Routing) error {
	table, ok := r.(*Table)
	if n := r.Torus().N(); !ok || !table.byPair || len(table.entries) == n*(n-1) {
		return nil
	}
	n := r.Torus().N()
	return &core.InputError{Text: "table", Hint: "give the placement instead, or complete the table",
		Problem: fmt.Sprintf("it has entries for %d of the %d ordered pairs of nodes, but any node may get a "+
			"processor", len(table.entries), n*(n-1))}
}

// Invariant reports whether translating a pair, and the processors with it,
// translates its paths: true for every routing but a table by pair. Only then do
// flows tabled by displacement, and translations as symmetries, apply.
func Invariant(r Routing) bool {
	v, ok := r.(interface{ Invariant() bool })
	return !ok || v.Invariant()
}
