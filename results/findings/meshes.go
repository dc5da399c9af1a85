package findings

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/texts"
	"leeway/results/atlas"
	"leeway/results/layout"
)

// farthest is the longest side of the square meshes on which placements with a name are evaluated beside the cells.
const farthest = 12

// meshRoutings are the routings of the table of square meshes.
var meshRoutings = []string{"odr:tie=plus", "udr:tie=plus", "minimal:tie=both"}

const meshesHead = `
## Meshes: what changes without wrap-around

The atlas has %d cells of meshes, 2-dimensional tori without any wrap-around: %d proved, %d open. Nothing ties on a
mesh; a torus that it is compared with has the same sides, routing and size, and ties both. First
` + "`linear`, `multilinear` and `spaced`" + `, k or a multiple of k processors on a k x k mesh:

`

const meshesTable = `Square meshes with n = k, 2k and 3k processors: E_max by the side k, "?" where it is not proved.
The last column has the line on which the values lie: those of placements with a name up to k = %d, where they are
evaluated, those of the best up to the last cell, if proved.

| n | routing | E_max of |%s line |
|---|---|---|%s---|
`

// meshes writes what the cells of meshes say against those of tori.
func (p *page) meshes(view *atlas.Atlas, meshes []cell) error {
	if len(meshes) == 0 {
		return nil
	}
	proved := count(meshes, cell.proved)
	p.printf(meshesHead, len(meshes), proved, len(meshes)-proved)
	squares := map[square]cell{}
	var sides []int
	for _, c := range meshes {
		if k, d, ok := c.side(); ok && d == 2 {
			squares[square{c.Routing, k, c.Size}] = c
			sides = append(sides, k)
		}
	}
	slices.Sort(sides)
	sides = slices.Compact(sides)
	p.named(meshes)
	if err := p.squares(view, squares, sides); err != nil {
		return err
	}
	if err := p.instead(view, squares, sides); err != nil {
		return err
	}
	p.ratios(view, meshes)
	return nil
}

// A square names a cell of a square mesh.
type square struct {
	routing string
	k, n    int
}

// named says where placements with a name are optimal on square meshes.
func (p *page) named(meshes []cell) {
	for _, m := range []struct {
		title, name string
		layers      int
	}{{"Linear placements", "linear", 1}, {"Two neighbouring residues", "multilinear:t=2", 2},
		{"Two spaced residues", "spaced:t=2", 2}, {"Three neighbouring residues", "multilinear:t=3", 3},
		{"Three spaced residues", "spaced:t=3", 3}} {
		p.printf("* **%s** (`%s`): %s.\n", m.title, m.name, standing(meshes, m.layers, m.name))
	}
}

// ratios compares meshes with tori.
func (p *page) ratios(view *atlas.Atlas, meshes []cell) {
	p.printf("\nThe smallest E_max of a mesh divided by that of the torus, over all meshes where both are proved, and " +
		"in how many\ncells they are equal or that of the mesh is the smaller one:\n\n" +
		"| routing | cells | least | mean | largest | equal | smaller |\n|---|---|---|---|---|---|---|\n")
	type compared struct {
		cell
		ratio *big.Rat
	}
	for _, name := range meshRoutings {
		var list []compared
		sum, equal, below := new(big.Rat), 0, 0
		for _, c := range those(meshes, func(c cell) bool { return c.Routing == name && c.proved() }) {
			t, ok := onTorus(view, c)
			if !ok || !t.proved() || t.load.Sign() == 0 {
				continue
			}
			list = append(list, compared{c, new(big.Rat).Quo(c.load, t.load)})
			sum.Add(sum, list[len(list)-1].ratio)
			switch c.load.Cmp(t.load) {
			case 0:
				equal++
			case -1:
				below++
			}
		}
		if list == nil {
			continue
		}
		byRatio := func(a, b compared) int { return a.ratio.Cmp(b.ratio) }
		said := func(c compared) string {
			return fmt.Sprintf("%s (%s, n = %d)", c.ratio.RatString(), core.JoinInts(c.Torus, "x"), c.Size)
		}
		mean := sum.Quo(sum, big.NewRat(int64(len(list)), 1))
		p.printf("| %s | %d | %s | %s | %s | %d | %d |\n", short(name), len(list), said(slices.MinFunc(list, byRatio)),
			mean.FloatString(2), said(slices.MaxFunc(list, byRatio)), equal, below)
	}
}

