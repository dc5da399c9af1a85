package atlas

import (
	"context"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/core/labels"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/compose"
)

// What a placement is beside the best that an atlas knows of its cell.
const (
	StandingOptimal = "optimal"    // nothing is better
	StandingBest    = "best known" // and nothing better is known
	StandingWorse   = "above the best known"
	StandingBetter  = "below the best known"
	StandingNew     = "not in the atlas" // there is no such cell, or no placement is known of it
)

// IdentitySchema names the form of an Identity as JSON.
const IdentitySchema = "leeway/identity/1"

// An Identity says what a placement is, and what an atlas knows of its cell.
type Identity struct {
	Schema string `json:"schema"` // IdentitySchema
	Label  string `json:"label"`  // of its orbit under the group that preserves E_max
	Cell   string `json:"cell"`   // label
	results.Grid
	Routing string `json:"routing"`
	Size    int    `json:"size"`
	results.Setting
	Nodes     [][]int      `json:"nodes"` // the first of its images, in lexicographic order
	MaxLoad   string       `json:"max_load"`
	BestKnown string       `json:"best_known"` // fraction; "" where no placement is known
	Standing  string       `json:"standing"`   // one of the constants
	Orbit     *OrbitOfMany `json:"orbit"`      // null where the optima are not listed, or it is not among them
	Group     int          `json:"group"`      // elements of the group
	Fixing    int          `json:"stabilizer"` // those that map the placement to itself
	Names     []string     `json:"names"`      // placements with a name in the orbit, then the pattern
	Others    []OtherCell  `json:"others,omitempty"`
}

// An OrbitOfMany is the number of an orbit among those of all optimal placements of a cell, from 1 in the lexicographic
// order of their first placements.
type OrbitOfMany struct {
	Number int `json:"number"`
	Of     int `json:"of"`
}

// An OtherCell is the same placement under another routing.
type OtherCell struct {
	Label     string `json:"label"`
	Routing   string `json:"routing"`
	MaxLoad   string `json:"max_load"`
	BestKnown string `json:"best_known"`
	Standing  string `json:"standing"`
}

// RoutingVariants returns a question under every routing for which the atlas has a cell of its network, traffic,
// conditions and size, in the order of the atlas, whatever the routing of the question; the question itself if there is
// no such cell. Cost: that of Find for every routing of the atlas that has cells of this size.
func (a *Atlas) RoutingVariants(p objective.Problem) []objective.Problem {
	var list []objective.Problem
	var cells []texts.Key
	seen := map[string]bool{}
	for _, r := range a.now.Load().rows {
		if r.key.Size != p.Size || seen[r.key.Routing] || r.cell().Fault != "" {
			continue
		}
		seen[r.key.Routing] = true
		q := p
		var err error
		if q.Routing, err = routing.Parse(p.Torus(), r.key.Routing); err != nil {
			continue
		}
		c, image, known := a.Find(q)
		switch at := slices.Index(cells, c.Key()); {
		case !known:
		case at < 0:
			list, cells = append(list, q), append(cells, c.Key())
		case image == nil && q.Routing.String() == c.Routing: // the name that the cell has itself
			list[at] = q
		}
	}
	slices.SortStableFunc(list, func(a, b objective.Problem) int {
		return compareRoutings(a.Routing.String(), b.Routing.String())
	})
	if list == nil {
		list = append(list, p)
	}
	return list
}

// Identify says what a placement is, under the first of some questions of which it is an optimum, else the first, with
// the others beside it. It keeps to the conditions of the questions, which are of its size and have routings with a
// text. Where the atlas knows a question by another name, the answer is about the cell of that name. Errors are those
// of the context, of reading a store, and of fast.Group. Cost, for each question: an evaluation, and the images of the
// placement and of the optima that the cell lists under the group.
func (a *Atlas) Identify(ctx context.Context, list []objective.Problem, s core.Placement) (id Identity, err error) {
	var all []Identity
	for _, q := range list {
		if id, err = a.identity(ctx, q, s); err != nil {
			return id, err
		}
		if !slices.ContainsFunc(all, func(o Identity) bool { return o.Cell == id.Cell }) {
			all = append(all, id)
		}
	}
	best := max(0, slices.IndexFunc(all, func(id Identity) bool { return id.Standing == StandingOptimal }))
	id = all[best]
	for _, o := range slices.Delete(all, best, best+1) {
		id.Others = append(id.Others, OtherCell{o.Label, o.Routing, o.MaxLoad, o.BestKnown, o.Standing})
	}
	return id, nil
}

