package findings

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/core/lattices"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/texts"
	"leeway/results/atlas"
	"leeway/results/layout"
	"leeway/results/networks"
)

// The best of all networks of a number of nodes, and of those of the shapes of pods: one document of
// networks.BestSchema after the other.
var (
	//go:embed lattices.json
	latticeBests []byte
	//go:embed pods.json
	podBests []byte
	// The same with processors on a part of the nodes, of networks.PartSchema.
	//go:embed parts.json
	latticeParts []byte
	//go:embed pod-parts.json
	podParts []byte
)

const latticesHead = `# The best lattice of each size

Of all [networks Z^d / L](lattices.md) with N nodes, which carries complete exchange between all nodes with the least
load? E_max is the least of any shares on shortest paths, by a linear program solved exactly: no minimal routing has
less on that network, and no other network of N nodes and as many dimensions has less. Where several have as little, the
one is shown that has the least under ` + "`minimal`" + `, all shortest paths alike. *less* says how much less than the
best torus without shifts; there is none where N is not a product of that number of sides above 1. The bisection is in
directed links, "≤" where it is the narrowest found and not proved.

Written by ` + "`make findings`" + ` from what ` + "`make lattices`" + ` has found. One row:
` + "`leeway networks --nodes 32 --dims 2 --best`" + `.
`

const latticesPods = `
## The shapes of pods

Accelerators are wired as k x 2k, k x k x 2k and k x 2k x 2k. Beside the torus without shifts these twists are
compared: going round a short dimension also moves by k in one long dimension, or in each.

`

const partsHead = `
## With processors on a part of the nodes

With processors on n of N nodes, k, a quarter and a half of them, rounded down, k the root of N or the shortest side of
a pod: on which network do they carry least under ` + "`minimal`" + `, placed as well as they can be? In **bold** is
what is proved: no placement of n processors on any of the networks has less, on the right on any torus without shifts.
Else it is the least found, with a bound that holds for all. Of networks found with as little that of the least mean
distance is shown.

` + "`leeway networks --nodes 32 --size 16`" + ` repeats a row, with its placement. results/findings/parts.jsonl has all
placements as an atlas; ` + "`leeway atlas merge parts.store results/findings/parts.jsonl`" + ` repeats their loads.

Over all rows computed so far: how many are proved, on how many a twist carries less than the best torus without shifts,
how much less on average, and how often the network shown is the one that is best full.

| dimensions | n | N up to | rows | proved | a twist carries less | less on average | best full |
|---|---|---|---|---|---|---|---|
`

const partsColumns = "| N | n | | best | E_max | without shifts | E_max | less |\n|---|---|---|---|---|---|---|---|\n"

const latticesPart = `
Pods under other routings, as far as the atlas knows them: the least E_max with the twist, and without; in **bold**
where no placement has less, by a proof that ` + "`leeway check`" + ` repeats.

| network | n |`

const latticesColumns = "| N | of | best | E_max | `minimal` | diameter | bisection | without shifts | E_max " +
	"| less |\n|---|---|---|---|---|---|---|---|---|---|\n"

