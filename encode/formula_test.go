package encode

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/encode/cnf"
	"leeway/encode/cnf/cnftest"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/texts"
	"leeway/search/searchtest"
)

func problem(torus, text string, size int) objective.Problem {
	return coretest.Must(texts.ParseProblem(torus, text, size))
}

func formula(p objective.Problem, o Options, limit *big.Rat) *Formula {
	m := coretest.Must(NewModel(context.Background(), p, o))
	return coretest.Must(m.Formula(context.Background(), limit))
}

// kinds returns the formulas of a problem with each kind of rules.
func kinds(p objective.Problem, o Options, limit *big.Rat) []*Formula {
	m := coretest.Must(NewModel(context.Background(), p, o))
	if p.Traffic.Clients() {
		return []*Formula{coretest.Must(m.nodeFormula(m.units(limit), nil))}
	}
	list := []*Formula{coretest.Must(m.pairFormula(m.units(limit), nil))}
	if m.linear {
		list = append(list, coretest.Must(m.lineFormula(m.units(limit), nil)))
	}
	return list
}

// values returns the naive E_max of every placement of the size of the problem,
// by bit mask.
func values(p objective.Problem) map[uint64]*big.Rat {
	list := map[uint64]*big.Rat{}
	for x := range uint64(1) << p.Torus().N() {
		if bits.OnesCount64(x) == p.Size {
			list[x], _ = p.Naive(core.MustPlacement(p.Torus(), core.Set{x}.Nodes())).Max()
		}
	}
	return list
}

func assumed(f *Formula, x uint64) []int {
	var list []int
	for v := range f.model.torus.N() {
		l := f.model.NodeVar(v)
		if x>>v&1 == 0 {
			l = -l
		}
		list = append(list, l)
	}
	return list
}

// disagreement compares a formula without symmetry breaking with the definition,
// on all placements of the size and some sets of other sizes, and returns the
// first difference, "" if there is none.
func disagreement(f *Formula, values map[uint64]*big.Rat, limit *big.Rat) string {
	var clauses cnftest.Formula
	if err := f.Write(&clauses); err != nil {
		return err.Error()
	}
	size := f.model.problem.Size
	for x := range uint64(1) << f.model.torus.N() {
		off := bits.OnesCount64(x) - size
		if off < -1 || off > 1 || off != 0 && x%5 != 0 {
			continue
		}
		want := off == 0 && values[x] != nil && values[x].Cmp(limit) <= 0
		if got := clauses.Satisfiable(assumed(f, x)); got != want {
			return fmt.Sprintf("%s, limit %s, nodes %v: satisfiable %v, want %v", f.model.problem, limit.RatString(),
				core.Set{x}.Nodes(), got, want)
		}
	}
	return ""
}

var smallTori = []string{"2", "3", "2x2", "7", "8", "2x3", "3x3", "2x2x2", "4x2"}

var allRoutings = []string{"odr:tie=plus", "odr:tie=both", "udr:tie=plus", "udr:tie=both", "minimal:tie=plus",
	"minimal:tie=both"}

// limits returns values around which the answer changes, some units off, and
// one below zero.
func limits(rng *rand.Rand, p objective.Problem, values map[uint64]*big.Rat) []*big.Rat {
	unit := new(big.Rat).SetFrac(big.NewInt(1), p.Denominator())
	least, most := new(big.Rat), new(big.Rat)
	for i, x := 0, uint64(0); x < 1<<p.Torus().N(); x++ {
		if v := values[x]; v != nil {
			if i == 0 || v.Cmp(least) < 0 {
				least = v
			}
			if v.Cmp(most) > 0 {
				most = v
			}
			i++
		}
	}
	third := new(big.Rat).Mul(unit, big.NewRat(rng.Int64N(9), 3))
	return []*big.Rat{least, new(big.Rat).Sub(least, unit), new(big.Rat).Add(least, third), new(big.Rat).Sub(most, unit)}
}

func TestFormulaEqualsDefinition(t *testing.T) {
	for i, torus := range smallTori {
		for j, r := range allRoutings {
			rng := rand.New(rand.NewPCG(uint64(i), uint64(j)))
			n := problem(torus, r, 1).Torus().N()
			if testing.Short() && (i+j)%3 != 0 {
				continue
			}
			p := problem(torus, r, 1+rng.IntN(n))
			vals := values(p)
			for _, limit := range limits(rng, p, vals) {
				for _, f := range kinds(p, Options{}, limit) {
					if d := disagreement(f, vals, limit); d != "" {
						t.Fatalf("%T: %s", f.rules, d)
					}
				}
			}
		}
	}
}

