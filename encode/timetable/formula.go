// Package timetable writes the question "is there a complete exchange by store and forward in T steps" as a formula
// in clauses, for solvers and for checkers of their proofs.
//
// Blocks for one receiver are interchangeable: it does not matter which of them goes first. So the formula has no
// variables for blocks. For every receiver it has a variable for each send in a step, and for each node the number,
// in unary, of the blocks for that receiver that wait there. A block that has reached its receiver stays.
// Consequences of counting, which solvers find hard to derive, are added as clauses (clauses.go).
//
//	formula, err := timetable.New(timetable.Question{Neighbours: ring, Steps: 9})
//	err = formula.Write(sink)             // to a solver, or to a file
//	moves, err := formula.Decode(value)   // value(v): what the solver gave variable v
package timetable

import (
	"fmt"

	"leeway/core"
	"leeway/encode"
	"leeway/encode/card"
	"leeway/encode/cnf"
	"leeway/objective/exchange"
)

// A Question asks for a complete exchange among the participants of a network in a number of steps: in a step a node
// sends one block to a neighbour and receives one block, at most. Any node may pass blocks on.
type Question struct {
	Neighbours   [][]int // by node: where it can send to, each once
	Participants []int   // nodes that exchange, ascending; nil: all
	Steps        int
}

// Limits of a question, far beyond what a solver can answer. Distances are kept for all pairs of nodes.
const (
	maxNodes = 1 << 10
	maxSteps = 1 << 12
)

// A QuestionError says why a question cannot be put as a formula.
type QuestionError struct{ Why string }

// Error gives the reason.
func (e *QuestionError) Error() string { return "no formula for the exchange: " + e.Why }

// check returns nil if the question makes sense, otherwise a *QuestionError.
func (q Question) check() error {
	fail := func(format string, args ...any) error { return &QuestionError{fmt.Sprintf(format, args...)} }
	n := len(q.Neighbours)
	if n > maxNodes || q.Steps < 0 || q.Steps > maxSteps {
		return fail("%d nodes and %d steps: the most are %d and %d", n, q.Steps, maxNodes, maxSteps)
	}
	for v, list := range q.Neighbours {
		seen := map[int]bool{v: true}
		for _, w := range list {
			if w < 0 || w >= n || seen[w] {
				return fail("node %d is not a neighbour that node %d can have, or is repeated", w, v)
			}
			seen[w] = true
		}
	}
	for i, p := range q.Participants {
		if p < 0 || p >= n || i > 0 && q.Participants[i-1] >= p {
			return fail("participants are nodes in ascending order")
		}
	}
	return nil
}

// participants returns the nodes that exchange.
func (q Question) participants() []int {
	if q.Participants != nil {
		return q.Participants
	}
	return core.Range(len(q.Neighbours))
}

// A Formula is a question in clauses. Its size is known, and it can be written as often as needed. It is immutable.
type Formula struct {
	question Question
	procs    []int
	distance [][]int
	from     [][]int // by node: which nodes can send to it
	first    [][]int // by receiver and node: the first step that can find a block there
	sends    []send
	at       map[send]int // the variable of a send, from 1
	vars     int
	clauses  int64
}

// A send is one of a block for a receiver, at a step.
type send struct{ receiver, from, to, step int }

// New returns the formula of a question. It fails with a *QuestionError for a question that makes no sense or is far
// too large, and with a *cnf.SizeError when the formula would have more than encode.MaxClauses clauses. Cost: that of
// Write to a sink which does nothing.
func New(q Question) (*Formula, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	f := &Formula{question: q, procs: q.participants(), at: map[send]int{}}
	f.from = make([][]int, len(q.Neighbours))
	for u, list := range q.Neighbours {
		f.distance = append(f.distance, exchange.Distances(q.Neighbours, u))
		for _, v := range list {
			f.from[v] = append(f.from[v], u)
		}
	}
	for _, d := range f.procs {
		f.first = append(f.first, f.firstSteps(d))
	}
	if err := f.listSends(); err != nil {
		return nil, err
	}
	b := f.builder(nil)
	f.write(b)
	f.vars, f.clauses = b.Vars(), b.Clauses()
	return f, b.Err()
}

// firstSteps returns for every node the distance from the nearest other participant.
func (f *Formula) firstSteps(receiver int) []int {
	first := make([]int, len(f.distance))
	for v := range first {
		first[v] = exchange.Unreachable
		for _, p := range f.procs {
			if p != receiver {
				first[v] = min(first[v], f.distance[p][v])
			}
		}
	}
	return first
}