// readAll returns the documents that data holds.
func readAll[T any](data []byte) (list []T, err error) {
	for d := json.NewDecoder(bytes.NewReader(data)); ; {
		var one T
		if err := d.Decode(&one); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
}

// bestLattices returns the best network of each number of nodes, by dimensions and nodes, and those of the shapes of
// pods.
// Errors are those of reading what is shipped.
func bestLattices() (all, pods []networks.Best, err error) {
	if all, err = readAll[networks.Best](latticeBests); err == nil {
		pods, err = readAll[networks.Best](podBests)
	}
	return all, pods, err
}

// Lattices returns the page docs/best-lattices.md, with the placements on pods that an atlas knows. Errors are those of
// reading what is shipped.
func Lattices(view *atlas.Atlas) (string, error) {
	all, pods, err := bestLattices()
	if err != nil {
		return "", err
	}
	p := &page{}
	p.WriteString(latticesHead)
	dims := 0
	for _, b := range all {
		if b.Dims != dims {
			dims = b.Dims
			p.printf("\n## In %d dimensions\n\n%s", dims, latticesColumns)
		}
		p.best(b)
	}
	p.WriteString(latticesPods + latticesColumns)
	for _, b := range pods {
		p.best(b)
	}
	ways := []string{"odr:tie=plus", "odr:tie=both", "udr:tie=both", "minimal:tie=both"}
	if err := p.parts(view, all); err != nil {
		return "", err
	}
	p.WriteString(latticesPart)
	for _, way := range ways {
		p.printf(" %s |", short(way))
	}
	p.WriteString("\n|---|---|" + strings.Repeat("---|", len(ways)) + "\n")
	for _, b := range pods {
		t, err := core.ParseNetwork(b.Best.Network)
		if err != nil {
			return "", err
		}
		sizes := []int{slices.Min(t.Dims()), t.N() / 4, t.N() / 2}
		slices.Sort(sizes)
		for _, n := range slices.Compact(sizes) {
			p.part(view, b, n, ways)
		}
	}
	return p.String(), nil
}

// part writes what n processors on a pod and on the torus without shifts have, if both are known of some routing.
func (p *page) part(view *atlas.Atlas, b networks.Best, n int, ways []string) {
	row, some := fmt.Sprintf("| %s | %d |", b.Best.Network, n), false
	for _, way := range ways {
		twisted, ok := view.Cell(texts.Key{Torus: b.Best.Network, Routing: way, Size: n})
		plain, known := view.Cell(texts.Key{Torus: b.Plain.Network, Routing: way, Size: n})
		if !ok || !known || twisted.Fault+plain.Fault != "" || twisted.MaxLoad == "" || plain.MaxLoad == "" {
			row += " |"
			continue
		}
		some = true
		row += fmt.Sprintf(" %s, %s |", bold(twisted), bold(plain))
	}
	if some {
		p.WriteString(row + "\n")
	}
}

// bold returns the E_max of a cell, in bold if it is proved.
func bold(c atlas.Cell) string {
	if c.Status == atlas.Optimal {
		return "**" + c.MaxLoad + "**"
	}
	return c.MaxLoad
}

// lessThanPlain returns how much less the best of some networks carries than the best without shifts, "12.5 %", "-" if
// it is no
// less, "" where there is none without shifts.
func lessThanPlain(b networks.Best) string {
	if b.Plain == nil {
		return ""
	}
	return percentLess(b.Best.Least, b.Plain.Least)
}

// best writes the row of a number of nodes.
func (p *page) best(b networks.Best) {
	width, plain, load := strconv.Itoa(b.Best.Width), "", ""
	if !b.Best.Exact {
		width = "≤ " + width
	}
	if b.Plain != nil {
		plain, load = b.Plain.Network, layout.WithDecimal(b.Plain.Least)
	}
	p.printf("| %d | %d | %s | %s | %s | %d | %s | %s | %s | %s |\n", b.Nodes, b.Networks, b.Best.Network,
		layout.WithDecimal(b.Best.Least), layout.WithDecimal(b.Best.Minimal), b.Best.Diameter, width, plain, load,
		lessThanPlain(b))
}

// percentLess says how much less one load is than another, "-" if it is not less.
func percentLess(load, than string) string {
	ratio := new(big.Rat).Quo(number(load), number(than))
	if ratio.Cmp(big.NewRat(1, 1)) >= 0 {
		return "-"
	}
	less := ratio.Sub(big.NewRat(1, 1), ratio)
	return less.Mul(less, big.NewRat(100, 1)).FloatString(1) + " %"
}

// parts writes what is known with processors on a part of the nodes, beside what is best with all.
func (p *page) parts(view *atlas.Atlas, full []networks.Best) error {
	parts, err := readAll[networks.Part](latticeParts)
	if err != nil {
		return err
	}
	pods, err := readAll[networks.Part](podParts)
	if err != nil {
		return err
	}
	if err := errors.Join(improve(view, parts, true), improve(view, pods, false)); err != nil {
		return err
	}
	p.WriteString(partsHead)
	for dims := 2; dims <= 3; dims++ {
		for kind := range partKinds {
			p.partsFound(dims, kind, parts, full)
		}
	}
	for i, b := range parts {
		if i == 0 || b.Dims != parts[i-1].Dims {
			p.printf("\n### In %d dimensions\n\n%s", b.Dims, partsColumns)
		}
		p.placed(b, root(b.Nodes, b.Dims))
	}
	p.WriteString("\n### The shapes of pods\n\n" + partsColumns)
	for _, b := range pods {
		t, err := core.ParseNetwork(b.Plain.Network)
		if err != nil {
			return err
		}
		p.placed(b, slices.Min(t.Dims()))
	}
	return nil
}

// improve puts into a list of parts what an atlas has of the networks of as many nodes and dimensions, or only of those
// that are listed, where it is better. Errors are those of the list of networks.
func improve(view *atlas.Atlas, parts []networks.Part, all bool) error {
	const way = "minimal:tie=both"
	cells, _ := view.Cells(atlas.Filter{Routing: way})
	for _, c := range cells {
		t, err := c.ReadGrid()
		if err != nil || c.Fault != "" || c.MaxLoad == "" || c.Where() != t.String() || t.CommonBandwidth() > 1 ||
			!t.Closed() {
			continue
		}
		for i := range parts {
			b := &parts[i]
			if b.Nodes != t.N() || b.Dims != t.D() || b.Size != c.Size ||
				!all && t.String() != b.Best.Network && t.String() != b.Plain.Network {
				continue
			}
			if number(c.MaxLoad).Cmp(number(b.Best.MaxLoad)) < 0 {
				b.Best.Network, b.Best.MaxLoad = t.String(), c.MaxLoad
			}
			if !t.Twisted() && number(c.MaxLoad).Cmp(number(b.Plain.MaxLoad)) < 0 {
				b.Plain.Network, b.Plain.MaxLoad = t.String(), c.MaxLoad
			}
		}
	}
	for _, b := range parts {
		if b.Plain == nil || b.Plain.Proved() {
			continue
		}
		tori, err := plainTori(b, all)
		if err != nil {
			return err
		}
		var least *big.Rat // none on any of them has less
		for _, t := range tori {
			p, err := objective.NewProblem(routing.NewMinimal(t, routing.TieBoth), b.Size)
			if err != nil {
				return err
			}
			lower := bound.QuickBound(p).Value
			if c, ok := view.Cell(texts.KeyOf(p)); ok && c.Fault == "" && number(c.LowerBound).Cmp(lower) > 0 {
				lower = number(c.LowerBound)
			}
			if least == nil || lower.Cmp(least) < 0 {
				least = lower
			}
		}
		if load := number(b.Plain.MaxLoad); least != nil && least.Cmp(number(b.Plain.LowerBound)) > 0 {
			b.Plain.LowerBound = slices.MinFunc([]*big.Rat{least, load}, (*big.Rat).Cmp).RatString()
		}
	}
	return nil
}

// plainTori returns the tori without shifts that a row is about: all with the same number of nodes and of dimensions,
// or the listed one.
func plainTori(b networks.Part, all bool) ([]*core.Torus, error) {
	if !all {
		t, err := core.ParseNetwork(b.Plain.Network)
		return []*core.Torus{t}, err
	}
	list, err := lattices.List(b.Nodes, b.Dims)
	return slices.DeleteFunc(list, (*core.Torus).Twisted), err
}

// root returns the largest number whose power is at most n.
func root(n, power int) int {
	for k := 1; ; k++ {
		next := 1
		for range power {
			next *= k + 1
		}
		if next > n {
			return k
		}
	}
}

// partKinds are the numbers of processors of the tables.
var partKinds = []string{"k", "N/4", "N/2"}

// kindsOf returns the places of a number of processors in partKinds.
func kindsOf(b networks.Part, k int) (list []int) {
	for i, size := range []int{k, b.Nodes / 4, b.Nodes / 2} {
		if size == b.Size {
			list = append(list, i)
		}
	}
	return list
}

// partsFound writes the row of a kind of parts: in how many rows of the tables which is so.
func (p *page) partsFound(dims, kind int, parts []networks.Part, full []networks.Best) {
	rows, proved, same, less, plain, most, sum := 0, 0, 0, 0, 0, 0, new(big.Rat)
	for _, b := range parts {
		if b.Dims != dims || !slices.Contains(kindsOf(b, root(b.Nodes, dims)), kind) {
			continue
		}
		rows, most = rows+1, b.Nodes
		if b.Best.Proved() {
			proved++
		}
		if b.Plain != nil {
			ratio := new(big.Rat).Quo(number(b.Best.MaxLoad), number(b.Plain.MaxLoad))
			plain++
			if sum.Add(sum, ratio); ratio.Cmp(big.NewRat(1, 1)) < 0 {
				less++
			}
		}
		if slices.ContainsFunc(full, func(f networks.Best) bool {
			return f.Nodes == b.Nodes && f.Dims == dims && f.Best.Network == b.Best.Network
		}) {
			same++
		}
	}
	if plain > 0 {
		p.printf("| %d | %s | %d | %d | %d | %d of %d | %s | %d |\n", dims, partKinds[kind], most, rows, proved, less, plain,
			percentLess(sum.RatString(), strconv.Itoa(plain)), same)
	}
}

// placed writes the row of a number of processors.
func (p *page) placed(b networks.Part, k int) {
	var which []string
	for _, kind := range kindsOf(b, k) {
		which = append(which, partKinds[kind])
	}
	plain, load, less := "", "", ""
	if b.Plain != nil {
		plain, load, less = b.Plain.Network, shownLoad(*b.Plain), percentLess(b.Best.MaxLoad, b.Plain.MaxLoad)
	}
	p.printf("| %d | %d | %s | %s | %s | %s | %s | %s |\n", b.Nodes, b.Size, strings.Join(which, ", "), b.Best.Network,
		shownLoad(b.Best), plain, load, less)
}

// shownLoad returns the E_max of a placement, in bold if it is proved, else with the bound.
func shownLoad(b networks.Placed) string {
	if b.Proved() {
		return "**" + layout.WithDecimal(b.MaxLoad) + "**"
	}
	return layout.WithDecimal(b.MaxLoad) + ", none below " + layout.WithDecimal(b.LowerBound)
}
