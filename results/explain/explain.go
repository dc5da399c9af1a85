// Package explain says how much of a placement's load is due to the placement and how much to the routing.
//
// What the best minimal routing of a placement stays above a bound that holds for every placement of the size is lost
// to the placement; what a routing stays above the best minimal routing is lost to the routing.
package explain

import (
	"cmp"
	"context"
	"math/big"
	"slices"
	"strings"
	"time"

	"leeway/core"
	"leeway/core/linkname"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/congestion"
	"leeway/objective/fast"
	"leeway/objective/lowerbound"
	"leeway/results"
	"leeway/results/answers"
	"leeway/results/compose"
)

// applying returns those of Routings that a network has.
func applying(t *core.Network) []string {
	if !t.HasDimensions() {
		return []string{"minimal"}
	}
	return Routings
}

// Routings are compared, in this order, those that a network has.
var Routings = []string{"odr", "odr:tie=both", "udr", "udr:tie=both", "minimal", "avoid"}

// Schema is that of explanations.
const Schema = "leeway/explanation/1"

// An Explanation is what the command explain prints as JSON.
type Explanation struct {
	Schema string `json:"schema"`
	results.Grid
	results.Setting
	Size    int               `json:"size"`
	Nodes   [][]int           `json:"nodes"`
	MaxLoad map[string]string `json:"max_load"`
	// BestMinimal bounds the smallest E_max of any fractional minimal routing.
	BestMinimal BestMinimal `json:"best_minimal"`
	// Bounds of the placement, null where they are not known.
	Bounds []answers.Bound `json:"bounds"`
	// PlacementFree is the best bound that holds for every placement of the size and every minimal routing.
	PlacementFree answers.Bound `json:"placement_free"`
	// LostToPlacement is best_minimal.lower minus placement_free.
	LostToPlacement string `json:"lost_to_placement"`
	// LostToRouting is, by routing, max_load minus best_minimal.upper.
	LostToRouting map[string]string `json:"lost_to_routing"`
	// Under is about one routing, where one is asked about.
	Under *Under `json:"under,omitempty"`
}

// Under says what a placement loses under one routing: how much E_max would fall if the placement alone were
// changed, how much if the paths alone were, and what meets on the busiest link.
type Under struct {
	Routing         string  `json:"routing"` // canonical; under client traffic that of the requests
	MaxLoad         string  `json:"max_load"`
	Best            *Known  `json:"best_known"`        // null where none is
	LostToPlacement *string `json:"lost_to_placement"` // max_load minus best_known.max_load; null without that
	LostToRouting   string  `json:"lost_to_routing"`   // max_load minus best_minimal.upper
	Busiest         Busiest `json:"busiest_link"`
}

// Known is the smallest E_max that is known of any placement of a size under a routing, with a lower bound.
type Known struct {
	MaxLoad    string `json:"max_load"`
	LowerBound string `json:"lower_bound"`
	Source     string `json:"source"` // "atlas", "search" or "this placement"
}

// Optimal reports whether no placement is better.
func (k Known) Optimal() bool { return k.MaxLoad == k.LowerBound }

// Busiest is a link of load E_max, the first by number, with the pairs that load it, the largest shares first, under
// client traffic those of clients and processors, requests before replies. There are none where more than MaxPairs are
// to look at.
type Busiest struct {
	linkname.Ended
	Pairs []Pair `json:"pairs"`
	// Processors are those that load the link under client traffic, the largest shares first.
	Processors []Cause `json:"processors,omitempty"`
}

// Pair is what an ordered pair of nodes puts on a link, divided by the link's bandwidth: shares add up to its
// load.
type Pair struct {
	From  []int  `json:"from"`
	To    []int  `json:"to"`
	Kind  string `json:"kind,omitempty"` // under client traffic Request or Reply
	Share string `json:"share"`
}

// The kinds of pairs under client traffic.
const (
	Request = "request"
	Reply   = "reply"
)

// Cause is what a processor puts on a link under client traffic, divided by the link's bandwidth: the requests that it
// gets and the replies that it sends. Shares add up to the load of the link.
type Cause struct {
	Node     []int  `json:"node"`
	Share    string `json:"share"` // requests and replies together
	Requests string `json:"requests"`
	Replies  string `json:"replies"`
	Clients  int    `json:"clients"` // whose requests or replies may cross the link
}

