package routing

import (
	"cmp"
	"fmt"
	"iter"
	"math/big"
	"slices"

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
	listed[[]TablePath] // by displacement, or by from*N+to
	byPair              bool
	most                int // paths of the largest entry
}

// A listed routing has an entry for each pair, and ties both; den is the least common multiple of the denominators of
// the shares of its paths.
type listed[E any] struct {
	base
	entries map[int]E
	den     *big.Int
}

func newListed[E any](t *core.Torus) listed[E] {
	return listed[E]{base{t, TieBoth}, map[int]E{}, big.NewInt(1)}
}

// String returns "table". Parse does not read it: the entries stand in a file.
func (r *listed[E]) String() string { return tableName }

// Denominator returns the least common multiple of the denominators of the shares of paths over links.
func (r *listed[E]) Denominator() *big.Int { return new(big.Int).Set(r.den) }

// A TableEntry lists the allowed paths of one displacement To, with From 0, or of
// the ordered pair From, To of nodes.
type TableEntry struct {
	From, To int
	Paths    []TablePath
}

// A TablePath corrects the dimensions of Order one after the other, the i-th by Steps[i] steps, up, or down if that is
// negative. On a side of 2 steps go up.
type TablePath struct {
	Order []int
	Steps []int
}

// AppendLinks appends the links of a path that begins at a node.
func (p TablePath) AppendLinks(links []core.Link, t *core.Torus, from int) []core.Link {
	for i, j := range p.Order {
		links, from = appendSegment(t, links, from, j, p.Steps[i])
	}
	return links
}

// Clone returns a copy.
func (p TablePath) Clone() TablePath {
	return TablePath{Order: slices.Clone(p.Order), Steps: slices.Clone(p.Steps)}
}

// Reverse returns the path that takes the same steps in the opposite order of dimensions.
func (p TablePath) Reverse() TablePath {
	p = p.Clone()
	slices.Reverse(p.Order)
	slices.Reverse(p.Steps)
	return p
}

// ByPair reports whether the entries are for ordered pairs of nodes and not for
// displacements.
func (r *Table) ByPair() bool { return r.byPair }

// Invariant reports whether the paths of a pair depend on its displacement only.
func (r *Table) Invariant() bool { return !r.byPair }

// tableName is the text of tables, whose entries stand in a file.
const tableName = "table"

// Tabled reports whether a routing is a table, of which its text does not say which one.
func Tabled(r Routing) bool { return r.String() == tableName }

// Has reports whether there is an entry for a pair.
func (r *Table) Has(p, q int) bool { return r.Choices(p, q) != nil }

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
func (r *Table) Paths(p, q int, _ core.Set) iter.Seq2[[]core.Link, int64] {
	choices := r.choices(p, q)
	return func(yield func([]core.Link, int64) bool) {
		var path []core.Link
		for _, choice := range choices {
			if path = choice.AppendLinks(path[:0], r.torus, p); !yield(path, 1) {
				return
			}
		}
	}
}

// Flow counts the paths of the entry through each link. It panics like Paths.
// Cost: the number of paths times their length.
func (r *Table) Flow(p, q int, _ core.Set) Flow {
	f, _ := listedFlow(r.Paths(p, q, nil), nil) // no watch, no error
	return f
}

func (r *Table) choices(p, q int) []TablePath {
	choices := r.Choices(p, q)
	if choices == nil {
		panic("routing: the table has no entry for the pair")
	}
	return choices
}

// Covers returns nil if r has paths for every ordered pair of processors of p,
// otherwise an *core.InputError that names the first pair without. Only tables by
// pair can leave pairs out. Cost O(n^2) look-ups for these.
func Covers(r Routing, p core.Placement) error {
	table, ok := r.(interface{ Has(p, q int) bool })
	if !ok || !ByPair(r) {
		return nil
	}
	for from, to := range p.Pairs() {
		if !table.Has(from, to) {
			return core.Invalid("table", "there is no entry from %v to %v", r.Torus().Coords(from), r.Torus().Coords(to)).
				Hinted("add an entry for every ordered pair of processors")
		}
	}
	return nil
}

// Complete returns nil if r has paths for every ordered pair of nodes, as a
// search needs them, otherwise an *core.InputError.
func Complete(r Routing) error {
	n, have := r.Torus().N(), 0
	switch r := r.(type) {
	case *Table:
		have = len(r.entries)
	case *Weighted:
		have = len(r.entries)
	}
	if !ByPair(r) || have == n*(n-1) {
		return nil
	}
	return core.Invalid("table", "it has entries for %d of the %d ordered pairs of nodes, but any node may get a "+
		"processor", have, n*(n-1)).Hinted("give the placement instead, or complete the table")
}

// Invariant reports whether translating a pair, and the processors with it,
// translates its paths: true for every routing but a table by pair, if no dimension is
// open. Only then do flows tabled by displacement, and translations as symmetries, apply.
func Invariant(r Routing) bool {
	v, ok := r.(interface{ Invariant() bool })
	return r.Torus().Closed() && (!ok || v.Invariant())
}

// ByPair reports whether the routing is a table by pair, of whose loads nothing says that any map of nodes preserves
// them.
func ByPair(r Routing) bool {
	table, ok := r.(*Table)
	_, weighted := r.(*Weighted)
	return ok && table.byPair || weighted
}

