package findings

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"

	"leeway/core"
	"leeway/results/atlas"
)

// The steps of complete exchange with all ports on all networks, as tools/exchanges.sh writes them.
//
//go:embed exchanges.csv
var exchangeRows []byte

const exchangesHead = `# Exchange on every lattice

How many steps does complete exchange between all N nodes take on the [networks Z^d / L](lattices.md), if
[every link works in every step](exchange.md#all-ports-schedules)? No schedule goes below the bound, whatever paths its
blocks take: weights of links prove it. %d of the %d networks of up to %d nodes in two dimensions and %d in three have
a schedule that reaches it, rounded up: these schedules are optimal. On %d networks no schedule that is the same at
every node does, since [the sum of all nodes](laws.md#what-the-sum-of-all-nodes-costs) costs steps; there different
nodes take different paths. %s

The tables have the fewest and the most steps of the networks of N nodes. The file results/findings/exchanges.csv has a
line for each network.

Shortest paths are not always best. On 1x17:twist=2 no routing by shortest paths has E_max below 16, but with longer
paths 12 steps are enough. Nor are schedules that are the same at every node: on the torus 3x4 these need 7 steps, where
6 are enough if neighbours take different paths.

Written by ` + "`make findings`" + ` from what ` + "`make exchanges`" + ` has found, with every schedule followed by the
checker. One network: ` + "`leeway exchange --model all-port --torus 3x4`" + `.
`

// An exchangeRow is what is known of a network.
type exchangeRow struct {
	network            *core.Torus
	lowerBound, fewest int
	invariant          int // no schedule that is the same at every node has fewer steps; 0: no more than the bound
}

