package portfolio

import (
	"slices"

	"leeway/search"
	"leeway/search/census"
)

// merge takes in an epoch that counts, in the order of the methods, and makes what is known then the state.
func (r *run) merge(e *epoch) error {
	stands := slices.Clone(r.state.Methods)
	for _, t := range e.turns {
		if !t.begun {
			continue
		}
		if e.late(t) { // as if it had been stopped with the turn that closed the problem
			t.out, t.rests = search.Outcome{Evaluations: e.least}, false
		}
		if err := r.learn(e, t); err != nil {
			return err
		}
		if f := t.found(); f.Value != nil {
			r.archive.add(f)
		}
		note(&stands[t.number], e, t)
	}
	if err := r.agree(); err != nil {
		return err
	}
	return r.snapshot(stands)
}

// salvage takes what holds whatever comes out of an epoch that does not count.
func (r *run) salvage(e *epoch) error {
	for _, t := range e.turns {
		if t.err != nil {
			continue
		}
		if err := r.learn(e, t); err != nil {
			return err
		}
	}
	return r.agree()
}

// learn takes a better placement and a refutation.
func (r *run) learn(e *epoch, t *turn) error {
	r.spent += t.out.Evaluations
	r.gaveUp = t.out.GaveUp
	if r.options.InTurn {
		r.reason = t.out.Reason
	}
	if t.out.Refutation != nil {
		r.refute(t.out.Refutation)
	}
	f := t.found()
	if !f.Below(r.best.Value) {
		return nil
	}
	r.best = f
	r.improvements++
	if f.Below(e.told) { // the method did not report it
		e.tell(search.Event{Method: f.Method, Value: f.Value, Best: f.Placement, Table: f.Table, Evaluations: r.spent})
	}
	if k := r.options.Recheck; k > 0 && r.improvements%k == 0 {
		return r.recheck(f)
	}
	return nil
}

// note updates how a method stands after its turn.
func note(s *Status, e *epoch, t *turn) {
	f := t.found()
	s.Epochs++
	s.Evaluations += t.out.Evaluations
	s.Seed, s.State = t.params.Seed, t.out.State
	if s.Idle++; f.Below(e.known) {
		s.Idle = 0
	}
	if f.Below(s.Best) {
		s.Best = f.Value
	}
	pause := pauseFor(t.out.Turns)
	s.Resting, s.Met, s.Until = t.rests || pause > 0, nil, 0
	if !s.Resting {
		return
	}
	if s.Met = e.known; f.Below(e.known) {
		s.Met = f.Value
	}
	if pause > 0 {
		s.Until = e.run.state.Epoch + 1 + pause
	}
}

// refute keeps the refutation of the highest value of each kind, proofs first.
func (r *run) refute(f *search.Refutation) {
	for i, have := range r.refutations {
		if have.Kind == f.Kind {
			if f.Below.Cmp(have.Below) > 0 {
				r.refutations[i] = f
			}
			return
		}
	}
	if f.Kind == search.SolverClaim {
		r.refutations = append(r.refutations, f)
	} else {
		r.refutations = append([]*search.Refutation{f}, r.refutations...)
	}
}

// agree returns a *census.DisagreementError if the best placement is below a value
// below which there is said to be none.
func (r *run) agree() error {
	for _, f := range r.refutations {
		if r.best.Below(f.Below) {
			return &census.DisagreementError{Problem: r.params.Problem.String(), Below: f.Below, Engine: f.Engine,
				Nodes: r.best.Placement.Nodes()}
		}
	}
	return nil
}