func TestFormulaWithExplicitOrders(t *testing.T) {
	p := problem("2x2x2", "orders:012+120+201", 4)
	vals := values(p)
	for _, limit := range limits(rand.New(rand.NewPCG(1, 1)), p, vals) {
		if d := disagreement(formula(p, Options{}, limit), vals, limit); d != "" {
			t.Fatal(d)
		}
	}
}

// TestSymmetryBreakingKeepsAnAnswer: with it a formula can be satisfied exactly
// if it can without, and every placement left is right.
func TestSymmetryBreakingKeepsAnAnswer(t *testing.T) {
	for i, torus := range smallTori {
		for j, r := range allRoutings {
			if testing.Short() && (i+j)%3 != 0 {
				continue
			}
			rng := rand.New(rand.NewPCG(uint64(i), uint64(j)))
			p := problem(torus, r, 1+rng.IntN(problem(torus, r, 1).Torus().N()))
			vals := values(p)
			for _, limit := range limits(rng, p, vals) {
				for _, f := range kinds(p, Options{BreakSymmetry: true}, limit) {
					checkBroken(t, f, vals, limit)
				}
			}
		}
	}
}

func checkBroken(t *testing.T, f *Formula, vals map[uint64]*big.Rat, limit *big.Rat) {
	t.Helper()
	var clauses cnftest.Formula
	coretest.Try(f.Write(&clauses))
	want, kept, right := false, 0, 0
	for x, v := range vals {
		fits := v.Cmp(limit) <= 0
		want = want || fits
		if fits {
			right++
		}
		if clauses.Satisfiable(assumed(f, x)) {
			kept++
			if !fits {
				t.Fatalf("%s, limit %s: nodes %v pass the limit", f.model.problem, limit.RatString(), core.Set{x}.Nodes())
			}
		}
	}
	if (kept > 0) != want || kept > right {
		t.Fatalf("%s, limit %s: %d placements kept of %d", f.model.problem, limit.RatString(), kept, right)
	}
}

// TestDroppedPairRuleIsCaught takes away the rules of one dimension, or the
// forbidden pairs, and expects the comparison above to see it.
func TestDroppedPairRuleIsCaught(t *testing.T) {
	p := problem("3x3", "odr", 4)
	vals := values(p)
	limit := limits(rand.New(rand.NewPCG(1, 1)), p, vals)[0]
	f := kinds(p, Options{}, limit)[0]
	whole := f.rules.(*pairRules)
	for dim := range 2 {
		broken := *whole
		broken.links = slices.DeleteFunc(slices.Clone(whole.links),
			func(r linkRule) bool { return f.model.torus.Port(r.port).Dim == dim })
		if len(broken.links) == len(whole.links) {
			t.Fatalf("dimension %d has no rule", dim)
		}
		if disagreement(&Formula{model: f.model, rules: &broken}, vals, limit) == "" {
			t.Errorf("nothing shows without the rules of dimension %d", dim)
		}
	}
	low := big.NewRat(1, 2) // every pair passes it
	f = kinds(p, Options{}, low)[0]
	broken := *f.rules.(*pairRules)
	broken.forbidden = make([]bool, p.Torus().N())
	if disagreement(&Formula{model: f.model, rules: &broken}, vals, low) == "" {
		t.Error("nothing shows without the forbidden pairs")
	}
}

// TestLinkSumsAreTheLoads adds up the weights that the model counts for a link
// and compares with the naive load, link by link.
func TestLinkSumsAreTheLoads(t *testing.T) {
	for i, torus := range append(smallTori, "3x4", "2x5", "2x2x3", "12", "4x4") {
		for j, r := range allRoutings {
			checkLinkSums(t, problem(torus, r, 1), rand.New(rand.NewPCG(uint64(i), uint64(j))))
		}
	}
	for i := range coretest.Cases(300, 60) {
		rng := coretest.Rng(301, i)
		checkLinkSums(t, fixedFlows(rng, coretest.AnyNetwork(rng, 30)), rng)
	}
}

