package kernel

import (
	"fmt"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
)

// A Question asks for a placement of Size processors under which no link carries more than a limit.
type Question struct {
	Routing routing.Routing
	Free    *routing.Free // nil: the routing is given; else every message keeps so many of its paths under Routing
	Clients *Clients      // nil: every processor sends one message to every other
	Size    int

	// The limit of every link, in messages over its bandwidth: below Limit, or at most that.
	Limit  *big.Rat
	AtMost bool

	Fixed, Forbidden []int // nodes that must, and must not, have a processor
	Radius           int   // every node has a processor within this many links; 0: no condition
	Distance         int   // so many links are all nodes together from their nearest processors, at most; 0: no condition
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
	mostStored = 1 << 9  // nodes of networks of which the loads of all pairs are kept where translations preserve them
	mostApart  = 1 << 10 // nodes where they do not
	mostChosen = 1 << 8  // nodes where paths depend on the processors or are free
	mostAmount = 1 << 33 // of what two nodes put on a link, in units, and of a count
	mostWeight = 1 << 20 // of a link in a weighting
	mostSquare = 1 << 60 // of what two nodes put on weighted links, times the square of the number of nodes
	mostLimit  = 1 << 40 // of the limit of a link, in units
)

// A share is what a pair of nodes, or a processor with all its clients, puts on a link, in units.
type share struct {
	link   int
	amount int64
}

// A path is its links and the nodes strictly inside.
type path struct{ links, inside []int }

// loads holds what pairs of processors, and single ones, put on links, counted in units of 1/D messages, where D is
// such that all are whole: the least common multiple of the numbers of paths. The load of a link is the sum over pairs
// of processors plus the sum over processors. Where the paths of a message depend on the processors, or are free, D is
// that of all numbers up to the most paths that it may use, and pairs have the paths to choose from instead.
type loads struct {
	torus  *core.Torus
	nodes  int
	units  int64     // D
	ends   [][2]int  // of every link, {-1, -1} for numbers that have no link
	pairs  [][]share // by u*nodes+v and v*nodes+u: both directions together; on large networks of node 0 only
	single [][]share // by node
	chosen bool      // whether the paths of a message depend on the processors or are free
	paths  [][]path  // by from*nodes+to, if chosen
	limits []int64   // by link, in units: the largest allowed sum
	most   int64     // of what a pair, or a processor, puts on all links together

	shifted  bool           // translations preserve what pairs put on links
	sums     core.NodeTable // if so
	distance [][]int        // links from node to node, the number of nodes where there is no way; nil without a condition
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
	listed := n // nodes of which the pairs are kept
	if shifted && n > mostStored {
		listed = 1
	}
	if r.pay(int64(n)*int64(n)*4 + int64(listed)*int64(n)*48 + int64(t.M())*32); r.err != nil {
		return nil
	}
	l := &loads{torus: t, nodes: n, units: 1, chosen: chosen, shifted: shifted, pairs: make([][]share, listed*n),
		single: make([][]share, n)}
	if chosen {
		l.paths = make([][]path, n*n)
	}
	for i := range t.M() {
		ends := [2]int{-1, -1}
		if t.HasLink(core.Link(i)) {
			ends[0], ends[1] = t.LinkEnds(core.Link(i))
		}
		l.ends = append(l.ends, ends)
	}
	messages := q.messages(n, shifted)
	counts := make([]int64, len(messages)) // of paths
	for i, msg := range messages {
		for path := range msg.routing.Paths(msg.from, msg.to, nil) {
			if r.pay(int64(len(path)) + 1); r.err != nil {
				return nil
			}
			counts[i]++
			if chosen {
				l.list(msg, path, r)
			}
		}
		if counts[i] == 0 {
			r.unsupported("routings without a path from node %d to node %d", msg.from, msg.to)
			return nil
		}
		for k := int64(1); k <= counts[i]; k++ {
			if chosen && (q.Free == nil || !q.Free.Single) || !chosen && k == counts[i] {
				l.units *= k / core.GCD(l.units, k)
			}
			if l.units > mostAmount {
				r.unsupported("numbers of paths with so large a common multiple")
				return nil
			}
		}
	}
	uses := make([]int64, t.M())
	for i, msg := range messages {
		switch {
		case r.err != nil:
			return nil
		case q.Clients != nil:
			l.add(msg, counts[i], uses, &l.single[msg.of], r)
		case !chosen:
			l.add(msg, counts[i], uses, &l.pairs[msg.of], r)
		}
	}
	l.spread(listed, r)
	if l.setLimits(q, r); q.Radius > 0 || q.Distance > 0 {
		l.setDistances(r)
	}
	return l
}

// spread derives the lists of all nodes from those that there are, by translations or as pairs the other way round.
func (l *loads) spread(listed int, r *reader) {
	if l.shifted {
		l.sums = core.Sums(l.torus)
	}
	for u := 0; u < l.nodes && r.err == nil; u++ {
		if l.shifted && u > 0 {
			l.single[u] = l.moved(l.single[0], u, nil)
			r.pay(16 * int64(len(l.single[u])))
		}
		for v := u + 1; v < l.nodes && listed > 1; v++ {
			if l.shifted && u > 0 {
				list := l.pairs[l.torus.Displacement(u, v)]
				r.pay(16 * int64(len(list)))
				l.pairs[u*l.nodes+v] = l.moved(list, u, make([]share, 0, len(list)))
			}
			l.pairs[v*l.nodes+u] = l.pairs[u*l.nodes+v]
		}
	}
}

// moved appends shares to a list, with their links translated by a node.
func (l *loads) moved(list []share, by int, to []share) []share {
	for _, s := range list {
		node := s.link % l.nodes
		to = append(to, share{s.link - node + l.sums.At(by, node), s.amount})
	}
	return to
}

