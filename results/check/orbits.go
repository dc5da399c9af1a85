package check

import (
	"fmt"
	"math"
	"math/big"
	"sync"
	"sync/atomic"

	"leeway/core"
	"leeway/core/routing"
)

// Limits of the walk of the tree orderly.
const (
	maxOrbitNodes    = 256     // a node is a byte
	maxOrbitPrefixes = 1 << 20 // some hundred megabytes
)

// An orbitWalk walks the tree orderly of docs/proofs.md. It shares nothing with
// the engine: loads come from listed paths, images from core/symmetry.
type orbitWalk struct {
	torus    *core.Torus
	size     int
	loads    *orbitLoads
	group    *orbitGroup
	starting [][]int // the prefixes
}

// newOrbitWalk lists the prefixes of split numbers for "no placement of n
// processors has E_max below a value". It refuses what the tree is not defined
// for with a *core.InputError, and fails when the prefixes pass maxOrbitPrefixes or
// the context ends first. Cost: a visit to every shorter list.
func newOrbitWalk(m *meter, r routing.Routing, n int, below *big.Rat, split int) (walk, error) {
	return within(m, func() (walk, error) {
		points, err := orbitPoints(m, r, n)
		if err != nil {
			return nil, err
		}
		if split < 1 || split > n {
			return nil, &core.InputError{Text: fmt.Sprint(split), Problem: fmt.Sprintf("the split %d lies outside 1..%d", split, n)}
		}
		return listedOrbits(m, r, points, n, below, false, split)
	})
}

// orbitPoints returns the images of the nodes under the automorphisms that fix
// node 0, or why there is no tree for n processors under r.
func orbitPoints(m *meter, r routing.Routing, n int) ([][]int, error) {
	t := r.Torus()
	switch {
	case t.N() > maxOrbitNodes:
		return nil, &core.InputError{Text: t.String(),
			Problem: fmt.Sprintf("a count up to symmetry is repeated up to %d nodes, this torus has %d", maxOrbitNodes, t.N())}
	case n < 1 || n > t.N():
		return nil, &core.InputError{Text: fmt.Sprint(n), Problem: fmt.Sprintf("torus %s takes 1..%d processors", t, t.N())}
	case r.DependsOnPlacement():
		return nil, &core.InputError{Text: r.String(),
			Problem: "its paths depend on the other processors, so loads do not grow with them and nothing can be left out of a count"}
	}
	group, err := m.symmetryOf(r) // refuses a table by pair
	if err != nil {
		return nil, err
	}
	m.chargeAll(16, group.Points(), t.N()+64)
	points := make([][]int, group.Points())
	for i := range points {
		points[i] = group.Images(i, 0)
	}
	return points, nil
}

// listedOrbits returns the walk under a group of points, with its prefixes. The
// limit is below the value, or at most the value if inclusive.
func listedOrbits(m *meter, r routing.Routing, points [][]int, n int, value *big.Rat, inclusive bool, split int) (*orbitWalk, error) {
	loads, err := newOrbitLoads(m, r, n, value, inclusive)
	if err != nil {
		return nil, err
	}
	w := &orbitWalk{torus: r.Torus(), size: n, loads: loads, group: newOrbitGroup(r.Torus(), points)}
	if loads.none {
		return w, m.ctx.Err() // [0] is not visited
	}
	k := w.walker(m)
	k.until = split
	if k.enter(0, 0) {
		k.visit(1)
	}
	switch err := m.settle(); {
	case err != nil:
		return nil, fmt.Errorf("listing prefixes: %w", err)
	case k.stop:
		return nil, fmt.Errorf("there are more than %d prefixes of %d numbers", maxOrbitPrefixes, split)
	}
	w.starting = k.kept
	return w, nil
}

func (w *orbitWalk) prefixes() [][]int { return w.starting }

func (w *orbitWalk) run(m *meter, from, to int, most int64) tally {
	k := w.walker(m)
	k.most = most
	k.through(w.starting[from:to])
	return k.tally
}

// orbitsWithin returns how many orbits of placements of n processors have E_max
// at most a value, counted by so many workers. It refuses what newOrbitWalk
// does, and fails when the context ends. Each, unless nil, is called with one placement
// of each orbit, from any worker.
func orbitsWithin(m *meter, r routing.Routing, n int, most *big.Rat, workers int, each func(nodes []int)) (int64, error) {
	return within(m, func() (int64, error) {
		points, err := orbitPoints(m, r, n)
		if err != nil {
			return 0, err
		}
		w, err := listedOrbits(m, r, points, n, most, true, min(n, 3))
		if err != nil {
			return 0, err
		}
		return w.countComplete(m, workers, each)
	})
}

// canonicalSteps is what the canonical form of n nodes takes under a group of points.
func canonicalSteps(points, n int) int { return 8 * points * n * n }

// countComplete returns how many visited lists hold n numbers.
func (w *orbitWalk) countComplete(m *meter, workers int, each func(nodes []int)) (int64, error) {
	var next, complete atomic.Int64
	var running sync.WaitGroup
	for range max(1, workers) {
		running.Go(func() {
			own := m.fork()
			defer own.settle()
			k := w.walker(own)
			k.most, k.counting, k.each, k.eachSteps = math.MaxInt64, true, each, canonicalSteps(len(w.group.points), w.size)
			for i := next.Add(1) - 1; i < int64(len(w.starting)) && !k.stop; i = next.Add(1) - 1 {
				k.through(w.starting[i : i+1])
			}
			complete.Add(k.complete)
		})
	}
	running.Wait()
	return complete.Load(), m.settle()
}
