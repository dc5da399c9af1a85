package explain_test

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/congestion"
	"leeway/results"
	"leeway/results/explain"
)

// The pairs on the busiest link are those whose listed paths use it, and their shares add up to its load.
func TestBusiestLink(t *testing.T) {
	for i := range 200 {
		rng := coretest.Rng(15, i)
		c := coretest.Random(rng, 30)
		if i%2 == 0 {
			c = coretest.RandomOn(rng, coretest.AnyNetwork(rng, 30))
		}
		e := coretest.Must(explain.Parts(context.Background(), c.Placement, congestion.DefaultOptions()))
		best := explain.Known{MaxLoad: "1/4", LowerBound: "0", Source: "atlas"}
		coretest.Try(e.SetUnder(context.Background(), objective.Problem{Routing: c.Routing}, c.Placement, &best))
		checkBusiest(t, c.Routing, c.Placement, *e.Under)
	}
}

func checkBusiest(t *testing.T, r routing.Routing, p core.Placement, u explain.Under) {
	t.Helper()
	torus, b := p.Torus(), u.Busiest
	dir := core.Plus
	if b.Dir == "-" {
		dir = core.Minus
	}
	from, _ := torus.Node(b.From...)
	link := torus.Link(from, b.Dim, dir)
	naive := objective.Naive(r, p)
	most, _ := naive.Max()
	if naive.Load(link).Cmp(most) != 0 || u.MaxLoad != most.RatString() {
		t.Fatalf("%v %v: link %v has load %v, E_max is %v", r, p.Coords(), b, naive.Load(link), most)
	}
	listed := map[[2]int]bool{}
	for _, v := range p.Nodes() {
		for _, w := range p.Nodes() {
			if v == w {
				continue
			}
			for path := range r.Paths(v, w, p.Set()) {
				if slices.Contains(path, link) {
					listed[[2]int{v, w}] = true
				}
			}
		}
	}
	sum := new(big.Rat)
	for _, pair := range b.Pairs {
		share := coretest.Must(results.ParseFraction(pair.Share))
		sum.Add(sum, share)
		v, _ := torus.Node(pair.From...)
		w, _ := torus.Node(pair.To...)
		if !listed[[2]int{v, w}] {
			t.Errorf("%v %v: no path of %v uses link %v", r, p.Coords(), pair, b)
		}
		delete(listed, [2]int{v, w})
	}
	if sum.Cmp(most) != 0 || len(listed) > 0 {
		t.Errorf("%v %v: shares of %v add up to %v, E_max is %v", r, p.Coords(), b, sum, most)
	}
	lost := new(big.Rat).Sub(most, big.NewRat(1, 4))
	if lost.Sign() < 0 {
		lost.SetInt64(0)
	}
	if *u.LostToPlacement != lost.RatString() {
		t.Errorf("%s is lost to the placement, want %v", *u.LostToPlacement, lost)
	}
}

