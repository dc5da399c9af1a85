// Package trees walks the census trees orderly, needs, margin and levels of docs/proofs.md again, each in the files of
// its name, needs in those of orderly; what margin and levels share is in fill.go. It shares no code with the engines
// in search, which must come to the same counts.
package trees

import (
	"fmt"
	"math/big"

	"leeway/core/routing"
	"leeway/results/check/census"
	"leeway/results/check/meter"
)

// The trees of docs/proofs.md, by the engines that walk them.
const (
	treeOrderly = "orderly"
	treeNeeds   = "needs"
	treeMargin  = "margin"
	treeLevels  = "levels"
)

// New prepares the walk of the tree of an engine, cut at prefixes of a length, for no placement of n processors with
// E_max below a value: it lists the prefixes. It fails with a *core.InputError for what the tree is not defined for,
// with an error where it has more prefixes than are listed, and with that of the meter. Placements keep to the
// conditions.
func New(m *meter.Meter, r routing.Routing, n int, c census.Conditions, below *big.Rat, engine string,
	split int) (census.Walk, error) {
	return meter.Within(m, func() (w census.Walk, err error) {
		switch {
		case engine == treeOrderly, engine == treeNeeds:
			return newOrderlyWalk(m, r, n, c, below, engine == treeNeeds, split)
		case engine == treeMargin && split == 0:
			w, err = newMargins(m, r, n, c, below)
		case engine == treeLevels && split == 0:
			w, err = newLevels(m, r, n, c, below)
		default:
			return nil, fmt.Errorf("there is no tree %q with split %d", engine, split)
		}
		if err != nil {
			return nil, err
		}
		return w, w.(interface{ prepare(*meter.Meter) error }).prepare(m)
	})
}