// listSends gives every send that can be of use a variable, step by step.
func (f *Formula) listSends() error {
	for t := range f.question.Steps {
		for i := range f.procs {
			for u, list := range f.question.Neighbours {
				for _, w := range list {
					if !f.useful(i, u, w, t) {
						continue
					}
					if len(f.sends) == encode.MaxClauses {
						return &cnf.SizeError{What: f.name(), Limit: encode.MaxClauses}
					}
					s := send{f.procs[i], u, w, t}
					f.sends = append(f.sends, s)
					f.at[s] = len(f.sends)
				}
			}
		}
	}
	return nil
}

// useful reports whether a block for a receiver can be at u before a step, and still reach the receiver in time after
// a send to w.
func (f *Formula) useful(i, u, w, t int) bool {
	d := f.procs[i]
	return u != d && f.first[i][u] <= t && t+1+f.distance[w][d] <= f.question.Steps
}

func (f *Formula) name() string {
	return fmt.Sprintf("the exchange of %d processors on %d nodes in %d steps", len(f.procs), len(f.distance),
		f.question.Steps)
}

// Vars returns the number of variables.
func (f *Formula) Vars() int { return f.vars }

// Clauses returns the number of clauses.
func (f *Formula) Clauses() int64 { return f.clauses }

// Write writes the formula to the sink, always the same clauses in the same sequence. It stops at the first error of
// the sink and returns it.
func (f *Formula) Write(sink cnf.Sink) error {
	b := f.builder(sink)
	f.write(b)
	return b.Err()
}

func (f *Formula) builder(sink cnf.Sink) *cnf.Builder {
	return cnf.NewBuilder(sink, f.name(), len(f.sends), encode.MaxClauses)
}

func (f *Formula) write(b *cnf.Builder) {
	f.writePorts(b)
	for i := range f.procs {
		f.writeReceiver(b, i)
	}
	f.writeTimes(b)
	f.writeWork(b)
}

// writePorts writes that a node sends once and receives once in a step. A further variable says that a link is in
// use.
func (f *Formula) writePorts(b *cnf.Builder) {
	type link struct{ from, to, step int }
	var links []link
	users := map[link][]int{}
	for i, s := range f.sends {
		l := link{s.from, s.to, s.step}
		if users[l] == nil {
			links = append(links, l)
		}
		users[l] = append(users[l], i+1)
	}
	n := len(f.distance)
	out, in := make([][]int, n*f.question.Steps), make([][]int, n*f.question.Steps)
	for _, l := range links {
		card.AtMostK(b, users[l], 1)
		busy := b.Var()
		for _, x := range users[l] {
			b.Clause(-x, busy)
		}
		out[l.step*n+l.from] = append(out[l.step*n+l.from], busy)
		in[l.step*n+l.to] = append(in[l.step*n+l.to], busy)
	}
	for i := range out {
		card.AtMostK(b, out[i], 1)
		card.AtMostK(b, in[i], 1)
	}
}

// A ModelError says that the model of a solver is not a complete exchange, because of a bug in the solver or in the
// encoding.
type ModelError struct{ Why string }

// Error names the fault.
func (e *ModelError) Error() string { return "wrong model of an exchange: " + e.Why }

// A pile is the blocks for one receiver that wait at a node.
type pile struct{ node, receiver int }

// Decode returns the steps that an assignment of the variables describes, as sends of one block without axes. At each
// node the block that has waited longest goes first; a send with no waiting block is left out. It fails with a
// *ModelError if a block does not reach its receiver.
func (f *Formula) Decode(value func(variable int) bool) ([]exchange.Phase, error) {
	waiting, left := map[pile][]int{}, 0 // by pile: where its blocks are from
	for _, p := range f.procs {
		for _, d := range f.procs {
			if p != d {
				waiting[pile{p, d}] = []int{p}
				left++
			}
		}
	}
	phases := make([]exchange.Phase, f.question.Steps)
	for first := 0; first < len(f.sends); {
		step := f.sends[first].step
		for ; first < len(f.sends) && f.sends[first].step == step; first++ {
			s := f.sends[first]
			if at := (pile{s.from, s.receiver}); value(first+1) && len(waiting[at]) > 0 {
				phases[step] = append(phases[step], exchange.Send{From: int32(s.from), To: int32(s.to), Axis: -1,
					Blocks: []exchange.Block{exchange.NewBlock(waiting[at][0], s.receiver)}})
				waiting[at] = waiting[at][1:]
			}
		}
		for _, s := range phases[step] { // what is received can go on in the next step
			if b := s.Blocks[0]; s.To == b.To {
				left--
			} else {
				at := pile{int(s.To), int(b.To)}
				waiting[at] = append(waiting[at], int(b.From))
			}
		}
	}
	if left > 0 {
		return nil, &ModelError{fmt.Sprintf("%d blocks do not come to their receivers", left)}
	}
	return phases, nil
}
