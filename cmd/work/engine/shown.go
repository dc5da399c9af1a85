package engine

import (
	"context"
	"math/big"
	"slices"
	"strconv"

	"leeway/cmd/work"
	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/fast"
	"leeway/results"
	"leeway/results/answers"
	"leeway/results/compose"
)

// A Network is what a page needs to draw one.
type Network struct {
	Text      string `json:"text"`
	Sides     []int  `json:"sides"`
	Open      []bool `json:"open"`
	Bandwidth []int  `json:"bandwidth"`
	Plain     bool   `json:"plain"`
	Ties      bool   `json:"ties"`
	Links     []Link `json:"links"`
}

// A Link is one of a network: its number, the nodes that it joins, and the way that it goes, 1 or -1.
type Link struct {
	Number int `json:"link"`
	From   int `json:"from"`
	To     int `json:"to"`
	Dim    int `json:"dim"`
	Dir    int `json:"dir"`
}

// maxLinks is how many links a network may have that is drawn.
const maxLinks = 1 << 16

func newNetwork(t *core.Torus) (Network, error) {
	if t.M() > maxLinks {
		return Network{}, core.Invalid(t.String(), "the network is too large to be drawn")
	}
	n := Network{Text: t.String(), Sides: t.Dims(), Plain: t.Plain(), Ties: t.HasTies(),
		Links: []Link{}}
	for j := range t.D() {
		n.Open = append(n.Open, t.Open(j))
		n.Bandwidth = append(n.Bandwidth, t.Bandwidth(j))
	}
	for l := range t.EachLink() {
		from, to := t.LinkEnds(l)
		_, port := t.LinkFrom(l)
		link := Link{Number: int(l), From: from, To: to, Dim: port.Dim, Dir: 1}
		if port.Dir == core.Minus {
			link.Dir = -1
		}
		n.Links = append(n.Links, link)
	}
	return n, nil
}

// Loads are those of all links of a network, by number, 0 where there is none.
type Loads struct {
	Loads []string `json:"loads"`
	Most  string   `json:"most"`  // of all
	Bands []int    `json:"bands"` // ceil(16 load / E_max), from which a page has colours
}

// bands is how many colours loads above 0 have.
const bands = 16

func newLoads(loads []*big.Rat) (list Loads) {
	most := new(big.Rat)
	for _, load := range loads {
		if load.Cmp(most) > 0 {
			most = load
		}
	}
	list.Most = results.FormatFraction(most)
	for _, load := range loads {
		list.Loads = append(list.Loads, results.FormatFraction(load))
		band := 0
		if load.Sign() > 0 {
			share := new(big.Rat).Quo(load, most)
			share.Mul(share, new(big.Rat).SetInt64(bands))
			up := new(big.Int).Add(share.Num(), share.Denom())
			band = int(up.Sub(up, big.NewInt(1)).Div(up, share.Denom()).Int64())
		}
		list.Bands = append(list.Bands, band)
	}
	return list
}

// A Placed is a placement with its loads.
type Placed struct {
	Evaluation compose.Evaluation `json:"evaluation"`
	Nodes      []int              `json:"nodes"` // numbers
	Loads
	// Plain is E_max of the same placement on the torus without options, "" where it is that.
	Plain  string          `json:"plain,omitempty"`
	Bounds []answers.Bound `json:"bounds"` // those that take no search
}

// evaluate returns a placement with its loads.
func (e *Engine) evaluate(ctx context.Context, p objective.Problem, s core.Placement) (Placed, error) {
	t := p.Torus()
	if err := work.Enough(t, "evaluating a placement", work.EvaluationBytes(p.Routing, s.Size())); err != nil {
		return Placed{}, err
	}
	loads, err := fast.EvaluateContext(ctx, p, s)
	if err != nil {
		return Placed{}, err
	}
	all := make([]*big.Rat, t.M())
	for l := range all {
		all[l] = loads.Load(core.Link(l))
	}
	d := Placed{Evaluation: compose.NewEvaluation(p, s, loads, false), Nodes: s.Nodes(), Loads: newLoads(all)}
	if !t.Plain() && p.Traffic.Matrix == nil {
		if d.Plain, err = onPlain(ctx, p, s); err != nil {
			return Placed{}, err
		}
	}
	if p.Traffic.Matrix != nil { // bounds of all assignments take their time, and do not change with this one
		return d, nil
	}
	least := 2
	if p.Traffic.Clients() {
		least = 1
	}
	if s.Size() >= least {
		list := bound.QuickPlacementBounds(s)
		if p.Traffic.Clients() {
			p.Size, p.Fixed = s.Size(), s.Set()
			list = bound.QuickBounds(p)[:len(list)] // those for any routing
		}
		d.Bounds = compose.NewBounds(p.Routing, s.Size(), &s, list, bound.Best(list)).Bounds
	}
	return d, nil
}

