package family

import (
	"encoding/binary"
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
// modulo m. Otherwise, but not on twisted tori, classes that do not close are looked
// for, with m up to the largest side: smallest m first, then first coefficients in
// lexicographic order.
//
// Cost: O(n^2) for the period at worst, O(m d) for the coefficients, O(m^d N) for
// classes that do not close, where nearly all are given up after a few nodes.
func Recognise(p core.Placement) Form {
	t := p.Torus()
	f := Form{Kind: Sporadic, Period: periodOf(p)}
	if !t.HasDimensions() {
		return f
	}
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
	if class, ok := wrappedClass(p, f.Period); ok && t.Separable() { // there it would be about the coordinates alone
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
		units[j] = t.Shift(0, j, 1)
	}
	return units
}

// String returns the form in plain words.
func (f Form) String() string {
	cosets := fmt.Sprintf("%d cosets of the lattice of %d nodes spanned by %s", len(f.Cosets), f.Period.Order(), f.Period)
	switch {
	case f.Wraps:
		return fmt.Sprintf("residue class %s, with a seam where the sides wrap around", f.Class)
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
	return fmt.Sprintf("no regular form: no translation maps the %d nodes to themselves", len(f.Cosets))
}

// offset returns the coordinates of the first node of the placement, by which the
// lattice of a Sublattice is translated.
func (f Form) offset() []int { return f.Period.torus.Coords(f.Cosets[0]) }

// character returns coefficients c such that c.p modulo the index is 0 exactly on
// the lattice and takes every value, and whether there are any: exactly if the
// cosets form a cyclic group.
func (l Lattice) character() ([]int, bool) {
	t, index := l.torus, l.Index()
	exponent := 1
	for _, e := range unitNodes(t) {
		exponent = core.LCM(exponent, l.steps(e))
	}
	if exponent != index {
		return nil, false
	}
	g := 0 // a node whose multiples meet every coset
	for l.steps(g) != index {
		g++
	}
	c := make([]int, t.D())
	times := map[int]int{}
	for i, v := 0, 0; i < index; i, v = i+1, t.Sum(v, g) {
		times[l.Representative(v)] = i
	}
	for j, e := range unitNodes(t) {
		c[j] = times[l.Representative(e)]
	}
	return c, true
}

// steps returns how many steps of v lead back into the lattice.
func (l Lattice) steps(v int) int {
	count := 1
	for w := v; !l.Contains(w); w = l.torus.Sum(w, v) {
		count++
	}
	return count
}

// closedClass returns the residue class of the nodes' cosets with the simplest of
// the coefficient vectors u*c, u prime to m.
func closedClass(t *core.Torus, c []int, m int, nodes []int) Residues {
	best := c
	for u := 2; u < m; u++ {
		if core.GCD(u, m) != 1 {
			continue
		}
		scaled := make([]int, len(c))
		for j, x := range c {
			scaled[j] = x * u % m
		}
		if simpler(scaled, best, m) {
			best = scaled
		}
	}
	class := Residues{Coefficients: make([]int, len(c)), Modulus: m}
	for _, v := range nodes {
		class.Residues = append(class.Residues, dot(t, best, v)%m)
	}
	slices.Sort(class.Residues)
	for j, x := range best {
		class.Coefficients[j] = centred(x, m)
	}
	return class
}

// simpler orders coefficients in 0..m-1 by the sum of their absolute values when
// they are written in -m/2..m/2, then lexicographically.
func simpler(a, b []int, m int) bool {
	size := func(c []int) (sum int) {
		for _, x := range c {
			sum += min(x, m-x)
		}
		return sum
	}
	if d := size(a) - size(b); d != 0 {
		return d < 0
	}
	return slices.Compare(a, b) < 0
}

// dot returns c.v, not reduced.
func dot(t *core.Torus, c []int, v int) int {
	sum := 0
	for j, x := range c {
		sum += x * t.Coord(v, j)
	}
	return sum
}

// centred returns the number in -m/2..m/2 that is x modulo m, m/2 rather than
// -m/2.
func centred(x, m int) int {
	if 2*x > m {
		return x - m
	}
	return x
}

// wrappedClass looks for a residue class whose classes need not close around the
// sides, with a modulus up to the largest side.
//
// Coefficients are chosen one after the other. After the first i the residues of
// the first i coordinates are known up to what the others add. Two choices of
// these coordinates with equal residues must be continued alike by the others;
// a coefficient that breaks this is given up.
func wrappedClass(p core.Placement, period Lattice) (Residues, bool) {
	t := p.Torus()
	w := &wrapping{torus: t, period: period, alike: continuations(p), coefficients: make([]int, t.D())}
	largest := 0
	for j := range t.D() {
		largest = max(largest, t.Side(j))
	}
	for m := 2; m <= largest; m++ {
		w.modulus = m
		if in, ok := w.choose(0, []int{0}); ok {
			class := Residues{Coefficients: w.coefficients, Modulus: m}
			for r, id := range in {
				if id == 1 {
					class.Residues = append(class.Residues, r)
				}
			}
			return class, true
		}
	}
	return Residues{}, false
}

type wrapping struct {
	torus        *core.Torus
	period       Lattice
	modulus      int
	coefficients []int
	// alike numbers, by how many coordinates are chosen less one, the choices:
	// those with equal numbers are continued alike by the other coordinates.
	alike [][]int
}

// choose chooses coefficient j and those after it, given the residues of all
// choices of the coordinates before it. With the last one it returns which
// residues carry processors: 1, 0, or -1 for a residue that does not occur.
func (w *wrapping) choose(j int, residues []int) ([]int, bool) {
	if j == w.torus.D() {
		return w.meets(j-1, residues)
	}
	most := w.modulus
	if w.period.Contains(w.torus.Shift(0, j, 1)) {
		most = 1 // the placement does not depend on this coordinate
	}
	k := w.torus.Side(j)
	next := make([]int, len(residues)*k)
	for c := range most {
		w.coefficients[j] = c
		for i, r := range residues {
			for x := range k {
				next[i*k+x] = (r + c*x) % w.modulus
			}
		}
		if _, ok := w.meets(j, next); !ok {
			continue
		}
		if in, ok := w.choose(j+1, next); ok {
			return in, true
		}
	}
	return nil, false
}

// meets reports whether choices of coordinates 0..j with equal residues are
// continued alike, and returns the number of the continuation by residue.
func (w *wrapping) meets(j int, residues []int) ([]int, bool) {
	number := make([]int, w.modulus)
	for r := range number {
		number[r] = -1
	}
	for i, r := range residues {
		switch id := w.alike[j][i]; number[r] {
		case -1:
			number[r] = id
		case id:
		default:
			return nil, false
		}
	}
	return number, true
}

// continuations numbers the choices of the first coordinates by their
// continuations; with all coordinates chosen, 1 stands for a processor.
func continuations(p core.Placement) [][]int {
	t := p.Torus()
	alike := make([][]int, t.D())
	last := make([]int, t.N())
	for _, v := range p.Nodes() {
		last[v] = 1
	}
	alike[t.D()-1] = last
	for j := t.D() - 2; j >= 0; j-- {
		k := t.Side(j + 1)
		alike[j] = make([]int, len(alike[j+1])/k)
		numbers := map[string]int{}
		for i := range alike[j] {
			var key []byte
			for _, id := range alike[j+1][i*k : (i+1)*k] {
				key = binary.AppendUvarint(key, uint64(id))
			}
			if _, ok := numbers[string(key)]; !ok {
				numbers[string(key)] = len(numbers)
			}
			alike[j][i] = numbers[string(key)]
		}
	}
	return alike
}
