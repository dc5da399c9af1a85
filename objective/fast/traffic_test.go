package fast_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/texts"
)

// clients returns a problem with random client traffic; avoid becomes udr, from whose paths it chooses.
func clients(rng *rand.Rand, p objective.Problem) objective.Problem {
	if avoid, ok := p.Routing.(*routing.Avoid); ok {
		p.Routing = avoid.Candidates()
	}
	traffic := objective.Traffic{Request: rng.IntN(4), Reply: rng.IntN(4)}
	if !traffic.Clients() {
		traffic = objective.Traffic{Request: 1, Reply: 1}
	}
	if r := coretest.Routing(rng, p.Torus()); rng.IntN(2) == 0 && !r.DependsOnPlacement() &&
		traffic.Request > 0 && traffic.Reply > 0 {
		traffic.Replies = r
	}
	return coretest.Must(p.WithTraffic(traffic))
}

// someClients returns a random problem with client traffic on a network, and a placement of it.
func someClients(rng *rand.Rand, torus *core.Torus) (objective.Problem, core.Placement) {
	in := coretest.RandomOn(rng, torus)
	p := objective.Problem{Routing: in.Routing, Size: in.Placement.Size()}
	if rng.IntN(8) == 0 && !torus.Twisted() {
		p.Routing = coretest.Table(rng, torus, !torus.Closed() || rng.IntN(2) == 0)
	}
	return clients(rng, p), in.Placement
}

// listed returns the loads of client traffic by a listing of its own: every node sends every processor its requests and
// gets its replies, each by the weights of the paths of its routing.
func listed(p objective.Problem, s core.Placement) []*big.Rat {
	t := p.Torus()
	loads := make([]*big.Rat, t.M())
	for l := range loads {
		loads[l] = new(big.Rat)
	}
	send := func(r routing.Routing, from, to, messages int) {
		total := int64(0)
		for _, weight := range r.Paths(from, to, nil) {
			total += weight
		}
		for path, weight := range r.Paths(from, to, nil) {
			for _, l := range path {
				_, port := t.LinkFrom(l)
				loads[l].Add(loads[l], big.NewRat(int64(messages)*weight, total*int64(t.Bandwidth(port.Dim))))
			}
		}
	}
	for v := range t.N() {
		for _, processor := range s.Nodes() {
			if v != processor {
				send(p.Routing, v, processor, p.Traffic.Request)
				send(p.ReplyRouting(), processor, v, p.Traffic.Reply)
			}
		}
	}
	return loads
}

// TestClientsAgainstListing compares every evaluator of client traffic with a listing of all messages.
func TestClientsAgainstListing(t *testing.T) {
	for i := range coretest.Cases(4000, 400) {
		rng := coretest.Rng(1301, i)
		torus := coretest.AnyNetwork(rng, 30)
		if rng.IntN(3) == 0 {
			torus = coretest.Torus(rng, 30)
		}
		p, s := someClients(rng, torus)
		what := fmt.Sprintf("%s, nodes %v", p, s.Nodes())
		want, naive, quick := listed(p, s), p.Naive(s), fast.Evaluate(p, s)
		for l, load := range want {
			if naive.Load(core.Link(l)).Cmp(load) != 0 {
				t.Fatalf("%s: link %d has load %s, naive %s", what, l, load, naive.Load(core.Link(l)))
			}
		}
		sameLoads(t, what, quick, naive)
		sameLoads(t, what+" pairwise", coretest.Must(p.Pairwise(s, nil, nil)), naive)
		if displaced := fast.Displaced(p, s); displaced != nil {
			sameLoads(t, what+" displaced", displaced, naive)
		}
		den := p.Denominator()
		for l := range want {
			if load := new(big.Rat).Mul(want[l], new(big.Rat).SetInt(den)); !load.IsInt() {
				t.Fatalf("%s: load %s is not a multiple of 1/%s", what, want[l], den)
			}
		}
	}
}

