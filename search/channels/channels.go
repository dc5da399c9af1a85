// Package channels searches for tables of single shortest paths that some virtual channels for each link keep free of
// deadlock, and whose most loaded link carries little.
package channels

import (
	"context"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/deadlock"
)

// Params says what to look for and how long.
type Params struct {
	Placement   core.Placement
	Traffic     objective.Traffic // requests and replies take the same table
	Channels    int               // of a link, at least 1
	Goal        *big.Rat          // a lower bound: stop there
	Start       routing.Routing   // whose first path of every pair the search starts from; nil: from any
	Seed        uint64
	Evaluations int64 // paths that may be chosen anew; 0: no limit but the context
	Observe     func(value *big.Rat, evaluations int64)
}

// A Result is the best table found.
type Result struct {
	Table       *routing.Weighted  // nil: none was found
	Order       []deadlock.Channel // by which all its paths go
	Value       *big.Rat           // E_max of the placement under Table
	Evaluations int64
}

const (
	maxSteps     = 1 << 24 // links of all courses
	kickAfter    = 6       // orders without progress after which one in kicked pairs takes another path
	kicked       = 4
	walksAnOrder = 2 // times the pairs: paths that are chosen anew under one order
)

// Search returns the best table that it finds until the goal is reached, the evaluations are spent or the context ends.
// It depends on the parameters only, unless the context ends it. Errors are *core.InputError: a placement with too many
// paths, a network in which several links join two nodes, or one channel where that is not enough for any table; and
// that of the context where it ends before there are any paths.
//
// Paths and an order of the channels by which all of them go are changed in turn. A path that crosses a link with more
// than a limit is taken anew, of all that go by the order one that adds least to what links carry above the limit;
// after some, another order is drawn by which the paths that there are go. The limit is below the best so far.
func Search(ctx context.Context, p Params) (Result, error) {
	s, err := newSearch(ctx, p)
	if err != nil {
		return Result{}, err
	}
	for (s.best == nil || s.value > s.goal) && !s.spent(ctx) {
		s.walks.Shuffle(s.rng)
		if s.stale++; s.stale%kickAfter == 0 {
			s.kick()
		}
		s.improve(ctx)
	}
	if s.best == nil {
		return Result{Evaluations: s.evaluations}, nil
	}
	table, err := s.table()
	return Result{Table: table, Order: s.order, Value: s.fraction(s.value), Evaluations: s.evaluations}, err
}

// spent reports whether the search is over.
func (s *run) spent(ctx context.Context) bool {
	return ctx.Err() != nil || s.Evaluations > 0 && s.evaluations >= s.Evaluations
}

// A run is one search.
type run struct {
	Params
	torus       *core.Network
	rng         *rand.Rand
	pairs       []pair
	walks       *deadlock.Walks
	loads       []int64        // by link, times the common bandwidth
	users       []map[int]bool // by link: the pairs whose paths cross it
	over        map[int]bool   // pairs whose paths take more channels than a link has
	goal, value int64
	limit       int64         // loads are to be no larger
	stale       int           // orders drawn since the last progress
	best        [][]core.Link // by pair
	order       []deadlock.Channel
	evaluations int64
}

// A pair of nodes with the messages that it sends.
type pair struct {
	from, to int
	messages int64
}

// fraction returns a load.
func (s *run) fraction(load int64) *big.Rat {
	return big.NewRat(load, int64(s.torus.CommonBandwidth()))
}

func newSearch(ctx context.Context, p Params) (*run, error) {
	t := p.Placement.Torus()
	s := &run{Params: p, torus: t, rng: rand.New(rand.NewPCG(p.Seed, 0)), loads: make([]int64, t.M()),
		users: make([]map[int]bool, t.M()), over: map[int]bool{}}
	for l := range s.users {
		s.users[l] = map[int]bool{}
	}
	var courses []deadlock.Course
	steps := 0
	joined := map[[2]int]bool{}
	for l := range t.EachLink() {
		from, to := t.LinkEnds(l)
		if joined[[2]int{from, to}] {
			return nil, core.Invalid(t.Title(),
				"several links join two nodes, which tables of single paths by their nodes do not tell apart").
				Hinted("take a network without parallel links")
		}
		joined[[2]int{from, to}] = true
	}
	if p.Traffic.Matrix != nil {
		return nil, core.Invalid(p.Traffic.String(),
			"tables for a number of channels are for the traffic of processors, not for a matrix").Hinted("omit --traffic")
	}
	between, nodes := p.Traffic.Amounts(p.Placement)
	for _, from := range nodes {
		for _, to := range nodes {
			messages := between(from, to)
			if from == to || messages == 0 {
				continue
			}
			c := course(t, from, to)
			if steps += len(c.Links); steps > maxSteps {
				return nil, core.Invalid(t.String(), "the shortest paths of all pairs have too many links").
					Hinted("take a smaller network or fewer processors")
			}
			courses, s.pairs = append(courses, c), append(s.pairs, pair{from, to, messages})
		}
	}
	if p.Channels == 1 && deadlock.Forced(t, courses) {
		return nil, core.Invalid("1", "one channel is not enough for any table: "+
			"pairs with only one shortest path depend on each other in a circle").Hinted("allow 2")
	}
	s.goal = objective.NumeratorUp(p.Goal, big.NewInt(int64(t.CommonBandwidth()))).Int64()
	return s, s.start(ctx, courses)
}

