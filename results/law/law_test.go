package law

import (
	"context"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/lowerbound"
	"leeway/results"
	"leeway/results/atlas"
)

// random returns a polynomial of the given degree in k with small rational coefficients, evaluated term by term.
func random(rng *rand.Rand, degree int) func(k int) *big.Rat {
	c := make([]*big.Rat, degree+1)
	for i := range c {
		c[i] = big.NewRat(rng.Int64N(41)-20, 1+rng.Int64N(12))
	}
	return func(k int) *big.Rat {
		total, x := new(big.Rat), big.NewRat(1, 1)
		for i := range c {
			total.Add(total, new(big.Rat).Mul(c[i], x))
			x.Mul(x, big.NewRat(int64(k), 1))
		}
		return total
	}
}

// TestFitRecovers: quasi-polynomials of several periods are found from their values, and continue beyond them, also if
// the first values are others.
func TestFitRecovers(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		period, degree, others := []int{1, 2, 3, 4, 6}[rng.IntN(5)], rng.IntN(4), rng.IntN(4)
		classes := make([]func(k int) *big.Rat, period)
		for i := range classes {
			classes[i] = random(rng, degree)
		}
		truth := func(k int) *big.Rat { return classes[k%period](k) }
		var values []Value
		for k := 3; k < 3+12*period; k++ {
			v := truth(k)
			if k < 3+others {
				v.Add(v, big.NewRat(1+rng.Int64N(5), 3))
			}
			values = append(values, Value{K: k, Load: v})
		}
		pieces := quasi(values, divisors(12), 4)
		for k := 3; k < 200; k++ {
			said := 0
			for _, p := range pieces {
				if p.has(k, 0) && k >= p.from {
					said++
					if got, want := p.polynomial.Value(k, 0), truth(k); k >= 3+others && got.Cmp(want) != 0 {
						t.Fatalf("seed %d: %v at %d is %s, not %s", seed, p.polynomial, k, got, want)
					}
				}
			}
			if k >= 3+others && said != 1 {
				t.Fatalf("seed %d: %d formulas for %d", seed, said, k)
			}
		}
	}
}

// TestFitRefuses: no formula is found for random values, nor one that a single late value contradicts, and none
// without at least as many values beside those that it is computed from, and three.
func TestFitRefuses(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 2))
		truth := random(rng, 2)
		var noise, wrong, few []Value
		for k := 3; k < 33; k++ {
			noise = append(noise, Value{K: k, Load: big.NewRat(rng.Int64N(1000), 7)})
			wrong = append(wrong, Value{K: k, Load: truth(k)})
		}
		wrong[29].Load.Add(wrong[29].Load, big.NewRat(1, 12))
		if pieces := quasi(noise, []int{1, 2, 4}, 5); len(pieces) > 0 {
			t.Errorf("seed %d: random values have the formula %s", seed, pieces[0].polynomial)
		}
		for _, p := range quasi(wrong, []int{1, 2, 4}, 5) {
			if p.has(32, 0) {
				t.Errorf("seed %d: %s for %s, which 32 contradicts", seed, p.polynomial, p.class)
			}
		}
		few = wrong[:5]
		for _, p := range quasi(few, []int{1}, 5) {
			if len(p.held) < 3 || len(p.held) < len(p.used) {
				t.Errorf("seed %d: %s from %d values, compared with %d", seed, p.polynomial, len(p.used), len(p.held))
			}
		}
	}
}

// TestInTwo: formulas in k and t.
func TestInTwo(t *testing.T) {
	var values []Value
	for k := 3; k < 24; k++ {
		for n := 2; n < 12; n++ {
			values = append(values, Value{k, n, big.NewRat(int64(n*n*k-3*n*(k%2)+5*(n%2)), 8)})
		}
	}
	pieces := quasi(values, []int{1, 2}, 3)
	var got []string
	for _, p := range pieces {
		got = append(got, p.polynomial.String()+" for "+p.class.String())
	}
	want := "[t^2 k/8 for even k, even t t^2 k/8 - 3t/8 for odd k, even t t^2 k/8 + 5/8 for even k, odd t " +
		"t^2 k/8 - 3t/8 + 5/8 for odd k, odd t]"
	if fmt.Sprint(got) != want {
		t.Errorf("%v", got)
	}
}

