package trees

import (
	"fmt"
	"math"
	"math/big"
	"sync"
	"sync/atomic"

	"leeway/core"
	"leeway/core/routing"
	"leeway/results/check/meter"
)

// Limits of the walk of the tree orderly.
const (
	MaxOrderlyNodes    = 256     // a node is a byte
	maxOrderlyPrefixes = 1 << 20 // some hundred megabytes
)

// An orderlyWalk walks the tree orderly of docs/proofs.md. It shares nothing with
// the engine: loads come from listed paths, images from core/symmetry.
type orderlyWalk struct {
	torus    *core.Torus
	size     int
	loads    *orderlyLoads
	group    *orderlyGroup
	starting [][]int // the prefixes
}

// newOrderlyWalk lists the prefixes of split numbers for "no placement of n
// processors has E_max below a value". It refuses what the tree is not defined
// for with a *core.InputError, and fails when the prefixes pass maxOrderlyPrefixes or
// the context ends first. Cost: a visit to every shorter list.
func newOrderlyWalk(m *meter.Meter, r routing.Routing, n int, below *big.Rat, split int) (Walk, error) {
	return meter.Within(m, func() (Walk, error) {
		points, err := orderlyPoints(m, r, n)
		if err != nil {
			return nil, err
		}
		if split < 1 || split > n {
			return nil, &core.InputError{Text: fmt.Sprint(split), Problem: fmt.Sprintf("the split %d lies outside 1..%d", split, n)}
		}
		return listedOrderly(m, r, points, n, below, false, split)
	})
}

// orderlyPoints returns the images of the nodes under the automorphisms that fix
// node 0, or why there is no tree for n processors under r.
func orderlyPoints(m *meter.Meter, r routing.Routing, n int) ([][]int, error) {
	t := r.Torus()
	switch {
	case t.N() > MaxOrderlyNodes:
		return nil, &core.InputError{Text: t.String(),
			Problem: fmt.Sprintf("a count up to symmetry is repeated up to %d nodes, this torus has %d", MaxOrderlyNodes, t.N())}
	case n < 1 || n > t.N():
		return nil, &core.InputError{Text: fmt.Sprint(n), Problem: fmt.Sprintf("torus %s takes 1..%d processors", t, t.N())}
	case r.DependsOnPlacement():
		return nil, &core.InputError{Text: r.String(),
			Problem: "its paths depend on the other processors, so loads do not grow with them and nothing can be left out of a count"}
	}
	group, err := m.SymmetryOf(r) // refuses a table by pair
	if err != nil {
		return nil, err
	}
	m.ChargeAll(16, group.Points(), t.N()+64)
	points := make([][]int, group.Points())
	for i := range points {
		points[i] = group.Images(i, 0)
	}
	return points, nil
}

// listedOrbits returns the walk under a group of points, with its prefixes. The
// limit is below the value, or at most the value if inclusive.
func listedOrderly(m *meter.Meter, r routing.Routing, points [][]int, n int, value *big.Rat, inclusive bool, split int) (*orderlyWalk, error) {
	loads, err := newOrderlyLoads(m, r, n, value, inclusive)
	if err != nil {
		return nil, err
	}
	w := &orderlyWalk{torus: r.Torus(), size: n, loads: loads, group: newOrderlyGroup(r.Torus(), points)}
	if loads.none {
		return w, m.Err() // [0] is not visited
	}
	k := w.walker(m)
	k.until = split
	if k.enter(0, 0) {
		k.visit(1)
	}
	switch err := m.Settle(); {
	case err != nil:
		return nil, fmt.Errorf("listing prefixes: %w", err)
	case k.stop:
		return nil, fmt.Errorf("there are more than %d prefixes of %d numbers", maxOrderlyPrefixes, split)
	}
	w.starting = k.kept
	return w, nil
}

func (w *orderlyWalk) Prefixes() [][]int { return w.starting }

func (w *orderlyWalk) Run(m *meter.Meter, from, to int, most int64) Tally {
	k := w.walker(m)
	k.most = most
	k.through(w.starting[from:to])
	return k.tally
}

// Orbits returns how many orbits of placements of n processors have E_max
// at most a value, counted by so many workers. It refuses what newOrderlyWalk
// does, and fails when the context ends. Each, unless nil, is called with one placement
// of each orbit, from any worker.
func Orbits(m *meter.Meter, r routing.Routing, n int, most *big.Rat, workers int, each func(nodes []int)) (int64, error) {
	return meter.Within(m, func() (int64, error) {
		points, err := orderlyPoints(m, r, n)
		if err != nil {
			return 0, err
		}
		w, err := listedOrderly(m, r, points, n, most, true, min(n, 3))
		if err != nil {
			return 0, err
		}
		return w.countComplete(m, workers, each)
	})
}

// CanonicalSteps is what the canonical form of n nodes takes under a group of points.
func CanonicalSteps(points, n int) int { return 8 * points * n * n }

// countComplete returns how many visited lists hold n numbers.
func (w *orderlyWalk) countComplete(m *meter.Meter, workers int, each func(nodes []int)) (int64, error) {
	var next, complete atomic.Int64
	var running sync.WaitGroup
	for range max(1, workers) {
		running.Go(func() {
			own := m.Fork()
			defer own.Settle()
			k := w.walker(own)
			k.most, k.counting, k.each, k.eachSteps = math.MaxInt64, true, each, CanonicalSteps(len(w.group.points), w.size)
			for i := next.Add(1) - 1; i < int64(len(w.starting)) && !k.stop; i = next.Add(1) - 1 {
				k.through(w.starting[i : i+1])
			}
			complete.Add(k.complete)
		})
	}
	running.Wait()
	return complete.Load(), m.Settle()
}

// OrbitsAndPlacements returns how many orbits of placements of n processors have E_max at most a
// value, as Orbits does, and how many placements lie in them.
func OrbitsAndPlacements(m *meter.Meter, r routing.Routing, n int, most *big.Rat, workers int) (orbits int64, labelled *big.Int, err error) {
	group, err := m.SymmetryOf(r)
	if err != nil {
		return 0, nil, err
	}
	labelled = new(big.Int)
	var mu sync.Mutex
	orbits, err = Orbits(m, r, n, most, workers, func(nodes []int) {
		_, stabilizer := group.Canonical(nodes)
		mu.Lock()
		defer mu.Unlock()
		labelled.Add(labelled, big.NewInt(int64(group.Order()/stabilizer)))
	})
	return orbits, labelled, err
}