// course returns the links of all shortest paths.
func course(t *core.Network, from, to int) (c deadlock.Course) {
	at := []int{from}
	for left := t.LeeDistance(from, to); left > 0; left-- {
		var next []int
		for _, v := range at {
			for l := range t.LinksFrom(v) {
				if _, end := t.LinkEnds(l); t.LeeDistance(end, to) < left {
					c.Links = append(c.Links, l)
					if !slices.Contains(next, end) {
						next = append(next, end)
					}
				}
			}
		}
		c.Ends, at = append(c.Ends, len(c.Links)), next
	}
	return c
}

// start takes the paths of the routing to start from, with virtual channels that it needs, or any if there is none.
func (s *run) start(ctx context.Context, courses []deadlock.Course) error {
	first, numbers := []deadlock.Channel(nil), 1
	for _, c := range courses {
		numbers = max(numbers, len(c.Ends))
	}
	given := map[[2]int]core.Set{}
	if s.Start != nil {
		q := objective.Problem{Routing: s.Start, Size: s.Placement.Size(), Terms: objective.Terms{Traffic: s.Traffic}}
		g, err := deadlock.New(ctx, q, s.Placement)
		if err != nil {
			return err
		}
		if first, err = g.Virtual(ctx); err != nil {
			return err
		}
		numbers = max(s.Channels, deadlock.Numbers(first))
		for _, p := range s.pairs {
			links := core.NewSet(s.torus.M())
			for path := range s.Start.Paths(p.from, p.to, s.Placement.Set()) {
				for _, l := range path {
					links.Add(int(l))
				}
				break
			}
			given[[2]int{p.from, p.to}] = links
		}
	}
	s.walks = deadlock.NewWalks(s.torus, numbers, courses, first)
	for i, p := range s.pairs {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		links, fixed := given[[2]int{p.from, p.to}]
		s.walks.Walk(i, func(l core.Link, number int) int64 {
			if fixed && !links.Has(int(l)) {
				return 1 << 20
			}
			return int64(number)
		})
		s.count(i, 1)
	}
	s.limit = max(s.goal, slices.Max(append(s.loads, 0)))
	s.keep()
	return nil
}

// count adds the messages of a pair to the loads, or takes them away.
func (s *run) count(i int, sign int64) {
	delete(s.over, i)
	for _, c := range s.walks.Channels(i) {
		if sign > 0 && c.Number >= s.Channels {
			s.over[i] = true
		}
		s.loads[c.Link] += sign * s.pairs[i].messages * int64(s.torus.LinkScale(c.Link))
		if sign > 0 {
			s.users[c.Link][i] = true
		} else {
			delete(s.users[c.Link], i)
		}
	}
}

// keep takes the paths, which keep to the limit and the channels, as the best.
func (s *run) keep() {
	if len(s.over) > 0 || slices.Max(append(s.loads, 0)) > s.limit {
		return
	}
	s.value, s.best, s.order = slices.Max(append(s.loads, 0)), [][]core.Link{}, s.walks.Order()
	s.limit, s.stale = max(s.goal, s.value-1), 0
	for i := range s.pairs {
		var links []core.Link
		for _, c := range s.walks.Channels(i) {
			links = append(links, c.Link)
		}
		s.best = append(s.best, links)
	}
	s.Observe(s.fraction(s.value), s.evaluations)
}

// kick takes some paths anew, whatever the links carry.
func (s *run) kick() {
	for _, i := range s.rng.Perm(len(s.pairs))[:1+len(s.pairs)/kicked] {
		s.count(i, -1)
		s.walks.Walk(i, func(core.Link, int) int64 { return s.rng.Int64N(weight) })
		s.count(i, 1)
	}
}

// weight is how much more than anything else it counts to keep a link from going above the limit, or a path from taking
// channels beyond those that a link has.
const weight = 1 << 12

// improve takes paths anew under one order.
func (s *run) improve(ctx context.Context) {
	for range walksAnOrder * len(s.pairs) {
		var above []core.Link
		for l, load := range s.loads {
			if load > s.limit {
				above = append(above, core.Link(l))
			}
		}
		if s.spent(ctx) {
			return
		}
		k := s.rng.IntN(len(above) + len(s.over) + 1)
		var i int
		switch {
		case len(above)+len(s.over) == 0:
			if s.keep(); s.value <= s.goal {
				return
			}
			continue
		case k < len(above):
			i = draw(s.users[above[k]], s.rng)
		case len(s.over) > 0:
			i = draw(s.over, s.rng)
		default:
			i = s.rng.IntN(len(s.pairs))
		}
		s.evaluations++
		s.count(i, -1)
		messages := s.pairs[i].messages
		s.walks.Walk(i, func(l core.Link, number int) int64 {
			next := s.loads[l] + messages*int64(s.torus.LinkScale(l))
			cost := s.rng.Int64N(weight/16) + weight*(max(next-s.limit, 0)-max(s.loads[l]-s.limit, 0))
			if number >= s.Channels {
				cost += weight
			}
			return cost
		})
		s.count(i, 1)
	}
}

// draw draws a number of a set.
func draw(set map[int]bool, rng *rand.Rand) int {
	return slices.Sorted(maps.Keys(set))[rng.IntN(len(set))]
}

// table returns the best paths.
func (s *run) table() (*routing.Weighted, error) {
	var entries []routing.WeightedEntry
	for i, p := range s.pairs {
		nodes := []int{p.from}
		for _, l := range s.best[i] {
			_, to := s.torus.LinkEnds(l)
			nodes = append(nodes, to)
		}
		entries = append(entries, routing.WeightedEntry{From: p.from, To: p.to,
			Paths: []routing.WeightedPath{{Nodes: nodes, Share: big.NewRat(1, 1)}}})
	}
	return routing.NewWeighted(s.torus, entries)
}
