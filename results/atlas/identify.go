package atlas

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/labels"
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
	Orbit     *OrbitOfMany `json:"orbit"`      // null where the optima are not listed, or it is none of them
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

// maxNamed is the largest number of nodes of a network on which names are looked for.
const maxNamed = 4096

// Identify says what a placement is. It keeps to the conditions of a problem, which is of its size and has a routing
// with a text. Where the atlas knows the question by another name, the answer is about the cell of that name. Errors
// are those of the context, of reading a store, and of fast.Group. Cost: an evaluation, and the images of the placement
// and of the optima that the cell lists under the group.
func (a *Atlas) Identify(ctx context.Context, p objective.Problem, s core.Placement) (Identity, error) {
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
		Size: k.Size, Setting: results.SettingOf(p), Nodes: s.Coords(),
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

// namesOf returns the names of placements whose first image is that of a placement, and then its pattern.
func namesOf(p objective.Problem, s core.Placement, first func(core.Placement) (core.Placement, int)) []string {
	names := []string{}
	t := p.Torus()
	if t.N() > maxNamed {
		return names
	}
	for _, c := range candidates(p) {
		if c.size != s.Size() {
			continue
		}
		if named, err := family.Parse(t, c.text); err == nil && named.Size() == s.Size() && p.Admits(named) {
			if o, _ := first(named); slices.Equal(o.Nodes(), s.Nodes()) {
				names = append(names, c.text)
			}
		}
	}
	if radius, _, packing := s.Spacing(); s.Size() > 1 && packing == 2*radius+1 {
		names = append(names, fmt.Sprintf("perfect code of radius %d", radius))
	}
	if form := family.Recognise(s); form.Kind != family.Sporadic {
		names = append(names, form.String())
	}
	return names
}

// Labelled returns all that is known of the cell of a label. Of the label of an orbit it returns the first placement,
// where that is the best known one or a listed optimum: then the record is about it. ok is false where there is none.
// Errors are those of reading a store and of fast.Group.
func (a *Atlas) Labelled(ctx context.Context, label string) (d Detail, ok bool, err error) {
	cell, orbit, ok := labels.Split(label)
	rows := a.now.Load().rows
	i := slices.IndexFunc(rows, func(r row) bool {
		return ok && strings.HasSuffix(cell, "."+strconv.Itoa(r.Size)) &&
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
			record.ClaimSHA256 = record.Hash()
			d.Record = &record
			return d, true, err
		}
	}
	return d, false, err
}
