package congestion_test

import (
	"context"
	"errors"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/congestion"
	"leeway/objective/fast"
)

// methods are efforts that send every instance to one method.
var methods = map[string]congestion.Options{
	"exact":     {ExactClasses: 1 << 30, Pivots: 1 << 30, Flows: true},
	"guess":     {GuessClasses: 1 << 30, Pivots: 3000, Flows: true},
	"averaging": {Rounds: 20, Flows: true},
}

func solve(t *testing.T, p core.Placement, o congestion.Options) congestion.Solution {
	t.Helper()
	return coretest.Must(congestion.Solve(context.Background(), p, o))
}

func parse(torus, placement string) core.Placement {
	tor := coretest.Must(core.ParseTorus(torus))
	return coretest.Must(family.Parse(tor, placement))
}

// TestLinearColumn checks the best minimal routing of linear placements against values of an outside LP solver.
func TestLinearColumn(t *testing.T) {
	for torus, want := range map[string]string{"4^2": "3/4", "5^2": "1", "6^2": "5/4", "3^3": "4/3", "4^3": "5/2",
		"5^3": "4", "3^4": "13/4", "4^4": "8"} {
		r := solve(t, parse(torus, "linear"), congestion.DefaultOptions())
		if r.Lower.RatString() != want || r.Upper.RatString() != want || !r.Optimal {
			t.Errorf("%s: %s to %s, want %s", torus, r.Lower.RatString(), r.Upper.RatString(), want)
		}
	}
}

// TestLargeSymmetric solves what has thousands of pairs but few classes.
func TestLargeSymmetric(t *testing.T) {
	list := []string{"8^3", "5^4", "16^2"}
	if !testing.Short() {
		list = append(list, "3^5")
	}
	for _, torus := range list {
		if r := solve(t, parse(torus, "linear"), congestion.DefaultOptions()); !r.Optimal {
			t.Errorf("%s: %s to %s", torus, r.Lower.RatString(), r.Upper.RatString())
		}
	}
}

// dualValue evaluates weights from the definition, listing all shortest paths.
func dualValue(p core.Placement, weights []int64) *big.Rat {
	all := routing.NewMinimal(p.Torus(), routing.TieBoth)
	sum, total := int64(0), int64(0)
	for l, w := range weights {
		total += w * int64(p.Torus().Bandwidth(p.Torus().Port(l/p.Torus().N()).Dim))
	}
	for from, to := range p.Pairs() {
		least := int64(1 << 62)
		for path := range all.Paths(from, to, nil) {
			cost := int64(0)
			for _, l := range path {
				cost += weights[l]
			}
			least = min(least, cost)
		}
		sum += least
	}
	return big.NewRat(sum, total)
}

// TestBothSides solves random instances by every method: the weights give the
// lower side, the flows are flows on shortest paths and give the loads, the
// sides are in order and both fit to E_max.
func TestBothSides(t *testing.T) {
	for i := range 500 {
		rng := coretest.Rng(41, i)
		in := coretest.Random(rng, 24)
		if i%2 == 1 {
			in = coretest.RandomOn(rng, coretest.Opened(rng, in.Torus))
		}
		if in.Placement.Size() > 7 {
			in.Placement = family.Draw(in.Torus, rng.IntN(8), rng)
		}
		for name, o := range methods {
			if name == "exact" && in.Placement.Size() > 5 {
				continue
			}
			r := solve(t, in.Placement, o)
			if problem := faultOf(in, r); problem != "" {
				t.Fatalf("case %d, %s: %s: %s", i, in, name, problem)
			}
			if name == "exact" && !r.Optimal {
				t.Fatalf("case %d, %s: exact left a gap", i, in)
			}
		}
	}
}

func faultOf(in coretest.Instance, r congestion.Solution) string {
	if r.Optimal != (r.Lower.Cmp(r.Upper) == 0) || r.Lower.Cmp(r.Upper) > 0 {
		return "lower " + r.Lower.RatString() + ", upper " + r.Upper.RatString()
	}
	if in.Placement.Size() < 2 {
		if r.Upper.Sign() != 0 || r.Weights != nil {
			return "traffic without pairs"
		}
		return ""
	}
	if v := dualValue(in.Placement, r.Weights); v.Cmp(r.Lower) != 0 {
		return "weights give " + v.RatString() + ", lower is " + r.Lower.RatString()
	}
	if most, _ := objective.Naive(in.Routing, in.Placement).Max(); routing.Shortest(in.Routing) && r.Lower.Cmp(most) > 0 {
		return "lower " + r.Lower.RatString() + " above E_max " + most.RatString()
	}
	return flowFault(in, r)
}

