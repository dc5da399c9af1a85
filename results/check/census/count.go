package census

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/check/meter"
	"leeway/results/check/shares"
)

// maxListedLinks is the most links on the paths that a full count lists.
const maxListedLinks = 1 << 25

// countAll looks at every placement of n >= 1 nodes that keeps to the conditions; of a torus without any, and without
// open dimensions, only at those with node 0: every other is a translate of one of these and has the same E_max. It
// returns how many it looked at, and one with E_max below the limit, nil if there is none. It fails if loads have too
// small units.
//
// The paths of all pairs that can occur are listed once.
func countAll(
	m *meter.Meter, p objective.Problem, n int, cond Conditions, below *big.Rat,
) (int64, *core.Placement, error) {
	r := p.Routing
	count, found := int64(0), (*core.Placement)(nil)
	nodes, free := choices(p, n, cond)
	if n -= len(nodes); n == len(free) { // one placement
		nodes, free, n = append(nodes, free...), nil, 0
	}
	c, err := newCounter(m, p, nodes, free, n, below)
	if err != nil {
		return 0, nil, err
	}
	set := core.MustPlacement(r.Torus(), nodes).Set()
	var choose func(from, left int)
	choose = func(from, left int) {
		if left > 0 {
			for i := from; i <= len(free)-left; i++ {
				v := free[i]
				set.Add(v)
				nodes = append(nodes, v)
				choose(i+1, left-1)
				nodes = nodes[:len(nodes)-1]
				set.Remove(v)
			}
			return
		}
		count++
		m.Charge(1 + c.steps)
		c.steps = 0
		if found == nil && c.allBelow(nodes, set) {
			if p := core.MustPlacement(r.Torus(), nodes); !cond.Near.Asked() || cond.Problem(p) == "" {
				found = &p
			}
		}
	}
	choose(0, n)
	return count, found, nil
}

// choices returns the nodes that every placement looked at has, and, if these are not all, those that it may have
// besides.
func choices(p objective.Problem, n int, cond Conditions) (given, free []int) {
	t := p.Torus()
	for v := range t.N() {
		switch {
		case cond.Fixed != nil && cond.Fixed.Has(v), v == 0 && !cond.Any() && t.Closed():
			given = append(given, v)
		case cond.Forbidden == nil || !cond.Forbidden.Has(v):
			free = append(free, v)
		}
	}
	if n == len(given) {
		free = nil
	}
	return given, free
}

// maxUnitBits is the most bits of the unit of loads and of the messages of a placement together.
const maxUnitBits = 62

// A counter evaluates placements on one small torus against a limit.
type counter struct {
	pairs  [][]pair // by node: its pairs with smaller nodes, both ways; or with all its clients
	avoids bool
	share  []int64 // by number of paths of a pair: units of load of each
	scale  []int64 // by link: what its units count, more where the bandwidth is less
	limit  int64   // a load of so many units is not below the limit
	loads  []int64
	steps  int64 // links of paths gone through
	listed int   // links of paths
}

// A pair is an ordered pair of nodes with its paths, and how many messages it has.
type pair struct {
	other    int // everyNode: the pair sends whether there is a processor or not
	messages int64
	paths    []path
}

// everyNode stands for a client.
const everyNode = -1

// A path is a list of links and the nodes strictly inside.
type path struct {
	links  []core.Link
	inside []int
}

// newCounter lists the paths of all pairs of nodes that are given, or of which so many are chosen among the free ones,
// or of all these and their clients. For avoid these are all UDR paths: which of them are used is decided placement by
// placement.
func newCounter(m *meter.Meter, p objective.Problem, given, free []int, chosen int, below *big.Rat) (*counter, error) {
	r, t := p.Routing, p.Torus()
	c := &counter{pairs: make([][]pair, t.N()), loads: make([]int64, t.M()), scale: make([]int64, t.M())}
	for l := range c.scale {
		_, port := t.LinkFrom(core.Link(l))
		c.scale[l] = int64(t.Scale(port.Dim))
	}
	lister := r
	if avoid, ok := r.(*routing.Avoid); ok {
		c.avoids, lister = true, avoid.Candidates()
	}
	most, nodes := 0, slices.Concat(given, free)
	add := func(v, other int, messages int64, r routing.Routing, from, to int) {
		paths := c.listPaths(m, r, from, to)
		most = max(most, len(paths))
		c.pairs[v] = append(c.pairs[v], pair{other: other, messages: messages, paths: paths})
	}
	for i, v := range nodes {
		others := nodes[:i]
		switch {
		case p.Traffic.Clients():
			others = core.Range(t.N())
		case chosen == 1:
			others = nodes[:min(i, len(given))] // two of the free ones never meet
		}
		for _, u := range others {
			switch {
			case c.listed > maxListedLinks:
				return nil, &meter.LimitError{What: fmt.Sprintf("%d links of listed paths", maxListedLinks)}
			case u == v:
			case p.Traffic.Clients():
				add(v, everyNode, int64(p.Traffic.Request), r, u, v)
				add(v, everyNode, int64(p.Traffic.Reply), p.ReplyRouting(), v, u)
			default:
				add(v, u, 1, lister, u, v)
				add(v, u, 1, lister, v, u)
			}
		}
	}
	return c, c.setUnits(p, len(given)+chosen, most, below)
}

