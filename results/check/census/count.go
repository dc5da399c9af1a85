package census

import (
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

// maxCensusNodes is the largest torus whose placements are all looked at. Under conditions it may have up to
// maxCensusTorus nodes, if so few are not forbidden or only one placement keeps to the conditions.
const (
	maxCensusNodes = 20
	maxCensusTorus = 64
)

// countAll looks at every placement of n >= 1 nodes that keeps to the conditions; of a torus without any, and without
// open dimensions, only at those with node 0: every other is a translate of one of these and has the same E_max. It
// returns how many it looked at, and one with E_max below the limit, nil if there is none. It fails if loads have too
// small units.
//
// The paths of all pairs are listed once. A set is a word with one bit a node.
func countAll(
	m *meter.Meter, p objective.Problem, n int, cond Conditions, below *big.Rat,
) (int64, *core.Placement, error) {
	r := p.Routing
	count, found := int64(0), (*core.Placement)(nil)
	given, free := uint64(0), []int{}
	for v := range r.Torus().N() {
		switch {
		case cond.Fixed != nil && cond.Fixed.Has(v), v == 0 && !cond.Any() && r.Torus().Closed():
			given |= 1 << v
			n--
		case cond.Forbidden == nil || !cond.Forbidden.Has(v):
			free = append(free, v)
		}
	}
	if n == len(free) { // one placement, of up to 64 nodes
		for _, v := range free {
			given |= 1 << v
		}
		n, free = 0, nil
	}
	if n == 0 {
		free = nil
	}
	c, err := newCounter(m, p, given, free, below)
	if err != nil {
		return 0, nil, err
	}
	// Step from each word with n bits to the next larger one: these are the free nodes that are taken.
	top := uint64(1) << len(free)
	for rest := uint64(1)<<n - 1; rest < top; rest = nextSubset(rest) {
		count++
		m.Charge(1 + c.steps)
		c.steps = 0
		set := given
		for left := rest; left != 0; left &= left - 1 {
			set |= 1 << free[bits.TrailingZeros64(left)]
		}
		if found == nil && c.allBelow(set) {
			if p := core.MustPlacement(r.Torus(), core.Set{set}.Nodes()); !cond.Near.Asked() || cond.Problem(p) == "" {
				found = &p
			}
		}
		if rest == 0 {
			break
		}
	}
	return count, found, nil
}

// nextSubset returns the next larger word with as many bits (Gosper's hack).
func nextSubset(w uint64) uint64 {
	low := w & -w
	up := w + low
	return up | (w^up)>>2/low
}

// maxUnitBits is the most bits of the unit of loads: sums of 64 processors stay within 62, also those of clients, times
// the messages of an exchange.
const maxUnitBits = 48

// A counter evaluates placements on one small torus against a limit.
type counter struct {
	pairs  [][]pair // by node: its pairs with smaller nodes, both ways; or with all its clients
	avoids bool
	share  []int64 // by number of paths of a pair: units of load of each
	scale  []int64 // by link: what its units count, more where the bandwidth is less
	limit  int64   // a load of so many units is not below the limit
	loads  []int64
	steps  int64 // links of paths gone through
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
	inside uint64
}

// newCounter lists the paths of all pairs of nodes that are given, as bits, or free, or of all these and their clients.
// For avoid these are all UDR paths: which of them are used is decided placement by placement.
func newCounter(m *meter.Meter, p objective.Problem, given uint64, free []int, below *big.Rat) (*counter, error) {
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
	most, nodes := 0, slices.Concat(core.Set{given}.Nodes(), free)
	slices.Sort(nodes)
	add := func(v, other int, messages int64, paths []path) {
		most = max(most, len(paths))
		c.pairs[v] = append(c.pairs[v], pair{other: other, messages: messages, paths: paths})
	}
	for i, v := range nodes {
		others := nodes[:i]
		if p.Traffic.Clients() {
			others = core.Range(t.N())
		}
		for _, u := range others {
			switch {
			case u == v:
			case p.Traffic.Clients():
				add(v, everyNode, int64(p.Traffic.Request), listPaths(m, r, u, v))
				add(v, everyNode, int64(p.Traffic.Reply), listPaths(m, p.ReplyRouting(), v, u))
			default:
				add(v, u, 1, listPaths(m, lister, u, v))
				add(v, u, 1, listPaths(m, lister, v, u))
			}
		}
	}
	return c, c.setUnits(p, most, below)
}

// setUnits chooses the unit of load: one over a common multiple of all numbers of paths that a pair can have. With at
// most 20 nodes these are small: a 2^4 torus has up to 24 paths a pair, 4x4 and 4x5 eight.
func (c *counter) setUnits(p objective.Problem, most int, below *big.Rat) error {
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
	common, widest := big.NewInt(int64(p.Torus().CommonBandwidth())), maxUnitBits
	if t := p.Traffic; t.Clients() {
		widest -= bits.Len(uint(t.Request + t.Reply))
	}
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

func listPaths(m *meter.Meter, r routing.Routing, from, to int) []path {
	var list []path
	for links := range m.Paths(r, from, to, nil) {
		p := path{links: append([]core.Link(nil), links...)}
		for _, l := range links[1:] {
			inner, _ := r.Torus().LinkFrom(l)
			p.inside |= 1 << inner
		}
		list = append(list, p)
	}
	return list
}

// allBelow reports whether all loads of a placement are below the limit. It stops at the first link that reaches it:
// loads only grow as pairs are added.
func (c *counter) allBelow(set uint64) bool {
	clear(c.loads)
	if c.limit <= 0 {
		return false
	}
	for rest := set; rest != 0; rest &= rest - 1 {
		for _, p := range c.pairs[bits.TrailingZeros64(rest)] {
			if (p.other == everyNode || set>>p.other&1 != 0) && !c.add(p, set) {
				return false
			}
		}
	}
	return true
}

// add adds the traffic of one pair and reports whether all loads stay below the limit.
func (c *counter) add(p pair, set uint64) bool {
	fewest, used := 0, len(p.paths)
	if c.avoids {
		fewest, used = fewestInside(p.paths, set)
	}
	share := c.share[used] * p.messages
	c.steps += int64(1 + len(p.paths))
	for _, path := range p.paths {
		if c.avoids && bits.OnesCount64(path.inside&set) != fewest {
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

// fewestInside returns the least number of processors strictly inside a path, and how many paths have so few.
func fewestInside(paths []path, set uint64) (fewest, count int) {
	fewest = 32
	for _, p := range paths {
		switch n := bits.OnesCount64(p.inside & set); {
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
// not to be counted here. Cost: up to some seconds; see countAll.
func NoneBelow(m *meter.Meter, p objective.Problem, n int, c Conditions,
	below *big.Rat) (count *big.Int, problem string) {
	r, t := p.Routing, p.Torus()
	switch {
	case routing.ByPair(r):
		return nil, "a full count is repeated up to translations, which do not preserve E_max under a table by pair"
	case n < c.Fixed.Count():
		return nil, fmt.Sprintf("%d processors are fewer than the fixed nodes", n)
	case t.N() > maxCensusNodes && !c.leaveFew(t, n):
		return nil, fmt.Sprintf("a full count is repeated up to %d nodes, torus %s has %d; beyond, a census has slices",
			maxCensusNodes, t, t.N())
	}
	looked, found, err := countAll(m, p, n, c, below)
	if err != nil {
		return nil, err.Error()
	}
	if found != nil {
		return nil, fmt.Sprintf("the placement %s has E_max below %s", core.JoinNodes(found.Coords()), below.RatString())
	}
	return big.NewInt(looked), ""
}

// leaveFew reports whether conditions leave a full count of n processors little to do on a torus of more than
// maxCensusNodes nodes.
func (c Conditions) leaveFew(t *core.Torus, n int) bool {
	allowed := t.N() - c.Forbidden.Count()
	return c.Any() && t.N() <= maxCensusTorus &&
		(allowed <= maxCensusNodes || n == allowed || n == c.Fixed.Count())
}
