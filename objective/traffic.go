package objective

import (
	"fmt"
	"iter"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
)

// A Traffic says who sends how many messages to whom. The zero value is all-to-all traffic: every processor sends 1 to
// every other. With a matrix tasks send, wherever an Assignment has them. Otherwise every node of the network is a
// client of every processor: node v sends Request to each processor p != v, and p sends Reply back to v. See
// Problem.WithTraffic.
type Traffic struct {
	Request, Reply int
	// Replies routes what processors send back; nil: the routing of the problem.
	Replies routing.Routing
	// Matrix is what labelled tasks send each other, nil: processors send. PerNode tasks may be on one node; 0: one.
	Matrix  *Matrix
	PerNode int
}

// MaxMessages is the most messages of a request or a reply.
const MaxMessages = 1 << 20

// Clients reports whether this is client traffic, not all to all.
func (t Traffic) Clients() bool { return t.Request > 0 || t.Reply > 0 }

// ToAll reports whether this is the default, every processor to every other.
func (t Traffic) ToAll() bool { return t.Matrix == nil && !t.Clients() }

// MatrixTraffic begins the text of a traffic that is a matrix, and is how documents call it.
const MatrixTraffic = "matrix"

// AllToAll is the text of the default traffic.
const AllToAll = "all"

// String returns the canonical text, "all", "clients:request=1:reply=4" or that of a matrix; the routing of the replies
// is not in it.
func (t Traffic) String() string {
	if t.Matrix != nil {
		return t.Matrix.String()
	}
	if !t.Clients() {
		return AllToAll
	}
	return fmt.Sprintf("clients:request=%d:reply=%d", t.Request, t.Reply)
}

// ReplyText returns the routing of the replies in canonical form, "" where it is that of the problem.
func (t Traffic) ReplyText() string {
	if t.Replies == nil {
		return ""
	}
	return t.Replies.String()
}

// trafficHint follows errors about a traffic.
const trafficHint = "write all, clients, or clients:request=1:reply=4"

// ParseTraffic reads "all", "clients", request and reply 1 unless given, or the text of a matrix. Errors are
// *core.InputError.
func ParseTraffic(text string) (Traffic, error) {
	options, err := core.ParseText(text, trafficHint)
	if err != nil {
		return Traffic{}, err
	}
	t := Traffic{}
	switch options.Name {
	case MatrixTraffic:
		t.Matrix, err = parseMatrix(options)
		return t, err
	case AllToAll:
		return t, options.Unused()
	case "clients":
		t = Traffic{Request: 1, Reply: 1}
	default:
		return t, options.FailWhole("unknown traffic")
	}
	for _, o := range []struct {
		key   string
		count *int
	}{{"request", &t.Request}, {"reply", &t.Reply}} {
		part, given := options.Take(o.key)
		if !given {
			continue
		}
		if *o.count, err = options.Int(part); err != nil {
			return Traffic{}, err
		}
		if *o.count < 0 || *o.count > MaxMessages {
			return Traffic{}, options.Fail(part, fmt.Sprintf("%s lies outside 0..%d", o.key, MaxMessages))
		}
	}
	if err := options.Unused(); err != nil {
		return Traffic{}, err
	}
	if !t.Clients() {
		return Traffic{}, options.FailWhole("request and reply are both 0: nothing is sent")
	}
	return t, nil
}

// WithTraffic returns the same problem with another traffic. A routing of the replies that is the problem's own becomes
// nil. Errors are *core.InputError: unreadable numbers, and what has no meaning for clients: a free routing, paths
// that depend on the placement, a table that does not have all pairs of nodes, a table for the replies, or a routing of
// its own for replies where there are no requests or no replies.
func (p Problem) WithTraffic(t Traffic) (Problem, error) {
	fail := func(text, problem, hint string) (Problem, error) {
		return p, core.Invalid(text, "%s", problem).Hinted(hint)
	}
	switch {
	case t.Matrix != nil:
		return p.withMatrix(t)
	case t.Request < 0 || t.Reply < 0 || t.Request > MaxMessages || t.Reply > MaxMessages:
		return fail(t.String(), fmt.Sprintf("request and reply lie in 0..%d", MaxMessages), trafficHint)
	case !t.Clients() && t.Replies != nil:
		return fail(t.Replies.String(), "all-to-all traffic has no replies", "say who replies with --traffic clients")
	case !t.Clients():
		p.Traffic = Traffic{}
		return p, nil
	case p.Free != nil:
		return fail(t.String(), "a free routing is for all-to-all traffic", "name a routing, as udr:tie=both")
	case p.Routing.DependsOnPlacement():
		return fail(p.Routing.String(), "its paths depend on the placement, which client traffic does not treat",
			"take udr, whose paths avoid chooses from")
	}
	if err := routing.Complete(p.Routing); err != nil {
		return p, err
	}
	if r := t.Replies; r != nil {
		switch {
		case t.Request == 0 || t.Reply == 0:
			return fail(r.String(), "a routing of their own for replies needs requests and replies",
				"give the routing of the only messages as --routing")
		case r.DependsOnPlacement():
			return fail(r.String(), "its paths depend on the placement, which client traffic does not treat",
				"take udr, whose paths avoid chooses from")
		case routing.Tabled(r):
			return fail(r.String(), "replies cannot be routed by a table", "name a routing, as odr:order=1,0")
		case !r.Torus().Equal(p.Torus()):
			return fail(r.Torus().String(), "the routing of the replies is for another network than "+p.Torus().String(), "")
		case r.String() == p.Routing.String():
			t.Replies = nil
		}
	}
	p.Traffic = t
	return p, nil
}