// TestNodeLoads compares the loads of single nodes with the definition, stored or not, and that they add up.
func TestNodeLoads(t *testing.T) {
	for i := range coretest.Cases(600, 100) {
		rng := coretest.Rng(1302, i)
		p, _ := someClients(rng, coretest.AnyNetwork(rng, 24))
		stored := coretest.Must(fast.NewNodeLoads(p, nil))
		moved, computed := stored.Unstored()
		scratch := make([]int64, p.Torus().M())
		for v := range p.Torus().N() {
			want := p.Naive(core.MustPlacement(p.Torus(), []int{v}))
			for name, n := range map[string]*fast.NodeLoads{"stored": stored, "translated": moved, "computed": computed} {
				for l, load := range n.Row(v, scratch) {
					if w := want.Load(core.Link(l)); w.Cmp(big.NewRat(load, n.Den())) != 0 {
						t.Fatalf("%s: %s, node %d puts %d/%d on link %d, naive %s", p, name, v, load, n.Den(), l, w.RatString())
					}
				}
			}
		}
	}
}

// TestClientsIncrementally makes random changes and compares peaks with evaluations from scratch.
func TestClientsIncrementally(t *testing.T) {
	for i := range coretest.Cases(400, 80) {
		rng := coretest.Rng(1303, i)
		p, s := someClients(rng, coretest.AnyNetwork(rng, 24))
		n := p.Torus().N()
		for _, e := range []fast.Incremental{coretest.Must(fast.NewIncremental(p, n)),
			fast.Additive(coretest.Must(fast.NewNodeLoads(p, nil)))} {
			e.Reset(s.Nodes())
			now := slices.Clone(s.Set())
			check := func(what string, set core.Set, most int64, links int) {
				t.Helper()
				value, count := p.Naive(core.MustPlacement(p.Torus(), set.Nodes())).Max()
				if most == 0 {
					links = 0
				}
				if value.Cmp(big.NewRat(most, e.Den())) != 0 || links != count {
					t.Fatalf("%s: %s %v: %d/%d on %d links, naive %s on %d", p, what, set.Nodes(), most, e.Den(), links,
						value.RatString(), count)
				}
			}
			for range 6 {
				nodes := now.Nodes()
				switch v := rng.IntN(n); {
				case !now.Has(v) && len(nodes) > 0 && rng.IntN(3) > 0:
					out := nodes[rng.IntN(len(nodes))]
					after := slices.Clone(now)
					after.Remove(out)
					after.Add(v)
					most, links := e.TrySwap(out, v)
					check("try", after, most, links)
					most, links = e.Peak()
					check("still", now, most, links)
					e.Swap(out, v)
					now = after
				case now.Has(v):
					e.Remove(v)
					if rng.IntN(2) == 0 {
						e.Undo()
					} else {
						now.Remove(v)
					}
				default:
					e.Add(v)
					now.Add(v)
				}
				most, links := e.Peak()
				check("after", now, most, links)
			}
		}
	}
}

// TestClientsOnLargerNetworks compares the sums of lines with the flows of pairs where naive takes too long.
func TestClientsOnLargerNetworks(t *testing.T) {
	for i := range coretest.Cases(40, 8) {
		rng := coretest.Rng(1304, i)
		torus := coretest.Network(rng, 300)
		p := clients(rng, objective.Problem{Routing: coretest.Orders(rng, torus)})
		s := family.Draw(torus, rng.IntN(min(torus.N(), 12)), rng)
		sameLoads(t, fmt.Sprintf("%s, nodes %v", p, s.Nodes()), fast.Evaluate(p, s),
			coretest.Must(p.Pairwise(s, nil, nil)))
	}
}

