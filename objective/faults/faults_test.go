package faults_test

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/faults"
)

// slow repeats the definition with fractions for one broken link: how many pairs lose a way, requests together with
// their replies, of how many, and the largest load of the others, divided by bandwidths.
func slow(q objective.Problem, broken core.Link, s core.Placement) (lost, pairs int, most *big.Rat) {
	sent := map[[2]int][]objective.Message{}
	for m := range q.Messages(s) {
		pair := [2]int{m.From, m.To}
		if m.Reply {
			pair = [2]int{m.To, m.From}
		}
		sent[pair] = append(sent[pair], m)
	}
	loads, most := map[core.Link]*big.Rat{}, new(big.Rat)
	for _, messages := range sent {
		ways, whole := make([][][]core.Link, len(messages)), true
		for i, m := range messages {
			for path := range m.Routing.Paths(m.From, m.To, s.Set()) {
				if !slices.Contains(path, broken) {
					ways[i] = append(ways[i], slices.Clone(path))
				}
			}
			whole = whole && ways[i] != nil
		}
		if !whole {
			lost++
			continue
		}
		for i, m := range messages {
			for _, l := range slices.Concat(ways[i]...) {
				if loads[l] == nil {
					loads[l] = new(big.Rat)
				}
				share := big.NewRat(m.Count, int64(len(ways[i])*s.Torus().LinkBandwidth(l)))
				if q.Traffic.Matrix != nil {
					share.Mul(share, big.NewRat(1, q.Traffic.Matrix.Den))
				}
				if loads[l].Add(loads[l], share); loads[l].Cmp(most) > 0 {
					most = loads[l]
				}
			}
		}
	}
	return lost, len(sent), most
}

func analyze(t testing.TB, r routing.Routing, p core.Placement) faults.Report {
	t.Helper()
	report := coretest.Must(faults.Analyze(context.Background(), objective.Problem{Routing: r}, p))
	if report.Faults != p.Torus().Links() {
		t.Fatalf("%d of %d links were looked at", report.Faults, p.Torus().Links())
	}
	return report
}

// TestAnalyzeEqualsDefinition breaks every link under random routings and both kinds of tables, for what all processors
// send each other, clients, and what tasks send each other.
func TestAnalyzeEqualsDefinition(t *testing.T) {
	tried := [3]int{}
	for i := range coretest.Cases(600, 200) {
		rng := coretest.Rng(71, i)
		in := coretest.Random(rng, 18)
		if i%4 > 0 {
			in = coretest.RandomOn(rng, coretest.AnyNetwork(rng, 16))
		}
		if i%5 == 0 || !routing.Uniform(in.Routing) {
			in.Routing = coretest.Table(rng, in.Torus, i%2 == 0 || !in.Torus.Closed())
		}
		q, s := objective.Problem{Routing: in.Routing}, family.Draw(in.Torus, 1+rng.IntN(min(8, in.Torus.N())), rng)
		traffic := objective.Traffic{}
		switch at := s.Nodes(); i % 3 {
		case 1:
			s = core.MustPlacement(in.Torus, at[:min(4, len(at))])
			if traffic = (objective.Traffic{Request: rng.IntN(3), Reply: 1 + rng.IntN(2)}); traffic.Request > 0 && i%2 == 0 {
				traffic.Replies = coretest.Orders(rng, in.Torus)
			}
		case 2:
			var pairs [][2]int
			var amounts []*big.Rat
			for task := range at {
				for other := range at {
					if task != other && rng.IntN(2) == 0 {
						pairs = append(pairs, [2]int{task, other})
						amounts = append(amounts, big.NewRat(int64(1+rng.IntN(4)), int64(1+rng.IntN(3))))
					}
				}
			}
			rng.Shuffle(len(at), func(i, j int) { at[i], at[j] = at[j], at[i] })
			traffic.Matrix = coretest.Must(objective.NewMatrix(len(at), pairs, amounts, func(int) string { return "" }))
			s = coretest.Must(core.PlaceTasks(in.Torus, at))
		}
		if i%3 > 0 && in.Routing.DependsOnPlacement() {
			continue
		}
		q = coretest.Must(q.WithTraffic(traffic))
		tried[i%3]++
		report := coretest.Must(faults.Analyze(context.Background(), q, s))
		lost, critical, most := 0, 0, new(big.Rat)
		for l := range core.Link(in.Torus.M()) {
			if !in.Torus.HasLink(l) {
				continue
			}
			n, pairs, load := slow(q, l, s)
			if n > 0 {
				critical++
			}
			if lost = max(lost, n); load.Cmp(most) > 0 {
				most = load
			}
			if report.Pairs != pairs || l == report.CutLink && report.DisconnectedPairs > 0 && n != report.DisconnectedPairs ||
				l == report.LoadLink && load.Cmp(report.MaxLoadAfterFault) != 0 {
				t.Fatalf("%s at %v: %+v; breaking link %d loses %d of %d pairs and gives %s", q, s.Coords(), report, l, n, pairs,
					load.RatString())
			}
		}
		want, _ := q.Naive(s).Max()
		if report.DisconnectedPairs != lost || report.CriticalLinks != critical || report.MaxLoad.Cmp(want) != 0 ||
			report.MaxLoadAfterFault.Cmp(most) != 0 || report.Faults != in.Torus.Links() {
			t.Fatalf("%s at %v: %+v, load %s; the definition says %d, %d, %s, without a fault %s", q, s.Coords(), report,
				report.MaxLoadAfterFault.RatString(), lost, critical, most.RatString(), want.RatString())
		}
	}
	if min(tried[0], tried[1], tried[2]) < 30 {
		t.Errorf("only %d cases of each traffic", tried)
	}
}