// readExchanges returns what is shipped, in the sequence of the file. Errors are those of reading it.
func readExchanges() (list []exchangeRow, err error) {
	rows, err := csv.NewReader(bytes.NewReader(exchangeRows)).ReadAll()
	if err != nil {
		return nil, err
	}
	for _, row := range rows[1:] {
		t, err := core.ParseNetwork(row[0])
		if err != nil {
			return nil, err
		}
		e := exchangeRow{network: t}
		if e.lowerBound, err = strconv.Atoi(row[2]); err == nil {
			e.fewest, err = strconv.Atoi(row[3])
		}
		if err == nil && row[4] != "" {
			e.invariant, err = strconv.Atoi(row[4])
		}
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}

// An Exchange is complete exchange with all ports among the processors of a cell.
type Exchange struct {
	Steps, Bound  int // along paths of the routing of the cell, and what no schedule along these goes below
	Any, AnyBound int // the same along any paths
	// Moves is the schedule in Steps, block by block, from each processor to each other one in ascending order: a letter
	// is a link of the node where the block is, a for + in dimension 0, b for -, c and d the same in dimension 1, and a
	// number before it says how many steps the block waits first.
	Moves string
}

// The exchanges of cells, as tools/exchanges-placements.sh writes them.
//
//go:embed exchanges-placements.csv
var placementRows []byte

// placementExchanges returns what is shipped, by claim_sha256.
var placementExchanges = sync.OnceValue(func() map[string]Exchange {
	rows, err := csv.NewReader(bytes.NewReader(placementRows)).ReadAll()
	if err != nil {
		panic("findings: the exchanges are part of the program")
	}
	list := map[string]Exchange{}
	for _, row := range rows[1:] {
		e := Exchange{Moves: row[8]}
		for i, to := range []*int{&e.Steps, &e.Bound, &e.Any, &e.AnyBound} {
			*to, _ = strconv.Atoi(row[4+i]) // digits
		}
		list[row[3]] = e
	}
	return list
})

// ExchangeOf returns the exchange that is shipped for the placement of a record, by claim_sha256.
func ExchangeOf(claim string) (Exchange, bool) {
	e, ok := placementExchanges()[claim]
	return e, ok
}

const placementsHead = `
## Among the processors of a placement

The proved cells of the atlas on %s under odr, udr and minimal: the steps of a
schedule in which every block takes a path of the routing, **bold** where they are no more than E_max, rounded up, and
after "of" what no schedule along these paths goes below, where that is less. After a semicolon the same for a faster
schedule along any paths. Of %d cells of two processors or more %d are done in E_max steps, and of %d no schedule along
these paths has fewer steps. Few processors may be further apart than E_max, and a block moves one link in a step. The
page of a cell plays its schedule. Written by ` + "`make exchanges`" + `, too.
`

// placements writes the exchanges among the processors of cells: a table for each torus, with a row for each size.
func (p *page) placements(view *atlas.Atlas) error {
	type entry struct {
		size    int
		routing string
	}
	var tables strings.Builder
	cells, early, optimal := 0, 0, 0
	var tori []string
	for k := 4; k <= 8; k++ {
		torus := fmt.Sprintf("%dx%d", k, k)
		texts, largest := map[entry]string{}, 0
		var routings []string
		all, _ := view.Cells(atlas.Filter{Torus: torus})
		for _, c := range all {
			d, ok, err := view.Detail(c.Key())
			if err != nil {
				return err
			}
			if !ok || d.Record == nil {
				continue
			}
			e, ok := ExchangeOf(d.Record.ClaimSHA256)
			if !ok {
				continue
			}
			if largest = max(largest, c.Size); !slices.Contains(routings, c.Routing) {
				routings = append(routings, c.Routing)
			}
			cells++
			load := number(c.MaxLoad)
			text := strconv.Itoa(e.Steps)
			if load.Cmp(big.NewRat(int64(e.Steps-1), 1)) > 0 { // E_max, rounded up, is Steps or more
				early++
				text = "**" + text + "**"
			}
			if e.Steps == e.Bound {
				optimal++
			} else {
				text += fmt.Sprintf(" of %d", e.Bound)
			}
			if e.Any < e.Steps {
				if text += fmt.Sprintf("; %d", e.Any); e.Any > e.AnyBound {
					text += fmt.Sprintf(" of %d", e.AnyBound)
				}
			}
			texts[entry{c.Size, c.Routing}] = text
		}
		if len(routings) == 0 {
			continue
		}
		tori = append(tori, torus)
		fmt.Fprintf(&tables, "\n### %s\n\n| n | %s |\n|---%s|\n", torus, strings.Join(routings, " | "),
			strings.Repeat("|---", len(routings)))
		for size := 2; size <= largest; size++ {
			fmt.Fprintf(&tables, "| %d |", size)
			for _, r := range routings {
				fmt.Fprintf(&tables, " %s |", texts[entry{size, r}])
			}
			tables.WriteString("\n")
		}
	}
	p.printf(placementsHead, strings.Join(tori, ", "), cells, early, optimal)
	p.WriteString(tables.String())
	return nil
}

// Exchanges returns the page docs/exchanges.md. Errors are those of reading the atlas and what is shipped.
func Exchanges(view *atlas.Atlas) (string, error) {
	list, err := readExchanges()
	if err != nil {
		return "", err
	}
	reached, unlike, largest := 0, 0, map[int]int{}
	var open []string
	for _, e := range list {
		if e.fewest == e.lowerBound {
			reached++
		} else {
			open = append(open, fmt.Sprintf("%v takes %d, at least %d", e.network, e.fewest, e.lowerBound))
		}
		if e.invariant > 0 {
			unlike++
		}
		largest[e.network.D()] = max(largest[e.network.D()], e.network.N())
	}
	p := &page{}
	rest := ""
	if open != nil {
		rest = "Open: " + strings.Join(open, "; ") + "."
	}
	p.printf(exchangesHead, reached, len(list), largest[2], largest[3], unlike, rest)
	dims := 0
	for i := 0; i < len(list); {
		first := list[i].network
		if first.D() != dims {
			dims = first.D()
			p.printf("\n## In %d dimensions\n\n| N | networks | none the same at every node | fewest steps | most |\n"+
				"|---|---|---|---|---|\n", dims)
		}
		count, unlike, fewest, greatest := 0, 0, list[i].fewest, list[i].fewest
		for ; i < len(list) && list[i].network.N() == first.N() && list[i].network.D() == dims; i++ {
			count++
			fewest, greatest = min(fewest, list[i].fewest), max(greatest, list[i].fewest)
			if list[i].invariant > 0 {
				unlike++
			}
		}
		p.printf("| %d | %d | %d | %d | %d |\n", first.N(), count, unlike, fewest, greatest)
	}
	err = p.placements(view)
	return p.String(), err
}
