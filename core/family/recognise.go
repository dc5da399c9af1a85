package family

import (
	"fmt"
	"slices"

	"leeway/core"
)

// A Kind is the simplest pattern that describes a placement.
type Kind int

// The kinds, simplest first.
const (
	// ResidueClass: {p : c.p mod m in R}. Every set of nodes has this form for m
	// = N, so only m < N counts, or one dimension.
	ResidueClass Kind = iota
	// Sublattice: a translate of a sublattice; a single node is one.
	Sublattice
	// CosetUnion: a union of cosets of a sublattice of more than one node.
	CosetUnion
	// Sporadic: none of these; no translation takes the placement to itself.
	Sporadic
)

// String returns the name of the kind.
func (k Kind) String() string {
	return [...]string{"residue class", "sublattice", "union of cosets", "sporadic"}[k]
}

// A Form says what pattern a placement has.
type Form struct {
	Kind Kind
	// Period is the sublattice of all translations that take the placement to
	// itself: the largest one of which it is a union of cosets.
	Period Lattice
	// Cosets holds the smallest node of each of these cosets, ascending; there is
	// none if nothing carries a processor.
	Cosets []int
	// Class describes a ResidueClass; see Recognise for which of its forms.
	Class Residues
	// Wraps says that the classes of Class do not close around some side, as c.p
	// mod 5 on 4x6: translations then do not take classes to classes.
	Wraps bool
}

// Recognise returns the form of p. It is exact: nothing is tried at random.
//
// A placement whose cosets are numbered by a cyclic group of order m is a residue
// class with that m, and no smaller one whose classes close around the sides. Of
// the coefficients that give it those are taken whose absolute values, in
// -m/2..m/2, have the smallest sum, of these the first in lexicographic order
// modulo m. Otherwise classes that do not close are looked for, with m up to the
// largest side: smallest m first, then first coefficients in lexicographic order.
//
// Cost: O(n^2) for the period at worst, O(m d) for the coefficients, O(m^d N) for
// classes that do not close, where nearly all are given up after a few nodes.
func Recognise(p core.Placement) Form {
	t := p.Torus()
	f := Form{Kind: Sporadic, Period: periodOf(p)}
	seen := core.NewSet(t.N())
	for _, v := range p.Nodes() {
		seen.Add(f.Period.Representative(v))
	}
	f.Cosets = seen.Nodes()
	if len(f.Cosets) == 0 {
		f.Kind, f.Class = ResidueClass, Residues{Coefficients: make([]int, t.D()), Modulus: 2, Residues: []int{1}}
		return f
	}
	if m := f.Period.Index(); m < t.N() || t.D() == 1 {
		if c, ok := f.Period.character(); ok {
			f.Kind, f.Class = ResidueClass, closedClass(t, c, m, f.Cosets)
			return f
		}
	}
	if len(f.Cosets) == 1 {
		f.Kind = Sublattice
		return f
	}
	if class, ok := wrappedClass(p, f.Period); ok {
		f.Kind, f.Class, f.Wraps = ResidueClass, class, true
	} else if f.Period.Order() > 1 {
		f.Kind = CosetUnion
	}
	return f
}

// periodOf returns the translations that take p to itself.
func periodOf(p core.Placement) Lattice {
	t, nodes, set := p.Torus(), p.Nodes(), p.Set()
	period := Span(t)
	if len(nodes) == 0 {
		return Span(t, unitNodes(t)...)
	}
	var gens []int
	for _, v := range nodes[1:] {
		shift := t.Displacement(nodes[0], v)
		if period.Contains(shift) {
			continue
		}
		if !slices.ContainsFunc(nodes, func(w int) bool { return !set.Has(t.Sum(w, shift)) }) {
			gens = append(gens, shift)
			period = Span(t, gens...)
		}
	}
	return period
}

// unitNodes returns the nodes one step from node 0 along each dimension.
func unitNodes(t *core.Torus) []int {
	units := make([]int, t.D())
	for j := range units {
		units[j] = t.Stride(j)
	}
	return units
}

// String returns the form in plain words.
func (f Form) String() string {
	cosets := fmt.Sprintf("%d cosets of the lattice of %d nodes spanned by %s", len(f.Cosets), f.Period.Order(), f.Period)
	switch {
	case f.Wraps:
		return fmt.Sprintf("residue class %s, not closed around the sides", f.Class)
	case f.Kind == ResidueClass && len(f.Cosets) < 2:
		return fmt.Sprintf("residue class %s", f.Class)
	case f.Kind == ResidueClass:
		return fmt.Sprintf("residue class %s, %s", f.Class, cosets)
	case f.Kind == Sublattice && f.Period.Order() == 1:
		return fmt.Sprintf("the single node (%s)", core.JoinInts(f.offset(), ","))
	case f.Kind == Sublattice:
		return fmt.Sprintf("the lattice of %d nodes spanned by %s, translated by (%s)", f.Period.Order(), f.Period,
			core.JoinInts(f.offset(), ","))
	case f.Kind == CosetUnion:
		return cosets
	}
	return fmt.Sprintf("sporadic: %d nodes that no translation takes to themselves", len(f.Cosets))
}

// offset returns the coordinates of the first node of the placement, by which the
// lattice of a Sublattice is translated.
func (f Form) offset() []int { return f.Period.torus.Coords(f.Cosets[0]) }