// packings returns the largest number of paths, from index i on, that avoid the
// taken links and each other: every subset is tried.
func packings(paths [][]core.Link, taken map[core.Link]bool) int {
	if len(paths) == 0 {
		return 0
	}
	best := packings(paths[1:], taken)
	for _, l := range paths[0] {
		if taken[l] {
			return best
		}
	}
	for _, l := range paths[0] {
		taken[l] = true
	}
	best = max(best, 1+packings(paths[1:], taken))
	for _, l := range paths[0] {
		delete(taken, l)
	}
	return best
}

func TestDiversityEqualsDefinition(t *testing.T) {
	for i := range 120 {
		rng := coretest.Rng(72, i)
		in := coretest.Random(rng, 16)
		if i%3 == 0 || !routing.Uniform(in.Routing) {
			in.Routing = coretest.Table(rng, in.Torus, i%2 == 0)
		}
		in.Placement = family.Draw(in.Torus, min(5, in.Torus.N()), rng)
		want := faults.Diversity{MeanPaths: new(big.Rat), MeanDisjoint: new(big.Rat), DisjointExact: true}
		pairs := 0
		for from, to := range in.Placement.Pairs() {
			var paths [][]core.Link
			for path := range in.Routing.Paths(from, to, in.Placement.Set()) {
				paths = append(paths, append([]core.Link(nil), path...))
			}
			disjoint := packings(paths, map[core.Link]bool{})
			if pairs++; pairs == 1 {
				want.MinPaths, want.MinDisjoint = len(paths), disjoint
			}
			want.MinPaths, want.MinDisjoint = min(want.MinPaths, len(paths)), min(want.MinDisjoint, disjoint)
			want.MeanPaths.Add(want.MeanPaths, big.NewRat(int64(len(paths)), 1))
			want.MeanDisjoint.Add(want.MeanDisjoint, big.NewRat(int64(disjoint), 1))
		}
		have := analyze(t, in.Routing, in.Placement).Diversity
		over := big.NewRat(1, int64(pairs))
		want.MeanPaths.Mul(want.MeanPaths, over)
		if have.MinPaths != want.MinPaths || have.MeanPaths.Cmp(want.MeanPaths) != 0 {
			t.Fatalf("%s: paths %d, %s; counted %d, %s", in, have.MinPaths, have.MeanPaths, want.MinPaths, want.MeanPaths)
		}
		want.MeanDisjoint.Mul(want.MeanDisjoint, over)
		if !have.DisjointExact || have.MinDisjoint != want.MinDisjoint || have.MeanDisjoint.Cmp(want.MeanDisjoint) != 0 {
			t.Fatalf("%s: disjoint %+v, counted %d, %s", in, have, want.MinDisjoint, want.MeanDisjoint)
		}
	}
}

// TestUDRAgainstODR is the papers' reason for UDR (seed 000, section 7) on the
// linear placements, whose pairs all differ in at least two dimensions: under ODR
// with ties plus every pair has one path, so the worst fault loses as many pairs
// as E_max says; under UDR no fault loses any.
func TestUDRAgainstODR(t *testing.T) {
	for _, dims := range [][]int{{4, 4}, {5, 5}, {3, 3, 3}, {4, 4, 4}} {
		torus := core.MustTorus(dims...)
		p := coretest.Must(family.Parse(torus, "linear"))
		odr := coretest.Must(routing.NewODR(torus, nil, routing.TiePlus))
		loads := objective.Naive(odr, p)
		most, _ := loads.Max()
		used := 0
		for l := range torus.M() {
			if loads.Load(core.Link(l)).Sign() > 0 {
				used++
			}
		}
		report := analyze(t, odr, p)
		if int64(report.DisconnectedPairs) != most.Num().Int64() || report.CriticalLinks != used ||
			report.MinPaths != 1 || report.MeanPaths.RatString() != "1" {
			t.Errorf("odr on %s: %+v; E_max is %s on %d links", torus, report, most.RatString(), used)
		}
		report = analyze(t, routing.NewUDR(torus, routing.TiePlus), p)
		if report.DisconnectedPairs != 0 || report.CriticalLinks != 0 || report.MinPaths != 2 || report.MinDisjoint != 2 {
			t.Errorf("udr on %s: %+v", torus, report)
		}
	}
}