// setUnits chooses the unit of load of so many processors: one over a common multiple of all numbers of paths that a
// pair can have, most of them at most.
func (c *counter) setUnits(p objective.Problem, size, most int, below *big.Rat) error {
	counts := map[int]bool{}
	for _, list := range c.pairs {
		for _, p := range list {
			counts[len(p.paths)] = true
		}
	}
	unit := big.NewInt(1)
	for n := 1; n <= most; n++ {
		if c.avoids || counts[n] {
			unit = shares.LCM(unit, big.NewInt(int64(n)))
		}
	}
	common, messages := big.NewInt(int64(p.Torus().CommonBandwidth())), size*size
	if t := p.Traffic; t.Clients() {
		messages = size * p.Torus().N() * (t.Request + t.Reply)
	}
	widest := maxUnitBits - bits.Len(uint(messages))
	if all := new(big.Int).Mul(unit, common); all.BitLen() > widest {
		return fmt.Errorf("loads are multiples of 1/%s, too small for a full count", all)
	}
	c.share = make([]int64, most+1)
	for n := 1; n <= most; n++ {
		c.share[n] = unit.Int64() / int64(n)
	}
	unit.Mul(unit, common)
	// A load of u units is below the limit v exactly if u < v*unit.
	c.limit = math.MaxInt64 // above every load
	if limit := shares.Ceil(new(big.Rat).Mul(below, new(big.Rat).SetInt(unit))); limit.IsInt64() {
		c.limit = limit.Int64()
	}
	return nil
}

// listPaths returns the paths of a pair; where too many links are listed, some of them.
func (c *counter) listPaths(m *meter.Meter, r routing.Routing, from, to int) []path {
	var list []path
	for links := range m.Paths(r, from, to, nil) {
		p := path{links: append([]core.Link(nil), links...)}
		for _, l := range links[1:] {
			if c.avoids {
				inner, _ := r.Torus().LinkFrom(l)
				p.inside = append(p.inside, inner)
			}
		}
		list = append(list, p)
		if c.listed += len(links); c.listed > maxListedLinks {
			break
		}
	}
	return list
}

// allBelow reports whether all loads of a placement are below the limit. It stops at the first link that reaches it:
// loads only grow as pairs are added.
func (c *counter) allBelow(nodes []int, set core.Set) bool {
	clear(c.loads)
	if c.limit <= 0 {
		return false
	}
	for _, v := range nodes {
		for _, p := range c.pairs[v] {
			if (p.other == everyNode || set.Has(p.other)) && !c.add(p, set) {
				return false
			}
		}
	}
	return true
}

// add adds the traffic of one pair and reports whether all loads stay below the limit.
func (c *counter) add(p pair, set core.Set) bool {
	fewest, used := 0, len(p.paths)
	if c.avoids {
		fewest, used = fewestInside(p.paths, set)
	}
	share := c.share[used] * p.messages
	c.steps += int64(1 + len(p.paths))
	for _, path := range p.paths {
		if c.avoids && path.met(set) != fewest {
			continue
		}
		c.steps += int64(len(path.links))
		for _, l := range path.links {
			if c.loads[l] += share * c.scale[l]; c.loads[l] >= c.limit {
				return false
			}
		}
	}
	return true
}

// met returns the number of processors strictly inside.
func (p path) met(set core.Set) (count int) {
	for _, v := range p.inside {
		if set.Has(v) {
			count++
		}
	}
	return count
}

// fewestInside returns the least number of processors strictly inside a path, and how many paths have so few.
func fewestInside(paths []path, set core.Set) (fewest, count int) {
	fewest = math.MaxInt
	for _, p := range paths {
		switch n := p.met(set); {
		case n < fewest:
			fewest, count = n, 1
		case n == fewest:
			count++
		}
	}
	return fewest, count
}

// NoneBelow counts all placements of n processors that keep to the conditions, under routing and traffic of a problem,
// and returns how many countAll looks at when none has E_max below the value; otherwise it says why that is not so, or
// not to be counted here. Cost: see countAll.
func NoneBelow(m *meter.Meter, p objective.Problem, n int, c Conditions,
	below *big.Rat) (count *big.Int, problem string) {
	switch {
	case routing.ByPair(p.Routing):
		return nil, "a full count is repeated up to translations, which do not preserve E_max under a table by pair"
	case n < c.Fixed.Count():
		return nil, fmt.Sprintf("%d processors are fewer than the fixed nodes", n)
	}
	given, free := choices(p, n, c)
	all := new(big.Int).Binomial(int64(len(free)), int64(n-len(given)))
	if !all.IsInt64() {
		all.SetInt64(meter.None)
	}
	m.Need(all.Int64())
	looked, found, err := countAll(m, p, n, c, below)
	var limit *meter.LimitError
	if errors.As(err, &limit) {
		m.End(err)
	}
	if err != nil {
		return nil, err.Error()
	}
	if found != nil {
		return nil, fmt.Sprintf("the placement %s has E_max below %s", core.JoinNodes(found.Coords()), below.RatString())
	}
	return big.NewInt(looked), ""
}