// NewTable returns the table with the given entries on t, by ordered pair or by
// displacement. It fails with an *core.InputError when an entry is repeated, has
// no paths, repeats one, or names a path that is not a shortest one, and when a
// table by displacement leaves a displacement out or is for a torus with open
// dimensions.
func NewTable(t *core.Torus, byPair bool, entries []TableEntry) (*Table, error) {
	if !byPair && !t.Closed() {
		return nil, core.Invalid("table",
			"it is by displacement, but %s has open dimensions, where the paths of a displacement differ", t).
			Hinted("write the table by pair")
	}
	r := &Table{listed: newListed[[]TablePath](t), byPair: byPair}
	for i, e := range entries {
		if problem := r.add(e); problem != "" {
			return nil, core.Invalid(r.entryName(i, e), "%s", problem).
				Hinted("a path lists each dimension that it goes along once in order, and the shorter way there")
		}
	}
	if byPair {
		return r, nil
	}
	for v := 1; v < t.N(); v++ {
		if r.entries[v] == nil {
			return nil, core.Invalid("table", "there is no entry for displacement %v",
				t.Coords(v)).Hinted("a table by displacement has an entry for every displacement but 0")
		}
	}
	return r, nil
}

// entryName names an entry, counted from 1, in messages.
func (r *Table) entryName(i int, e TableEntry) string {
	n := r.torus.N()
	switch {
	case e.From < 0 || e.From >= n || e.To < 0 || e.To >= n:
		return fmt.Sprintf("entry %d", i+1)
	case r.byPair:
		return fmt.Sprintf("entry %d, from %v to %v", i+1, r.torus.Coords(e.From), r.torus.Coords(e.To))
	default:
		return fmt.Sprintf("entry %d, displacement %v", i+1, r.torus.Coords(e.To))
	}
}

// add takes an entry in and says what is wrong with it, "" if nothing is.
func (r *Table) add(e TableEntry) string {
	n := r.torus.N()
	switch {
	case e.From < 0 || e.From >= n || e.To < 0 || e.To >= n:
		return fmt.Sprintf("a node number lies outside 0..%d", n-1)
	case !r.byPair && e.From != 0:
		return "an entry by displacement has no start"
	case e.From == e.To:
		return "the ends are the same node"
	case len(e.Paths) == 0:
		return "there is no path"
	case r.entries[r.key(e.From, e.To)] != nil:
		return "the entry is repeated"
	}
	paths := make([]TablePath, len(e.Paths))
	for i, p := range e.Paths {
		if problem := r.pathProblem(e.From, e.To, p); problem != "" {
			return fmt.Sprintf("path %d: %s", i+1, problem)
		}
		paths[i] = p.Clone()
	}
	slices.SortFunc(paths, TablePath.Compare)
	for i := 1; i < len(paths); i++ {
		if paths[i].Compare(paths[i-1]) == 0 {
			return fmt.Sprintf("the path with order %v and steps %v is repeated", paths[i].Order, paths[i].Steps)
		}
	}
	r.entries[r.key(e.From, e.To)] = paths
	r.most = max(r.most, len(paths))
	core.FoldLCM(r.den, big.NewInt(int64(len(paths))))
	return ""
}

// pathProblem says why a path is not a shortest one from p to q, "" if it is.
func (r *Table) pathProblem(p, q int, path TablePath) string {
	t, end, length := r.torus, r.torus.Coords(p), 0
	if len(path.Steps) != len(path.Order) {
		return fmt.Sprintf("order names %d dimensions and steps %d numbers", len(path.Order), len(path.Steps))
	}
	for i, j := range path.Order {
		steps := path.Steps[i]
		switch {
		case j < 0 || j >= t.D():
			return fmt.Sprintf("dimension %d lies outside 0..%d", j, t.D()-1)
		case slices.Contains(path.Order[:i], j):
			return fmt.Sprintf("dimension %d is repeated", j)
		case steps == 0 || max(steps, -steps) > t.N():
			return fmt.Sprintf("in dimension %d a path makes %d steps", j, steps)
		case steps < 0 && !t.BothWays(j):
			return fmt.Sprintf("in dimension %d the direction must be +, as there are no links the other way", j)
		}
		end[j], length = end[j]+steps, length+max(steps, -steps)
		if t.Open(j) && (end[j] < 0 || end[j] >= t.Side(j)) {
			return fmt.Sprintf("%d steps lead over an end of dimension %d, which is open", steps, j)
		}
	}
	switch end := t.NodeAt(end); {
	case end != q:
		return fmt.Sprintf("its steps lead to %v", t.Coords(end))
	case length != t.LeeDistance(p, q):
		return fmt.Sprintf("it has %d links, so it is not a shortest one: these have %d", length, t.LeeDistance(p, q))
	}
	return ""
}

// Compare orders paths by their dimension orders, then by their steps, + before - and of + many before few; it returns
// 0 for the same path.
func (p TablePath) Compare(o TablePath) int {
	return cmp.Or(slices.Compare(p.Order, o.Order), slices.Compare(o.Steps, p.Steps))
}

// Entries returns a copy of all entries, ascending by their ends, each with its
// paths in canonical order.
func (r *Table) Entries() []TableEntry {
	list := make([]TableEntry, 0, len(r.entries))
	for key, paths := range r.entries {
		e := TableEntry{From: 0, To: key}
		if r.byPair {
			e.From, e.To = key/r.torus.N(), key%r.torus.N()
		}
		for _, p := range paths {
			e.Paths = append(e.Paths, p.Clone())
		}
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b TableEntry) int {
		return cmp.Or(cmp.Compare(a.From, b.From),
			cmp.Compare(a.To, b.To))
	})
	return list
}
