package kernel

import (
	"fmt"
	"math/big"
	"slices"
	"sync"

	"leeway/core"
	"leeway/core/routing"
)

// A Question asks for a placement of Size processors under which no link carries more than a limit.
type Question struct {
	Routing routing.Routing
	Free    *routing.Free // nil: the routing is given; else every message keeps that number of its paths under Routing
	Clients *Clients      // nil: every processor sends one message to every other
	Size    int

	// The limit of every link, in messages over its bandwidth: below Limit, or at most that.
	Limit  *big.Rat
	AtMost bool

	Fixed, Forbidden []int // nodes that must, and must not, have a processor
	Radius           int   // every node has a processor within this many links; 0: no condition
	Distance         int   // the largest sum over all nodes of the links to their nearest processors; 0: no condition
}

// Clients is the traffic of nodes that send Request messages to every processor and receive Reply messages from it by
// a routing of its own.
type Clients struct {
	Request, Reply int64
	ReplyRouting   routing.Routing
}

// Limits of what the kernel takes, so that memory suffices, and counts with, so that every sum is far inside an int64.
const (
	mostNodes  = 1 << 12
	mostApart  = 1 << 10 // nodes where translations do not preserve loads
	mostChosen = 1 << 8  // nodes where paths depend on the processors or are free
	mostAmount = 1 << 33 // of what two nodes put on a link, in units, and of a count
	mostWeight = 1 << 20 // of a link in a weighting
	mostSquare = 1 << 60 // of what two nodes put on weighted links, times the square of the number of nodes
	mostLimit  = 1 << 40 // of the limit of a link, in units, and of the count of a set
)

// A term is a thing with its number of times: a node in a set, a set in a sum, a link of a path once, a link with what
// is put on it in units. No thing stands twice in a list of terms, but perhaps in the parts of a sum.
type term struct {
	of    int
	times int64
}

// dot returns the sum of numbers, each by its thing, times that of the thing.
func dot(list []term, numbers []int64) (total int64) {
	for _, t := range list {
		total += t.times * numbers[t.of]
	}
	return total
}

// A path is its links and the nodes strictly inside.
type path struct{ links, inside []term }

// loads holds what pairs of processors, and single ones with their clients, put on links, counted in units of 1/D
// messages, where D is such that all are whole: the least common multiple of what the paths of a message weigh. The
// load of a link is the sum over pairs of processors plus the sum over processors. Where the paths of a message
// depend on the processors, or are free, D is that of all numbers up to the most paths that it may use, and the paths
// are listed.
type loads struct {
	torus  *core.Torus
	nodes  int
	units  int64    // D
	pairs  [][]term // by u*nodes+v, see exchanged
	chosen bool     // whether the paths of a message depend on the processors or are free
	paths  [][]path // by from*nodes+to, if chosen
	limits []int64  // by link, in units: the largest allowed sum; 0 for numbers that have no link
	most   int64    // of what a pair, or a processor, puts on all links together

	shifted  bool           // translations preserve what pairs put on links
	minus    core.NodeTable // v-u by u, v, if so
	distance []int          // links from u to v, by u*nodes+v; nil without a condition about it

	between func() map[[2]int][]core.Link // the links by their ends
}

// An UnsupportedError says that the kernel does not take a question, and why.
type UnsupportedError struct{ Problem string }

func (e *UnsupportedError) Error() string { return "the kernel does not take " + e.Problem }

func (r *reader) unsupported(format string, args ...any) {
	r.fail(&UnsupportedError{fmt.Sprintf(format, args...)})
}