// TestSolve: polynomials come back from their values, whatever fractions their coefficients are, and one wrong value is
// noticed.
func TestSolve(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 4))
		inK, inT := rng.IntN(4), rng.IntN(3)
		want := make(Polynomial, inK+1)
		for i := range want {
			for range inT + 1 {
				want[i] = append(want[i], big.NewRat(rng.Int64N(1<<30)-1<<29, 1+rng.Int64N(1<<29)))
			}
		}
		var values []Value
		for k := 3; k < 15; k++ {
			for n := 1; n < 6; n++ {
				values = append(values, Value{k, n, want.Value(k, n)})
			}
		}
		all := class{1, []int{0}, -1}
		if p, fits := solve(all, values, inK, inT); !fits || !p.polynomial.equal(want) {
			t.Errorf("seed %d: %s, want %s", seed, p.polynomial, want)
		}
		values[rng.IntN(len(values))].Load = big.NewRat(rng.Int64N(100), 7)
		if p, fits := solve(all, values, inK, inT); fits {
			t.Errorf("seed %d: %s has all of %v", seed, p.polynomial, values)
		}
	}
}

// TestClasses: words for classes of sides.
func TestClasses(t *testing.T) {
	for want, c := range map[string]class{
		"all k": {4, []int{3, 1, 0, 2}, -1}, "even k": {4, []int{0, 2}, -1}, "odd k": {6, []int{1, 5, 3}, -1},
		"k divisible by 3": {6, []int{0, 3}, -1}, "k = 1, 2 mod 3": {6, []int{4, 5, 1, 2}, -1},
		"k = 1, 2 mod 4": {4, []int{1, 2}, -1}, "odd k, even t": {2, []int{1}, 0},
	} {
		if got := c.reduced().String(); got != want {
			t.Errorf("%v: %q, not %q", c, got, want)
		}
	}
}

// naive evaluates by listing paths.
func naive(t *testing.T, k, d int, placed, routed string) *objective.Loads {
	t.Helper()
	torus := core.MustTorus(slices.Repeat([]int{k}, d)...)
	p := coretest.Must(family.Parse(torus, placed))
	r := coretest.Must(routing.Parse(torus, routed))
	return objective.Naive(r, p)
}

// TestTheorem1: the loads of residues by Theorem 1 are those of listed paths.
func TestTheorem1(t *testing.T) {
	for d, last := range map[int]int{2: 9, 3: 5} {
		for k := 3; k <= last; k++ {
			for count := 1; count <= k; count++ {
				if testing.Short() && d == 3 && count > 2 {
					continue
				}
				for _, routed := range []string{"odr:tie=plus", "odr:tie=both", "udr:tie=plus", "udr:tie=both"} {
					for _, placed := range []string{"linear", "multilinear:t=", "spaced:t=", "full"} {
						if strings.HasSuffix(placed, "=") {
							placed += strconv.Itoa(count)
						} else if count > 1 {
							continue
						}
						m := newTheorem(Question{Family: placed, Dims: d}, routed, piece{from: 3}, count, count)
						got := m.load(k, count)
						if want, _ := naive(t, k, d, placed, routed).Max(); got.Cmp(want) != 0 {
							t.Errorf("%s %s on %d^%d: %s, not %s", placed, routed, k, d, got, want)
						}
					}
				}
			}
		}
	}
}

// TestTheorem2: from 3t on E_max of a residue family is linear in k on classes modulo 2t, but for the power of k.
func TestTheorem2(t *testing.T) {
	for count := 1; count <= 9; count++ {
		for _, placed := range []string{"multilinear:t=2", "spaced:t=2"} {
			for _, routed := range []string{"odr:tie=plus", "odr:tie=both", "udr:tie=plus", "udr:tie=both"} {
				m := newTheorem(Question{Family: placed, Dims: 2}, routed, piece{from: 3}, count, count)
				for k := max(3, 3*count); k < 7*count; k++ {
					at := func(i int) *big.Rat { return m.load(k+2*count*i, count) }
					second := new(big.Rat).Add(at(0), at(2))
					if second.Sub(second, at(1)).Cmp(at(1)) != 0 {
						t.Errorf("%s, t=%d, %s is not linear from %d on", placed, count, routed, k)
					}
				}
			}
		}
	}
}

