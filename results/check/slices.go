package check

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"sync/atomic"

	"leeway/core"
	"leeway/core/parallel"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check/census"
	"leeway/results/check/clients"
	"leeway/results/check/meter"
	"leeway/results/check/trees"
)

// A SliceVerdict says whether a slice of a census has the nodes recorded.
type SliceVerdict struct {
	First   []int  `json:"first"`
	Nodes   int64  `json:"nodes"`   // as recorded
	Verdict string `json:"verdict"` // verified, wrong, or absent if it was left out
	Reason  string `json:"reason,omitempty"`
}

// nodesPerStep is more nodes of any tree than are visited in a step.
const nodesPerStep = 4

// censusProblem walks the slices of a census again.
func (v *verifier) censusProblem(r routing.Routing, n int, below *big.Rat, p *results.Proof) string {
	if p.Split == nil || p.Nodes == nil {
		return "split, nodes and slices belong together"
	}
	if v.options.Wanted == nil {
		v.meter.Need(*p.Nodes / nodesPerStep)
	}
	q := objective.Problem{Routing: r, Traffic: v.traffic}
	w, err := newWalk(v.meter, q, n, v.conditions, below, p.Engine, *p.Split)
	if err != nil {
		v.meter.Must()
		return err.Error()
	}
	if problem := coverProblem(w.Prefixes(), p); problem != "" {
		return problem
	}
	s := &sliceRun{verifier: v, walk: w, proof: p, torus: r.Torus(), below: below,
		verdicts: make([]SliceVerdict, len(p.Slices))}
	s.run()
	v.meter.Must()
	return s.conclude()
}

// newWalk prepares the walk of the tree of an engine under routing and traffic of a problem.
func newWalk(m *meter.Meter, p objective.Problem, n int, c census.Conditions, below *big.Rat, engine string,
	split int) (census.Walk, error) {
	if p.Traffic.Clients() {
		return clients.New(m, p, n, c, below, engine, split)
	}
	return trees.New(m, p.Routing, n, c, below, engine, split)
}

// coverProblem says why the slices do not hold all prefixes, each once and in order, or why their sum is wrong.
func coverProblem(prefixes [][]int, p *results.Proof) string {
	at, nodes := 0, int64(0)
	for i, s := range p.Slices {
		switch {
		case s.Prefixes < 1 || s.Nodes < 0:
			return fmt.Sprintf("slice %d holds %d prefixes and %d nodes", i+1, s.Prefixes, s.Nodes)
		case at >= len(prefixes) || !slices.Equal(s.First, prefixes[at]):
			return fmt.Sprintf("slice %d does not start where the one before ends: a slice is missing or does not belong here",
				i+1)
		}
		at += min(s.Prefixes, len(prefixes)-at+1)
		nodes += s.Nodes
	}
	switch {
	case at != len(prefixes):
		return fmt.Sprintf("the slices do not hold all %d prefixes", len(prefixes))
	case nodes != *p.Nodes:
		return fmt.Sprintf("the slices have %d nodes, not %d", nodes, *p.Nodes)
	}
	return ""
}

// A sliceRun walks the slices of one proof, side by side.
type sliceRun struct {
	*verifier
	walk     census.Walk
	proof    *results.Proof
	torus    *core.Torus
	below    *big.Rat
	starts   []int // number of the first prefix of every slice
	verdicts []SliceVerdict
	done     atomic.Int64 // nodes
}

func (s *sliceRun) run() {
	at := 0
	for _, slice := range s.proof.Slices {
		s.starts = append(s.starts, at)
		at += slice.Prefixes
	}
	parallel.Each(context.Background(), s.options.Workers, len(s.verdicts), func(i int) {
		if s.meter.Err() != nil {
			return
		}
		own := s.meter.Fork()
		defer own.Settle()
		own.Part(func() { s.verdicts[i] = s.judge(own, i) })
		if s.options.Observe != nil {
			s.options.Observe(s.done.Add(s.proof.Slices[i].Nodes), *s.proof.Nodes)
		}
	})
}

// judge walks one slice.
func (s *sliceRun) judge(m *meter.Meter, i int) SliceVerdict {
	slice := s.proof.Slices[i]
	v := SliceVerdict{First: slice.First, Nodes: slice.Nodes, Verdict: Absent}
	if s.options.Wanted != nil && !s.options.Wanted(i) {
		return v
	}
	t := s.walk.Run(m, s.starts[i], s.starts[i]+slice.Prefixes, slice.Nodes)
	sum := fmt.Sprintf("%016x", t.Sum)
	switch {
	case t.Found != nil:
		v.Reason = fmt.Sprintf("the placement %s has E_max below %s",
			core.JoinNodes(core.MustPlacement(s.torus, t.Found).Coords()), s.below.RatString())
	case t.Ended:
		v.Reason = fmt.Sprintf("it has more nodes than the %d recorded", slice.Nodes)
	case t.Nodes != slice.Nodes:
		v.Reason = fmt.Sprintf("it has %d nodes, not the %d recorded", t.Nodes, slice.Nodes)
	case sum != slice.Sum:
		v.Reason = fmt.Sprintf("its checksum is %s, not %q", sum, slice.Sum)
	default:
		v.Verdict = Verified
		return v
	}
	v.Verdict = Wrong
	return v
}

// conclude returns what is wrong with the first wrong slice, "" if none is.
func (s *sliceRun) conclude() string {
	if s.options.Report {
		s.slices = s.verdicts
	}
	for i, v := range s.verdicts {
		switch v.Verdict {
		case Wrong:
			return fmt.Sprintf("slice %d, from %s: %s", i+1, core.JoinInts(v.First, ","), v.Reason)
		case Absent, "": // "": the context ended first
			s.partial = true
		}
	}
	return ""
}

// A Rewalk repeats parts of a census that others have counted, with the walks of this package. It may be shared by
// goroutines.
type Rewalk struct{ walk census.Walk }

// NewRewalk prepares to walk the tree of an engine for one value; cut at prefixes of a length, 0 where the tree has
// none to choose. Errors are those by which Record calls a census of that tree wrong, or too large to be walked again.
func NewRewalk(ctx context.Context, p objective.Problem, below *big.Rat, engine string, split int) (*Rewalk, error) {
	conditions := census.ConditionsOf(p)
	w, err := newWalk(meter.Unlimited(ctx), p, p.Size, conditions, below, engine, split)
	if err != nil {
		return nil, err
	}
	return &Rewalk{walk: w}, nil
}

// Prefixes returns the prefixes of the tree, in order. They belong to the Rewalk.
func (w *Rewalk) Prefixes() [][]int { return w.walk.Prefixes() }

// A Count is what a Rewalk met.
type Count = census.Tally

// Walk visits the nodes at and below the prefixes from..to-1 and counts them. It ends early with the first placement
// below the value, with more than most nodes, or when the context ends. It takes as long as walking the nodes.
func (w *Rewalk) Walk(ctx context.Context, from, to int, most int64) Count {
	return w.walk.Run(meter.Unlimited(ctx), from, to, most)
}