func checkLinkSums(t *testing.T, p objective.Problem, rng *rand.Rand) {
	t.Helper()
	m := coretest.Must(NewModel(t.Context(), p, Options{}))
	nodes := rng.Perm(m.torus.N())[:1+rng.IntN(m.torus.N())]
	placement := core.MustPlacement(m.torus, nodes)
	in, loads, links := placement.Set(), objective.Naive(p.Routing, placement), 0
	for _, class := range m.classes {
		for _, by := range m.shifts {
			links++
			sum := int64(0)
			for _, pair := range class.loads {
				if in.Has(m.sums.Node(by, pair.a)) && in.Has(m.sums.Node(by, pair.b)) {
					sum += pair.weight
				}
			}
			link := core.Link(class.port*m.torus.N() + m.sums.Node(by, class.from))
			got := new(big.Rat).SetFrac(big.NewInt(sum), objective.Denominator(p.Routing))
			if want := loads.Load(link); got.Cmp(want) != 0 {
				t.Fatalf("%s, nodes %v, link %d: %s, naive %s", p, nodes, link, got.RatString(), want.RatString())
			}
		}
	}
	if links != m.torus.Links() {
		t.Fatalf("%s: the classes have %d links of %d", p, links, m.torus.Links())
	}
}

// fixedFlows returns a problem of one processor under a random routing that does not depend on the placement.
func fixedFlows(rng *rand.Rand, torus *core.Torus) objective.Problem {
	for {
		if r := coretest.Routing(rng, torus); !r.DependsOnPlacement() {
			return coretest.Must(objective.NewProblem(r, 1))
		}
	}
}

// conditioned returns a random problem of at most most nodes, on a network with open dimensions and bandwidths as often
// as not on one of two dimensions, most often with fixed and forbidden nodes.
func conditioned(rng *rand.Rand, most int) objective.Problem {
	for {
		torus := coretest.AnyNetwork(rng, most)
		if rng.IntN(2) == 0 {
			torus = coretest.Opened(rng, core.MustTorus(2+rng.IntN(most/2-1), 2+rng.IntN(most/2-1)))
		}
		if p := searchtest.ConditionedOn(rng, torus); torus.N() <= most && !p.Routing.DependsOnPlacement() {
			return p
		}
	}
}

// admitted drops the placements that break a condition.
func admitted(p objective.Problem, values map[uint64]*big.Rat) map[uint64]*big.Rat {
	maps.DeleteFunc(values, func(x uint64, _ *big.Rat) bool { return !p.AdmitsSet(core.Set{x}) })
	return values
}

// TestFormulaOnNetworksEqualsDefinition: on networks and with conditions a formula holds for exactly those sets of
// nodes that it should, and with symmetry breaking for some of them if for any.
func TestFormulaOnNetworksEqualsDefinition(t *testing.T) {
	linear, open := 0, 0
	for i := range coretest.Cases(400, 40) {
		rng := coretest.Rng(302, i)
		p := conditioned(rng, 9+rng.IntN(2))
		vals := admitted(p, values(p))
		list := limits(rng, p, vals)
		for _, limit := range list[:2+i%3] {
			for _, f := range kinds(p, Options{}, limit) {
				if d := disagreement(f, vals, limit); d != "" {
					t.Fatalf("case %d, %T: %s", i, f.rules, d)
				}
				if _, ok := f.rules.(*lineRules); ok {
					linear++
					if !p.Torus().Closed() {
						open++
					}
				}
			}
			for _, f := range kinds(p, Options{BreakSymmetry: true}, limit) {
				checkBroken(t, f, vals, limit)
			}
		}
	}
	if linear == open || 6*open < linear {
		t.Errorf("%d formulas over counts, %d of them on networks with open dimensions", linear, open)
	}
}

