package encode

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/encode/cnf/cnftest"
	"leeway/objective"
)

var planes = []string{"2x2", "2x3", "3x2", "2x4", "4x2", "3x3", "2x5", "5x2", "2x6", "6x2", "3x4", "4x3"}

var linearRoutings = []string{"odr:tie=plus", "odr:tie=both", "odr:order=1,0", "odr:order=1,0:tie=both",
	"udr:tie=plus", "udr:tie=both"}

func model(torus, text string, size int, o Options) *Model {
	return coretest.Must(NewModel(context.Background(), problem(torus, text, size), o))
}

// TestLineFormulaEqualsDefinition: on all tori of two dimensions with N <= 12,
// with and without symmetry.
func TestLineFormulaEqualsDefinition(t *testing.T) {
	for i, torus := range planes {
		for j, r := range linearRoutings {
			if testing.Short() && ((i+j)%3 != 0 || i > 5) {
				continue
			}
			rng := rand.New(rand.NewPCG(uint64(i), uint64(100+j)))
			p := problem(torus, r, 1+rng.IntN(problem(torus, r, 1).Torus().N()))
			vals := values(p)
			list := limits(rng, p, vals)
			if p.Torus().N() > 10 {
				list = list[:2] // the optimum and just below
			}
			for _, limit := range list {
				if d := disagreement(lineFormula(t, p, Options{}, limit), vals, limit); d != "" {
					t.Fatal(d)
				}
				checkBroken(t, lineFormula(t, p, Options{BreakSymmetry: true}, limit), vals, limit)
			}
		}
	}
}

func lineFormula(t *testing.T, p objective.Problem, o Options, limit *big.Rat) *Formula {
	t.Helper()
	list := kinds(p, o, limit)
	if len(list) < 2 {
		t.Fatalf("%s is not linear", p)
	}
	return list[1]
}

// TestLineSumsAreTheLoads adds up shares and counts for every link and compares
// with the naive load; the links of idle classes must carry what those in the
// other direction do.
func TestLineSumsAreTheLoads(t *testing.T) {
	for i, torus := range append(planes, "4x4", "5x4", "6x3", "8x5", "5x4:open=0", "6x3:open=0,1", "4x6:open=1",
		"4x4:open=0,1:bandwidth=3,2", "5x2:open=0:bandwidth=2,1") {
		for j, r := range linearRoutings {
			m := model(torus, r, 1, Options{})
			if !m.linear {
				t.Fatalf("%s is not linear", m.problem)
			}
			rng := rand.New(rand.NewPCG(uint64(i), uint64(j)))
			placement := core.MustPlacement(m.torus, rng.Perm(m.torus.N())[:1+rng.IntN(m.torus.N())])
			loads := objective.Naive(m.problem.Routing, placement)
			compareLines(t, m, placement, loads)
			compareIdle(t, m, loads)
		}
	}
}

func compareLines(t *testing.T, m *Model, placement core.Placement, loads *objective.Loads) {
	t.Helper()
	in, den := placement.Set(), objective.Denominator(m.problem.Routing)
	for _, l := range m.lines {
		for _, start := range m.starts(l) {
			for line := range m.torus.Side(1 - l.dim) {
				sum, from, k := int64(0), m.nodeAt(l.dim, line, start), len(l.share)
				for x, row := range l.share {
					if !in.Has(m.nodeAt(l.dim, line, (start+x)%k)) {
						continue
					}
					for z, s := range row {
						for _, q := range placement.Nodes() {
							if m.torus.Coord(q, l.dim) == (start+z)%k {
								sum += s
							}
						}
					}
				}
				link := core.Link(l.port*m.torus.N() + from)
				got := new(big.Rat).SetFrac(big.NewInt(sum), den)
				if want := loads.Load(link); got.Cmp(want) != 0 || !m.torus.HasLink(link) {
					t.Fatalf("%s, nodes %v, link %d: %s, naive %s", m.problem, placement.Nodes(), link, got.RatString(),
						want.RatString())
				}
			}
		}
	}
}

func compareIdle(t *testing.T, m *Model, loads *objective.Loads) {
	t.Helper()
	for _, class := range m.classes {
		if !class.idle {
			continue
		}
		for _, by := range m.shifts {
			link := core.Link(class.port*m.torus.N() + m.torus.Sum(class.from, by))
			if loads.Load(link).Cmp(loads.Load(m.torus.Reverse(link))) != 0 {
				t.Fatalf("%s: link %d is idle and does not carry what its reverse does", m.problem, link)
			}
		}
	}
}

// TestWhatIsLinearAndIdle: minimal routing spreads over other lines, and only
// routings as likely as their reverse have idle classes.
func TestWhatIsLinearAndIdle(t *testing.T) {
	for _, c := range []struct {
		torus, routing string
		linear         bool
		idle           int
	}{{"5x5", "udr", true, 2}, {"4x4", "udr:tie=plus", true, 0}, {"4x4", "udr:tie=both", true, 2},
		{"5x5", "odr", true, 0}, {"2x2", "udr", true, 0},
		{"5x5", "minimal", false, 2}, {"3x3x3", "udr", false, 3}, {"7", "udr", false, 1},
		{"4x3:open=0,1", "udr", true, 3*3 + 2*4}, {"4x3:open=0", "udr", true, 3 + 4}, {"4x3:open=0,1", "odr", true, 0}} {
		m, idle := model(c.torus, c.routing, 2, Options{}), 0
		for _, class := range m.classes {
			if class.idle {
				idle++
			}
		}
		if m.linear != c.linear || idle != c.idle {
			t.Errorf("%s %s: linear %v, %d idle ports", c.torus, c.routing, m.linear, idle)
		}
	}
}