// newLoads lists the paths of all messages, of node 0 where translations preserve what they put on links. Cost: their
// number times their length, and the square of the nodes, which are counted.
func newLoads(q Question, r *reader) *loads {
	t := q.Routing.Torus()
	n := t.N()
	avoid, avoids := q.Routing.(*routing.Avoid)
	chosen := avoids || q.Free != nil
	shifted := !chosen && routing.Invariant(q.Routing) && (q.Clients == nil || routing.Invariant(q.Clients.ReplyRouting))
	switch {
	case n > mostNodes || chosen && n > mostChosen || !shifted && n > mostApart:
		r.unsupported("networks of %d nodes: at most %d, without translations %d, under avoid %d", n, mostNodes, mostApart,
			mostChosen)
	case chosen && q.Clients != nil || avoids && q.Free != nil || q.Routing.DependsOnPlacement() && !avoids:
		r.unsupported("clients, nor routings other than avoid, where paths depend on the placement or are free")
	case avoids:
		q.Routing = avoid.Candidates()
	}
	stored := n // nodes of which the pairs are stored
	if shifted {
		stored = 1
	}
	if r.pay(int64(n)*int64(n)*4 + int64(stored)*int64(n)*120 + int64(t.M())*32); r.err != nil {
		return nil
	}
	l := &loads{torus: t, nodes: n, units: 1, chosen: chosen, shifted: shifted, pairs: make([][]term, stored*n),
		between: sync.OnceValue(t.LinksBetween)}
	if shifted {
		l.minus = core.Displacements(t)
	}
	if chosen {
		l.paths = make([][]path, n*n)
	}
	messages := q.messages(stored, n)
	counts := l.countPaths(q, messages, r)
	if !chosen {
		l.addUp(messages, counts, r)
	}
	if l.setLimits(q, r); r.err == nil && (q.Radius > 0 || q.Distance > 0) {
		r.pay(8 * int64(n) * int64(n))
		for u := range n {
			for v := range n {
				l.distance = append(l.distance, t.LeeDistance(u, v))
			}
		}
	}
	return l
}

// A message goes from one node to another; of is the number of the pair, or of the processor twice under client
// traffic, for which it is counted.
type message struct {
	routing  routing.Routing
	from, to int
	amount   int64
	of       int
}

// messages lists what is sent if all nodes have processors, in the order of of: what the first nodes have a part in.
func (q Question) messages(first, nodes int) (list []message) {
	for p := range first {
		for x := range nodes {
			switch {
			case q.Clients == nil && x > p:
				of := p*nodes + x
				list = append(list, message{q.Routing, p, x, 1, of}, message{q.Routing, x, p, 1, of})
			case q.Clients != nil && x != p:
				of := p*nodes + p
				list = append(list, message{q.Routing, x, p, q.Clients.Request, of},
					message{q.Clients.ReplyRouting, p, x, q.Clients.Reply, of})
			}
		}
	}
	return slices.DeleteFunc(list, func(m message) bool { return m.amount == 0 })
}

// pathsOf calls use with the links and the weight of each path that a message may take.
func pathsOf(m message, r *reader, use func(path []core.Link, weight int64)) {
	for path, weight := range m.routing.Paths(m.from, m.to, nil) {
		if r.pay(int64(len(path)) + 1); r.err != nil {
			return
		}
		use(path, weight)
	}
}

// countPaths returns what the paths of each message weigh together, lists them if they are to be chosen from, and
// derives D.
func (l *loads) countPaths(q Question, messages []message, r *reader) []int64 {
	counts := make([]int64, len(messages))
	for i, m := range messages {
		pathsOf(m, r, func(path []core.Link, weight int64) {
			if counts[i] += weight; l.chosen {
				l.listPath(m, path, r)
			}
		})
		if r.err == nil && counts[i] == 0 {
			r.unsupported("routings without a path from node %d to node %d", m.from, m.to)
		}
		used := counts[i] // how many paths a message may use: this number or, if they are chosen, fewer
		if l.chosen {
			used = 1
		}
		for ; used <= counts[i] && r.err == nil && !(q.Free != nil && q.Free.Single); used++ {
			if l.units = core.LCM(l.units, used); l.units > mostAmount {
				r.unsupported("numbers of paths with so large a common multiple")
			}
		}
	}
	return counts
}

// listPath keeps a path that a message may take.
func (l *loads) listPath(m message, links []core.Link, r *reader) {
	var p path
	for i, link := range links {
		if p.links = append(p.links, term{int(link), 1}); i > 0 {
			p.inside = append(p.inside, term{int(link) % l.nodes, 1})
		}
	}
	at := &l.paths[m.from*l.nodes+m.to]
	*at = append(*at, p)
	l.pairs[m.of] = append(l.pairs[m.of], p.links...)
	l.most = max(l.most, 2*l.units*int64(len(links)))
	r.pay(64*int64(len(links)) + 48)
}

