package findings

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"

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
blocks take: weights of links prove it. %d of the %d networks of up to %d nodes in two dimensions and %d in three have a
schedule that reaches it, rounded up. On the others the schedules found have at most %d steps more, and the
[sum of all nodes](laws.md#what-the-sum-of-all-nodes-costs) bounds those that are the same at every node from below. On
%d of them the schedule found is as short as one that is the same at every node can be, on %d it is shorter, with
different paths at different nodes.

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
	invariant          int // no schedule that is the same at every node has fewer steps; 0: not asked
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

// Exchanges returns the page docs/exchanges.md. Errors are those of reading what is shipped.
func Exchanges(*atlas.Atlas) (string, error) {
	list, err := readExchanges()
	if err != nil {
		return "", err
	}
	reached, most, largest := 0, 0, map[int]int{}
	alike, below := 0, 0
	for _, e := range list {
		if e.fewest == e.lowerBound {
			reached++
		} else if e.fewest == e.invariant {
			alike++
		} else if e.fewest < e.invariant {
			below++
		}
		most = max(most, e.fewest-e.lowerBound)
		largest[e.network.D()] = max(largest[e.network.D()], e.network.N())
	}
	p := &page{}
	p.printf(exchangesHead, reached, len(list), largest[2], largest[3], most, alike, below)
	dims := 0
	for i := 0; i < len(list); {
		first := list[i].network
		if first.D() != dims {
			dims = first.D()
			p.printf("\n## In %d dimensions\n\n| N | of | at the bound | fewest | most | steps (bound, bound of "+
				"schedules that are the same at every node) of the others "+
				"|\n|---|---|---|---|---|---|\n", dims)
		}
		count, optimal, fewest, greatest, others := 0, 0, list[i].fewest, list[i].fewest, ""
		for ; i < len(list) && list[i].network.N() == first.N() && list[i].network.D() == dims; i++ {
			e := list[i]
			count++
			fewest, greatest = min(fewest, e.fewest), max(greatest, e.fewest)
			if e.fewest == e.lowerBound {
				optimal++
				continue
			}
			if others != "" {
				others += ", "
			}
			others += fmt.Sprintf("%v: %d (%d, %d)", e.network, e.fewest, e.lowerBound, e.invariant)
		}
		p.printf("| %d | %d | %d | %d | %d | %s |\n", first.N(), count, optimal, fewest, greatest, others)
	}
	return p.String(), nil
}
