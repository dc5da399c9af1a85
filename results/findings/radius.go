package findings

import (
	_ "embed"
	"fmt"
	"math/big"
	"strings"

	"leeway/core"
	"leeway/results"
	"leeway/results/atlas"
)

// radiusCells has the cells of radius.yaml, in the format of an atlas.
//
//go:embed radius.jsonl
var radiusCells []byte

const radiusHead = `# A processor near every node

A placement of n processors on k x k has a *covering radius* R, the greatest distance from a node to its nearest
processor, and a *packing distance* d, the least between two processors. Where d is 2R+1 it is *perfect*: the
neighbourhoods of radius R hold every node once (Golomb and Welch, 1970). Where d is at least 2R-1 those of radius R-1
do not meet; then no placement of as many processors has a smaller mean distance of the nodes from their nearest
processor. What does a small radius cost in load?

Each table has, from the least radius on, the least E_max of a placement with that radius, as far as more radius gains
anything: the front of radius and E_max. A value in **bold** is proved: no placement within the radius has less, by a
record here, or by the cell of the atlas without a radius. The least radius is proved in every row: with one less, the
neighbourhoods are too small to hold all nodes. R, d and mean distance are those of the placement found; *least* says
that no placement of n processors has a smaller mean distance.

Written by ` + "`make radius`" + `, that is ` + "`leeway atlas findings --radius`" + `, from
results/findings/radius.jsonl, an atlas of its own. To read it into a store, which repeats what it claims, and to prove
one point:

    leeway atlas merge radius.store results/findings/radius.jsonl
    leeway prove --torus 10x10 --size 20 --radius 1 --routing odr
`

// RadiusAtlas returns the cells behind the page about radii, as an atlas. Errors are those of atlas.Read.
func RadiusAtlas() (*atlas.Atlas, error) { return atlas.Read(radiusCells) }

// A near is a point of a front: the best placement known within a radius.
type near struct {
	placement core.Placement
	load      *big.Rat
	proved    bool // that none within the radius has less
	free      bool // that none at all has less
}

// Radius returns the page docs/radius.md: what a processor near every node costs, against the cells of an atlas
// without a radius. Errors are those of reading what is shipped.
func Radius(view *atlas.Atlas) (string, error) {
	within, err := RadiusAtlas()
	if err != nil {
		return "", err
	}
	p := &page{}
	p.WriteString(radiusHead)
	for _, way := range []string{"odr:tie=plus", "udr:tie=both"} {
		p.printf("\n## Under %s\n\n| torus | n | R | E_max | d | mean distance | |\n|---|---|---|---|---|---|---|\n",
			short(way))
		fronts, met := 0, 0
		for k := 3; k <= 13; k++ {
			for _, n := range []int{k, 2 * k} {
				front, err := frontOf(within, view, k, n, way)
				if err != nil {
					return "", err
				}
				for _, point := range front {
					p.point(point)
				}
				fronts++
				if len(front) == 1 && front[0].free {
					met++
				}
			}
		}
		p.printf("\nOn %d of %d the least radius costs nothing: some placement with it has an E_max that is proved least "+
			"of all placements.\n", met, fronts)
	}
	return p.String(), nil
}

// frontOf returns the placements of n processors on k x k that no other has both less radius and less E_max than, as
// far as is known, by ascending radius.
func frontOf(within, view *atlas.Atlas, k, n int, way string) (front []near, err error) {
	name := fmt.Sprintf("%dx%d", k, k)
	least := new(big.Rat) // below which no placement is, whatever its radius
	if c, ok := view.Cell(atlas.Key{Torus: name, Routing: way, Size: n}); ok && c.Fault == "" {
		least = number(c.LowerBound)
	}
	for radius := 1; radius < k; radius++ {
		d, ok, err := within.Detail(atlas.Key{Torus: fmt.Sprintf("%s:radius=%d", name, radius), Routing: way, Size: n})
		if err != nil {
			return nil, err
		}
		if !ok || d.Record == nil {
			continue
		}
		point := near{load: number(d.MaxLoad)}
		if point.placement, err = core.PlacementFromCoords(core.MustTorus(k, k), d.Record.Nodes); err != nil {
			return nil, err
		}
		// Bounds hold for all placements, whatever their radius.
		point.free = point.load.Cmp(least) <= 0 || d.Proof != nil && d.Proof.Kind == results.ProofBound
		point.proved = d.Status == atlas.Optimal || point.free
		if len(front) == 0 || point.load.Cmp(front[len(front)-1].load) < 0 {
			front = append(front, point)
		}
	}
	return front, nil
}

// point writes a row.
func (p *page) point(at near) {
	t, load := at.placement.Torus(), results.WithDecimal(at.load.RatString())
	if at.proved {
		load = "**" + load + "**"
	}
	radius, _, packing := at.placement.Spacing()
	distance, _ := t.Nearest(at.placement.Nodes())
	total, remarks := int64(0), []string(nil)
	for _, d := range distance {
		total += int64(d)
	}
	mean := big.NewRat(total, int64(t.N())).FloatString(3)
	if total == leastTotal(t, at.placement.Size()) {
		mean += ", least"
	}
	if at.free {
		remarks = append(remarks, "least E_max of all")
	}
	if packing == 2*radius+1 {
		remarks = append(remarks, "perfect")
	}
	p.printf("| %s | %d | %d | %s | %d | %s | %s |\n", t, at.placement.Size(), radius, load, packing, mean,
		strings.Join(remarks, ", "))
}

// leastTotal returns a number below which the distances of all nodes from the nearest of n processors never add up to:
// no more nodes are at a distance from some processor than n times those at it from one.
func leastTotal(t *core.Torus, n int) (total int64) {
	from := map[int32]int{} // nodes by distance from one
	distance, _ := t.Nearest([]int{0})
	for _, d := range distance {
		from[d]++
	}
	for d, left := int32(0), t.N(); left > 0; d++ {
		here := min(left, n*from[d])
		total, left = total+int64(d)*int64(here), left-here
	}
	return total
}
