package family

import (
	"slices"

	"leeway/core"
)

// At returns the text of the same pattern on torus t, up to translation, and
// whether there is one. Only a ResidueClass whose classes close around the sides
// has one, and only where every side grows or shrinks in the same ratio and the
// modulus, in that ratio too, is whole.
//
// The coefficients stay. Residues at even distances, as spaced takes them, stay so:
// floor(i m/t) for the new m; those in a row stay in a row; any others are scaled
// and rounded down, which they must survive without meeting. So the number of
// processors grows with the nodes of a slab: 2k on k x k stays 2k.
func (f Form) At(t *core.Torus) (text string, ok bool) {
	if f.Kind != ResidueClass || f.Wraps || len(f.Cosets) == 0 {
		return "", false
	}
	if f.Class.Modulus == 1 { // all nodes, on any torus
		return "full", true
	}
	m, ok := scaled(f.Class.Modulus, f.Period.torus, t)
	if !ok {
		return "", false
	}
	residues, ok := scaleResidues(f.Class.Residues, f.Class.Modulus, m)
	if !ok {
		return "", false
	}
	return Residues{Coefficients: f.Class.Coefficients, Modulus: m, Residues: residues}.String(), true
}

// scaled returns m in the ratio of the sides of two tori, and whether they have one
// ratio and it keeps m whole.
func scaled(m int, from, to *core.Torus) (int, bool) {
	if from.D() != to.D() {
		return 0, false
	}
	for j := range from.D() {
		if from.Side(j)*to.Side(0) != to.Side(j)*from.Side(0) {
			return 0, false
		}
	}
	product := m * to.Side(0)
	return product / from.Side(0), product%from.Side(0) == 0
}

// scaleResidues returns residues modulo to for ascending ones modulo from, and
// whether there is room for them.
func scaleResidues(residues []int, from, to int) ([]int, bool) {
	count := len(residues)
	if count > to {
		return nil, false
	}
	for _, r := range residues { // the pattern may start at any of them
		turned := turn(residues, r, from)
		switch {
		case slices.Equal(turned, spread(count, from)):
			return spread(count, to), true
		case slices.Equal(turned, row(count)):
			return row(count), true
		}
	}
	turned := turn(residues, residues[0], from)
	for i, r := range turned {
		turned[i] = r * to / from
	}
	return turned, len(slices.Compact(turned)) == count
}

// turn returns residues less first modulo m, ascending.
func turn(residues []int, first, m int) []int {
	turned := make([]int, len(residues))
	for i, r := range residues {
		turned[i] = mod(r-first, m)
	}
	slices.Sort(turned)
	return turned
}

// spread returns count residues at even distances modulo m.
func spread(count, m int) []int {
	list := make([]int, count)
	for i := range list {
		list[i] = i * m / count
	}
	return list
}

// row returns the residues 0..count-1.
func row(count int) []int {
	list := make([]int, count)
	for i := range list {
		list[i] = i
	}
	return list
}
