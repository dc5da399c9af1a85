package check

import (
	"context"
	"fmt"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check/meter"
)

// Answer returns the verdict about a document that read reads: what judge finds wrong with it, or that it is undecided
// where a limit is met, with the notes of judge.
func Answer[D any](ctx context.Context, data []byte, o Options, read func([]byte) (D, error),
	judge func(m *meter.Meter, d D) (faults, notes []string)) Verdict {
	m := NewMeter(ctx, o)
	return Judged(m, func() Verdict {
		var d D
		var err error
		m.Foreign(ReadingSteps(data), func() { d, err = read(data) })
		if err != nil {
			return Undecided(err)
		}
		faults, notes := judge(m, d)
		v := Verdict{Verdict: Valid, ProofVerdict: Verified, Reasons: append([]string{}, faults...)}
		if len(faults) > 0 {
			v.Verdict, v.ProofVerdict = Wrong, Wrong
		}
		for _, note := range notes {
			v.note(note)
		}
		return v
	})
}

// Subject returns the problem and the placement that an answer is about, or says what is wrong with them.
func Subject(m *meter.Meter, d results.Subject) (q objective.Problem, p core.Placement, problem string) {
	t, err := d.ReadGrid()
	if err != nil {
		return q, p, err.Error()
	}
	if t.M() > meter.MaxLinks {
		return q, p, fmt.Sprintf("the torus has %d links, more than the %d that are checked", t.M(), meter.MaxLinks)
	}
	r, err := m.ReadRouting(results.Record{Routing: d.Routing, Table: d.Table, Nodes: d.Nodes}, t)
	if err == nil {
		q, err = d.Setting.Apply(objective.Problem{Routing: r, Size: d.Size})
	}
	if err == nil {
		p, err = core.PlacementFromCoords(t, d.Nodes)
	}
	if err == nil {
		err = routing.Covers(r, p)
	}
	switch n := p.Size(); {
	case err != nil:
		return q, p, err.Error()
	case n != d.Size || n != len(d.Nodes):
		return q, p, fmt.Sprintf("size is %d, but there are %d nodes", d.Size, n)
	}
	return q, p, ""
}