// identity says what a placement is in the cell of a question.
func (a *Atlas) identity(ctx context.Context, p objective.Problem, s core.Placement) (Identity, error) {
	var detail Detail
	c, image, known := a.Find(p)
	if known {
		var err error
		if detail, _, err = a.Detail(c.Key()); err != nil {
			return Identity{}, err
		}
		if p, err = c.Key().Problem(); err != nil {
			return Identity{}, err
		}
		s = renamed(p.Torus(), s, image)
	}
	loads, err := fast.EvaluateContext(ctx, p, s)
	if err != nil {
		return Identity{}, err
	}
	group, err := fast.Group(ctx, p)
	if err != nil {
		return Identity{}, err
	}
	first := func(s core.Placement) (core.Placement, int) {
		nodes, fixing := group.Canonical(s.Nodes())
		return core.MustPlacement(p.Torus(), nodes), fixing
	}
	s, fixing := first(s)
	most, _ := loads.Max()
	k := texts.KeyOf(p)
	id := Identity{Schema: IdentitySchema, Cell: labels.Cell(k.Torus, k.Routing, k.Size),
		Grid: compose.GridOf(p.Torus()), Routing: k.Routing,
		Size: k.Size, Setting: compose.SettingOf(p), Nodes: s.Coords(),
		MaxLoad: results.FormatFraction(most), BestKnown: c.MaxLoad, Standing: standing(c, most), Group: group.Order(),
		Fixing: fixing, Names: namesOf(p, s, first)}
	id.Label = labels.Orbit(id.Cell, id.Nodes)
	if detail.Record != nil && detail.Record.Optima != nil && id.Standing == StandingOptimal {
		_, list, err := compose.ListedOptima(*detail.Record)
		if err != nil {
			return id, err
		}
		id.Orbit = &OrbitOfMany{Number: 1, Of: len(list)}
		for _, o := range list {
			if o, _ := first(o); slices.Compare(o.Nodes(), s.Nodes()) < 0 {
				id.Orbit.Number++
			}
		}
	}
	return id, nil
}

// standing compares an E_max with what is known of a cell.
func standing(c Cell, most *big.Rat) string {
	best, ok := fraction(c.MaxLoad)
	switch {
	case !ok || c.Fault != "":
		return StandingNew
	case most.Cmp(best) > 0:
		return StandingWorse
	case most.Cmp(best) < 0:
		return StandingBetter
	case c.Status == Optimal:
		return StandingOptimal
	}
	return StandingBest
}

// renamed returns a placement on the network of a cell, by the image that Find returned.
func renamed(t *core.Torus, s core.Placement, image []int) core.Placement {
	if image == nil {
		return s
	}
	had := s.Set()
	var nodes []int
	for v, w := range image {
		if had.Has(w) {
			nodes = append(nodes, v)
		}
	}
	return core.MustPlacement(t, nodes)
}

// Labelled returns all that is known of the cell of a label. Of the label of an orbit it returns the first placement,
// where that is the best known one or a listed optimum: then the record is about it. ok is false where there is none.
// Errors are those of reading a store and of fast.Group.
func (a *Atlas) Labelled(ctx context.Context, label string) (d Detail, ok bool, err error) {
	cell, orbit, ok := labels.Split(label)
	rows := a.now.Load().rows
	i := slices.IndexFunc(rows, func(r row) bool {
		return ok && strings.HasSuffix(cell, "."+strconv.Itoa(r.key.Size)) &&
			labels.Cell(r.key.Torus, r.key.Routing, r.key.Size) == cell
	})
	if i < 0 {
		return d, false, nil
	}
	if d, ok, err = a.Detail(rows[i].key); err != nil || orbit == "" {
		return d, ok, err
	}
	if d.Record == nil {
		return d, false, nil
	}
	p, err := rows[i].key.Problem()
	if err != nil {
		return d, false, err
	}
	group, err := fast.Group(ctx, p)
	if err != nil {
		return d, false, err
	}
	_, list, err := compose.ListedOptima(*d.Record)
	if best, fault := core.PlacementFromCoords(p.Torus(), d.Record.Nodes); fault == nil {
		list = append(list, best)
	}
	for _, s := range list {
		nodes, _ := group.Canonical(s.Nodes())
		first := core.MustPlacement(p.Torus(), nodes).Coords()
		if labels.Orbit(cell, first) == label {
			record := *d.Record
			record.Nodes = first
			record.ClaimSHA256, record.Label = record.Hash(), label
			d.Record = &record
			return d, true, err
		}
	}
	return d, false, err
}
