package faults_test

import (
	"context"
	"errors"
	"iter"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/faults"
)

// without is a routing with the paths through one link taken out.
type without struct {
	routing.Routing
	link core.Link
}

func (w without) Paths(p, q int, s core.Set) iter.Seq2[[]core.Link, int64] {
	return func(yield func([]core.Link, int64) bool) {
		for path, weight := range w.Routing.Paths(p, q, s) {
			broken := false
			for _, l := range path {
				broken = broken || l == w.link
			}
			if !broken && !yield(path, weight) {
				return
			}
		}
	}
}

// slow repeats the definition with fractions for one broken link: the number of
// pairs without a path, and the largest load of the others, divided by bandwidths.
func slow(r routing.Routing, p core.Placement) (lost int, most *big.Rat) {
	loads, most := map[core.Link]*big.Rat{}, new(big.Rat)
	for from, to := range p.Pairs() {
		count := int64(0)
		for range r.Paths(from, to, p.Set()) {
			count++
		}
		if count == 0 {
			lost++
		}
		for path := range r.Paths(from, to, p.Set()) {
			for _, l := range path {
				if loads[l] == nil {
					loads[l] = new(big.Rat)
				}
				_, port := r.Torus().LinkFrom(l)
				share := big.NewRat(1, count*int64(r.Torus().Bandwidth(port.Dim)))
				if loads[l].Add(loads[l], share); loads[l].Cmp(most) > 0 {
					most = loads[l]
				}
			}
		}
	}
	return lost, most
}

func analyze(t testing.TB, r routing.Routing, p core.Placement) faults.Report {
	t.Helper()
	report := coretest.Must(faults.Analyze(context.Background(), objective.Problem{Routing: r}, p))
	if report.Faults != p.Torus().Links() {
		t.Fatalf("%d of %d links were looked at", report.Faults, p.Torus().Links())
	}
	return report
}

// TestAnalyzeEqualsDefinition takes random instances of every routing and of both
// kinds of tables, on tori and, every other case, on networks.
func TestAnalyzeEqualsDefinition(t *testing.T) {
	for i := range coretest.Cases(150, 40) {
		rng := coretest.Rng(71, i)
		in := coretest.Random(rng, 18)
		if i%2 == 1 {
			in = coretest.RandomOn(rng, coretest.AnyNetwork(rng, 18))
		}
		if i%3 == 0 || !routing.Uniform(in.Routing) {
			in.Routing = coretest.Table(rng, in.Torus, i%2 == 0 || !in.Torus.Closed())
		}
		if in.Placement.Size() > 9 {
			in.Placement = family.Draw(in.Torus, 1+rng.IntN(9), rng)
		}
		report := analyze(t, in.Routing, in.Placement)
		lost, critical, most := 0, 0, new(big.Rat)
		for l := range in.Torus.M() {
			n, load := slow(without{in.Routing, core.Link(l)}, in.Placement)
			if n > 0 {
				critical++
			}
			if lost = max(lost, n); load.Cmp(most) > 0 {
				most = load
			}
		}
		if report.DisconnectedPairs != lost || report.CriticalLinks != critical || report.MaxLoadAfterFault.Cmp(most) != 0 {
			t.Fatalf("%s: lost %d, critical %d, load %s; the definition says %d, %d, %s", in,
				report.DisconnectedPairs, report.CriticalLinks, report.MaxLoadAfterFault.RatString(), lost, critical,
				most.RatString())
		}
		if want, _ := objective.Naive(in.Routing, in.Placement).Max(); report.MaxLoad.Cmp(want) != 0 {
			t.Fatalf("%s: load without a fault %s, naive %s", in, report.MaxLoad.RatString(), want.RatString())
		}
		checkWorstLinks(t, in, report)
	}
}