// onTorus returns the cell of the torus that has the sides, routing and size of a mesh, with ties both; ok is false if
// there is none with a load.
func onTorus(view *atlas.Atlas, c cell) (cell, bool) {
	name, _, _ := strings.Cut(c.Routing, ":tie=")
	t, ok := view.Cell(texts.Key{Torus: core.JoinInts(c.Torus, "x"), Routing: name + ":tie=both", Size: c.Size})
	if !ok || t.Fault != "" || t.MaxLoad == "" {
		return cell{}, false
	}
	return cellsOf([]atlas.Cell{t})[0], true
}

// squares writes the table of square meshes by side.
func (p *page) squares(view *atlas.Atlas, squares map[square]cell, sides []int) error {
	heads := ""
	for _, k := range sides {
		heads += fmt.Sprintf(" k = %d |", k)
	}
	var table page
	table.printf(meshesTable, farthest, heads, strings.Repeat("---|", len(sides)))
	p.printf("* **By the side**, as far as values lie on lines (the table has them all):\n")
	for _, routed := range meshRoutings {
		for layers := 1; layers <= 3; layers++ {
			n := strings.TrimPrefix(fmt.Sprintf("%dk", layers), "1")
			rows := []string{"linear"}
			if layers > 1 {
				rows = []string{fmt.Sprintf("multilinear:t=%d", layers), fmt.Sprintf("spaced:t=%d", layers)}
			}
			var said []string
			for _, name := range rows {
				values, err := evaluated(routed, name, layers)
				if err != nil {
					return err
				}
				table.printf("| %s | %s | `%s` |", n, short(routed), name)
				for _, k := range sides {
					table.printf(" %s |", dashed(values[k]))
				}
				line := lineOf(values, 6)
				table.printf(" %s |\n", line)
				if line != "-" {
					said = append(said, fmt.Sprintf("`%s` has %s", name, line))
				}
			}
			best, proved := map[int]*big.Rat{}, true
			var mesh, torus, ratio string
			for _, k := range sides {
				c, ok := squares[square{routed, k, layers * k}]
				if !ok {
					mesh, torus, ratio = mesh+" - |", torus+" - |", ratio+" - |"
					continue
				}
				best[k], proved = c.load, proved && c.Status == atlas.Optimal
				mesh += fmt.Sprintf(" %s |", marked(c))
				t, ok := onTorus(view, c)
				if !ok {
					torus, ratio = torus+" - |", ratio+" - |"
					continue
				}
				quotient := new(big.Rat).Quo(c.load, t.load)
				mark := strings.Repeat("?", min(1, strings.Count(marked(c)+marked(t), "?")))
				torus += fmt.Sprintf(" %s |", marked(t))
				ratio += fmt.Sprintf(" %s%s |", quotient.FloatString(2), mark)
			}
			through := "-"
			if proved {
				through = lineOf(best, 4)
			}
			if through != "-" {
				said = append(said, fmt.Sprintf("the optimum is %s, up to k = %d", through, sides[len(sides)-1]))
			}
			table.printf("| %s | %s | best on the mesh |%s %s |\n", n, short(routed), mesh, through)
			table.printf("| %s | %s | best on the torus |%s |\n", n, short(routed), torus)
			table.printf("| %s | %s | mesh / torus |%s |\n", n, short(routed), ratio)
			if said != nil {
				p.printf("  * %s, n = %s: %s.\n", short(routed), n, strings.Join(said, ", "))
			}
		}
	}
	p.printf("\n%s", table.String())
	return nil
}

// marked returns the load of a cell, with "?" where it is not proved.
func marked(c cell) string {
	if c.Status == atlas.Optimal {
		return dashed(c.load)
	}
	return dashed(c.load) + "?"
}

// dashed is dash with a decimal beside a long fraction.
func dashed(v *big.Rat) string {
	if v == nil || len(v.RatString()) <= 5 {
		return dash(v)
	}
	return layout.WithDecimal(v.RatString())
}

