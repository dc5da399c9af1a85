// Package lattices lists the networks Z^d / L: all twisted tori of a number of nodes.
package lattices

import (
	"cmp"
	"fmt"
	"slices"

	"leeway/core"
)

// MaxForms is the most normal forms that List computes: those of all images of all lattices.
const MaxForms = 1 << 24

// List returns all networks Z^d / L of n nodes up to permutations of the dimensions and reflections, but for those in
// which a step returns to its own node: first those with few shifts and sides alike. Of each it returns the form with
// the fewest shifts, then the smallest longest side, then the first sides and shifts in lexicographic order. Errors are
// *core.InputError: n below 2 or above core.MaxTwistedNodes, d outside 1..8, or more than MaxForms forms.
//
// A lattice has one basis in Hermite normal form: rows with positive diagonal, 0 below it, and above each diagonal
// entry numbers from 0 up to it. The sides are the diagonal, their product is n, and the shift at the end of a
// dimension is what its row has to the right, negated. Cost: 2^d d! normal forms for each lattice.
func List(n, d int) ([]*core.Torus, error) {
	switch {
	case n < 2 || n > core.MaxTwistedNodes:
		return nil, core.Invalid(fmt.Sprint(n), "a lattice network has 2..%d nodes",
			core.MaxTwistedNodes)
	case d < 1 || d > 8:
		return nil, core.Invalid(fmt.Sprint(d), "a lattice network has 1..8 dimensions")
	}
	images := 1 // of a lattice, but for all reflections at once, which map it to itself
	for j := 2; j <= d; j++ {
		images *= 2 * j
	}
	count := 0
	if !everyBasis(n, d, func(basis) bool { count += images; return count <= MaxForms }) {
		return nil, core.Invalid(fmt.Sprint(n), "there are too many lattices of %d "+
			"dimensions with this number of nodes", d)
	}
	seen := map[string]bool{}
	var forms []basis
	everyBasis(n, d, func(b basis) bool {
		if form := b.least(); !seen[form.key()] {
			seen[form.key()] = true
			if !form.loops() {
				forms = append(forms, form)
			}
		}
		return true
	})
	slices.SortFunc(forms, compare)
	list := make([]*core.Torus, len(forms))
	for i, b := range forms {
		t, err := core.NewTwisted(b.sides(), b.shifts())
		if err != nil {
			return nil, err
		}
		list[i] = t
	}
	return list, nil
}

// A basis of a lattice, row by row; most are in Hermite normal form.
type basis []row

type row []int

// add adds a multiple of another row.
func (r row) add(other row, times int) {
	for j, x := range other {
		r[j] += times * x
	}
}

// everyBasis calls visit with every basis of determinant n in Hermite normal form until it returns false, and reports
// whether it never did.
func everyBasis(n, d int, visit func(basis) bool) bool {
	b := make(basis, d)
	for i := range b {
		b[i] = make(row, d)
	}
	var fill func(i, j int) bool // entry j of row i and all after it, rows from the last on
	var diagonal func(i, left int) bool
	fill = func(i, j int) bool {
		switch {
		case i < 0:
			return visit(b)
		case j == d:
			return fill(i-1, i)
		}
		for x := range b[j][j] {
			if b[i][j] = x; !fill(i, j+1) {
				return false
			}
		}
		return true
	}
	diagonal = func(i, left int) bool {
		if i == d-1 {
			b[i][i] = left
			return fill(d-1, d)
		}
		for x := 1; x <= left; x++ {
			if b[i][i] = x; left%x == 0 && !diagonal(i+1, left/x) {
				return false
			}
		}
		return true
	}
	return diagonal(0, n)
}

// least returns the first form, by compare, of the images of the lattice under permutations and reflections of the
// coordinates.
func (b basis) least() basis {
	d := len(b)
	var best basis
	perm := make([]int, 0, d)
	var extend func()
	extend = func() {
		if len(perm) == d {
			for flips := range 1 << (d - 1) { // all reflections at once map every lattice to itself
				image := make(basis, d)
				for i, r := range b {
					image[i] = make(row, d)
					for j, x := range r {
						if flips>>j&1 == 1 {
							x = -x
						}
						image[i][perm[j]] = x
					}
				}
				if image.reduce(); best == nil || compare(image, best) < 0 {
					best = image
				}
			}
			return
		}
		for to := range d {
			if !slices.Contains(perm, to) {
				perm = append(perm, to)
				extend()
				perm = perm[:len(perm)-1]
			}
		}
	}
	extend()
	return best
}

// reduce brings the basis into Hermite normal form by adding rows to others (Cohen, A Course in Computational Algebraic
// Number Theory, 1993, section 2.4).
func (b basis) reduce() {
	for c := range b {
		for i := c + 1; i < len(b); i++ { // Euclid on rows c and i
			for b[i][c] != 0 {
				b[c].add(b[i], -(b[c][c] / b[i][c]))
				b[c], b[i] = b[i], b[c]
			}
		}
		if b[c][c] < 0 {
			b[c].add(b[c], -2)
		}
		for i := range c {
			b[i].add(b[c], -floor(b[i][c], b[c][c]))
		}
	}
}

func floor(a, b int) int { return (a - core.Mod(a, b)) / b }

// sides returns the diagonal.
func (b basis) sides() []int {
	list := make([]int, len(b))
	for j := range b {
		list[j] = b[j][j]
	}
	return list
}

// shifts returns what the end of each dimension adds, canonical: going the side of a dimension up is the negated rest
// of its row.
func (b basis) shifts() [][]int {
	list := make([][]int, len(b))
	for i, r := range b {
		v := make([]int, len(b))
		for j := i + 1; j < len(b); j++ {
			v[j] = -r[j]
		}
		b.box(v, i+1)
		list[i] = v
	}
	return list
}

// box takes a vector into the box of the sides by the rows from one on.
func (b basis) box(v []int, from int) {
	for j := from; j < len(b); j++ {
		turns := floor(v[j], b[j][j])
		for m := j; m < len(b); m++ {
			v[m] -= turns * b[j][m]
		}
	}
}

// loops reports whether a step along some dimension leads back to its node.
func (b basis) loops() bool {
	for j := range b {
		v := make([]int, len(b))
		v[j] = 1
		b.box(v, j)
		if !slices.ContainsFunc(v, func(x int) bool { return x != 0 }) {
			return true
		}
	}
	return false
}

// shifted returns how many dimensions have a shift at their end.
func (b basis) shifted() (count int) {
	for i, r := range b {
		if slices.ContainsFunc(r[i+1:], func(x int) bool { return x != 0 }) {
			count++
		}
	}
	return count
}

// compare orders forms: few shifts first, then sides alike, then in lexicographic order of sides and shifts.
func compare(a, b basis) int {
	return cmp.Or(cmp.Compare(a.shifted(), b.shifted()), cmp.Compare(slices.Max(a.sides()), slices.Max(b.sides())),
		slices.Compare(a.sides(), b.sides()), slices.CompareFunc(a.shifts(), b.shifts(), slices.Compare))
}

func (b basis) key() string { return fmt.Sprint(b) }
