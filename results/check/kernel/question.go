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
	Clients *Clients // nil: every processor sends one message to every other
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

// Limits of what the kernel counts with: they keep every sum far inside an int64.
const (
	mostNodes  = 256
	mostAmount = 1 << 31 // of what two nodes put on a link, in units, and of a count
	mostWeight = 1 << 20 // of a link in a weighting
	mostPair   = 1 << 44 // of what two nodes put on weighted links
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
// of processors plus the sum over processors. Where the paths of a message depend on the processors, D is that of all
// numbers up to the most paths, and pairs have the paths to choose from instead.
type loads struct {
	nodes  int
	units  int64     // D
	ends   [][2]int  // of every link, {-1, -1} for numbers that have no link
	pairs  [][]share // by u*nodes+v and v*nodes+u: both directions together
	single [][]share // by node
	chosen bool      // whether the paths of a message depend on the processors
	paths  [][]path  // by from*nodes+to
	limits []int64   // by link, in units: the largest allowed sum

	distance [][]int // links from node to node, the number of nodes where there is no way; nil without a condition
}

// An UnsupportedError says that the kernel does not take a question, and why.
type UnsupportedError struct{ Problem string }

func (e *UnsupportedError) Error() string { return "the kernel does not take " + e.Problem }

func (r *reader) unsupported(format string, args ...any) {
	r.fail(&UnsupportedError{fmt.Sprintf(format, args...)})
}

// newLoads lists the paths of all messages. Cost: their number times their length, which is counted.
func newLoads(q Question, r *reader) *loads {
	t := q.Routing.Torus()
	n := t.N()
	avoid, chosen := q.Routing.(*routing.Avoid)
	switch {
	case n > mostNodes:
		r.unsupported("networks of %d nodes; the most is %d", n, mostNodes)
	case q.Routing.DependsOnPlacement() && (!chosen || q.Clients != nil):
		r.unsupported("clients, nor routings other than avoid, where paths depend on the placement")
	case chosen:
		q.Routing = avoid.Candidates()
	}
	if r.pay(int64(n)*int64(n)*96 + int64(t.M())*32); r.err != nil {
		return nil
	}
	l := &loads{nodes: n, units: 1, chosen: chosen, pairs: make([][]share, n*n), single: make([][]share, n),
		paths: make([][]path, n*n)}
	for i := range t.M() {
		ends := [2]int{-1, -1}
		if t.HasLink(core.Link(i)) {
			ends[0], ends[1] = t.LinkEnds(core.Link(i))
		}
		l.ends = append(l.ends, ends)
	}
	messages := q.messages(n)
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
			if chosen || k == counts[i] {
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
		if !chosen && r.err == nil {
			l.add(msg, counts[i], uses, r)
		}
	}
	if l.setLimits(q, r); q.Radius > 0 || q.Distance > 0 {
		l.setDistances(r)
	}
	return l
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

// A message goes from one node to another; processor is the one that it is counted for, -1 where it is for the pair.
type message struct {
	routing             routing.Routing
	from, to, processor int
	amount              int64
}

// messages lists what is sent if all nodes have processors.
func (q Question) messages(n int) (list []message) {
	for u := range n {
		for v := range n {
			switch {
			case u == v:
			case q.Clients == nil:
				list = append(list, message{q.Routing, u, v, -1, 1})
			default:
				if q.Clients.Request > 0 {
					list = append(list, message{q.Routing, u, v, v, q.Clients.Request})
				}
				if q.Clients.Reply > 0 {
					list = append(list, message{q.Clients.ReplyRouting, v, u, v, q.Clients.Reply})
				}
			}
		}
	}
	return list
}

// add counts what a message with so many paths puts on links; uses are 0 before and after.
func (l *loads) add(msg message, paths int64, uses []int64, r *reader) {
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
	list := &l.single[max(msg.processor, 0)]
	if msg.processor < 0 {
		list = &l.pairs[msg.from*l.nodes+msg.to]
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
	if msg.processor < 0 {
		l.pairs[msg.to*l.nodes+msg.from] = *list
	}
}

// setLimits derives the largest load of each link from the question: a multiple of what divides all that is put on it.
func (l *loads) setLimits(q Question, r *reader) {
	t := q.Routing.Torus()
	step := make([]int64, len(l.ends))
	for _, lists := range [2][][]share{l.pairs, l.single} {
		for _, list := range lists {
			for _, s := range list {
				step[s.link] = core.GCD(s.amount, step[s.link])
			}
		}
	}
	for i := range l.ends {
		if l.ends[i][0] < 0 {
			l.limits = append(l.limits, 0)
			continue
		}
		_, port := t.LinkFrom(core.Link(i))
		limit := new(big.Rat).SetInt64(l.units * int64(t.Bandwidth(port.Dim)))
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
		if step[i] > 0 {
			most = floorDiv(most, step[i]) * step[i]
		}
		l.limits = append(l.limits, most)
	}
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