// MaxPairs is the largest number of ordered pairs of nodes, requests and replies apart, whose paths are looked at.
const MaxPairs = 1 << 22

// BestMinimal is what is known of the smallest E_max of any fractional minimal routing.
type BestMinimal struct {
	Lower   string `json:"lower"`
	Upper   string `json:"upper"`
	Optimal bool   `json:"optimal"`
}

// Bounds returns the bounds of a placement that hold under every minimal routing, or the error of the context.
func Bounds(ctx context.Context, p core.Placement) ([]answers.Bound, error) {
	list, err := bound.PlacementBounds(ctx, routing.NewMinimal(p.Torus(), routing.TieBoth), p)
	return items(AnyRouting(list)), err
}

// Parts returns the loads and the best minimal routing of a placement, all but Bounds, which take about as long. The
// options bound the effort for the best minimal routing; with less of it, or when the context ends, the two sides may
// be further apart. Loads take at most half of the time that the context has: those that are not known then are left
// out. Errors are those of congestion.Solve, and of the context where not even one load is known.
func Parts(ctx context.Context, p core.Placement, o congestion.Options) (Explanation, error) {
	e, loads, lower, upper, err := begin(ctx, objective.Problem{}, p, o)
	if err != nil {
		return e, err
	}
	all := routing.NewMinimal(p.Torus(), routing.TieBoth)
	free, err := bound.ProblemBounds(ctx, objective.Problem{Routing: all, Size: p.Size()})
	if err != nil {
		free = bound.QuickBounds(objective.Problem{Routing: all, Size: p.Size()})
	}
	e.PlacementFree = compose.NewBound(bound.Best(AnyRouting(free)))
	e.setInterval(lower, upper, loads)
	return e, nil
}

// begin returns an explanation with the loads by routing, and lower and upper bounds of the best minimal routing.
func begin(ctx context.Context, q objective.Problem, p core.Placement, o congestion.Options) (e Explanation,
	loads map[string]*big.Rat, lower, upper *big.Rat, err error) {
	e = Explanation{Schema: Schema, Grid: compose.GridOf(p.Torus()), Setting: compose.SettingOf(q).WithTasks(p),
		Size: p.Size(), Nodes: p.Coords(), MaxLoad: map[string]string{}}
	if loads, upper, err = loadsByRouting(ctx, q.Traffic, p); err != nil {
		return e, nil, nil, nil, err
	}
	for name, load := range loads {
		e.MaxLoad[name] = load.RatString()
	}
	best, err := congestion.SolveTraffic(ctx, p, q.Traffic, o)
	switch {
	case err != nil && ctx.Err() != nil:
		return e, loads, new(big.Rat), upper, nil
	case err == nil && best.Upper.Cmp(upper) < 0:
		upper = best.Upper
	}
	return e, loads, best.Lower, upper, err
}

// OfTraffic returns the loads of a placement under the traffic of a problem, client traffic or a matrix, where requests
// and replies both go by one of Routings, but for avoid, whose paths depend on the placement. Nothing is said of other
// routings for replies; see SetUnder. Free is a bound for every placement of the size and any routing. The options
// bound the effort for the best minimal routing, as in Parts, and time is shared as there. Errors are those of Parts.
func OfTraffic(ctx context.Context, q objective.Problem, p core.Placement, o congestion.Options,
	free lowerbound.Bound) (Explanation, error) {
	e, loads, lower, upper, err := begin(ctx, q, p, o)
	if err != nil {
		return e, err
	}
	bounds, err := bound.DemandBounds(ctx, q, p)
	if err != nil {
		bounds = []lowerbound.Bound{free}
	}
	bounds = AnyRouting(bounds)
	e.Bounds = items(bounds)
	if b := bound.Best(bounds).Value; b.Cmp(lower) > 0 {
		lower = b
	}
	e.PlacementFree = compose.NewBound(free)
	e.setInterval(lower, upper, loads)
	return e, nil
}

// Missing returns the routings whose E_max was not known in time.
func (e *Explanation) Missing() []string {
	t, err := e.ReadGrid()
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(applying(t)), func(name string) bool {
		return e.MaxLoad[name] != "" || e.Traffic != "" && name == "avoid"
	})
}

