package exchange

import (
	"fmt"
	"math/big"

	"leeway/core"
)

// A Formula is the cost of a scheme on a torus with all sides 2^d, from its closed
// form: latency is Startups t_s + Transmission b t_x.
type Formula struct {
	Name                   string
	Axes                   int
	Startups, Transmission *big.Int // Transmission in blocks
	Note                   string   // where a paper prints something else, "" if nowhere
}

// A scheme is a closed form of d, valid from least on.
type scheme struct {
	name  string
	axes  int
	least int
	ours  bool // there is a plan of it
	cost  func(d int) (startups, transmission *big.Int)
	note  string
}

// schemes lists the closed forms of seed 004: of its own schemes from sections 2 to 4,
// of those it compares with from tables 3 and 4.
var schemes = []scheme{
	{name: "ring", axes: 1, least: 1, ours: true, cost: func(d int) (*big.Int, *big.Int) {
		return big.NewInt(ringStartups(d)), ringBlocks(d)
	}},
	{name: "t1", axes: 2, least: 1, ours: true, cost: func(d int) (*big.Int, *big.Int) {
		return big.NewInt(2 * ringStartups(d)), times(2, d, ringBlocks(d))
	}},
	{name: "t4", axes: 2, least: 2, ours: true, cost: func(d int) (*big.Int, *big.Int) {
		return big.NewInt(2 + 2*ringStartups(d-1)), added(times(1, 2*d, one), times(8, d-1, ringBlocks(d-1)))
	}},
	{name: "t-2d1", axes: 2, least: 2, cost: func(d int) (*big.Int, *big.Int) {
		return big.NewInt(int64(3 * (d - 1))), added(times(9, 3*d-4, one), times(d*d-5*d+3, 2*d-1, one))
	}},
	{name: "t-2d2", axes: 2, least: 2, cost: func(d int) (*big.Int, *big.Int) {
		return times(3, d-2, one), times(3, 3*(d-1), one)
	}},
	{name: "dp-2d", axes: 2, least: 1, cost: func(d int) (*big.Int, *big.Int) {
		return added(times(1, d-1, one), big.NewInt(2)), added(times(1, 3*d-2, one), times(1, 2*d, one))
	}},
	{name: "c1", axes: 3, least: 1, ours: true, cost: func(d int) (*big.Int, *big.Int) {
		return big.NewInt(3 * ringStartups(d)), times(3, 2*d, ringBlocks(d))
	}},
	{name: "c64", axes: 3, least: 3, ours: true, cost: func(d int) (*big.Int, *big.Int) {
		return big.NewInt(9 + 4*ringStartups(d-2)), added(times(9, 3*d-1, one), times(256, 2*(d-2), ringBlocks(d-2)))
	}, note: "table 4 of seed 004 prints 8d-25 startups; the phases of its section 4 are 8d-15"},
	{name: "t-3d1", axes: 3, least: 1, cost: func(d int) (*big.Int, *big.Int) {
		return big.NewInt(int64(4*d - 2)), added(times(5, 4*d-2, one), times(d*d-3*d-2, 3*d-1, one))
	}},
	{name: "t-3d2", axes: 3, least: 2, cost: func(d int) (*big.Int, *big.Int) {
		return added(times(3, d-2, one), big.NewInt(int64(d))), added(times(3, 4*d-3, one), times(d, 3*d-1, one))
	}},
	{name: "dp-3d", axes: 3, least: 1, cost: func(d int) (*big.Int, *big.Int) {
		return added(times(1, d-1, one), big.NewInt(5)), added(times(1, 4*d-2, one), times(5, 3*d-1, one))
	}},
}

// maxExponent keeps formulas to numbers that print on a page.
const maxExponent = 1000

// FormulaOf returns the cost of a scheme on a torus with sides 2^d: ring, t1, t4, c1 and
// c64 as published, and the schemes that seed 004 compares with: t-2d1, t-2d2, dp-2d,
// t-3d1, t-3d2, dp-3d. A name it does not know, or a d for which the form does not
// hold, is an *core.InputError.
func FormulaOf(name string, d int) (Formula, error) {
	for _, s := range schemes {
		if s.name != name {
			continue
		}
		if d < s.least || d > maxExponent {
			return Formula{}, &core.InputError{Text: fmt.Sprint(d), Problem: fmt.Sprintf("the formula of %s is for sides 2^d with d in %d..%d",
				name, s.least, maxExponent)}
		}
		return s.at(d), nil
	}
	return Formula{}, &core.InputError{Text: name, Problem: "no such scheme", Hint: "there are " + schemeNames()}
}

