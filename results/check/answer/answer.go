// Package answer has what verdicts about all answers about a placement have in common, worst cases and deadlock among
// them; no verdict about a record needs it.
package answer

import (
	"context"
	"fmt"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/check/meter"
)

// Judge returns the verdict about a document that read reads: what judge finds wrong with it, or that it is undecided
// where a limit is met, with the notes of judge.
func Judge[D any](ctx context.Context, data []byte, o check.Options, read func([]byte) (D, error),
	judge func(m *meter.Meter, d D) (faults, notes []string)) check.Verdict {
	m := check.NewMeter(ctx, o)
	return check.Judged(m, func() check.Verdict {
		var d D
		var err error
		m.Foreign(check.ReadingSteps(data), func() { d, err = read(data) })
		if err != nil {
			return check.Undecided(err)
		}
		faults, notes := judge(m, d)
		v := check.Verdict{Verdict: check.Valid, ProofVerdict: check.Verified, Reasons: append([]string{}, faults...)}
		if len(faults) > 0 {
			v.Verdict, v.ProofVerdict = check.Wrong, check.Wrong
		}
		for _, note := range notes {
			v.Reasons = append(v.Reasons, "note: "+note)
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