// between returns what two nodes put on links, perhaps in the memory given.
func (l *loads) between(u, v int, room []share) []share {
	if len(l.pairs) > l.nodes {
		return l.pairs[u*l.nodes+v]
	}
	return l.moved(l.pairs[l.torus.Displacement(u, v)], u, room[:0])
}

// list keeps a path that a message may take.
func (l *loads) list(msg message, links []core.Link, r *reader) {
	var p path
	for i, link := range links {
		if p.links = append(p.links, int(link)); i > 0 {
			p.inside = append(p.inside, l.ends[link][0])
		}
	}
	at := &l.paths[msg.from*l.nodes+msg.to]
	*at = append(*at, p)
	r.pay(16*int64(len(links)) + 48)
}

// A message goes from one node to another; of says what it is counted for, the pair u*nodes+v or under client traffic
// the processor.
type message struct {
	routing  routing.Routing
	from, to int
	amount   int64
	of       int
}

// messages lists what is sent if all nodes have processors, with first only what node 0 has a part in.
func (q Question) messages(n int, first bool) (list []message) {
	for p := range n {
		for x := range n {
			switch {
			case p > 0 && first:
				return list
			case q.Clients == nil && x > p:
				list = append(list, message{q.Routing, p, x, 1, p*n + x}, message{q.Routing, x, p, 1, p*n + x})
			case q.Clients != nil && x != p && q.Clients.Request > 0:
				list = append(list, message{q.Routing, x, p, q.Clients.Request, p})
			}
			if q.Clients != nil && x != p && q.Clients.Reply > 0 {
				list = append(list, message{q.Clients.ReplyRouting, p, x, q.Clients.Reply, p})
			}
		}
	}
	return list
}

// add counts what a message with so many paths puts on links; uses are 0 before and after.
func (l *loads) add(msg message, paths int64, uses []int64, list *[]share, r *reader) {
	if msg.amount > mostAmount/l.units {
		r.unsupported("numbers of messages so large")
		return
	}
	var used []int
	for path := range msg.routing.Paths(msg.from, msg.to, nil) {
		for _, link := range path {
			if uses[link] == 0 {
				used = append(used, int(link))
			}
			uses[link]++
		}
		if r.pay(int64(len(path)) + 1); r.err != nil {
			return
		}
	}
	for _, link := range used {
		i := slices.IndexFunc(*list, func(s share) bool { return s.link == link })
		if i < 0 {
			i = len(*list)
			*list = append(*list, share{link: link})
		}
		if (*list)[i].amount += uses[link] * (l.units / paths * msg.amount); (*list)[i].amount > mostAmount {
			r.unsupported("numbers of messages so large")
		}
		uses[link] = 0
	}
	r.pay(int64(len(used)*len(*list)) + 32)
}

// setLimits derives the largest load of each link from the question: a multiple of what divides all that is put on it.
// Links that translations take to each other have the same put on them.
func (l *loads) setLimits(q Question, r *reader) {
	alike := func(link int) int {
		if l.shifted {
			return link - link%l.nodes
		}
		return link
	}
	step := make([]int64, len(l.ends))
	for _, lists := range [2][][]share{l.pairs, l.single} {
		for _, list := range lists {
			total := int64(0)
			for _, s := range list {
				step[alike(s.link)] = core.GCD(s.amount, step[alike(s.link)])
				total += s.amount
			}
			l.most = max(l.most, total)
		}
	}
	for _, paths := range l.paths {
		for _, p := range paths {
			l.most = max(l.most, 2*l.units*int64(len(p.links)))
		}
	}
	for i := range l.ends {
		if l.ends[i][0] < 0 {
			l.limits = append(l.limits, 0)
			continue
		}
		_, port := l.torus.LinkFrom(core.Link(i))
		limit := new(big.Rat).SetInt64(l.units * int64(l.torus.Bandwidth(port.Dim)))
		limit.Mul(limit, q.Limit)
		whole := new(big.Int).Div(limit.Num(), limit.Denom()) // rounds down
		if !q.AtMost && limit.IsInt() {
			whole.Sub(whole, big.NewInt(1))
		}
		if !whole.IsInt64() || whole.Int64() > mostLimit || whole.Int64() < -mostLimit {
			r.unsupported("limits so large")
			return
		}
		most := whole.Int64()
		if step := step[alike(i)]; step > 0 {
			most = floorDiv(most, step) * step
		}
		l.limits = append(l.limits, most)
	}
}

// pathsOf returns the paths that a message may choose from, none where its paths are given.
func (l *loads) pathsOf(from, to int) []path {
	if !l.chosen {
		return nil
	}
	return l.paths[from*l.nodes+to]
}

// setDistances finds by breadth first search how many links nodes are from each other. Cost: nodes times links.
func (l *loads) setDistances(r *reader) {
	r.pay(int64(l.nodes) * int64(8*l.nodes+len(l.ends)))
	next := make([][]int, l.nodes)
	for _, e := range l.ends {
		if e[0] >= 0 {
			next[e[0]] = append(next[e[0]], e[1])
		}
	}
	for v := 0; v < l.nodes && r.err == nil; v++ {
		from, queue := slices.Repeat([]int{l.nodes}, l.nodes), []int{v}
		for from[v] = 0; len(queue) > 0; queue = queue[1:] {
			u := queue[0]
			for _, x := range next[u] {
				if from[x] == l.nodes {
					from[x] = from[u] + 1
					queue = append(queue, x)
				}
			}
		}
		l.distance = append(l.distance, from)
	}
}