// TestTheorem3: if half a side moves the residues into each other all links have the same load, also with other
// coefficients that are prime to k.
func TestTheorem3(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 3))
		k, d := 4+2*rng.IntN(3), 2
		if k == 4 {
			d += rng.IntN(2)
		}
		count := 1 + rng.IntN(k/2)
		var residues, c []int
		for _, r := range rng.Perm(k / 2)[:count] {
			residues = append(residues, r, r+k/2)
		}
		for range d {
			c = append(c, []int{1, k - 1}[rng.IntN(2)])
		}
		placed := family.Residues{Coefficients: c, Modulus: k, Residues: residues}.String()
		loads := naive(t, k, d, placed, "udr:tie=both")
		most, at := loads.Max()
		torus := core.MustTorus(slices.Repeat([]int{k}, d)...)
		n := 1
		for range d - 1 {
			n *= k
		}
		if want := big.NewRat(int64(4*count*count*n), 8); most.Cmp(want) != 0 || at != torus.M() {
			t.Errorf("%s on %s: %s on %d of %d links, not %s", placed, torus, most, at, torus.M(), want)
		}
	}
}

// TestTheorem4: of all placements of k processors on k x k exactly the permutations have the smallest E_max.
func TestTheorem4(t *testing.T) {
	last := 5
	if testing.Short() {
		last = 4
	}
	for k := 3; k <= last; k++ {
		for _, routed := range []string{"udr:tie=both", "udr:tie=plus"} {
			if k%2 == 0 && routed == "udr:tie=plus" {
				continue
			}
			torus := core.MustTorus(k, k)
			r, _ := routing.Parse(torus, routed)
			evaluator, least := fast.NewEvaluator(objective.Problem{Routing: r}), big.NewRat(int64(k-1), 4)
			nodes := make([]int, k)
			var all func(i, from int)
			all = func(i, from int) {
				if i < k {
					for v := from; v < torus.N(); v++ {
						nodes[i] = v
						all(i+1, v+1)
					}
					return
				}
				rows, columns := map[int]bool{}, map[int]bool{}
				for _, v := range nodes {
					rows[v/k], columns[v%k] = true, true
				}
				most, _ := evaluator.Loads(core.MustPlacement(torus, nodes)).Max()
				permutation := len(rows) == k && len(columns) == k
				if c := most.Cmp(least); c < 0 || (c == 0) != permutation {
					t.Fatalf("%v on %s, %s: %s", nodes, torus, routed, most)
				}
			}
			all(0, 0)
		}
	}
}

// TestTheorem5: what turns at a processor, with random placements of any size.
func TestTheorem5(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 5))
		torus := core.MustTorus(3+rng.IntN(4), 3+rng.IntN(4))
		n := 2 + rng.IntN(min(torus.N()-1, 20))
		p := family.Draw(torus, n, rng)
		r, _ := routing.Parse(torus, []string{"udr:tie=plus", "udr:tie=both"}[rng.IntN(2)])
		most, _ := fast.Evaluate(objective.Problem{Routing: r}, p).Max()
		turning := 0
		rows, columns := p.SlabCounts(0), p.SlabCounts(1)
		for _, v := range p.Nodes() {
			turning = max(turning, (rows[torus.Coord(v, 0)]-1)*(columns[torus.Coord(v, 1)]-1))
		}
		if n >= torus.Side(0)+torus.Side(1)-1 && turning < 1 {
			t.Errorf("seed %d: no processor shares its row and its column", seed)
		}
		if most.Cmp(big.NewRat(int64(n-1+turning), 4)) < 0 {
			t.Errorf("seed %d: %s, %d processors, %d messages turn at one", seed, most, n, turning)
		}
	}
}

