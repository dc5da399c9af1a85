package routing

import (
	"iter"
	"math/big"

	"leeway/core"
)

// Avoid is processor-avoiding routing: of the UDR paths of a pair, those with
// the fewest processors strictly inside. Where paths with none exist this is
// Algorithm 3.1 of seed 001; that paper does not say what to do elsewhere.
type Avoid struct {
	base
	all *Orders
}

// NewAvoid returns processor-avoiding routing on t.
func NewAvoid(t *core.Torus, tie Tie) *Avoid { return &Avoid{base{t, tie}, NewUDR(t, tie)} }

// DependsOnPlacement returns true.
func (r *Avoid) DependsOnPlacement() bool { return true }

// Unordered returns true.
func (r *Avoid) Unordered() bool { return true }

// Candidates returns the UDR routing from whose paths Avoid chooses.
func (r *Avoid) Candidates() *Orders { return r.all }

// String returns the canonical form.
func (r *Avoid) String() string { return "avoid:tie=" + r.all.tie.String() }

// Paths yields the UDR paths with the fewest processors strictly inside.
func (r *Avoid) Paths(p, q int, processors core.Set) iter.Seq2[[]core.Link, int64] {
	return r.paths(p, q, processors, nil)
}

// paths is Paths; it yields no more once the watch has ended.
func (r *Avoid) paths(p, q int, processors core.Set, w *core.Watch) iter.Seq2[[]core.Link, int64] {
	return func(yield func([]core.Link, int64) bool) {
		fewest := -1
		for path := range r.all.Paths(p, q, processors) {
			if w.Err(len(path)) != nil {
				return
			}
			if n := r.processorsInside(path, processors); fewest < 0 || n < fewest {
				fewest = n
			}
		}
		for path := range r.all.Paths(p, q, processors) {
			if w.Err(len(path)) != nil || r.processorsInside(path, processors) == fewest && !yield(path, 1) {
				return
			}
		}
	}
}

// processorsInside counts the processors strictly inside a path.
func (r *Avoid) processorsInside(path []core.Link, processors core.Set) int {
	n := 0
	for _, l := range path[1:] {
		if from, _ := r.all.torus.LinkFrom(l); processors.Has(from) {
			n++
		}
	}
	return n
}

// Flow counts the chosen paths through every link.
func (r *Avoid) Flow(p, q int, processors core.Set) Flow {
	f, _ := r.flow(p, q, processors, nil) // no watch, no error
	return f
}

// flow is Flow until the watch ends.
func (r *Avoid) flow(p, q int, processors core.Set, w *core.Watch) (Flow, error) {
	return listedFlow(r.paths(p, q, processors, w), w)
}

// maxCommonPaths is the most paths of a pair for which Denominator gives a
// common denominator; beyond it the number has thousands of digits.
const maxCommonPaths = 400

// Denominator returns the least common multiple of all numbers up to the most
// paths that a pair can have, since which of them occur depends on the
// placement; nil when a pair can have more than 400.
func (r *Avoid) Denominator() *big.Int {
	paths := r.mostPaths()
	if paths > maxCommonPaths {
		return nil
	}
	d := big.NewInt(1)
	for v := 2; v <= paths; v++ {
		core.FoldLCM(d, big.NewInt(int64(v)))
	}
	return d
}

// mostPaths returns the most paths that a pair can have, or a number above maxCommonPaths.
func (r *Avoid) mostPaths() int {
	t, paths := r.all.torus, 1
	if !t.Separable() {
		for q := 1; q < t.N(); q++ {
			count := int64(0)
			for _, v := range t.Vectors(0, q, r.all.tie == TieBoth) {
				count += factorial(min(len(moved(v)), maxExplicitDims))
			}
			paths = max(paths, int(min(count, maxCommonPaths+1)))
		}
		return paths
	}
	for j := range t.D() {
		paths *= j + 1
		if k := t.Side(j); r.all.tie == TieBoth && k%2 == 0 && k > 2 && !t.Open(j) {
			paths *= 2
		}
		if paths > maxCommonPaths {
			break
		}
	}
	return paths
}
