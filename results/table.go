package results

import (
	"fmt"
	"slices"

	"leeway/core"
	"leeway/core/routing"
)

// The schema versions of routing tables: of paths along dimensions, all alike, and of paths by their nodes, with
// shares.
const (
	TableSchema    = "leeway/table/1"
	WeightedSchema = "leeway/table/2"
)

// The values of Table.By.
const (
	ByDisplacement = "displacement"
	ByPair         = "pair"
)

// A Table is the stored form of a routing.Table or a routing.Weighted. The fields hold what stands in the file; Routing
// checks it.
type Table struct {
	Schema string `json:"schema"`
	Grid
	By      string       `json:"by" read:"optional"` // displacement or pair; with shares pair, or absent
	Entries []TableEntry `json:"entries"`
}

// A TableEntry lists the allowed paths of a displacement, or of an ordered pair.
type TableEntry struct {
	From  []int       `json:"from,omitzero"` // absent by displacement
	To    []int       `json:"to"`
	Paths []TablePath `json:"paths"`
}

// A TablePath corrects the dimensions of Order one after the other, the i-th in direction Dirs[i], on a twisted torus
// by Steps[i] steps.
type TablePath struct {
	Order []int    `json:"order,omitzero"`
	Dirs  []string `json:"dirs,omitzero"` // "+" or "-"; always "+" on a side of 2
	Steps []int    `json:"steps,omitzero"`
	// Of weighted paths, in place of the others: the nodes that the path visits, and its share, a fraction.
	Nodes [][]int `json:"nodes,omitzero"`
	Share string  `json:"share,omitempty"`
}

// Routing returns the routing that the table spells, for torus t. Errors are *core.InputError: another torus, or what
// routing.NewTable refuses.
func (d Table) Routing(t *core.Torus) (routing.Routing, error) {
	own, err := d.ReadGrid()
	if d.Schema == WeightedSchema && d.Network == "" && !t.HasDimensions() && slices.Equal(d.Torus, t.Dims()) {
		own, err = t, nil // it is for the network of the question, which it need not repeat
	}
	switch {
	case err != nil:
		return nil, err
	case d.Schema == WeightedSchema && own.Equal(t):
		return d.weighted(t)
	case d.Schema != TableSchema && d.Schema != WeightedSchema:
		return nil, core.Invalid("table", "unknown schema %q", Shorten(d.Schema)).
			Hinted("this program reads " + TableSchema + " and " + WeightedSchema)
	case !own.Equal(t):
		return nil, core.Invalid("table", "it is for torus %s, not for %s", own, t).Hinted("use --torus " + own.String())
	case d.By != ByDisplacement && d.By != ByPair:
		return nil, core.Invalid(Shorten(d.By), "field by is neither displacement nor pair")
	}
	entries := make([]routing.TableEntry, len(d.Entries))
	for i, e := range d.Entries {
		if entries[i], err = e.entry(t, d.By == ByPair); err != nil {
			return nil, inEntry(i, err)
		}
	}
	return routing.NewTable(t, d.By == ByPair, entries)
}

// weighted returns the routing of a table of weighted paths.
func (d Table) weighted(t *core.Network) (routing.Routing, error) {
	if d.By != "" && d.By != ByPair {
		return nil, core.Invalid(Shorten(d.By), "a table of weighted paths is by pair")
	}
	entries := make([]routing.WeightedEntry, len(d.Entries))
	for i, e := range d.Entries {
		var err error
		out := &entries[i]
		if out.From, err = t.Node(e.From...); err == nil {
			out.To, err = t.Node(e.To...)
		}
		for _, p := range e.Paths {
			var path routing.WeightedPath
			for _, c := range p.Nodes {
				v := 0
				if err == nil {
					v, err = t.Node(c...)
				}
				path.Nodes = append(path.Nodes, v)
			}
			if err == nil {
				path.Share, err = ParseFraction(p.Share)
			}
			if err == nil && p.Order != nil {
				err = core.Invalid("order", "a weighted path has nodes and a share")
			}
			out.Paths = append(out.Paths, path)
		}
		if err != nil {
			return nil, inEntry(i, err)
		}
	}
	return routing.NewWeighted(t, entries)
}

// inEntry names the entry, counted from 1, that an error is about.
func inEntry(i int, err error) error {
	e, ok := err.(*core.InputError)
	if !ok {
		return err
	}
	return core.Invalid(fmt.Sprintf("entry %d", i+1), "%s: %s", e.Text, e.Problem).Hinted(e.Hint)
}

// entry translates coordinates into nodes and "+" and "-" into directions.
func (e TableEntry) entry(t *core.Torus, byPair bool) (routing.TableEntry, error) {
	var out routing.TableEntry
	var err error
	if out.To, err = t.Node(e.To...); err != nil {
		return out, err
	}
	switch {
	case byPair:
		if out.From, err = t.Node(e.From...); err != nil {
			return out, err
		}
	case e.From != nil:
		return out, core.Invalid("from", "a table by displacement has no starts").Hinted(`omit "from", or write "by": "pair"`)
	}
	for _, p := range e.Paths {
		path, err := p.path(t, out.From, out.To)
		if err != nil {
			return out, err
		}
		out.Paths = append(out.Paths, path)
	}
	return out, nil
}

// path translates directions, and what they lead to, into numbers of steps.
func (p TablePath) path(t *core.Torus, from, to int) (routing.TablePath, error) {
	path := routing.TablePath{Order: p.Order, Steps: make([]int, len(p.Dirs))}
	switch {
	case len(p.Dirs) != len(p.Order):
		return path, core.Invalid("dirs", "order names %d dimensions and dirs %d directions",
			len(p.Order), len(p.Dirs))
	case len(p.Steps) != len(p.Order) && (p.Steps != nil || !t.Separable()):
		return path, core.Invalid("steps", "order names %d dimensions and steps %d numbers",
			len(p.Order), len(p.Steps)).Hinted("on a twisted torus a path says how many steps it makes in each dimension")
	}
	for i, j := range p.Order {
		dir := map[string]int{"+": 1, "-": -1}[p.Dirs[i]]
		switch {
		case dir == 0:
			return path, core.Invalid(Shorten(p.Dirs[i]), `a direction is "+" or "-"`)
		case p.Steps != nil:
			path.Steps[i] = dir * p.Steps[i]
		case j < 0 || j >= t.D(): // is refused later
		case t.Open(j):
			path.Steps[i] = dir * t.Distance(j, t.Coord(from, j), t.Coord(to, j))
		default:
			path.Steps[i] = dir * core.Mod(dir*(t.Coord(to, j)-t.Coord(from, j)), t.Side(j))
		}
	}
	return path, nil
}

// ReadRouting returns the routing of the record on torus t: that of its table if it says "table", otherwise the one
// that its text names. Errors are *core.InputError, also for a table that the text does not announce or that misses a
// pair of the record's processors.
func (r Record) ReadRouting(t *core.Torus) (routing.Routing, error) {
	switch isTable := r.Routing == TableRouting; {
	case !isTable && r.Table != nil:
		return nil, core.Invalid(Shorten(r.Routing), "there is a table, but the routing is not %q", TableRouting)
	case !isTable:
		return routing.Parse(t, r.Routing)
	case r.Table == nil:
		return nil, core.Invalid(r.Routing, "the field table is missing")
	}
	table, err := r.Table.Routing(t)
	if err != nil {
		return nil, err
	}
	// Wrong nodes are reported as such elsewhere.
	if p, err := core.PlacementFromCoords(t, r.Nodes); err == nil {
		if err := routing.Covers(table, p); err != nil {
			return nil, err
		}
	}
	return table, nil
}