// TestClientsGroup: elements of the group leave E_max of client traffic as it is.
func TestClientsGroup(t *testing.T) {
	larger := 0
	for i := range coretest.Cases(400, 80) {
		rng := coretest.Rng(1305, i)
		p, _ := someClients(rng, coretest.AnyNetwork(rng, 30))
		if routing.ByPair(p.Routing) {
			continue
		}
		group, err := fast.Group(context.Background(), p)
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		if group.Points() > 1 {
			larger++
		}
		for range 3 {
			s := coretest.Placement(rng, p.Torus())
			shifts := group.Shifts()
			images := group.Images(rng.IntN(group.Points()), shifts[rng.IntN(len(shifts))])
			moved := make([]int, s.Size())
			for j, v := range s.Nodes() {
				moved[j] = images[v]
			}
			a, m := p.Naive(s).Max()
			b, n := p.Naive(core.MustPlacement(p.Torus(), moved)).Max()
			if a.Cmp(b) != 0 || m != n {
				t.Fatalf("%s: %v goes to %v, E_max %s on %d links and %s on %d", p, s.Nodes(), moved, a.RatString(), m,
					b.RatString(), n)
			}
		}
	}
	if larger == 0 {
		t.Error("no group had more than translations")
	}
}

// TestGroupOfClients counts elements where the answer is known: requests and replies of one routing keep all that the
// routing keeps, requests alone lose the exchange of dimensions.
func TestGroupOfClients(t *testing.T) {
	for _, c := range []struct {
		where, routed string
		want          int
	}{
		{"4x4:open=0,1", "odr:tie=both", 8},
		{"4x4:open=0,1:traffic=clients:request=1:reply=1", "odr:tie=both", 8},
		{"4x4:open=0,1:traffic=clients:request=1:reply=0", "odr:tie=both", 4},
		{"4x4:open=0,1:traffic=clients:request=1:reply=1:reply-routing=odr:order=1,0:tie=both", "odr:tie=both", 4},
		{"4x4:open=0,1:traffic=clients:request=1:reply=3", "udr:tie=both", 8},
		{"5x5:traffic=clients:request=2:reply=1", "udr:tie=plus", 200},
	} {
		p := coretest.Must(texts.ParseProblem(c.where, c.routed, 2))
		if got := coretest.Must(fast.Group(context.Background(), p)).Order(); got != c.want {
			t.Errorf("%s under %s: %d elements, want %d", c.where, c.routed, got, c.want)
		}
	}
}

// TestKnownControllers evaluates placements whose E_max an outside program computed from a listing of paths, and the
// spaced placement of two residues on the torus, which reaches the optimum under all three routings (MIP solver).
func TestKnownControllers(t *testing.T) {
	for _, c := range []struct{ where, routed, placement, want string }{
		{"8x8:traffic=clients:request=1:reply=1", "odr:tie=both", "spaced:t=2", "44"},
		{"8x8:traffic=clients:request=1:reply=1:reply-routing=odr:order=1,0:tie=both", "odr:tie=both", "spaced:t=2", "32"},
		{"8x8:traffic=clients:request=1:reply=1", "udr:tie=both", "spaced:t=2", "32"},
		{"8x8:traffic=clients:request=1:reply=1", "odr:tie=both", "diamond", "64"},
		{"8x8:open=0,1:traffic=clients:request=1:reply=1", "odr:tie=both", "diamond", "78"},
		{"8x8:open=0,1:traffic=clients:request=1:reply=1:reply-routing=odr:order=1,0:tie=both", "odr:tie=both", "diamond",
			"64"},
		{"8x8:open=0,1:traffic=clients:request=1:reply=1", "udr:tie=both", "diamond", "64"},
	} {
		p := coretest.Must(texts.ParseProblem(c.where, c.routed, 16))
		s := coretest.Must(family.Parse(p.Torus(), c.placement))
		if got, _ := p.Naive(s).Max(); got.RatString() != c.want {
			t.Errorf("%s %s: E_max %s, want %s", p, c.placement, got.RatString(), c.want)
		}
	}
}