// TestRestIsWhatIsLeft: without all placements within a limit a formula has no model; without all but one it has one,
// and the placements left out have none.
func TestRestIsWhatIsLeft(t *testing.T) {
	for i := range coretest.Cases(60, 12) {
		rng := coretest.Rng(303, i)
		p := conditioned(rng, 9)
		vals := admitted(p, values(p))
		limit := limits(rng, p, vals)[rng.IntN(3)]
		var within [][]int
		for x, v := range vals {
			if v.Cmp(limit) <= 0 {
				within = append(within, core.Set{x}.Nodes())
			}
		}
		slices.SortFunc(within, slices.Compare)
		if len(within) == 0 {
			continue
		}
		one := rng.IntN(len(within))
		others := slices.Delete(slices.Clone(within), one, one+1)
		for _, f := range kinds(p, Options{}, limit) {
			whole, rest := satisfiable(t, f.Except(within)), satisfiable(t, f.Except(others))
			if whole(nil) || !rest(nil) || !rest(assumed(f, mask(within[one]))) {
				t.Fatalf("%s, limit %s: a model without all %d placements %v, with one of them %v", p, limit.RatString(),
					len(within), whole(nil), rest(nil))
			}
			for _, nodes := range others {
				if rest(assumed(f, mask(nodes))) {
					t.Fatalf("%s, limit %s: %v is left", p, limit.RatString(), nodes)
				}
			}
		}
	}
}

// satisfiable returns the answers for a rest under assumptions, after a look at its numbers.
func satisfiable(t *testing.T, r *Rest) func(assumptions []int) bool {
	t.Helper()
	var clauses cnftest.Formula
	if err := r.Write(&clauses); err != nil || int64(len(clauses.Clauses)) != r.Clauses() || r.Vars() != r.formula.Vars() {
		t.Fatalf("%d clauses, announced %d, %v", len(clauses.Clauses), r.Clauses(), err)
	}
	return clauses.Satisfiable
}

// mask returns nodes as a bit mask.
func mask(nodes []int) (x uint64) {
	for _, v := range nodes {
		x |= 1 << v
	}
	return x
}

// TestFormulaOfClientTrafficEqualsDefinition: the same under client traffic, with requests and replies of any size and
// way.
func TestFormulaOfClientTrafficEqualsDefinition(t *testing.T) {
	rules, replies := 0, 0
	for i := range coretest.Cases(500, 60) {
		rng := coretest.Rng(303, i)
		p := searchtest.Clients(rng, 9+rng.IntN(2))
		vals := admitted(p, values(p))
		list := limits(rng, p, vals)
		if p.Traffic.Replies != nil {
			replies++
		}
		for _, limit := range append(list[:2+i%3], big.NewRat(-1, 1)) {
			f := kinds(p, Options{}, limit)[0]
			rules += len(f.rules.(*nodeRules).links)
			if d := disagreement(f, vals, limit); d != "" {
				t.Fatalf("case %d: %s", i, d)
			}
			checkBroken(t, kinds(p, Options{BreakSymmetry: true}, limit)[0], vals, limit)
		}
	}
	if rules == 0 || replies == 0 {
		t.Errorf("%d constraints, %d cases with replies of another way", rules, replies)
	}
}

// TestNodeSumsAreTheLoads adds up, link by link, the weights of the nodes of a random placement.
func TestNodeSumsAreTheLoads(t *testing.T) {
	for i := range coretest.Cases(300, 60) {
		rng := coretest.Rng(304, i)
		p := searchtest.Clients(rng, 30)
		m := coretest.Must(NewModel(t.Context(), p, Options{}))
		placement := core.MustPlacement(m.torus, rng.Perm(m.torus.N())[:1+rng.IntN(m.torus.N())])
		in, loads := placement.Set(), p.Naive(placement)
		for link, list := range m.nodeLoads {
			sum := int64(0)
			for _, l := range list {
				if in.Has(l.node) {
					sum += l.weight
				}
			}
			got := new(big.Rat).SetFrac(big.NewInt(sum), p.Denominator())
			if want := loads.Load(core.Link(link)); got.Cmp(want) != 0 {
				t.Fatalf("%s, nodes %v, link %d: %s, naive %s", p, placement.Nodes(), link, got.RatString(), want.RatString())
			}
		}
	}
}