// checkWorstLinks breaks the links that the report names.
func checkWorstLinks(t *testing.T, in coretest.Instance, report faults.Report) {
	t.Helper()
	lost := report.DisconnectedPairs
	if n, _ := slow(without{in.Routing, report.CutLink}, in.Placement); lost > 0 && n != lost {
		t.Fatalf("%s: breaking link %d loses %d pairs, not %d", in, report.CutLink, n, lost)
	}
	if _, load := slow(without{in.Routing, report.LoadLink}, in.Placement); load.Cmp(report.MaxLoadAfterFault) != 0 {
		t.Fatalf("%s: breaking link %d gives %s, not %s", in, report.LoadLink, load.RatString(),
			report.MaxLoadAfterFault.RatString())
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
				if _, err := faults.Analyze(context.Background(), objective.Problem{Routing: r}, p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// slowClients is slow under client traffic: a pair that loses the way of its requests or of its replies sends neither.
func slowClients(q objective.Problem, link core.Link, p core.Placement) (lost int, most *big.Rat) {
	torus, loads, most := p.Torus(), map[core.Link]*big.Rat{}, new(big.Rat)
	for _, processor := range p.Nodes() {
		for client := range torus.N() {
			if client == processor {
				continue
			}
			var requests, replies [][]core.Link
			for path := range (without{q.Routing, link}).Paths(client, processor, nil) {
				requests = append(requests, append([]core.Link(nil), path...))
			}
			for path := range (without{q.ReplyRouting(), link}).Paths(processor, client, nil) {
				replies = append(replies, append([]core.Link(nil), path...))
			}
			if q.Traffic.Request > 0 && len(requests) == 0 || q.Traffic.Reply > 0 && len(replies) == 0 {
				lost++
				continue
			}
			for i, paths := range [][][]core.Link{requests, replies} {
				for _, path := range paths {
					for _, l := range path {
						_, port := torus.LinkFrom(l)
						count := []int{q.Traffic.Request, q.Traffic.Reply}[i]
						if loads[l] == nil {
							loads[l] = new(big.Rat)
						}
						share := big.NewRat(int64(count), int64(len(paths)*torus.Bandwidth(port.Dim)))
						if loads[l].Add(loads[l], share); loads[l].Cmp(most) > 0 {
							most = loads[l]
						}
					}
				}
			}
		}
	}
	return lost, most
}

// TestClientsEqualDefinition breaks every link under client traffic.
func TestClientsEqualDefinition(t *testing.T) {
	for i := range coretest.Cases(150, 60) {
		rng := coretest.Rng(75, i)
		in := coretest.RandomOn(rng, coretest.AnyNetwork(rng, 14))
		traffic := objective.Traffic{Request: rng.IntN(3), Reply: rng.IntN(3)}
		if !traffic.Clients() || in.Routing.DependsOnPlacement() || !routing.Uniform(in.Routing) {
			continue
		}
		if i%2 == 0 && traffic.Request > 0 && traffic.Reply > 0 {
			traffic.Replies = coretest.Orders(rng, in.Torus)
		}
		s := family.Draw(in.Torus, 1+rng.IntN(min(4, in.Torus.N())), rng)
		q := coretest.Must(objective.Problem{Routing: in.Routing, Size: s.Size()}.WithTraffic(traffic))
		report := coretest.Must(faults.Analyze(context.Background(), q, s))
		lost, critical, most := 0, 0, new(big.Rat)
		for l := range in.Torus.M() {
			if !in.Torus.HasLink(core.Link(l)) {
				continue
			}
			n, load := slowClients(q, core.Link(l), s)
			if n > 0 {
				critical++
			}
			if lost = max(lost, n); load.Cmp(most) > 0 {
				most = load
			}
		}
		if report.DisconnectedPairs != lost || report.CriticalLinks != critical ||
			report.MaxLoadAfterFault.Cmp(most) != 0 || report.Pairs != s.Size()*(in.Torus.N()-1) {
			t.Fatalf("%s at %v: %+v, load %s; the definition says %d lost, %d critical, %s", q, s.Coords(), report,
				report.MaxLoadAfterFault.RatString(), lost, critical, most.RatString())
		}
		if want, _ := q.Naive(s).Max(); report.MaxLoad.Cmp(want) != 0 {
			t.Fatalf("%s: load without a fault %s, naive %s", q, report.MaxLoad.RatString(), want.RatString())
		}
	}
}

// TestMatrixEqualsDefinition breaks every link under what tasks send each other.
func TestMatrixEqualsDefinition(t *testing.T) {
	tried := 0
	for i := range coretest.Cases(300, 100) {
		rng := coretest.Rng(76, i)
		in := coretest.RandomOn(rng, coretest.AnyNetwork(rng, 14))
		if in.Routing.DependsOnPlacement() || !routing.Uniform(in.Routing) || routing.Complete(in.Routing) != nil {
			continue
		}
		tried++
		at := rng.Perm(in.Torus.N())[:1+rng.IntN(min(5, in.Torus.N()))]
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
		m := coretest.Must(objective.NewMatrix(len(at), pairs, amounts, func(int) string { return "" }))
		q := coretest.Must(objective.Problem{Routing: in.Routing}.WithTraffic(objective.Traffic{Matrix: m}))
		s := coretest.Must(core.PlaceTasks(in.Torus, at))
		report := coretest.Must(faults.Analyze(context.Background(), q, s))
		lost, critical, most := 0, 0, new(big.Rat)
		for l := range core.Link(in.Torus.M()) {
			if !in.Torus.HasLink(l) {
				continue
			}
			none, loads := 0, map[core.Link]*big.Rat{}
			for k, pair := range pairs {
				var paths [][]core.Link
				for path := range (without{in.Routing, l}).Paths(at[pair[0]], at[pair[1]], nil) {
					paths = append(paths, append([]core.Link(nil), path...))
				}
				if len(paths) == 0 {
					none++
				}
				for _, path := range paths {
					for _, x := range path {
						if loads[x] == nil {
							loads[x] = new(big.Rat)
						}
						share := big.NewRat(1, int64(len(paths)*in.Torus.LinkBandwidth(x)))
						if loads[x].Add(loads[x], share.Mul(share, amounts[k])); loads[x].Cmp(most) > 0 {
							most = loads[x]
						}
					}
				}
			}
			if lost = max(lost, none); none > 0 {
				critical++
			}
		}
		if report.DisconnectedPairs != lost || report.CriticalLinks != critical ||
			report.MaxLoadAfterFault.Cmp(most) != 0 || report.Pairs != len(pairs) {
			t.Fatalf("case %d, %s at %v: %+v, load %s; the definition says %d lost, %d critical, %s", i, q, at, report,
				report.MaxLoadAfterFault.RatString(), lost, critical, most.RatString())
		}
	}
	if tried < 30 {
		t.Errorf("only %d cases", tried)
	}
}