// flowFault adds the flows up along the images of their pairs, with symmetries
// found by trying them all.
func flowFault(in coretest.Instance, r congestion.Solution) string {
	t := in.Torus
	sums := make([]*big.Rat, t.M())
	for l := range sums {
		sums[l] = new(big.Rat)
	}
	symmetries := allSymmetries(in.Placement)
	pairs := int64(0)
	for _, f := range r.Flows {
		if problem := unitFlowFault(t, f); problem != "" {
			return problem
		}
		pairs += f.Count
		part := big.NewRat(f.Count, int64(2*len(symmetries)))
		for _, s := range f.Flow.Shares {
			x := new(big.Rat).Mul(new(big.Rat).SetFrac(s.Num, f.Flow.Den), part)
			from, to := t.LinkEnds(s.Link)
			for _, g := range symmetries {
				there, back := linkFromTo(t, g[from], g[to]), linkFromTo(t, g[to], g[from])
				sums[there].Add(sums[there], x)
				sums[back].Add(sums[back], x)
			}
		}
	}
	n := int64(in.Placement.Size())
	if pairs != n*(n-1) {
		return "the classes of pairs do not add up"
	}
	most := new(big.Rat)
	for l, sum := range sums {
		sum.Quo(sum, big.NewRat(int64(t.Bandwidth(t.Port(l/t.N()).Dim)), 1))
		if sum.Cmp(r.Loads[l]) != 0 {
			return "a load is " + r.Loads[l].RatString() + ", the flows add up to " + sum.RatString()
		}
		if sum.Cmp(most) > 0 {
			most = sum
		}
	}
	if most.Cmp(r.Upper) != 0 {
		return "upper is not the largest load"
	}
	return ""
}

// unitFlowFault says why a flow is not a unit flow on shortest paths.
func unitFlowFault(t *core.Torus, f congestion.PairFlow) string {
	balance := map[int]*big.Int{f.From: new(big.Int).Neg(f.Flow.Den)}
	if balance[f.To] = new(big.Int).Set(f.Flow.Den); f.From == f.To {
		return "a flow from a node to itself"
	}
	for _, s := range f.Flow.Shares {
		from, to := t.LinkEnds(s.Link)
		if t.LeeDistance(f.From, from)+1+t.LeeDistance(to, f.To) != t.LeeDistance(f.From, f.To) {
			return "a flow off the shortest paths"
		}
		if s.Num.Sign() <= 0 {
			return "a share that is not above 0"
		}
		for _, v := range []int{from, to} {
			if balance[v] == nil {
				balance[v] = new(big.Int)
			}
		}
		balance[from].Add(balance[from], s.Num)
		balance[to].Sub(balance[to], s.Num)
	}
	for _, b := range balance {
		if b.Sign() != 0 {
			return "a flow that is not kept"
		}
	}
	return ""
}

// TestGap: floating point leaves next to nothing between the sides, averaging a
// few percent.
func TestGap(t *testing.T) {
	for i, torus := range []string{"8x8", "4x4x4", "5x6", "2x3x4", "11"} {
		p := parse(torus, "random:n=10:seed=5")
		for name, gap := range map[string]*big.Rat{"guess": big.NewRat(1, 1_000_000), "averaging": big.NewRat(1, 8)} {
			o := methods[name]
			if name == "averaging" {
				o.Rounds = 400
			}
			r := solve(t, p, o)
			most := new(big.Rat).Add(big.NewRat(1, 1), gap)
			if r.Upper.Cmp(most.Mul(most, r.Lower)) > 0 {
				t.Errorf("case %d, %s, %s: %s to %s", i, torus, name, r.Lower.FloatString(6), r.Upper.FloatString(6))
			}
		}
	}
}

// TestTrivial: without pairs there is no traffic.
func TestTrivial(t *testing.T) {
	for _, placement := range []string{"random:n=0", "random:n=1"} {
		for _, torus := range []string{"2", "5", "2x3", "4x4"} {
			r := solve(t, parse(torus, placement), congestion.DefaultOptions())
			if r.Lower.Sign() != 0 || r.Upper.Sign() != 0 || !r.Optimal {
				t.Errorf("%s %s: %s to %s", torus, placement, r.Lower.RatString(), r.Upper.RatString())
			}
		}
	}
}

// TestFull: on a full torus odr with ties both loads the links of each dimension
// evenly, and in the dimension where the load is most no routing can do better.
func TestFull(t *testing.T) {
	for _, torus := range []string{"2", "3", "6", "2x2", "2x5", "4x4", "3x4x2", "5x3"} {
		p := parse(torus, "full")
		odr := coretest.Must(routing.NewODR(p.Torus(), nil, routing.TieBoth))
		want, _ := objective.Naive(odr, p).Max()
		if r := solve(t, p, congestion.DefaultOptions()); r.Lower.Cmp(want) != 0 || r.Upper.Cmp(want) != 0 {
			t.Errorf("%s: %s to %s, want %s", torus, r.Lower.RatString(), r.Upper.RatString(), want.RatString())
		}
	}
}

