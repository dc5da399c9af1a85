package timetable

import (
	"fmt"

	"leeway/encode"
	"leeway/encode/card"
	"leeway/encode/cnf"
)

// A Formula is a question as clauses, measured and ready to be written as often as
// needed. It is immutable.
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

// New returns the formula of a question. It fails with a *QuestionError for a
// question that makes no sense or is far too large, and with a *cnf.SizeError when
// the formula would have more than encode.MaxClauses clauses. Cost: that of Write to
// a sink which does nothing.
func New(q Question) (*Formula, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	f := &Formula{question: q, procs: q.participants(), distance: q.distances(), at: map[send]int{}}
	f.from = make([][]int, len(q.Neighbours))
	for u, list := range q.Neighbours {
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
		first[v] = unreachable
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

// useful reports whether a block for a receiver can be at u before a step, and come
// to the receiver in time once it was sent to w.
func (f *Formula) useful(i, u, w, t int) bool {
	d := f.procs[i]
	return u != d && f.first[i][u] <= t && t+1+f.distance[w][d] <= f.question.Steps
}

func (f *Formula) name() string {
	return fmt.Sprintf("the exchange of %d processors on %d nodes in %d steps", len(f.procs), len(f.distance), f.question.Steps)
}

// Vars returns the number of variables.
func (f *Formula) Vars() int { return f.vars }

// Clauses returns the number of clauses.
func (f *Formula) Clauses() int64 { return f.clauses }

// Write writes the formula to the sink, always the same clauses in the same
// sequence. It stops at the first error of the sink and returns it.
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

// writePorts writes that a node sends once and receives once in a step. A further
// variable says that a link is in use.
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
