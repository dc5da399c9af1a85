package routing

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"leeway/core"
)

// NewTable returns the table with the given entries on t, by ordered pair or by
// displacement. It fails with an *core.InputError when an entry stands twice, has
// no paths, repeats one, or names a path that is not a shortest one, and when a
// table by displacement leaves a displacement out.
func NewTable(t *core.Torus, byPair bool, entries []TableEntry) (*Table, error) {
	r := &Table{torus: t, byPair: byPair, entries: make(map[int][]TablePath, len(entries)), den: big.NewInt(1)}
	for i, e := range entries {
		if problem := r.add(e); problem != "" {
			return nil, &core.InputError{Text: r.entryName(i, e), Problem: problem,
				Hint: "a path lists each dimension in which its ends differ once in order, and the shorter way there in dirs"}
		}
	}
	if byPair {
		return r, nil
	}
	for v := 1; v < t.N(); v++ {
		if r.entries[v] == nil {
			return nil, &core.InputError{Text: "table", Problem: fmt.Sprintf("there is no entry for displacement %v",
				t.Coords(v)),
				Hint: "a table by displacement has an entry for every displacement but 0"}
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
		return "the entry stands twice"
	}
	paths := make([]TablePath, len(e.Paths))
	for i, p := range e.Paths {
		if problem := r.pathProblem(e.From, e.To, p); problem != "" {
			return fmt.Sprintf("path %d: %s", i+1, problem)
		}
		paths[i] = TablePath{Order: slices.Clone(p.Order), Dirs: slices.Clone(p.Dirs)}
	}
	slices.SortFunc(paths, TablePath.Compare)
	for i := 1; i < len(paths); i++ {
		if paths[i].Compare(paths[i-1]) == 0 {
			return fmt.Sprintf("the path with order %v and dirs %v stands twice", paths[i].Order, paths[i].Dirs)
		}
	}
	r.entries[r.key(e.From, e.To)] = paths
	r.most = max(r.most, len(paths))
	lcmTo(r.den, big.NewInt(int64(len(paths))))
	return ""
}

// pathProblem says why a path is no shortest one from p to q, "" if it is one.
func (r *Table) pathProblem(p, q int, path TablePath) string {
	t := r.torus
	if len(path.Dirs) != len(path.Order) {
		return fmt.Sprintf("order names %d dimensions and dirs %d directions", len(path.Order), len(path.Dirs))
	}
	for i, j := range path.Order {
		switch {
		case j < 0 || j >= t.D():
			return fmt.Sprintf("dimension %d lies outside 0..%d", j, t.D()-1)
		case slices.Contains(path.Order[:i], j):
			return fmt.Sprintf("dimension %d stands twice", j)
		case t.Coord(p, j) == t.Coord(q, j):
			return fmt.Sprintf("the ends do not differ in dimension %d, so the path is not a shortest one", j)
		}
		if problem := wayProblem(t.Side(j), t.Coord(p, j), t.Coord(q, j), path.Dirs[i]); problem != "" {
			return fmt.Sprintf("in dimension %d %s", j, problem)
		}
	}
	for _, j := range differing(t, p, q) {
		if !slices.Contains(path.Order, j) {
			return fmt.Sprintf("the ends differ in dimension %d, which order leaves out", j)
		}
	}
	return ""
}

// wayProblem says why a direction is no shortest way from coordinate a to b on a
// ring of length k, "" if it is one.
func wayProblem(k, a, b int, dir core.Dir) string {
	switch {
	case dir != core.Plus && dir != core.Minus:
		return fmt.Sprintf("direction %d is neither +1 nor -1", dir)
	case slices.Contains(ways(k, a, b, TieBoth), dir):
		return ""
	case k == 2:
		return "the direction must be +: a side of 2 has no other"
	}
	steps := ((b-a)*int(dir)%k + k) % k
	return fmt.Sprintf("%s takes %d steps where the other way takes %d, so the path is not a shortest one", dir,
		steps, k-steps)
}

// Compare orders paths by their dimension orders and then by their directions, +
// before -; it returns 0 for the same path.
func (p TablePath) Compare(o TablePath) int {
	return cmp.Or(slices.Compare(p.Order, o.Order), slices.Compare(o.Dirs, p.Dirs))
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
			e.Paths = append(e.Paths, TablePath{Order: slices.Clone(p.Order), Dirs: slices.Clone(p.Dirs)})
		}
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b TableEntry) int {
		return cmp.Or(cmp.Compare(a.From, b.From),
			cmp.Compare(a.To, b.To))
	})
	return list
}
