package audit

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"leeway/core/family"
)

// Checks of how many processors linear placements have, and where.

// coefficients yields the coefficient lists in 0..k-1 for d axes, at most a number
// of them, in ascending order.
func coefficients(k, d int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		c := make([]int, d)
		for {
			if !yield(slices.Clone(c)) {
				return
			}
			j := d - 1
			for ; j >= 0 && c[j] == k-1; j-- {
				c[j] = 0
			}
			if j < 0 {
				return
			}
			c[j]++
		}
	}
}

func coprime(a, b int) bool {
	for b != 0 {
		a, b = b, a%b
	}
	return a == 1
}

// linearText returns the words for the linear placement with coefficients c.
func linearText(c []int) string {
	return "linear:c=" + joined(c)
}

// linearSettings yields the linear placements, residue 0, whose coefficients keep
// accepts, on small tori, with a routing.
func linearSettings(ctx context.Context, l Limits, most int, keep func(k int, c []int) bool) iter.Seq[setting] {
	return func(yield func(setting) bool) {
		for k, d := range cubes(ctx, l, 2, 2, 3, 4) {
			if power(k, d).Num().Int64() > int64(most) {
				continue
			}
			t := cube(k, d)
			for c := range coefficients(k, d) {
				if ctx.Err() != nil {
					return
				}
				if keep(k, c) && !yield(setUp(t, linearText(c), "")) {
					return
				}
			}
		}
	}
}

// someUnit reports whether a coefficient is relatively prime to k: Definition 10.
func someUnit(k int, c []int) bool {
	return slices.ContainsFunc(c, func(a int) bool { return coprime(a, k) })
}

// allUnits reports whether all are.
func allUnits(k int, c []int) bool {
	return !slices.ContainsFunc(c, func(a int) bool { return !coprime(a, k) })
}

func linearRange(l Limits) string { return l.span(2, 2, 3, 4) + ", at most 300 nodes" }

// checkLinearSize: a linear placement has k^(d-1) processors, for every residue.
func checkLinearSize(ctx context.Context, l Limits) Finding {
	var s survey
	for at := range linearSettings(ctx, l, 300, someUnit) {
		k, _ := at.torus().Common()
		for r := range k {
			p := must(family.Parse(at.torus(), fmt.Sprintf("%s:r=%d", at.placedText, r)))
			s.compare(setUpAt(p, fmt.Sprintf("%s:r=%d", at.placedText, r), ""), whole(p.Size()), equals, power(k, at.torus().D()-1))
		}
	}
	return s.finding(linearRange(l)+", all coefficients of which one is relatively prime to k, all residues", "")
}

// checkMultipleSize: the residues 0..t-1 have t k^(d-1) processors.
func checkMultipleSize(ctx context.Context, l Limits) Finding {
	var s survey
	for k, d := range cubes(ctx, l, 2, 1, 2, 3, 4) {
		for t := 1; t < k; t++ {
			at := setUp(cube(k, d), fmt.Sprintf("multilinear:t=%d", t), "")
			s.compare(at, whole(at.placement.Size()), equals, product(whole(t), power(k, d-1)))
		}
	}
	return s.finding(l.span(2, 1, 2, 3, 4)+", all t < k", "")
}

// checkLinearUniform: with all coefficients relatively prime to k every slab has
// k^(d-2) processors, of residues 0..t-1 t times that.
func checkLinearUniform(ctx context.Context, l Limits) Finding {
	var s survey
	for at := range linearSettings(ctx, l, 300, allUnits) {
		k, _ := at.torus().Common()
		for t := 1; t < k; t++ {
			text := strings.Replace(at.placedText, "linear", "multilinear", 1) + fmt.Sprintf(":t=%d", t)
			p := setUp(at.torus(), text, "")
			for j := range at.torus().D() {
				for _, n := range p.placement.SlabCounts(j) {
					s.compare(p, whole(n), equals, product(whole(t), power(k, at.torus().D()-2)))
				}
			}
		}
	}
	return s.finding(linearRange(l)+", all coefficients relatively prime to k, residues 0..t-1 for all t < k, every slab", "from two axes on; on one axis a linear placement is a single processor")
}