// TestUDRKeepsOnePathAlongARing takes full placements, where some pairs differ in
// one dimension: they have one path unless they are a tie.
func TestUDRKeepsOnePathAlongARing(t *testing.T) {
	for _, c := range []struct {
		side          int
		tie           routing.Tie
		lost, minimum int
	}{{3, routing.TiePlus, 1, 1}, {5, routing.TieBoth, 3, 1}, {4, routing.TiePlus, 3, 1}, {4, routing.TieBoth, 1, 1}} {
		// On a ring of 5 a link carries one pair at distance 1 and two at distance
		// 2; on a ring of 4 with ties plus the + links do, with ties both the pairs
		// at distance 2 keep the other way.
		torus := core.MustTorus(c.side, c.side)
		p, _ := family.Parse(torus, "full")
		report := analyze(t, routing.NewUDR(torus, c.tie), p)
		if report.DisconnectedPairs != c.lost || report.MinPaths != c.minimum || report.CriticalLinks != torus.M() {
			t.Errorf("full on %s, ties %s: %+v", torus, c.tie, report)
		}
	}
}

// TestFewProcessors has no pairs to lose.
func TestFewProcessors(t *testing.T) {
	torus := core.MustTorus(4, 2)
	for n := range 2 {
		report := analyze(t, routing.NewUDR(torus, routing.TieBoth), family.Draw(torus, n, coretest.Rng(73, n)))
		if report.Pairs != 0 || report.DisconnectedPairs != 0 || report.MinPaths != 0 || report.MinDisjoint != 0 ||
			report.MaxLoad.Sign() != 0 || report.MaxLoadAfterFault.Sign() != 0 || report.MeanPaths.Sign() != 0 ||
			report.MeanDisjoint.Sign() != 0 {
			t.Errorf("%d processors: %+v", n, report)
		}
	}
}

// TestSideOfTwo: the two nodes of a ring of 2 have one link each way, so a fault
// loses one of the two pairs and leaves the other its whole load.
func TestSideOfTwo(t *testing.T) {
	torus := core.MustTorus(2)
	report := analyze(t, routing.NewUDR(torus, routing.TieBoth), core.MustPlacement(torus, []int{0, 1}))
	if report.Pairs != 2 || report.DisconnectedPairs != 1 || report.CriticalLinks != 2 ||
		report.MaxLoadAfterFault.RatString() != "1" {
		t.Errorf("%+v", report)
	}
}

// TestRefusals: a table that misses a pair, and more paths than are kept.
func TestRefusals(t *testing.T) {
	torus := core.MustTorus(3, 3)
	path := routing.TablePath{Order: []int{1}, Steps: []int{1}}
	table := coretest.Must(routing.NewTable(torus, true,
		[]routing.TableEntry{{From: 0, To: 1, Paths: []routing.TablePath{path}}}))
	big := core.MustTorus(24, 24, 24)
	opposite := core.MustPlacement(big, []int{0, big.N()/2 + 12*24 + 12})
	for name, err := range map[string]error{
		"missing pair": second(faults.Analyze(context.Background(), objective.Problem{Routing: table},
			core.MustPlacement(torus, []int{0, 1}))),
		"many paths": second(faults.Analyze(context.Background(),
			objective.Problem{Routing: routing.NewMinimal(big, routing.TieBoth)}, opposite)),
	} {
		var wrong *core.InputError
		if !errors.As(err, &wrong) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func second[A any](_ A, err error) error { return err }

// TestStopped ends the context beforehand: nothing has failed yet, and what does
// not depend on faults is there.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	torus := core.MustTorus(4, 4)
	report, err := faults.Analyze(ctx, objective.Problem{Routing: routing.NewUDR(torus, routing.TieBoth)},
		family.Draw(torus, 16, coretest.Rng(74, 0)))
	if err != nil || report.Faults != 0 || report.Pairs != 240 || report.MinPaths != 1 ||
		report.MaxLoad.RatString() != "8" || report.MaxLoadAfterFault.Sign() != 0 {
		t.Errorf("%v: %+v", err, report)
	}
}

// BenchmarkAnalyze takes the largest sizes that the command is used on.
func BenchmarkAnalyze(b *testing.B) {
	for _, c := range []struct{ torus, placement string }{{"8x8", "full"}, {"4x4x4", "linear"}} {
		b.Run(c.torus, func(b *testing.B) {
			torus, _ := core.ParseTorus(c.torus)
			p, _ := family.Parse(torus, c.placement)
			r := routing.NewUDR(torus, routing.TieBoth)
			for b.Loop() {
				coretest.Must(faults.Analyze(context.Background(), objective.Problem{Routing: r}, p))
			}
		})
	}
}
