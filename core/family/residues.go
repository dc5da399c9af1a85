package family

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"leeway/core"
)

// Residues describes the placement {p : Coefficients.p mod Modulus in Residues}.
// Coefficients and residues count modulo Modulus and may be negative;
// coordinates are taken in 0..k_j-1.
type Residues struct {
	Coefficients []int
	Modulus      int
	Residues     []int
}

// Placement returns the placement on t, or an *core.InputError when the number
// of coefficients is not that of the dimensions, the modulus is below 1, or
// there is no residue. Cost O(N).
func (r Residues) Placement(t *core.Torus) (core.Placement, error) {
	if problem := r.problem(t); problem != "" {
		return core.Placement{}, core.Invalid(r.String(), "%s", problem).Hinted(familyHint)
	}
	in := make([]bool, r.Modulus)
	for _, v := range r.Residues {
		in[core.Mod(v, r.Modulus)] = true
	}
	var nodes []int
	at, sum := make([]int, t.D()), 0
	for v := range t.N() {
		if in[sum] {
			nodes = append(nodes, v)
		}
		sum = r.step(t, at, sum)
	}
	return core.NewPlacement(t, nodes)
}

// step moves the coordinates at on to the next node and returns its sum, modulo
// the modulus, given that of the node left.
func (r Residues) step(t *core.Torus, at []int, sum int) int {
	for j := t.D() - 1; j >= 0; j-- {
		c := core.Mod(r.Coefficients[j], r.Modulus)
		if at[j]++; at[j] < t.Side(j) {
			return (sum + c) % r.Modulus
		}
		at[j] = 0
		sum = core.Mod(sum-c*(t.Side(j)-1), r.Modulus)
	}
	return sum
}

func (r Residues) problem(t *core.Torus) string {
	switch {
	case len(r.Coefficients) != t.D():
		return fmt.Sprintf("%d coefficients for %d dimensions", len(r.Coefficients), t.D())
	case r.Modulus < 1 || r.Modulus > core.MaxNodes:
		return fmt.Sprintf("the modulus must lie in 1..%d", core.MaxNodes)
	case len(r.Residues) == 0:
		return "there is no residue"
	}
	return ""
}

// String returns the text form, which Parse reads back.
func (r Residues) String() string {
	return fmt.Sprintf("residues:c=%s:m=%d:r=%s", core.JoinInts(r.Coefficients, ","), r.Modulus,
		core.JoinInts(r.Residues, ","))
}

func ones(d int) []int {
	c := make([]int, d)
	for j := range c {
		c[j] = 1
	}
	return c
}

// Baseline returns the text form of the placement of n processors on t to compare others with,
// linear for n = k^(d-1) and multilinear:t=n/k^(d-1) for its multiples, and
// whether there is one: the sides must be equal and n such a multiple.
func Baseline(t *core.Torus, n int) (string, bool) {
	k, ok := t.Common()
	if !ok || n < 1 || n > t.N() || n%(t.N()/k) != 0 {
		return "", false
	}
	if count := n / (t.N() / k); count > 1 {
		return fmt.Sprintf("multilinear:t=%d", count), true
	}
	return "linear", true
}

// A Paper is where a placement was proposed.
type Paper struct {
	Authors string
	Title   string // and where it appeared
	Year    int    // 0 where the source papers do not say
}

// The papers that propose the placements with a name.
var (
	Azizoglu1998 = Paper{"M. C. Azizoglu and O. Egecioglu",
		"Lower bounds on communication loads and optimal placements in torus networks, IPPS/SPDP", 1998}
	Blaum = Paper{"M. Blaum, J. Bruck, G. D. Pifarre and J. L. C. Sanz",
		"On optimal placements of processors in fault-tolerant tori networks", 0}
	Abts2009 = Paper{"D. Abts, N. D. Enright Jerger, J. Kim, D. Gibson and M. H. Lipasti",
		"Achieving predictable performance through better memory controller placement in many-core CMPs, ISCA", 2009}
)

// Source returns the paper that proposes a placement, as the option --placement has it, for a network and traffic as
// Where writes them and a routing; ok is false if there is none: Proposed, and the placements of 16 controllers on 8x8,
// torus and mesh, for client traffic.
func Source(where, routing, placement string, size int) (paper Paper, ok bool) {
	if paper, ok = Proposed(where, routing, size); ok {
		t, _ := core.ParseTorus(where)
		own, _ := Baseline(t, size)
		return paper, placement == own
	}
	network, traffic, clients := strings.Cut(where, ":traffic=clients:")
	return Abts2009, clients && (network == "8x8" || network == "8x8:open=0,1") && size == 16 &&
		!strings.Contains(traffic, ":fixed=") && !strings.Contains(traffic, ":forbidden=") &&
		slices.Contains([]string{"diamond", "x", "rows:at=0,7", "columns:at=0,7", "rows:at=2,5"}, placement)
}

// Proposed returns the paper that proposes the baseline of a size, for a network as Where writes it and a routing; ok
// is false if there is none: on tori with equal sides of at least 3, in two or more dimensions, for traffic from all to
// all, linear and, of less than all nodes, multilinear with ODR and UDR are proposed (seeds 000 and 002), and linear in
// two and three dimensions with paths that avoid processors (seed 001).
func Proposed(where, routing string, size int) (paper Paper, ok bool) {
	name, _, _ := strings.Cut(routing, ":")
	if !slices.Contains([]string{"odr", "udr", "avoid"}, name) || strings.Contains(where, ":") {
		return paper, false // ":" begins what there is besides sides: open dimensions, other traffic, conditions
	}
	t, err := core.ParseTorus(where)
	if err != nil {
		return paper, false
	}
	side, _ := t.Common()
	placement, ok := Baseline(t, size)
	switch {
	case !ok || side < 3 || t.D() < 2 || size == t.N():
		return paper, false
	case name == "avoid":
		return Blaum, placement == "linear" && t.D() <= 3
	}
	return Azizoglu1998, true
}

// Random returns n distinct nodes drawn uniformly by Floyd's method from the PCG
// generator with the given seed. It panics unless 0 <= n <= N.
func Random(t *core.Torus, n int, seed uint64) core.Placement {
	return Draw(t, n, rand.New(rand.NewPCG(seed, 0)))
}

// Draw is Random from a generator of the caller's.
func Draw(t *core.Torus, n int, rng *rand.Rand) core.Placement {
	if n < 0 || n > t.N() {
		panic("family: size outside the torus")
	}
	set := core.NewSet(t.N())
	for top := t.N() - n; top < t.N(); top++ {
		if v := rng.IntN(top + 1); set.Has(v) {
			set.Add(top)
		} else {
			set.Add(v)
		}
	}
	return core.MustPlacement(t, set.Nodes())
}