// TestDroppedNodeRuleIsCaught takes away the constraints one after the other, or the heaviest node of each, and expects
// the comparison above to see some of that. Most constraints of so small a mesh follow from others.
func TestDroppedNodeRuleIsCaught(t *testing.T) {
	p := problem("3x3:open=0,1:traffic=clients:request=1:reply=2", "odr", 3)
	vals := values(p)
	limit := limits(rand.New(rand.NewPCG(1, 1)), p, vals)[0]
	f := kinds(p, Options{}, limit)[0]
	whole := f.rules.(*nodeRules)
	shown, changes := 0, 0
	see := func(links []nodeRule) {
		changes++
		if disagreement(&Formula{model: f.model, rules: &nodeRules{model: f.model, links: links}}, vals, limit) != "" {
			shown++
		}
	}
	for i, rule := range whole.links {
		see(slices.Delete(slices.Clone(whole.links), i, i+1))
		broken := slices.Clone(whole.links)
		broken[i].nodes = slices.Clone(rule.nodes)
		broken[i].nodes[0] = rule.nodes[len(rule.nodes)-1]
		see(broken)
	}
	if shown < 10 {
		t.Errorf("%d of %d changes show", shown, changes)
	}
}

func TestCountsAreWhatIsWritten(t *testing.T) {
	f := formula(problem("4x4", "udr:tie=both", 6), Options{BreakSymmetry: true}, big.NewRat(3, 2))
	var clauses cnftest.Formula
	coretest.Try(f.Write(&clauses))
	highest := 0
	for _, c := range clauses.Clauses {
		for _, l := range c {
			highest = max(highest, l, -l)
		}
	}
	if int64(len(clauses.Clauses)) != f.Clauses() || highest != f.Vars() {
		t.Fatalf("%d clauses and %d variables, announced %d and %d", len(clauses.Clauses), highest, f.Clauses(), f.Vars())
	}
}

func TestDecode(t *testing.T) {
	m := coretest.Must(NewModel(t.Context(), problem("3x3", "odr", 2), Options{}))
	p, err := m.Decode(func(v int) bool { return v == 2 || v == 9 || v > 9 })
	if err != nil || p.Size() != 2 || p.Nodes()[0] != 1 || p.Nodes()[1] != 8 {
		t.Fatalf("%v, %v", p.Nodes(), err)
	}
	var wrong *ModelError
	if _, err := m.Decode(func(v int) bool { return v == 2 }); !errors.As(err, &wrong) {
		t.Fatalf("one processor instead of two: %v", err)
	}
}

func TestRefusals(t *testing.T) {
	var unsupported *UnsupportedError
	if _, err := NewModel(t.Context(), problem("3x3", "avoid", 2), Options{}); !errors.As(err, &unsupported) {
		t.Errorf("avoid: %v", err)
	}
	if _, err := NewModel(t.Context(), problem("64x64", "odr", 2), Options{}); !errors.As(err, &unsupported) {
		t.Errorf("64x64: %v", err)
	}
	var input *core.InputError
	bad := problem("3x3", "odr", 2)
	bad.Size = 10
	if _, err := NewModel(t.Context(), bad, Options{}); !errors.As(err, &input) {
		t.Errorf("size 10 on 3x3: %v", err)
	}
	if testing.Short() {
		return // the formula that is too large takes seconds to get there
	}
	m := coretest.Must(NewModel(t.Context(), problem("16x16", "udr:tie=both", 64), Options{}))
	var size *cnf.SizeError
	if _, err := m.Formula(t.Context(), big.NewRat(40, 1)); !errors.As(err, &size) || size.Limit != MaxClauses {
		t.Errorf("16x16, limit 40: %v", err)
	}
}

// TestModelsAndFormulasEndWithTheContext: the loads of nodes and pairs, and the diagrams of links, are made of so much
// work that a context ends them on the way.
func TestModelsAndFormulasEndWithTheContext(t *testing.T) {
	pairs := problem("6x6:open=0,1", "minimal", 3)
	clients := coretest.Must(problem("6x6:open=0,1", "minimal", 2).WithTraffic(objective.Traffic{Request: 1, Reply: 2}))
	for _, p := range []objective.Problem{pairs, clients} {
		if _, err := NewModel(coretest.EndsAfter(0), p, Options{}); err != context.Canceled {
			t.Errorf("%s: the model: %v", p, err)
		}
		m := coretest.Must(NewModel(t.Context(), p, Options{}))
		value, _ := fast.Evaluate(p, core.MustPlacement(p.Torus(), core.Range(p.Size))).Max()
		for _, looks := range []int{0, 1} {
			if _, err := m.Formula(coretest.EndsAfter(looks), value); err != context.Canceled {
				t.Errorf("%s: the formula after %d looks: %v", p, looks, err)
			}
		}
	}
}
