package findings

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"leeway/results/atlas"
)

// questions writes what the cells say about the questions that the papers leave open.
func (p *page) questions(view *atlas.Atlas, cells []cell) error {
	p.printf(questionsHead)
	p.plane(cells)
	p.multiples(cells)
	if err := p.uniform(view, cells); err != nil {
		return err
	}
	p.growth(cells)
	p.printf("* *Edge separators, and routings that are not minimal?* The atlas has neither: `leeway bisect` finds " +
		"separators for one placement, and every routing here takes\n" +
		"  shortest paths.\n")
	p.space(cells)
	return nil
}

const questionsHead = `
## The papers' questions, as far as this goes

Seeds 000 and 002 leave open how optimal placements are characterized by their restrictions to subtori, how edge
separators behave relative to them, and (000) how far uniformity can be relaxed. Seed 001 writes out odd sides in two
and three dimensions, and leaves more dimensions and routings that are not minimal.

`

// plane says where linear placements in two dimensions are optimal, even sides beside odd ones.
func (p *page) plane(cells []cell) {
	p.printf("* *Is a linear placement optimal, for even k too?* Cells k x k with k processors: %s.\n",
		standing(cells, 1, "linear"))
}

// standing says by routing for which k placements with a name are optimal in two dimensions among those of this many
// times k processors.
func standing(cells []cell, layers int, name string) string {
	sides, routings := map[[2]string][]string{}, map[string]bool{} // sides by routing and what is known there
	for _, c := range cells {
		k, d, _ := c.side()
		named := c.family(name)
		if d != 2 || c.layers() != layers || named == nil || c.load == nil {
			continue
		}
		state := "open"
		if c.load.Cmp(named) < 0 {
			state = "beaten"
		} else if c.proved() {
			state = "optimal"
		}
		routings[c.Routing] = true
		sides[[2]string{c.Routing, state}] = append(sides[[2]string{c.Routing, state}], fmt.Sprint(k))
	}
	var parts []string
	for _, routed := range slices.Sorted(maps.Keys(routings)) {
		var said []string
		for _, state := range []string{"optimal", "beaten", "open"} {
			if list := sides[[2]string{routed, state}]; list != nil {
				said = append(said, state+" for k = "+strings.Join(list, ", "))
			}
		}
		parts = append(parts, short(routed)+" "+strings.Join(said, " and "))
	}
	return list(parts, "; ")
}

// multiples says what becomes of more than k^(d-1) processors.
func (p *page) multiples(cells []cell) {
	byLayers := map[int][]cell{}
	for _, c := range cells {
		k, _, _ := c.side()
		t := c.layers()
		if _, ok := c.Papers(); ok && 1 < t && t < k {
			byLayers[t] = append(byLayers[t], c)
		}
	}
	var parts []string
	for _, t := range slices.Sorted(maps.Keys(byLayers)) {
		own := byLayers[t]
		parts = append(parts, fmt.Sprintf(
			"t = %d: %d cells, consecutive residues proved optimal in %d, beaten in %d, spaced ones the best known "+
				"in %d", t, len(own), count(own, cell.kept), count(own, cell.beaten), count(own, cell.spacedBest)))
	}
	p.printf("* *Which placements of more than k^(d-1) processors are optimal?* Of t k^(d-1), 1 < t < k: %s. The "+
		"table above names the cells.\n", list(parts, "; "))
}

