package documents

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"leeway/encode/timetable"
	words "leeway/objective/exchange"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/check/exchange"
	"leeway/results/check/meter"
	"leeway/results/check/sat"
	"leeway/results/schedules"
)

// exchangeFile returns the verdict about a schedule in a file, its proof apart, and what the file says before its
// phases.
func exchangeFile(m *meter.Meter, path string) (exchange.Verdict, words.Head) {
	file, err := os.Open(path)
	if err != nil {
		return exchange.NotRead(err), words.Head{}
	}
	defer file.Close()
	r, err := schedules.Read(m.Reader(file))
	if err != nil {
		return exchange.NotRead(results.InFile(err, path)), words.Head{}
	}
	v := exchangeOf(m, r.Head, func(yield func(words.Phase, error) bool) {
		for phase, err := range r.Phases() {
			if !yield(phase, results.InFile(err, path)) {
				return
			}
		}
	})
	return v, r.Head
}

// Exchange returns the verdict about phases from anywhere, as exchange.Follow does. No limit of steps holds here: see
// Files.
func Exchange(head words.Head, phases schedules.Phases) exchange.Verdict {
	return exchangeOf(meter.Unlimited(context.Background()), head, phases)
}

// exchangeOf is Exchange within what a meter allows; past that the schedule is undecided.
func exchangeOf(m *meter.Meter, head words.Head, phases schedules.Phases) (v exchange.Verdict) {
	if err := m.Run(func() { v = exchange.Follow(head, phases, m) }); err != nil {
		return notFollowed(err)
	}
	return v
}

// notFollowed returns the verdict about a schedule that cannot be read, or was not checked where a limit is why.
func notFollowed(err error) exchange.Verdict {
	v := exchange.NotRead(err)
	if check.IsLimit(err) {
		v.Verdict = check.Limit
	}
	return v
}

// weighted names the bound by weights of each model in steps.
var weighted = map[words.Model]string{words.StoreAndForward: words.WeightBound, words.AllPort: words.CongestionBound}

// NoFewerSteps says why the proof of a schedule does not show that no complete exchange of its processors by store and
// forward has fewer steps than it says, "" if it does. The folder is where a file lies that the proof names. Everything
// is derived from the head: bounds again, and the formula that a solver refuted. Cost: that of the proof; if the
// context ends it says so.
func NoFewerSteps(ctx context.Context, folder string, head words.Head) (problem string) {
	m := meter.Unlimited(ctx)
	if err := m.Run(func() { problem = noFewerSteps(m, folder, head) }); err != nil {
		return err.Error()
	}
	return problem
}

func noFewerSteps(m *meter.Meter, folder string, head words.Head) string {
	p := head.Proof
	switch {
	case p == nil:
		return "there is none"
	case !head.Model.InSteps() || head.Model == words.AllPort && p.Kind != words.ByBound:
		return fmt.Sprintf("a schedule by %s has no proof of kind %q", head.Model, p.Kind)
	case p.Kind != words.ByBound && p.Kind != results.ProofUnsat:
		return fmt.Sprintf("its kind %q is unknown", p.Kind)
	case p.Below < 0 || p.Below < 1 && p.Kind == results.ProofUnsat:
		return fmt.Sprintf("it is about fewer than %d steps", p.Below)
	case p.Kind == results.ProofUnsat && (p.Bound != "" || p.Weights != nil):
		return "bound and weights belong to a proof of kind bound"
	case p.Kind == words.ByBound && (p.Format != "" || p.File != "" || p.SHA256 != ""):
		return "format, file and sha256 belong to a proof of kind unsat"
	case p.Kind == words.ByBound && p.Weights != nil && p.Bound != weighted[head.Model]:
		return fmt.Sprintf("weights belong to the bound %s", weighted[head.Model])
	case p.Kind == words.ByBound:
		return exchange.BoundProblem(head, m)
	}
	return sat.RefutationProblem(m, folder, p.Format, p.File, p.SHA256, func(proof io.Reader) (sat.Refutation, error) {
		q, err := exchange.Question(head, p.Below-1, m)
		if err != nil {
			return sat.Refutation{}, err
		}
		var formula *timetable.Formula
		m.Foreign(0, func() { formula, err = timetable.New(q) })
		if err != nil {
			return sat.Refutation{}, err
		}
		m.Charge(formula.Clauses())
		return sat.Refute(m, formula, proof)
	})
}

// stepsProblem says why a schedule is not shown to be optimal by its proof, "" if it is. The phases of a wrong one were
// not all read, so that the proof stands for itself.
func stepsProblem(m *meter.Meter, folder string, head words.Head, e exchange.Verdict) string {
	if e.Verdict == check.Valid && head.Proof.Below != e.Phases {
		return fmt.Sprintf("it is about fewer than %d steps, the schedule has %d", head.Proof.Below, e.Phases)
	}
	return noFewerSteps(m, folder, head)
}

// isSchedule reports whether a file says that it is a schedule. A pipe, which can be read once only, is taken for
// something else.
func isSchedule(ctx context.Context, path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && schedules.IsFile(ctx, path)
}

// scheduleItem returns the verdict about a file that says it is a schedule.
func scheduleItem(ctx context.Context, path string, o check.Options) Item {
	m, item := meter.New(ctx, o.Limits), Item{File: path}
	item.Verdict = check.Judged(m, func() check.Verdict { item = meteredSchedule(m, path); return item.Verdict })
	return item
}

func meteredSchedule(m *meter.Meter, path string) Item {
	e, head := exchangeFile(m, path)
	v := check.Verdict{Verdict: e.Verdict, ProofVerdict: check.Absent, Reasons: []string{}}
	if e.Reason != "" {
		v.Reasons = append(v.Reasons, e.Reason)
	}
	if head.Proof != nil && e.Verdict == check.Limit {
		v.ProofVerdict = check.Limit
	} else if head.Proof != nil && e.Verdict != check.Unreadable {
		problem := ""
		err := m.Run(func() { problem = stepsProblem(m, filepath.Dir(path), head, e) })
		switch {
		case err != nil && e.Verdict == check.Valid: // neither shown nor wrong
			e = notFollowed(fmt.Errorf("proof: %w", err))
			v = check.Undecided(fmt.Errorf("proof: %w", err))
		case err != nil:
			v.Reasons = append(v.Reasons, "note: proof: "+err.Error())
			if check.IsLimit(err) {
				v.ProofVerdict = check.Limit
			}
		case problem != "":
			v.Verdict, v.ProofVerdict = check.Wrong, check.Wrong
			v.Reasons = append(v.Reasons, "proof: "+problem)
		default:
			v.ProofVerdict = check.Verified
		}
	}
	return Item{File: path, Verdict: v, Exchange: &e}
}
