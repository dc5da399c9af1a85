package portfolio_test

import (
	"context"
	"math/big"
	"sync"

	"leeway/core"
	"leeway/objective"
	"leeway/search"
)

// An act is what a scripted method does in one of its turns.
type act struct {
	nodes  []int
	claim  string // value to report, "" for the true one
	below  string // refutation, "" for none
	kind   search.RefutationKind
	spend  int64 // at most the share; 0: the whole share
	reason search.Reason
	turns  int64
	err    error
	wait   bool            // until the context ends, reporting all that may be spent
	silent bool            // no event
	after  <-chan struct{} // begin when this is closed
}

// A scripted method does what a test wrote down, the last act again and again.
type scripted struct {
	name   string
	acts   []act
	deaf   bool // starts change nothing
	refuse bool

	mu    sync.Mutex
	turns []search.Params
}

// plays returns a method that does some acts.
func plays(name string, acts ...act) *scripted { return &scripted{name: name, acts: acts} }

func (s *scripted) Name() string     { return s.name }
func (s *scripted) UsesStarts() bool { return !s.deaf }

func (s *scripted) Supports(p objective.Problem) error {
	if s.refuse {
		return &search.UnsupportedError{Method: s.name, Problem: p.String(), Why: "told so"}
	}
	return nil
}

func (s *scripted) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	s.mu.Lock()
	a := s.acts[min(len(s.turns), len(s.acts)-1)]
	s.turns = append(s.turns, p)
	s.mu.Unlock()
	if a.after != nil {
		<-a.after
	}
	out := search.Outcome{Evaluations: p.Evaluations, Reason: a.reason, Turns: a.turns}
	if a.spend > 0 {
		out.Evaluations = min(a.spend, p.Evaluations)
	}
	if a.nodes != nil {
		out.Best = core.MustPlacement(p.Problem.Torus(), a.nodes)
		out.Value, _ = objective.Naive(p.Problem.Routing, out.Best).Max()
		if a.claim != "" {
			out.Value = fraction(a.claim)
		}
		if !a.silent {
			p.Report(search.Event{Value: out.Value, Best: out.Best, Evaluations: out.Evaluations, Improved: true})
		}
	}
	if a.below != "" {
		out.Refutation = &search.Refutation{Below: fraction(a.below), Engine: s.name, Kind: a.kind}
	}
	if a.wait {
		p.Report(search.Event{Evaluations: out.Evaluations})
		<-ctx.Done()
	}
	return out, a.err
}

func fraction(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	return r
}