// onPlain returns E_max of a placement on the torus of the same sides under the same routing, "" under a table and
// where a side is 1, which needs a shift.
func onPlain(ctx context.Context, p objective.Problem, s core.Placement) (string, error) {
	plain, err := core.NewTorus(p.Torus().Dims()...)
	if err != nil {
		return "", nil
	}
	q, traffic := objective.Problem{}, p.Traffic
	if q.Routing, err = routing.Parse(plain, p.Routing.String()); err != nil {
		return "", nil
	}
	if traffic.Replies != nil {
		if traffic.Replies, err = routing.Parse(plain, traffic.Replies.String()); err != nil {
			return "", err
		}
	}
	if q, err = q.WithTraffic(traffic); err != nil {
		return "", err
	}
	loads, err := fast.EvaluateContext(ctx, q, core.MustPlacement(plain, s.Nodes()))
	if err != nil {
		return "", err
	}
	most, _ := loads.Max()
	return results.FormatFraction(most), nil
}

// A User is a message that uses a link: what it puts there.
type User struct {
	From  int    `json:"from"`
	To    int    `json:"to"`
	Share string `json:"share"` // of the paths of the pair
	Load  string `json:"load"`  // times its messages, divided by the bandwidth
	Reply bool   `json:"reply,omitempty"`
	load  *big.Rat
}

// usersOf lists what uses a link, the largest load first. The loads add up to that of the link.
func usersOf(p objective.Problem, s core.Placement, link int) ([]User, error) {
	t := p.Torus()
	if link < 0 || link >= t.M() || !t.HasLink(core.Link(link)) {
		return nil, core.Invalid(strconv.Itoa(link), "the network has no link of this number")
	}
	list, processors := []User{}, s.Set()
	for m := range p.Messages(s) {
		f := m.Routing.Flow(m.From, m.To, processors)
		for _, share := range f.Shares {
			if share.Link != core.Link(link) {
				continue
			}
			part := new(big.Rat).SetFrac(share.Num, f.Den)
			load := new(big.Rat).Mul(part, big.NewRat(m.Count, int64(t.LinkBandwidth(core.Link(link)))))
			load.Mul(load, p.Traffic.Unit())
			list = append(list, User{m.From, m.To, results.FormatFraction(part), results.FormatFraction(load), m.Reply, load})
		}
	}
	slices.SortStableFunc(list, func(a, b User) int { return b.load.Cmp(a.load) })
	return list, nil
}

// Paths are those of what a node sends, to one node or to all.
type Paths struct {
	Loads
	Ends  []int   `json:"ends"`  // who gets something
	Paths [][]int `json:"paths"` // to one node: the links of the first of them
	Count int     `json:"count"` // of all of them
}

// maxPaths is how many paths of a pair are listed.
const maxPaths = 200

// pathsOf returns what node q.From sends, to node q.To or to all.
func pathsOf(p objective.Problem, s core.Placement, q Question) (Paths, error) {
	t := p.Torus()
	if q.From < 0 || q.From >= t.N() || q.To != nil && (*q.To < 0 || *q.To >= t.N()) {
		return Paths{}, core.Invalid(strconv.Itoa(q.From), "the network has no such node")
	}
	d, processors := Paths{Ends: []int{}, Paths: [][]int{}}, s.Set()
	sums := make([]*big.Rat, t.M())
	for l := range sums {
		sums[l] = new(big.Rat)
	}
	for m := range p.Messages(s) {
		if m.From != q.From || q.To != nil && m.To != *q.To {
			continue
		}
		if !slices.Contains(d.Ends, m.To) {
			d.Ends = append(d.Ends, m.To)
		}
		f := m.Routing.Flow(m.From, m.To, processors)
		for _, share := range f.Shares {
			load := new(big.Rat).SetFrac(share.Num, f.Den)
			load.Mul(load, big.NewRat(m.Count, int64(t.LinkBandwidth(share.Link))))
			sums[share.Link].Add(sums[share.Link], load.Mul(load, p.Traffic.Unit()))
		}
		if q.To == nil {
			continue
		}
		for path := range m.Routing.Paths(m.From, m.To, processors) {
			if d.Count++; d.Count > maxPaths {
				break
			}
			links := make([]int, len(path))
			for i, l := range path {
				links[i] = int(l)
			}
			d.Paths = append(d.Paths, links)
		}
	}
	d.Loads = newLoads(sums)
	return d, nil
}