// Under client traffic E_max by routing is that of listed messages, the best minimal routing lies inside its interval,
// and the shares of the busiest link, by message and by processor, are those of the listed paths.
func TestClients(t *testing.T) {
	for i := range 200 {
		rng := coretest.Rng(16, i)
		c := coretest.RandomOn(rng, coretest.AnyNetwork(rng, 24))
		traffic := objective.Traffic{Request: rng.IntN(3), Reply: rng.IntN(3)}
		if !traffic.Clients() || c.Routing.DependsOnPlacement() || c.Placement.Size() == 0 {
			continue
		}
		if traffic.Request > 0 && traffic.Reply > 0 && i%2 == 0 {
			traffic.Replies = coretest.Orders(rng, c.Placement.Torus())
		}
		q := coretest.Must(objective.Problem{Routing: c.Routing, Size: c.Placement.Size()}.WithTraffic(traffic))
		e := coretest.Must(explain.OfTraffic(context.Background(), q, c.Placement, congestion.DefaultOptions(),
			bound.Best(explain.AnyRouting(bound.QuickBounds(q)))))
		if len(e.MaxLoad) != len(explain.Routings)-1 || e.MaxLoad["avoid"] != "" {
			t.Fatalf("loads of %v", e.MaxLoad)
		}
		upper := coretest.Must(results.ParseFraction(e.BestMinimal.Upper))
		lower := coretest.Must(results.ParseFraction(e.BestMinimal.Lower))
		for name, load := range e.MaxLoad {
			r := coretest.Must(routing.Parse(c.Placement.Torus(), name))
			want := most(listed(r, r, q.Traffic, c.Placement))
			if want.RatString() != load || want.Cmp(upper) < 0 || want.Cmp(lower) < 0 {
				t.Fatalf("%v %v under %s: %s, want %v, best minimal %v..%v", q, c.Placement.Coords(), name, load, want, lower,
					upper)
			}
			if lost := new(big.Rat).Sub(want, upper).RatString(); e.LostToRouting[name] != lost {
				t.Errorf("%s: %s is lost, want %s", name, e.LostToRouting[name], lost)
			}
		}
		coretest.Try(e.SetUnder(context.Background(), q, c.Placement, nil))
		if coretest.Must(results.ParseFraction(e.Under.LostToRouting)).Sign() < 0 && routing.Shortest(q.Routing) {
			t.Errorf("%v: %s is lost to the routing", q, e.Under.LostToRouting)
		}
		checkCauses(t, q, c.Placement, *e.Under)
	}
}

// A share is what a message of one kind puts on a link.
type share struct {
	kind     string
	from, to int
}

// listed returns the shares of all messages of clients by link, from their listed paths.
func listed(requests, replies routing.Routing, traffic objective.Traffic, p core.Placement) []map[share]*big.Rat {
	torus := p.Torus()
	links := make([]map[share]*big.Rat, torus.M())
	for _, processor := range p.Nodes() {
		for client := range torus.N() {
			for _, s := range []share{{"request", client, processor}, {"reply", processor, client}} {
				r, count := requests, traffic.Request
				if s.kind == "reply" {
					r, count = replies, traffic.Reply
				}
				if client == processor || count == 0 {
					continue
				}
				paths := int64(0)
				for _, weight := range r.Paths(s.from, s.to, nil) {
					paths += weight
				}
				for path, weight := range r.Paths(s.from, s.to, nil) {
					for _, l := range path {
						if links[l] == nil {
							links[l] = map[share]*big.Rat{}
						}
						if links[l][s] == nil {
							links[l][s] = new(big.Rat)
						}
						_, port := torus.LinkFrom(l)
						links[l][s].Add(links[l][s], big.NewRat(int64(count)*weight, paths*int64(torus.Bandwidth(port.Dim))))
					}
				}
			}
		}
	}
	return links
}

func total(shares map[share]*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for _, s := range shares {
		sum.Add(sum, s)
	}
	return sum
}

func most(links []map[share]*big.Rat) *big.Rat {
	m := new(big.Rat)
	for _, shares := range links {
		if s := total(shares); s.Cmp(m) > 0 {
			m = s
		}
	}
	return m
}