// TestTheorem9: what leaves and passes the processors of a line, with random placements of any size; and no placement
// of 2k processors on 3x3 or 4x4 is below the values of the theorem.
func TestTheorem9(t *testing.T) {
	values := []struct {
		routed  string
		theorem theorem
	}{{"odr:tie=plus", theorem{odr: true}}, {"odr:tie=both", theorem{odr: true, both: true}}, {"udr:tie=plus", theorem{}},
		{"udr:tie=both", theorem{both: true}}}
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 9))
		torus := core.MustTorus(3+rng.IntN(5), 3+rng.IntN(5))
		p := family.Draw(torus, 2+rng.IntN(min(torus.N()-1, 24)), rng)
		routed := values[seed%4].routed
		r, _ := routing.Parse(torus, routed)
		most, _ := objective.Naive(r, p).Max()
		atLeast := func(numerator, denominator int) {
			if most.Cmp(big.NewRat(int64(numerator), int64(denominator))) < 0 {
				t.Errorf("seed %d, %s: E_max %s is below %d/%d", seed, routed, most, numerator, denominator)
			}
		}
		n := p.Size()
		for dim := range 2 {
			lines, across := p.SlabCounts(dim), p.SlabCounts(1-dim) // the slabs across dim are the lines of the other one
			ends, sum := make([]int, len(lines)), make([]int, len(lines))
			for _, v := range p.Nodes() {
				y, c := torus.Coord(v, dim), across[torus.Coord(v, 1-dim)]
				a, b := lines[y]-1, c-1
				ends[y], sum[y] = ends[y]+c, sum[y]+n-1+a+(a-1)*b
				if strings.HasPrefix(routed, "odr") {
					atLeast(n-c, 2)
				} else {
					atLeast(n-1+a+(a-1)*b, 4)
				}
			}
			for y, m := range lines {
				if m > 1 && strings.HasPrefix(routed, "odr") {
					atLeast((m-1)*n-ends[y], m)
				} else if m > 1 {
					atLeast(sum[y]+2*((m-2)*n-ends[y]), 4*m)
				}
			}
		}
	}
	for k := 3; k <= 4; k++ {
		torus := core.MustTorus(k, k)
		for _, v := range values {
			least := v.theorem.margin(k, 2)
			r, _ := routing.Parse(torus, v.routed)
			evaluator, met := fast.NewEvaluator(objective.Problem{Routing: r}), false
			for set := range 1 << torus.N() {
				if bits.OnesCount(uint(set)) != 2*k {
					continue
				}
				nodes := slices.DeleteFunc(core.Range(torus.N()), func(v int) bool { return set>>v&1 == 0 })
				most, _ := evaluator.Loads(core.MustPlacement(torus, nodes)).Max()
				if c := most.Cmp(least); c < 0 {
					t.Fatalf("%v on %s, %s: %s", nodes, torus, v.routed, most)
				} else if c == 0 {
					met = true
				}
			}
			if !met {
				t.Errorf("%s, %s: no placement has %s", torus, v.routed, least)
			}
		}
	}
}