// evaluated returns E_max of a placement with a name on square meshes by their side, where it has a given number of
// layers.
func evaluated(routed, name string, layers int) (map[int]*big.Rat, error) {
	values := map[int]*big.Rat{}
	for k := max(3, layers); k <= farthest; k++ {
		mesh, err := core.MustTorus(k, k).WithLinks([]int{0, 1}, nil)
		if err != nil {
			return nil, err
		}
		s, err := family.Parse(mesh, name)
		if err != nil { // spaced:t=3 on a side of 3
			continue
		}
		r, err := routing.Parse(mesh, routed)
		if err != nil {
			return nil, err
		}
		values[k], _ = fast.Evaluate(objective.Problem{Routing: r}, s).Max()
	}
	return values, nil
}

// lineOf returns the line in k on which values lie, "(k - 1)/2" or "2k - 2 from k = 4", "-" if fewer than a given
// number at the end lie on one.
func lineOf(values map[int]*big.Rat, least int) string {
	var sides []int
	for k := range values {
		sides = append(sides, k)
	}
	slices.Sort(sides)
	last := len(sides) - 1
	if last+1 < least {
		return "-"
	}
	rise := func(i int) *big.Rat { // from side i to the next
		step := big.NewRat(int64(sides[i+1]-sides[i]), 1)
		return step.Quo(new(big.Rat).Sub(values[sides[i+1]], values[sides[i]]), step)
	}
	slope, first := rise(last-1), last-1
	for first > 0 && rise(first-1).Cmp(slope) == 0 {
		first--
	}
	if last-first+1 < least {
		return "-"
	}
	start := new(big.Rat).SetInt64(int64(sides[first]))
	text := lineText(slope, start.Sub(values[sides[first]], start.Mul(start, slope)))
	if first > 0 {
		text += fmt.Sprintf(" from k = %d", sides[first])
	}
	return text
}

// lineText writes slope k + start.
func lineText(slope, start *big.Rat) string {
	den := core.LCM(int(slope.Denom().Int64()), int(start.Denom().Int64()))
	a := new(big.Rat).Mul(slope, big.NewRat(int64(den), 1)).Num().Int64()
	b := new(big.Rat).Mul(start, big.NewRat(int64(den), 1)).Num().Int64()
	text := fmt.Sprintf("%dk", a)
	switch {
	case a == 0:
		return start.RatString()
	case a == 1, a == -1:
		text = strings.Replace(text, "1", "", 1)
	}
	if b != 0 {
		text += fmt.Sprintf(" %c %d", "+-"[(1-cmp.Compare(b, 0))/2], max(b, -b))
	}
	if den > 1 {
		if b != 0 {
			text = "(" + text + ")"
		}
		text += fmt.Sprintf("/%d", den)
	}
	return text
}

// instead writes the numbers of processors by row and column of the best placements of square meshes that have no name.
func (p *page) instead(view *atlas.Atlas, squares map[square]cell, sides []int) error {
	p.printf("\nWhere no placement with a name is the best known, one that is: how many processors it has in each row " +
		"(dimension 0)\nand each column, and, where they are counted, how many optimal placements there are up to " +
		"symmetry.\n\n| mesh | routing | n | E_max | rows | columns | optimal ones |\n|---|---|---|---|---|---|---|\n")
	for _, routed := range meshRoutings {
		for layers := 1; layers <= 3; layers++ {
			for _, k := range sides {
				c, ok := squares[square{routed, k, layers * k}]
				if !ok || slices.ContainsFunc(c.Families, func(f atlas.Family) bool { return f.MaxLoad == c.MaxLoad }) {
					continue
				}
				d, _, err := view.Detail(c.Key())
				if err != nil {
					return err
				}
				if d.Record == nil {
					continue
				}
				counts := slabCounts(c.Torus, d.Record.Nodes)
				optima := "-"
				if c.Optima > 0 {
					optima = fmt.Sprint(c.Optima)
				}
				p.printf("| %dx%d | %s | %d | %s | %s | %s | %s |\n", k, k, short(routed), c.Size, marked(c),
					core.JoinInts(counts[0], " "), core.JoinInts(counts[1], " "), optima)
			}
		}
	}
	return nil
}

// slabCounts returns how many of some nodes each layer of every dimension holds.
func slabCounts(sides []int, nodes [][]int) [][]int {
	counts := make([][]int, len(sides))
	for j, k := range sides {
		counts[j] = make([]int, k)
		for _, v := range nodes {
			counts[j][v[j]]++
		}
	}
	return counts
}