func checkCauses(t *testing.T, q objective.Problem, p core.Placement, u explain.Under) {
	t.Helper()
	torus, b := p.Torus(), u.Busiest
	links := listed(q.Routing, q.ReplyRouting(), q.Traffic, p)
	dir := core.Plus
	if b.Dir == "-" {
		dir = core.Minus
	}
	want := links[torus.Link(coretest.Must(torus.Node(b.From...)), b.Dim, dir)]
	if sum := total(want); sum.Cmp(most(links)) != 0 || sum.RatString() != u.MaxLoad {
		t.Fatalf("%v: link %v has load %v, E_max is %v, said to be %s", q, b, sum, most(links), u.MaxLoad)
	}
	if len(b.Pairs) != len(want) {
		t.Errorf("%v: %d messages on the busiest link, want %d", q, len(b.Pairs), len(want))
	}
	for _, pair := range b.Pairs {
		s := share{pair.Kind, coretest.Must(torus.Node(pair.From...)), coretest.Must(torus.Node(pair.To...))}
		if want[s] == nil || want[s].RatString() != pair.Share {
			t.Errorf("%v: %v has share %s, want %v", q, s, pair.Share, want[s])
		}
	}
	sum, last := new(big.Rat), big.NewRat(1<<40, 1)
	for _, c := range b.Processors {
		v := coretest.Must(torus.Node(c.Node...))
		parts, clients := map[string]*big.Rat{"request": {}, "reply": {}}, map[int]bool{}
		for s, load := range want {
			if client := s.from + s.to - v; s.kind == "request" && s.to == v || s.kind == "reply" && s.from == v {
				parts[s.kind].Add(parts[s.kind], load)
				clients[client] = true
			}
		}
		both := new(big.Rat).Add(parts["request"], parts["reply"])
		if c.Requests != parts["request"].RatString() || c.Replies != parts["reply"].RatString() ||
			c.Share != both.RatString() || c.Clients != len(clients) || both.Cmp(last) > 0 {
			t.Errorf("%v: %+v, want %v in all, %v, %d clients", q, c, both, parts, len(clients))
		}
		sum.Add(sum, both)
		last = both
	}
	if sum.RatString() != u.MaxLoad {
		t.Errorf("%v: shares of processors add up to %v, E_max is %s", q, sum, u.MaxLoad)
	}
}

// TestWhatIsNotKnownInTimeIsLeftOut ends the context sooner and later: loads that are given are right, and the bounds
// of the best minimal routing enclose what there is to know.
func TestWhatIsNotKnownInTimeIsLeftOut(t *testing.T) {
	network := coretest.Must(core.ParseNetwork("7x7:open=0,1"))
	p := core.MustPlacement(network, []int{0, 7, 30, 31, 40, 48})
	q := coretest.Must(coretest.Must(objective.NewProblem(routing.NewUDR(network, routing.TiePlus), 6)).WithTraffic(
		objective.Traffic{Request: 1, Reply: 3}))
	effort := congestion.Options{Rounds: 2}
	for _, of := range []func(context.Context) (explain.Explanation, error){
		func(ctx context.Context) (explain.Explanation, error) { return explain.Parts(ctx, p, effort) },
		func(ctx context.Context) (explain.Explanation, error) {
			return explain.OfTraffic(ctx, q, p, effort, bound.QuickBound(q))
		},
	} {
		full := coretest.Must(of(t.Context()))
		some := 0
		for _, looks := range []int{0, 1, 2, 3, 5, 8, 13} {
			e, err := of(coretest.EndsAfter(looks))
			if err != nil {
				if err != context.Canceled {
					t.Error(err)
				}
				continue
			}
			some++
			for name, load := range e.MaxLoad {
				if load != full.MaxLoad[name] {
					t.Errorf("%d looks: E_max %s under %s, not %s", looks, load, name, full.MaxLoad[name])
				}
			}
			if len(e.MaxLoad)+len(e.Missing()) != len(full.MaxLoad) || len(full.Missing()) > 0 {
				t.Errorf("%d looks: %v are known, %v are not", looks, e.MaxLoad, e.Missing())
			}
			if fraction(e.BestMinimal.Lower).Cmp(fraction(full.BestMinimal.Upper)) > 0 ||
				fraction(e.BestMinimal.Upper).Cmp(fraction(full.BestMinimal.Lower)) < 0 {
				t.Errorf("%d looks: %+v, with time %+v", looks, e.BestMinimal, full.BestMinimal)
			}
		}
		if some == 0 {
			t.Error("nothing is ever known before the end")
		}
	}
}

func fraction(text string) *big.Rat { return coretest.Must(results.ParseFraction(text)) }