// TestAtlas: the optima of the atlas are those of Theorems 4, 5 and 9, and so are their numbers where they were
// counted.
func TestAtlas(t *testing.T) {
	view := coretest.Must(atlas.Shipped())
	seen, orders, counted := map[string]bool{}, map[int]bool{}, 0
	cells, _ := view.Cells(atlas.Filter{})
	for _, c := range cells {
		head, _, _ := strings.Cut(c.Routing, ":")
		plain := c.Network == "" && c.Traffic == "" && c.Fixed == nil && c.Forbidden == nil && !c.Near.Asked()
		if plain && head == "odr" && c.Status == results.StatusOptimal && len(c.Torus) == 2 && c.Torus[0] == c.Torus[1] &&
			c.Torus[0] >= 3 && c.Size == 2*c.Torus[0] {
			k := c.Torus[0]
			want := k - 1
			if c.Routing == "odr:tie=plus" {
				want = k / 2 * 2
			}
			if c.MaxLoad != strconv.Itoa(want) {
				t.Errorf("%v, %s, n=%d: %s, not %d", c.Torus, c.Routing, c.Size, c.MaxLoad, want)
			}
			orders[k] = true
		}
		if !plain || head != "udr" || c.Status != results.StatusOptimal || len(c.Torus) != 2 || slices.Min(c.Torus) < 3 {
			continue
		}
		load, _ := new(big.Rat).SetString(c.MaxLoad)
		k, n := c.Torus[0], c.Size
		if n >= k+c.Torus[1]-1 && load.Cmp(big.NewRat(int64(n), 4)) < 0 {
			t.Errorf("%v, %s, n=%d: %s", c.Torus, c.Routing, n, c.MaxLoad)
		}
		if k != c.Torus[1] {
			continue
		}
		plus := k%2 == 0 && c.Routing != "udr:tie=both"
		switch {
		case n == k && !plus:
			if load.Cmp(big.NewRat(int64(k-1), 4)) != 0 {
				t.Errorf("%v, n=%d: %s", c.Torus, n, c.MaxLoad)
			}
			factorial := new(big.Int).MulRange(1, int64(k)).String()
			if c.Labelled != "" && c.Labelled != factorial {
				t.Errorf("%v, n=%d: %s optima, not %s", c.Torus, n, c.Labelled, factorial)
			} else if c.Labelled != "" {
				counted++
			}
		case n == 2*k:
			want := big.NewRat(int64(k+k%2), 2)
			if plus {
				want.SetInt64(int64(k/2 + 1))
			}
			if load.Cmp(want) != 0 {
				t.Errorf("%v, n=%d: %s, not %s", c.Torus, n, c.MaxLoad, want)
			}
		default:
			continue
		}
		seen[fmt.Sprint(k, n)] = true
	}
	for k := 3; k <= 8; k++ {
		if !seen[fmt.Sprint(k, k)] || !seen[fmt.Sprint(k, 2*k)] {
			t.Errorf("the atlas lacks %dx%d", k, k)
		}
	}
	if len(orders) < 11 {
		t.Errorf("the atlas has Theorem 9 on %d sides", len(orders))
	}
	if counted == 0 {
		t.Error("no optima were counted")
	}
}