// setInterval sets what is known of the best minimal routing, and what is lost.
func (e *Explanation) setInterval(lower, upper *big.Rat, loads map[string]*big.Rat) {
	e.BestMinimal = BestMinimal{lower.RatString(), upper.RatString(), lower.Cmp(upper) == 0}
	e.LostToRouting = map[string]string{}
	for name, load := range loads {
		e.LostToRouting[name] = new(big.Rat).Sub(load, upper).RatString()
	}
	free, _ := new(big.Rat).SetString(e.PlacementFree.Value) // of a fraction
	e.LostToPlacement = free.Sub(lower, free).RatString()
}

// SetUnder sets what is lost under routing and traffic of a problem, given the best that is known of its placements,
// nil if nothing is. Under client traffic a routing that is better than the others, as replies by one of their own may
// be, is the best minimal routing that is known. The cost is one evaluation, and the paths of all messages. Errors are
// those of fast.EvaluateContext.
func (e *Explanation) SetUnder(ctx context.Context, q objective.Problem, p core.Placement, best *Known) error {
	loads, err := fast.EvaluateContext(ctx, q, p)
	if err != nil {
		return err
	}
	most, _ := loads.Max()
	paths, err := results.ParseFraction(e.BestMinimal.Upper)
	if err != nil {
		return err
	}
	if q.Traffic.Clients() && most.Cmp(paths) < 0 {
		if err := e.lower(most); err != nil {
			return err
		}
		paths = most
	}
	u := Under{Routing: q.Routing.String(), MaxLoad: most.RatString(),
		LostToRouting: new(big.Rat).Sub(most, paths).RatString()}
	if best != nil {
		known, err := results.ParseFraction(best.MaxLoad)
		if err != nil {
			return err
		}
		u.Best = &Known{best.MaxLoad, best.LowerBound, best.Source}
		if most.Cmp(known) <= 0 {
			known, u.Best.MaxLoad, u.Best.Source = most, most.RatString(), "this placement"
		}
		lost := new(big.Rat).Sub(most, known).RatString()
		u.LostToPlacement = &lost
	}
	if u.Busiest, err = busiest(ctx, q, p, loads); err != nil {
		return err
	}
	e.Under = &u
	return nil
}

// lower sets the least E_max of a minimal routing that is known.
func (e *Explanation) lower(upper *big.Rat) error {
	lower, err := results.ParseFraction(e.BestMinimal.Lower)
	loads := map[string]*big.Rat{}
	for name, text := range e.MaxLoad {
		if err == nil {
			loads[name], err = results.ParseFraction(text)
		}
	}
	if err == nil {
		e.setInterval(lower, upper, loads)
	}
	return err
}

// busiest returns the first link of the largest load, with the pairs that load it.
func busiest(ctx context.Context, q objective.Problem, p core.Placement, loads *objective.Loads) (Busiest, error) {
	t := p.Torus()
	most, _ := loads.Max()
	link := core.Link(0)
	for loads.Load(link).Cmp(most) != 0 {
		link++
	}
	b := Busiest{Ended: linkname.NewEnded(t, link), Pairs: []Pair{}}
	pairs := p.Size() * (p.Size() - 1)
	switch {
	case q.Traffic.Matrix != nil:
		pairs = len(q.Traffic.Matrix.Demands)
	case q.Traffic.Clients():
		pairs = 2 * p.Size() * (t.N() - 1)
	}
	if pairs > MaxPairs {
		return b, nil
	}
	type loading struct {
		share *big.Rat
		pair  Pair
	}
	var list []loading
	causes := newCauses(p)
	for m := range q.Messages(p) {
		if ctx.Err() != nil {
			return b, ctx.Err()
		}
		flow := m.Routing.Flow(m.From, m.To, p.Set())
		i := slices.IndexFunc(flow.Shares, func(s routing.Share) bool { return s.Link == link })
		if i < 0 {
			continue
		}
		share := new(big.Rat).SetFrac(flow.Shares[i].Num, flow.Den)
		share.Mul(share, big.NewRat(m.Count, int64(t.LinkBandwidth(link)))).Mul(share, q.Traffic.Unit())
		pair := Pair{From: t.Coords(m.From), To: t.Coords(m.To), Share: share.RatString()}
		if q.Traffic.Clients() {
			pair.Kind = causes.add(m, share)
		}
		list = append(list, loading{share, pair})
	}
	slices.SortStableFunc(list, func(a, b loading) int {
		return cmp.Or(b.share.Cmp(a.share), -strings.Compare(a.pair.Kind, b.pair.Kind))
	})
	for _, l := range list {
		b.Pairs = append(b.Pairs, l.pair)
	}
	b.Processors = causes.list()
	return b, nil
}