// TestStopped: a context that has ended leaves both sides valid.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := parse("4x5", "random:n=6:seed=3")
	for name, o := range methods {
		r := coretest.Must(congestion.Solve(ctx, p, o))
		all := routing.NewMinimal(p.Torus(), routing.TieBoth)
		if problem := faultOf(coretest.Instance{Torus: p.Torus(), Routing: all, Placement: p}, r); problem != "" {
			t.Errorf("%s: %s", name, problem)
		}
	}
}

func TestTooLarge(t *testing.T) {
	_, err := congestion.Solve(context.Background(), parse("80x80", "full"), congestion.DefaultOptions())
	var input *core.InputError
	if !errors.As(err, &input) {
		t.Errorf("got %v", err)
	}
}

// TestDocumentedTable repeats the table of docs/minimal-routing.md: the program
// is solved, the other columns come from counting.
func TestDocumentedTable(t *testing.T) {
	text := coretest.Must(os.ReadFile("../../docs/minimal-routing.md"))
	rows := 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Fields(strings.ReplaceAll(line, "|", " "))
		if len(cells) != 10 {
			continue
		}
		d, errD := strconv.Atoi(cells[0])
		k, errK := strconv.Atoi(cells[1])
		if errD != nil || errK != nil {
			continue
		}
		rows++
		if got := tableRow(t, d, k); got != strings.Join(cells[2:8], " ") {
			t.Errorf("d=%d k=%d: %s, the table has %s", d, k, got, strings.Join(cells[2:8], " "))
		}
	}
	if rows != 15+7+4+2 {
		t.Errorf("%d rows", rows)
	}
}

// tableRow returns the columns n to udr:tie=both.
func tableRow(t *testing.T, d, k int) string {
	dims := make([]int, d)
	for j := range dims {
		dims[j] = k
	}
	torus := core.MustTorus(dims...)
	p := coretest.Must(family.Parse(torus, "linear"))
	r := solve(t, p, congestion.DefaultOptions())
	degree := big.NewRat(int64(p.Size()-1), int64(torus.Degree()))
	slab := slabCut(torus, p)
	simple, meets := degree, "no"
	if slab.Cmp(degree) > 0 {
		simple = slab
	}
	if r.Optimal && r.Lower.Cmp(simple) == 0 {
		meets = "yes"
	}
	udr, _ := fast.Evaluate(objective.Problem{Routing: routing.NewUDR(torus, routing.TieBoth)}, p).Max()
	return strings.Join([]string{strconv.Itoa(p.Size()), r.Lower.RatString(), degree.RatString(), slab.RatString(),
		meets, udr.RatString()}, " ")
}

// slabCut counts processors and links of the cut below the middle slab.
func slabCut(torus *core.Torus, p core.Placement) *big.Rat {
	half := torus.Side(0) / 2
	inside, out := 0, 0
	for _, v := range p.Nodes() {
		if torus.Coord(v, 0) < half {
			inside++
		}
	}
	for l := range torus.M() {
		if from, to := torus.LinkEnds(core.Link(l)); torus.Coord(from, 0) < half && torus.Coord(to, 0) >= half {
			out++
		}
	}
	return big.NewRat(int64(inside*(p.Size()-inside)), int64(out))
}

// TestEndsWithinTheFirstRound: where all nodes have pairs, classes and one round take so much that the context is
// looked at within them. There is no routing then; without flows a later round that is cut off is taken back.
func TestEndsWithinTheFirstRound(t *testing.T) {
	mesh := coretest.Must(core.ParseNetwork("14x14:open=0,1"))
	p := core.MustPlacement(mesh, append(core.Range(40), 47, 100, 195))
	traffic := objective.Traffic{Request: 1, Reply: 2}
	o := congestion.Options{Rounds: 3}
	full := coretest.Must(congestion.SolveTraffic(t.Context(), p, traffic, o))
	ended := 0
	for looks := range 12 {
		ctx := coretest.EndsAfter(looks)
		s, err := congestion.SolveTraffic(ctx, p, traffic, o)
		if ctx.Looks() > int64(looks)+3 {
			t.Errorf("%d looks, and %d after the end", looks, ctx.Looks()-int64(looks))
		}
		if err != nil {
			if ended++; err != context.Canceled {
				t.Error(err)
			}
			continue
		}
		if s.Lower.Cmp(full.Upper) > 0 || s.Upper.Cmp(full.Lower) < 0 || s.Lower.Cmp(s.Upper) > 0 {
			t.Errorf("%d looks: between %s and %s, with time %s and %s", looks, s.Lower.RatString(), s.Upper.RatString(),
				full.Lower.RatString(), full.Upper.RatString())
		}
	}
	if ended < 2 {
		t.Errorf("only %d ends came before the end of the first round", ended)
	}
}