// addUp counts what messages put on links together.
func (l *loads) addUp(messages []message, counts []int64, r *reader) {
	amounts := make([]int64, l.torus.M()) // by link, 0 but for those used
	var used []term
	for i, m := range messages {
		if m.amount > mostAmount/l.units {
			r.unsupported("numbers of messages so large")
		}
		share := l.units / max(1, counts[i]) * m.amount
		pathsOf(m, r, func(path []core.Link, weight int64) {
			for _, link := range path {
				if amounts[link] == 0 {
					used = append(used, term{of: int(link)})
				}
				amounts[link] += share * weight
			}
		})
		if r.err != nil {
			return
		}
		if i+1 < len(messages) && messages[i+1].of == m.of {
			continue
		}
		total := int64(0)
		for j, t := range used {
			if used[j].times = amounts[t.of]; used[j].times > mostAmount {
				r.unsupported("numbers of messages so large")
			}
			total += amounts[t.of]
			amounts[t.of] = 0
		}
		l.most = max(l.most, total)
		l.pairs[m.of] = slices.Clone(used)
		r.pay(16*int64(len(used)) + 32)
		used = used[:0]
	}
}

// exchanged returns what two nodes put on links, both directions together, for a node twice what it puts there alone,
// or where paths are to choose from the links of all. Links have the numbers that they have as seen from u.
func (l *loads) exchanged(u, v int) []term {
	if l.shifted {
		return l.pairs[l.minus.Node(u, v)]
	}
	return l.pairs[min(u, v)*l.nodes+max(u, v)]
}

// seenFrom writes, by the number of a link as seen from a node, its number. Where translations preserve loads every
// node sees those of node 0.
func (l *loads) seenFrom(u int, links []int) []int {
	for link := range links {
		links[link] = link
	}
	if l.shifted {
		for node, to := range l.minus.Row(l.minus.Node(u, 0)) { // to is the node u away
			for link := node; link < len(links); link += l.nodes {
				links[link] = link - node + int(to)
			}
		}
	}
	return links
}

// seenFrom is that of the loads; what it returns is kept on networks that are small enough, else until the next call.
func (c *checker) seenFrom(u int) []int {
	if c.loads.nodes > mostApart {
		return c.loads.seenFrom(u, c.links)
	}
	if c.seen[u] == nil {
		c.pay(8 * int64(len(c.links)))
		c.seen[u] = c.loads.seenFrom(u, make([]int, len(c.links)))
	}
	return c.seen[u]
}

// setLimits derives the largest load of each link from the question: a multiple of what divides all that is put on it.
// Links that translations take to each other have the same put on them.
func (l *loads) setLimits(q Question, r *reader) {
	class := func(link int) int {
		if l.shifted {
			return link - link%l.nodes
		}
		return link
	}
	step := make([]int64, l.torus.M())
	for _, list := range l.pairs {
		for _, t := range list {
			step[class(t.of)] = core.GCD(t.times, step[class(t.of)])
		}
	}
	l.limits = make([]int64, l.torus.M())
	for i := range l.torus.EachLink() {
		limit := new(big.Rat).SetInt64(l.units * int64(l.torus.LinkBandwidth(i)))
		limit.Mul(limit, q.Limit)
		whole := new(big.Int).Div(limit.Num(), limit.Denom()) // rounds down
		if !q.AtMost && limit.IsInt() {
			whole.Sub(whole, big.NewInt(1))
		}
		if !whole.IsInt64() || whole.Int64() > mostLimit || whole.Int64() < -mostLimit {
			r.unsupported("limits so large")
			return
		}
		l.limits[i] = whole.Int64()
		if step := step[class(int(i))]; step > 0 && !l.chosen {
			l.limits[i] -= (l.limits[i]%step + step) % step // rounds down
		}
	}
}
