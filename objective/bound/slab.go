package bound

import (
	"leeway/core"
	"leeway/objective"
	"leeway/objective/bisect"
)

// Slab returns the separator bound for the best set S between two parallel cuts,
// over all dimensions and positions of the cuts: the two cuts of seed 000, Theorem
// 1. Of the bands across one dimension all have the same links out, so the one
// with nearest to half of the processors is best. The witness names the dimension
// too. The value is in messages; it is 0 without a witness for fewer than two
// processors. Cost O(d (n + k)) and O(N) for the witness.
func Slab(p core.Placement) objective.Bound {
	if p.Size() < 2 {
		return noCut(objective.BoundSlab)
	}
	t := p.Torus()
	var best objective.Bound
	var band bisect.Band
	for j := range t.D() {
		b := bisect.Middle(p, j)
		if v := bandBound(p, b); best.Value == nil || v.Value.Cmp(best.Value) > 0 {
			best, band = v, b
		}
	}
	best.Witness.Set, best.Witness.Dim = smaller(t, band.Set(t)), &band.Dim
	return best
}

// bandBound returns the bound of a band, without its set.
func bandBound(p core.Placement, b bisect.Band) objective.Bound {
	out := b.Out(p.Torus())
	return objective.Bound{Name: objective.BoundSlab, Value: ratio(pairs(b.Count, p.Size()), out), Witness: objective.Witness{Links: out}}
}