// growth says how far the smallest E_max is from a line.
func (p *page) growth(cells []cell) {
	var flat, jump [2]cell
	var most *big.Rat
	for _, group := range groups(cells) {
		start := 0
		for i, c := range group {
			if !c.proved() {
				start = i + 1
				continue
			}
			if i == start {
				continue
			}
			before := group[i-1]
			if c.Size != before.Size+1 || c.load.Cmp(before.load) != 0 {
				start = i
			}
			if flat[0].Torus == nil || c.Size-group[start].Size > flat[1].Size-flat[0].Size {
				flat = [2]cell{group[start], c}
			}
			if c.Size == before.Size+1 && before.Size >= slices.Max(c.Torus) && slices.Min(c.Torus) > 2 {
				if ratio := new(big.Rat).Quo(c.load, before.load); most == nil || ratio.Cmp(most) > 0 {
					most, jump = ratio, [2]cell{before, c}
				}
			}
		}
	}
	if most == nil {
		return
	}
	p.printf("* *Is the smallest E_max linear in n?* It grows in steps. The longest level: %s under %s, E_max %s "+
		"for n = %s. The largest jump by one processor, with sides above 2 and from n = the longest on: "+
		"%s under %s, from %s at n = %d to %s at n = %d. All of these are proved.\n", flat[0].torus(),
		short(flat[0].Routing), flat[0].MaxLoad, span(flat[0], flat[1]),
		jump[0].torus(), short(jump[0].Routing), jump[0].MaxLoad, jump[0].Size, jump[1].MaxLoad, jump[1].Size)
}

// space lists the cells of t k^(d-1) processors in three dimensions and more.
func (p *page) space(cells []cell) {
	p.printf("* *Three dimensions and more?* The cells of t k^(d-1) processors, t < k, with sides above 2:\n\n" +
		"| torus | routing | n | the papers' | spaced | best | at least | status |\n|---|---|---|---|---|---|---|---|\n")
	for _, c := range cells {
		k, d, _ := c.side()
		papers, ok := c.Papers()
		if t := c.layers(); !ok || d < 3 || k < 3 || t < 1 || t >= k {
			continue
		}
		p.printf("| %s | %s | %d | %s | %s | %s | %s | %s |\n", c.torus(), short(c.Routing), c.Size, papers.MaxLoad,
			dash(c.spaced()), cmp.Or(c.MaxLoad, "-"), c.LowerBound, c.Status)
	}
}

// uniform says what optimal placements look like in subtori, from the cells that list them all and whose size the
// sides divide.
func (p *page) uniform(view *atlas.Atlas, cells []cell) error {
	all := 0
	var some, none places
	for _, c := range those(cells, func(c cell) bool { return c.Optima > 0 && divides(c.Torus, c.Size) }) {
		d, _, err := view.Detail(c.Key())
		if err != nil {
			return err
		}
		if d.Record == nil || d.Record.Optima == nil {
			continue
		}
		even := 0
		for _, nodes := range *d.Record.Optima {
			if uniform(c.Torus, nodes) {
				even++
			}
		}
		switch even {
		case 0:
			none.add(c, "")
		case len(*d.Record.Optima):
			all++
		default:
			some.add(c, fmt.Sprintf(" (%d of %d)", even, len(*d.Record.Optima)))
		}
	}
	p.printf(uniformText, all+some.count+none.count, all, some.count, list(some.texts, "; "), none.count,
		list(none.texts, "; "))
	return nil
}

const uniformText = "* *What are optimal placements in subtori, and must they be uniform?* Uniform: in every " +
	"dimension all layers hold as many processors. Of %d cells all optimal\n" +
	"  placements are listed and all sides divide n. In %d of them every optimal placement is uniform.\n" +
	"  * Up to symmetry only some are in %d: %s.\n" +
	"  * None is in %d: %s. There uniformity costs load.\n"

// A places is a list of cells, those of one torus and routing together.
type places struct {
	count int
	texts []string
	last  string
}

// add adds a cell, with a remark.
func (l *places) add(c cell, remark string) {
	l.count++
	where := c.torus() + " " + short(c.Routing)
	if where == l.last {
		l.texts[len(l.texts)-1] += fmt.Sprintf(", %d%s", c.Size, remark)
		return
	}
	l.last = where
	l.texts = append(l.texts, fmt.Sprintf("%s n = %d%s", where, c.Size, remark))
}

// divides reports whether every side divides n, and n is less than all nodes.
func divides(sides []int, n int) bool {
	nodes := 1
	for _, k := range sides {
		if n%k != 0 {
			return false
		}
		nodes *= k
	}
	return n < nodes
}

// uniform reports whether all layers of every dimension hold as many nodes.
func uniform(sides []int, nodes [][]int) bool {
	return !slices.ContainsFunc(slabCounts(sides, nodes), func(n []int) bool { return slices.Min(n) < slices.Max(n) })
}
