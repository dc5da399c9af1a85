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
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/networks"
)

// The best of all networks of a number of nodes, and of those of the shapes of pods: one document of
// networks.BestSchema after the other.
var (
	//go:embed lattices.json
	latticeBests []byte
	//go:embed pods.json
	podBests []byte
)

const latticesHead = `# The best lattice of each size

Of all [networks Z^d / L](lattices.md) with N nodes, which carries complete exchange between all nodes with the least
load? E_max is the least of any shares on shortest paths, by a linear program solved exactly: no minimal routing has
less on that network, and no other network of N nodes and as many dimensions has less. Where several have as little, the
one is shown that has the least under ` + "`minimal`" + `, all shortest paths alike. *less* says how much less than the
best torus without shifts; there is none where N is no product of so many sides above 1. The bisection is in directed
links, "≤" where it is the narrowest found and not proved.

Written by ` + "`make lattices`" + `, that is ` + "`leeway atlas findings --lattices`" + `. One row:
` + "`leeway networks --nodes 32 --dims 2 --best`" + `.
`

const latticesPods = `
## The shapes of pods

Accelerators are wired as k x 2k, k x k x 2k and k x 2k x 2k. Beside the torus without shifts these twists are
compared: going round a short dimension also moves by k in one long dimension, or in each.

`

const latticesPart = `
With processors on a part of the nodes, k, a quarter and a half of them: the least E_max known with the twist, and
without, from the atlas; in **bold** where no placement has less, by a proof that ` + "`leeway check`" + ` repeats.

| network | n |`

const latticesColumns = "| N | of | best | E_max | `minimal` | diameter | bisection | without shifts | E_max " +
	"| less |\n|---|---|---|---|---|---|---|---|---|---|\n"

// readBests returns the documents that data holds.
func readBests(data []byte) (list []networks.Best, err error) {
	for d := json.NewDecoder(bytes.NewReader(data)); ; {
		var b networks.Best
		if err := d.Decode(&b); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		list = append(list, b)
	}
}

// Bests returns the best network of each number of nodes, by dimensions and nodes, and those of the shapes of pods.
// Errors are those of reading what is shipped.
func Bests() (all, pods []networks.Best, err error) {
	if all, err = readBests(latticeBests); err == nil {
		pods, err = readBests(podBests)
	}
	return all, pods, err
}

// Lattices returns the page docs/best-lattices.md, with the placements on pods that an atlas knows. Errors are those of
// reading what is shipped.
func Lattices(view *atlas.Atlas) (string, error) {
	all, pods, err := Bests()
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
		twisted, ok := view.Cell(atlas.Key{Torus: b.Best.Network, Routing: way, Size: n})
		plain, known := view.Cell(atlas.Key{Torus: b.Plain.Network, Routing: way, Size: n})
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

// Less returns how much less the best of some networks carries than the best without shifts, "12.5 %", "-" if it is no
// less, "" where there is none without shifts.
func Less(b networks.Best) string {
	if b.Plain == nil {
		return ""
	}
	ratio := new(big.Rat).Quo(number(b.Best.Least), number(b.Plain.Least))
	percent := ratio.Sub(big.NewRat(1, 1), ratio)
	if percent.Sign() <= 0 {
		return "-"
	}
	return percent.Mul(percent, big.NewRat(100, 1)).FloatString(1) + " %"
}

// best writes the row of a number of nodes.
func (p *page) best(b networks.Best) {
	width, plain, load := strconv.Itoa(b.Best.Width), "", ""
	if !b.Best.Exact {
		width = "≤ " + width
	}
	if b.Plain != nil {
		plain, load = b.Plain.Network, results.WithDecimal(b.Plain.Least)
	}
	p.printf("| %d | %d | %s | %s | %s | %d | %s | %s | %s | %s |\n", b.Nodes, b.Networks, b.Best.Network,
		results.WithDecimal(b.Best.Least), results.WithDecimal(b.Best.Minimal), b.Best.Diameter, width, plain, load, Less(b))
}