// TestValues: the values of a law are those of listed paths, and its formula gives them.
func TestValues(t *testing.T) {
	for _, q := range []Question{{"spaced:t=2", "udr:tie=both", 2, nil}, {"x", "odr", 2, nil},
		{"multilinear:t=2..3", "udr", 2, []int{3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}, {"linear", "minimal", 2, nil}} {
		l := coretest.Must(Find(t.Context(), q))
		for _, c := range slices.Concat(l.Checked, l.Used, l.Outside) {
			placed := c.Placement
			if placed == "" {
				placed = q.Family
			}
			if k := c.Torus[0]; k <= 8 {
				if want, _ := naive(t, k, 2, placed, q.Routing).Max(); c.Value != results.FormatFraction(want) {
					t.Errorf("%v: %v, not %s", q, c, want)
				}
			}
		}
		if fitted := len(l.Pieces) > 0; fitted != (l.Status != None) || fitted != (len(l.Checked) > 0) ||
			fitted && len(l.Checked) < len(l.Used) {
			t.Errorf("%v: %s, %d values checked, %d used", q, l.Status, len(l.Checked), len(l.Used))
		}
	}
}

// TestProvedOnly: no law is proved outside what the theorems say.
func TestProvedOnly(t *testing.T) {
	p := piece{from: 3}
	for _, q := range []struct {
		family, routed string
		d              int
	}{{"spaced:t=2", "avoid:tie=both", 2}, {"spaced:t=2", "minimal:tie=both", 2}, {"spaced:t=2:c=1,2", "udr:tie=both", 2},
		{"spaced:t=2", "orders:01+10:tie=both", 2}, {"x", "udr:tie=both", 2}, {"linear", "odr:tie=plus", 1},
		{"linear:m=4", "odr:tie=plus", 2}, {"residues:c=1,1:m=4:r=0", "udr:tie=both", 2}} {
		if newTheorem(Question{Family: q.family, Dims: q.d}, q.routed, p, 2, 2) != nil {
			t.Errorf("%v counts as proved", q)
		}
	}
	m := newTheorem(Question{Family: "spaced:t=2", Dims: 2}, "udr:tie=both", p, 2, 2)
	half := Polynomial{{new(big.Rat)}, {big.NewRat(1, 2)}}
	if even := (piece{class: class{2, []int{0}, -1}, polynomial: half, from: 4,
		used: []Value{{4, 0, big.NewRat(2, 1)}}}); !m.proves(even) {
		t.Error("k/2 for even k is not proved")
	}
	if all := (piece{class: class{1, []int{0}, -1}, polynomial: half, from: 4,
		used: []Value{{4, 0, big.NewRat(2, 1)}}}); m.proves(all) {
		t.Error("k/2 is proved for odd k")
	}
	if newTheorem(Question{Family: "spaced:t=2", Dims: 2}, "udr:tie=both", piece{from: 2}, 2, 2) != nil {
		t.Error("sides of 2 are proved")
	}
}

// TestRefused: families and sides that suit no torus.
func TestRefused(t *testing.T) {
	for _, q := range []Question{{"spaced", "udr", 2, nil}, {"spaced:t=9..2", "udr", 2, nil},
		{"spaced:t=0", "udr", 2, nil}, {"@file.json", "udr", 2, nil}, {"linear", "nothing", 2, nil}, {"x", "udr", 3, nil},
		{"spaced:t=9", "udr", 2, []int{3, 4}}} {
		if _, err := Find(t.Context(), q); err == nil {
			t.Errorf("%v is accepted", q)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Find(ctx, Question{"linear", "udr", 2, nil}); err == nil {
		t.Error("a law was found after the end")
	}
}

// row returns a law as a row of docs/laws.md.
func row(l Law) string {
	var formulas, bounds []string
	for _, p := range l.Pieces {
		formulas = append(formulas, fmt.Sprintf("%s for %s, k >= %d", p.Formula, p.When, p.From))
		for _, b := range p.Bounds {
			if b.Theorem != "" {
				bounds = append(bounds, fmt.Sprintf("%s (%s)", b.Name, p.When))
			}
		}
	}
	if len(formulas) == 0 {
		formulas = []string{"-"}
	}
	return strings.TrimRight(fmt.Sprintf("| `%s` | `%s` | %d | %s | %s | %s", l.Family, l.Routing, l.Dims,
		strings.Join(formulas, "; "), l.Status, strings.Join(bounds, ", ")), " ") + " |"
}

// TestPage: the table of docs/laws.md is what the program finds, and the page has the theorems that laws name.
func TestPage(t *testing.T) {
	data := coretest.Must(os.ReadFile("../../docs/laws.md"))
	page := string(data)
	rows := 0
	for line := range strings.Lines(page) {
		cells := strings.Split(line, "|")
		if len(cells) < 6 || !strings.HasPrefix(line, "| `") {
			continue
		}
		rows++
		d := coretest.Must(strconv.Atoi(strings.TrimSpace(cells[3])))
		l := coretest.Must(Find(t.Context(), Question{Family: strings.Trim(cells[1], " `"),
			Routing: strings.Trim(cells[2], " `"),
			Dims:    d}))
		if got := row(l); got != strings.TrimSpace(line) {
			t.Errorf("docs/laws.md is not what leeway law finds:\n%s", got)
		}
	}
	if rows < 20 {
		t.Errorf("%d rows", rows)
	}
	for _, section := range []string{residuesSection, sectionOf[lowerbound.Degree], sectionOf[lowerbound.Slab],
		sectionOf[lowerbound.Corner], sectionOf[lowerbound.Margin]} {
		_, anchor, _ := strings.Cut(section, "#")
		if title := strings.ReplaceAll(anchor, "-", " "); !strings.Contains(strings.ToLower(page), "\n## "+title+"\n") {
			t.Errorf("no section %s", section)
		}
	}
}
