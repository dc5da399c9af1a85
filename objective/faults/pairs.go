package faults

import (
	"fmt"

	"leeway/core"
	"leeway/core/routing"
)

// maxSteps is the most links that the allowed paths of all pairs may have
// together: they are kept in memory, four bytes each.
const maxSteps = 20_000_000

// A pair is an ordered pair of processors with its allowed paths.
type pair struct {
	from, to int
	paths    [][]int32 // links in order
}

// through counts the paths of the pair that use a link.
func (p pair) through(l int32) int {
	n := 0
	for _, path := range p.paths {
		if uses(path, l) {
			n++
		}
	}
	return n
}

func uses(path []int32, l int32) bool {
	for _, have := range path {
		if have == l {
			return true
		}
	}
	return false
}

// listPairs lists the allowed paths of every ordered pair of processors.
func listPairs(r routing.Routing, p core.Placement) ([]pair, error) {
	if err := routing.Covers(r, p); err != nil {
		return nil, err
	}
	processors, steps := p.Set(), 0
	var pairs []pair
	for _, from := range p.Nodes() {
		for _, to := range p.Nodes() {
			if from == to {
				continue
			}
			next := pair{from: from, to: to}
			for links := range r.Paths(from, to, processors) {
				if steps += len(links); steps > maxSteps {
					return nil, &core.InputError{Text: r.String(),
						Problem: fmt.Sprintf("the allowed paths of %d processors on torus %s have more than %d links together",
							p.Size(), p.Torus(), maxSteps),
						Hint: "take a smaller torus, fewer processors, or a routing with fewer paths"}
				}
				path := make([]int32, len(links))
				for i, l := range links {
					path[i] = int32(l)
				}
				next.paths = append(next.paths, path)
			}
			pairs = append(pairs, next)
		}
	}
	return pairs, nil
}