// at returns the formula for one d.
func (s scheme) at(d int) Formula {
	startups, transmission := s.cost(d)
	return Formula{Name: s.name, Axes: s.axes, Startups: startups, Transmission: transmission, Note: s.note}
}

// schemeNames lists the names that FormulaOf knows.
func schemeNames() string {
	text := ""
	for i, s := range schemes {
		if i > 0 {
			text += ", "
		}
		text += s.name
	}
	return text
}

var one = big.NewInt(1)

// times returns factor * 2^shift * x. The shift is not negative.
func times(factor, shift int, x *big.Int) *big.Int {
	v := new(big.Int).Lsh(x, uint(shift))
	return v.Mul(v, big.NewInt(int64(factor)))
}

// added returns a + b.
func added(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }

// ringStartups returns the phases of the published exchange on a ring of 2^d places.
func ringStartups(d int) int64 { return int64(max(d, 2*d-2)) }

// ringBlocks returns the transmission of the published exchange on a ring of 2^d places
// (seed 004, Lemma 6 and Theorem 1; below 8 places docs/exchange.md, R5).
func ringBlocks(d int) *big.Int {
	switch {
	case d <= 0:
		return new(big.Int)
	case d == 1:
		return big.NewInt(1)
	case d == 2:
		return big.NewInt(4)
	case d <= 5: // (31/96) 2^(2d-1) + 2^(d-3) - 1/3, and 3 or 2 for the shared ports
		tree := added(times(31, 2*d-1, one), times(96, d-3, one))
		return thirds(tree, 96, map[bool]int64{true: 3, false: 2}[d == 3])
	default: // (65/192) 2^(2d-1) - 2^(d-2) - 1/3, and 2
		tree := added(times(65, 2*d-1, one), times(-192, d-2, one))
		return thirds(tree, 192, 2)
	}
}

// thirds returns tree/over - 1/3 + more, a whole number for over = 96 or 192.
func thirds(tree *big.Int, over, more int64) *big.Int {
	v := new(big.Int).Sub(tree, big.NewInt(over/3))
	return v.Add(v.Quo(v, big.NewInt(over)), big.NewInt(more))
}

// BalancedRing returns the startups and the transmission of the balanced exchange on a
// ring of 2^d places (docs/exchange.md). A d outside 4..1000 is an
// *core.InputError: below the form does not hold.
func BalancedRing(d int) (startups int, transmission *big.Int, err error) {
	if d < 4 || d > maxExponent {
		return 0, nil, &core.InputError{Text: fmt.Sprint(d), Problem: fmt.Sprintf("the formula of the balanced ring is for d in 4..%d", maxExponent)}
	}
	total := added(times(1, d, one), added(times(1, 2*d-6, one), times(1, d-2, one)))
	for l := 1; l <= d-3; l++ {
		first := added(added(times(1, d+l-1, one), times(-5, 2*l-1, one)), times(1, l, one))
		if second := times(7, 2*l-2, one); second.Cmp(first) > 0 {
			first = second
		}
		total.Add(total, times(2, 0, first))
	}
	return 2*d - 3, total, nil
}

// WormholeBounds returns what no one-port wormhole exchange on a torus goes below: as
// many startups as it takes to spread one block to all, and in blocks the larger of
// what a node must receive and what the cut across the middle of an axis lets through.
func WormholeBounds(t *core.Torus) (startups, transmission int) {
	for 1<<startups < t.N() {
		startups++
	}
	transmission = t.N() - 1
	for j := range t.D() {
		k := t.Side(j)
		links := 2 // for each line across the cut
		if k == 2 {
			links = 1
		}
		lines := t.N() / k
		transmission = max(transmission, (lines*(k/2)*((k+1)/2)+links-1)/links)
	}
	return startups, transmission
}