// causes adds up shares of a link by processor, requests and replies apart.
type causes struct {
	placement         core.Placement
	requests, replies map[int]*big.Rat
	clients           map[int]map[int]bool // by processor
}

func newCauses(p core.Placement) causes {
	return causes{p, map[int]*big.Rat{}, map[int]*big.Rat{}, map[int]map[int]bool{}}
}

// add adds the share of a message and returns its kind.
func (c causes) add(m objective.Message, share *big.Rat) (kind string) {
	processor, client, sums, kind := m.To, m.From, c.requests, Request
	if m.Reply {
		processor, client, sums, kind = m.From, m.To, c.replies, Reply
	}
	if c.clients[processor] == nil {
		c.clients[processor] = map[int]bool{}
		c.requests[processor], c.replies[processor] = new(big.Rat), new(big.Rat)
	}
	c.clients[processor][client] = true
	sums[processor].Add(sums[processor], share)
	return kind
}

// list returns the processors with a share, the largest first.
func (c causes) list() []Cause {
	nodes := slices.DeleteFunc(slices.Clone(c.placement.Nodes()), func(v int) bool { return c.clients[v] == nil })
	total := func(v int) *big.Rat { return new(big.Rat).Add(c.requests[v], c.replies[v]) }
	slices.SortStableFunc(nodes, func(u, v int) int { return total(v).Cmp(total(u)) })
	var list []Cause
	for _, v := range nodes {
		list = append(list, Cause{Node: c.placement.Torus().Coords(v), Share: total(v).RatString(),
			Requests: c.requests[v].RatString(), Replies: c.replies[v].RatString(), Clients: len(c.clients[v])})
	}
	return list
}

// loadsByRouting returns E_max by routing, one and what else is known when half of the time of the context is over, and
// the least of them: each is the congestion of a minimal routing. The error is that of the context where none is known.
func loadsByRouting(ctx context.Context, traffic objective.Traffic, p core.Placement) (loads map[string]*big.Rat,
	least *big.Rat, err error) {
	loads = map[string]*big.Rat{}
	half, cancel := context.WithCancel(ctx)
	if end, timed := ctx.Deadline(); timed {
		half, cancel = context.WithTimeout(ctx, time.Until(end)/2)
	}
	defer cancel()
	for _, name := range applying(p.Torus()) {
		r, err := routing.Parse(p.Torus(), name)
		if err != nil {
			return nil, nil, err
		}
		if !traffic.ToAll() && r.DependsOnPlacement() {
			continue
		}
		q := objective.Problem{Routing: r, Size: p.Size(), Terms: objective.Terms{Traffic: traffic}}
		q.Traffic.Replies = nil
		within := half
		if least == nil {
			within = ctx
		}
		all, err := fast.EvaluateContext(within, q, p)
		if err != nil {
			continue // the context has ended
		}
		loads[name], _ = all.Max()
		if least == nil || loads[name].Cmp(least) < 0 {
			least = loads[name]
		}
	}
	if least == nil {
		err = ctx.Err()
	}
	return loads, least, err
}

// AnyRouting leaves out the bounds that hold for the given routing only.
func AnyRouting(bounds []lowerbound.Bound) []lowerbound.Bound {
	var list []lowerbound.Bound
	for _, b := range bounds {
		if b.Scope() != lowerbound.GivenRouting {
			list = append(list, b)
		}
	}
	return list
}

func items(bounds []lowerbound.Bound) []answers.Bound {
	list := make([]answers.Bound, len(bounds))
	for i, b := range bounds {
		list[i] = compose.NewBound(b)
	}
	return list
}