// ReplyRouting returns the routing of what processors send back to their clients.
func (p Problem) ReplyRouting() routing.Routing {
	if p.Traffic.Replies != nil {
		return p.Traffic.Replies
	}
	return p.Routing
}

// Unit returns what messages are counted in: 1, or the least amount of a matrix.
func (t Traffic) Unit() *big.Rat {
	if t.Matrix == nil {
		return big.NewRat(1, 1)
	}
	return big.NewRat(1, t.Matrix.Den)
}

// Amounts returns a function for how many messages a node sends another under a placement, in units of Unit, and the
// nodes that have some: those of the placement, or all for client traffic.
func (t Traffic) Amounts(s core.Placement) (messages func(from, to int) int64, nodes []int) {
	processors := s.Set()
	switch {
	case t.Matrix != nil:
		amounts := map[[2]int]int64{}
		for _, d := range t.Matrix.Demands {
			amounts[[2]int{s.Tasks()[d.From], s.Tasks()[d.To]}] += d.Amount
		}
		return func(from, to int) int64 { return amounts[[2]int{from, to}] }, s.Nodes()
	case t.Clients():
		return func(from, to int) (messages int64) {
			if processors.Has(to) {
				messages += int64(t.Request)
			}
			if processors.Has(from) {
				messages += int64(t.Reply)
			}
			return messages
		}, core.Range(s.Torus().N())
	}
	return func(from, to int) int64 {
		if processors.Has(from) && processors.Has(to) {
			return 1
		}
		return 0
	}, s.Nodes()
}

// A Message is what node From sends node To, Count times the unit of the traffic, by the paths of a routing.
type Message struct {
	Routing  routing.Routing
	From, To int
	Count    int64
	Reply    bool // from a processor to a client
}

// Messages yields all that is sent with processors on some nodes, from the definition of the traffic.
func (p Problem) Messages(s core.Placement) iter.Seq[Message] {
	return func(yield func(Message) bool) {
		if m := p.Traffic.Matrix; m != nil {
			at := s.Tasks()
			for _, d := range m.Demands {
				if at[d.From] != at[d.To] && !yield(Message{p.Routing, at[d.From], at[d.To], d.Amount, false}) {
					return
				}
			}
			return
		}
		if !p.Traffic.Clients() {
			for from, to := range s.Pairs() {
				if !yield(Message{Routing: p.Routing, From: from, To: to, Count: 1}) {
					return
				}
			}
			return
		}
		for _, processor := range s.Nodes() {
			for client := range p.Torus().N() {
				if client == processor {
					continue
				}
				request := Message{p.Routing, client, processor, int64(p.Traffic.Request), false}
				reply := Message{p.ReplyRouting(), processor, client, int64(p.Traffic.Reply), true}
				if request.Count > 0 && !yield(request) || reply.Count > 0 && !yield(reply) {
					return
				}
			}
		}
	}
}

// Denominator returns a D such that every load under a routing, of every placement, is a
// multiple of 1/D: that of the routing times the common multiple of the bandwidths. It is
// nil where the routing has no denominator, or one too large to use.
func Denominator(r routing.Routing) *big.Int {
	den := r.Denominator()
	if den == nil {
		return nil
	}
	return new(big.Int).Mul(den, big.NewInt(int64(r.Torus().CommonBandwidth())))
}

// Denominator returns a D such that every load, of every placement, is a multiple of 1/D, nil where a routing has
// no denominator, or one too large to use.
func (p Problem) Denominator() *big.Int {
	den := Denominator(p.Routing)
	if p.Traffic.Matrix != nil && den != nil {
		den.Mul(den, big.NewInt(p.Traffic.Matrix.Den))
	}
	if p.Traffic.Replies == nil || den == nil {
		return den
	}
	replies := Denominator(p.Traffic.Replies)
	if replies == nil {
		return nil
	}
	core.FoldLCM(den, replies)
	return den
}