// TestDroppedShareIsCaught takes away one share, or the loads of one dimension,
// and expects the comparison with the definition to see it.
func TestDroppedShareIsCaught(t *testing.T) {
	p := problem("3x3", "odr", 4)
	vals := values(p)
	limit := limits(rand.New(rand.NewPCG(1, 1)), p, vals)[0]
	f := lineFormula(t, p, Options{}, limit)
	for dim := range f.model.lines {
		broken := *f.model
		broken.lines = append(append([]lineLoad{}, f.model.lines[:dim]...), f.model.lines[dim+1:]...)
		if disagreement(&Formula{model: &broken, rules: &lineRules{model: &broken, units: broken.units(limit)}}, vals,
			limit) == "" {
			t.Errorf("nothing shows without load %d", dim)
		}
	}
	for x, row := range f.model.lines[0].share {
		for z, s := range row {
			if s == 0 {
				continue
			}
			row[z] = 0
			if disagreement(f, vals, limit) == "" {
				t.Errorf("nothing shows without share %d %d", x, z)
			}
			row[z] = s
		}
	}
}

// TestSmallerRulesAreTaken: Formula returns the smaller of the kinds.
func TestSmallerRulesAreTaken(t *testing.T) {
	taken := [2]int{}
	for _, c := range []struct {
		torus, routing string
		size           int
	}{{"2x2", "odr", 2}, {"3x3", "udr", 4}, {"6x6", "udr:tie=both", 9}, {"5x5", "odr", 5}, {"3x3", "odr", 8},
		{"5x5", "odr", 3}} {
		p, limit := problem(c.torus, c.routing, c.size), big.NewRat(2, 1)
		both := kinds(p, Options{BreakSymmetry: true}, limit)
		want := 0
		if both[1].Clauses() < both[0].Clauses() {
			want = 1
		}
		if f := formula(p, Options{BreakSymmetry: true}, limit); f.Clauses() != both[want].Clauses() ||
			f.Vars() != both[want].Vars() {
			t.Errorf("%s: %d clauses, the kinds have %d and %d", p, f.Clauses(), both[0].Clauses(), both[1].Clauses())
		}
		taken[want]++
	}
	if taken[0] == 0 || taken[1] == 0 {
		t.Errorf("one kind is never the smaller: %v", taken)
	}
	many, limit := problem("4x8", "udr:tie=both", 13), big.NewRat(25, 4)
	if f := formula(many, Options{}, limit); !f.OverCounts() {
		t.Errorf("%s: %d clauses over pairs", many, f.Clauses())
	}
	if f := formula(many, Options{BreakSymmetry: true}, limit); f.OverCounts() {
		t.Errorf("%s: %d clauses over counts with symmetry broken", many, f.Clauses())
	}
}

// TestLinesAreAlike renames the clauses of the first line along each dimension for the others, and counts that every
// clause of the formula is in one part.
func TestLinesAreAlike(t *testing.T) {
	for i, torus := range append(planes, "5x4", "5x4:open=0", "6x3:open=0,1") {
		for j, r := range linearRoutings {
			if testing.Short() && (i+j)%3 != 0 {
				continue
			}
			p := problem(torus, r, 1+(i*5+j)%problem(torus, r, 1).Torus().N())
			f := lineFormula(t, p, Options{}, big.NewRat(int64(p.Size), 3))
			var written cnftest.Formula
			coretest.Try(f.Write(&written))
			count := int64(0)
			of := func(p Part) [][]int {
				count += p.Clauses[1] - p.Clauses[0]
				return written.Clauses[p.Clauses[0]-1 : p.Clauses[1]-1]
			}
			for _, l := range f.Lines() {
				for line, nodes := range l.Nodes {
					renamed := map[int]int{}
					for x, n := range nodes {
						renamed[l.Nodes[0][x]] = n
					}
					parts, first := append(l.Loads[line], l.Counter[line]), append(l.Loads[0], l.Counter[0])
					for i, from := range first {
						for v := range from.Vars[1] - from.Vars[0] {
							renamed[from.Vars[0]+v] = parts[i].Vars[0] + v
						}
					}
					for i, from := range first {
						var image [][]int
						for _, clause := range written.Clauses[from.Clauses[0]-1 : from.Clauses[1]-1] {
							clause = slices.Clone(clause)
							for i, x := range clause {
								if to := renamed[max(x, -x)]; to != 0 && x > 0 {
									clause[i] = to
								} else if to != 0 {
									clause[i] = -to
								}
							}
							image = append(image, clause)
						}
						if !slices.EqualFunc(of(parts[i]), image, slices.Equal) {
							t.Fatalf("%s: line %d is not like the first", p, line)
						}
					}
				}
				of(l.Total)
				for _, part := range l.Met {
					of(part)
				}
			}
			if count != f.Clauses() {
				t.Errorf("%s: the parts have %d clauses of %d", p, count, f.Clauses())
			}
		}
	}
}
