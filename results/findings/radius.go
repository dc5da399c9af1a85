package findings

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results/atlas"
	"leeway/results/layout"
)

const radiusHead = `# A processor near every node

A placement of n processors on k x k has a *covering radius* R, the greatest distance from a node to its nearest
processor, a *mean distance*, that of all nodes from their nearest processors, and a *packing distance* d, the least
between two processors. Where d is 2R+1 it is *perfect*: the neighbourhoods of radius R hold every node once (Golomb and
Welch, 1970). What do a small radius and a small mean distance cost in load?

Each table has the front of E_max, radius and mean distance: placements such that no other known is as good in all
three and better in one. An E_max in **bold** is proved: no placement within the radius and the mean distance has
less, by a record here, or by the cell of the atlas without conditions. *least* says that no placement of n
processors has a smaller mean distance: n neighbourhoods hold no more nodes that are so near. That is met for every k
and n, always with the least radius. A front is *exact* if it is proved that every placement has no less E_max than
some point with no more radius and mean distance; the others are marked *open*.

Written by ` + "`make findings`" + ` from the atlas that is part of the program. To prove two points, the distance being
k^2 times its mean:

    leeway prove --torus 10x10 --size 20 --radius 1 --routing odr
    leeway prove --torus 10x10 --size 10 --distance 149 --routing odr
`

// A near is the best placement known with a radius and a distance, and what is proved of all of these.
type near struct {
	objective.Near // of the placement
	placement      core.Placement
	load           *big.Rat
	asked          objective.Near // the condition that it was found under
	lower          *big.Rat       // none with the condition has less
	proved         bool           // none with as little of both has less
	free           bool           // none at all has less
}

// Radius returns the page docs/radius.md: what a processor near every node costs, by the cells of an atlas with a
// radius or a distance and those without. Errors are those of reading the atlas.
func Radius(view *atlas.Atlas) (string, error) {
	p := &page{}
	p.WriteString(radiusHead)
	for _, way := range []string{"odr:tie=plus", "udr:tie=both"} {
		p.printf("\n## Under %s\n\n| torus | n | R | mean distance | E_max | d | |\n|---|---|---|---|---|---|---|\n",
			short(way))
		fronts, met, all := 0, 0, 0
		for k := 3; k <= 13; k++ {
			for _, n := range []int{k, 2 * k} {
				front, exact, err := frontOf(view, k, n, way)
				if err != nil {
					return "", err
				}
				for _, point := range front {
					p.point(point, exact)
				}
				if fronts++; len(front) == 1 && front[0].free {
					met++
				}
				if exact {
					all++
				}
			}
		}
		p.printf("\n%d of %d fronts are exact. On %d the least radius and mean distance cost nothing: some placement with "+
			"both has an E_max that is proved least of all placements.\n", all, fronts, met)
	}
	return p.String(), nil
}

// frontOf returns the placements of n processors on k x k that no other is as good as in radius, distance and E_max and
// better in one, as far as is known, by ascending radius and distance, and whether it is proved that this is so.
func frontOf(view *atlas.Atlas, k, n int, way string) (front []near, exact bool, err error) {
	p, err := texts.ParseProblem(fmt.Sprintf("%dx%d", k, k), way, n)
	if err != nil {
		return nil, false, err
	}
	least := new(big.Rat) // below which no placement is, however far nodes are
	var all []near
	cells, _ := view.Cells(atlas.Filter{Routing: way, From: n, To: n})
	for _, c := range cells {
		asked := p
		if c.Near != (objective.Near{}) {
			if asked, err = p.WithNear(c.Near); err != nil {
				continue // of a torus with fewer nodes
			}
		}
		if c.Where() != asked.Where() || c.MaxLoad == "" {
			continue
		}
		d, _, err := view.Detail(c.Key())
		if err != nil {
			return nil, false, err
		}
		at := near{load: number(c.MaxLoad), asked: c.Near, lower: number(c.LowerBound)}
		if at.placement, err = core.PlacementFromCoords(p.Torus(), d.Record.Nodes); err != nil {
			return nil, false, err
		}
		at.Radius, at.Distance, _ = at.placement.Spacing()
		if all = append(all, at); at.asked == (objective.Near{}) {
			least = slices.MaxFunc([]*big.Rat{least, at.lower}, (*big.Rat).Cmp) // whatever the conditions are
		}
	}
	lower := func(to objective.Near) *big.Rat {
		most := least
		for _, a := range all {
			if holds(to, a.asked) && a.lower.Cmp(most) > 0 {
				most = a.lower
			}
		}
		return most
	}
	slices.SortStableFunc(all, func(a, b near) int {
		return cmp.Or(a.Radius-b.Radius, a.Distance-b.Distance, a.load.Cmp(b.load))
	})
	for _, a := range all {
		if slices.ContainsFunc(front, func(f near) bool { return holds(f.Near, a.Near) && f.load.Cmp(a.load) <= 0 }) {
			continue
		}
		a.proved, a.free = a.load.Cmp(lower(a.Near)) == 0, a.load.Cmp(least) == 0
		front = append(front, a)
	}
	exact = len(front) > 0
	far := 0 // with more distance nothing changes
	for _, a := range all {
		far = max(far, a.Distance, a.asked.Distance+1)
	}
	for radius := 1; radius <= k && exact; radius++ {
		for to := (objective.Near{Radius: radius, Distance: 1}); to.Distance <= far; to.Distance++ {
			if _, err := p.WithNear(to); err != nil {
				continue // there is no such placement
			}
			i := slices.IndexFunc(front, func(f near) bool { return holds(f.Near, to) && f.load.Cmp(lower(to)) == 0 })
			exact = exact && i >= 0
		}
	}
	return front, exact, nil
}

// holds reports whether what is as near as one says is as near as another does.
func holds(one, other objective.Near) bool {
	return (other.Radius == 0 || one.Radius <= other.Radius) && (other.Distance == 0 || one.Distance <= other.Distance)
}

// point writes a row.
func (p *page) point(at near, exact bool) {
	t, load := at.placement.Torus(), layout.WithDecimal(at.load.RatString())
	if at.proved {
		load = "**" + load + "**"
	}
	_, _, packing := at.placement.Spacing()
	var remarks []string
	mean := big.NewRat(int64(at.Distance), int64(t.N())).FloatString(3)
	if at.Distance == objective.LeastDistance(t, at.placement.Size()) {
		mean += ", least"
	}
	if at.free {
		remarks = append(remarks, "least E_max of all")
	}
	if packing == 2*at.Radius+1 {
		remarks = append(remarks, "perfect")
	}
	if !exact {
		remarks = append(remarks, "open")
	}
	p.printf("| %s | %d | %d | %s | %s | %d | %s |\n", t, at.placement.Size(), at.Radius, mean, load, packing,
		strings.Join(remarks, ", "))
}
