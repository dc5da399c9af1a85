package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"

	"leeway/objective"
	"leeway/results"
	"leeway/results/store"
	"leeway/search"
	"leeway/search/portfolio"
)

// passOver reports whether the store makes the job needless.
func (s *pursuit) passOver() (bool, error) {
	if s.job.MaxLoad == nil {
		best, ok, err := s.store.Best(s.key.Problem)
		if err != nil {
			return false, err
		}
		if ok && best.Status == results.StatusOptimal {
			s.remark("%s: known to be optimal, E_max %s", s.job, best.MaxLoad)
			s.list = append(s.list, best)
			return true, s.store.Finish(s.key)
		}
	}
	done, err := s.store.Finished(s.key)
	if err != nil || !done {
		return false, err
	}
	s.remark("%s: was searched before with this seed and budget", s.job)
	best, ok, err := s.store.Best(s.key.Problem)
	if err == nil && ok {
		s.list = append(s.list, best)
	}
	return true, err
}

// showNulls remarks what searches before this one did not better.
func (s *pursuit) showNulls() error {
	nulls, err := s.store.Nulls(s.key.Problem)
	s.nulls = nulls
	for _, n := range nulls {
		s.remark("%s: %s saw no less than %s in %d evaluations (seed %d)", s.job, n.Method, n.Best, n.Evaluations, n.Seed)
	}
	return err
}

// stateOf reads the state from which a search goes on, nil for none.
func stateOf[State any](s *pursuit) (*State, error) {
	if s.state == nil {
		return nil, nil
	}
	state := new(State)
	if err := json.Unmarshal(s.state, state); err != nil {
		return nil, fmt.Errorf("%s: the state in the store cannot be read: %w", s.job, err)
	}
	return state, nil
}

// checkpoint puts the state of a search into the store.
func (s *pursuit) checkpoint(state any) error {
	data, err := json.Marshal(state)
	if err != nil {
		return err
	}
	return s.store.Checkpoint(s.key, data)
}

// keep puts an improvement into the store at once.
func (s *pursuit) keep(p objective.Problem, e search.Event, lower *lowerBound) {
	if s.store == nil || !e.Improved || e.Best.Size() != p.Size {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept != nil && e.Value.Cmp(s.kept) >= 0 {
		return
	}
	result := search.Result{Outcome: search.Outcome{Best: e.Best, Value: e.Value, Evaluations: e.Evaluations}, Method: e.Method}
	plain := &lowerBound{best: lower.fallback, fallback: lower.fallback, sure: true}
	record, err := s.newRecord(context.Background(), p, result, plain, s.budget(), s.started)
	if s.addInterim(record, err, e.Value) {
		s.kept = e.Value
	}
}

// addInterim puts the record of an improvement into the store, if it could be made, and
// remarks what is in the way. It reports whether the store has it.
func (s *pursuit) addInterim(record results.Record, err error, value *big.Rat) bool {
	if err == nil {
		_, err = s.store.AddInterim(record)
	}
	if err != nil {
		s.remark("%s: E_max %s is not in the store: %v", s.job, value.RatString(), err)
	}
	return err == nil
}

// finish puts the record into the store; what the methods did not find stays as
// null results.
func (s *pursuit) finish(ctx context.Context, record results.Record, state portfolio.State) error {
	return s.end(ctx, record, func(bool) (nulls []store.Null) {
		for _, m := range state.Methods {
			if m.Method == record.FoundBy.Method {
				continue
			}
			null := s.null(m.Method, m.Evaluations)
			if m.Best != nil {
				null.Best = m.Best.RatString()
			}
			nulls = append(nulls, null)
		}
		return nulls
	})
}

// null returns a null result of the job.
func (s *pursuit) null(method string, evaluations int64) store.Null {
	return store.Null{Goal: s.key.Goal, Method: method, Seed: s.job.Seed, Budget: s.key.Budget, Evaluations: evaluations}
}

// end puts the record into the store, and closes the run, with its null results, unless
// it was interrupted. Those may depend on whether the store kept the record. An optimum
// leaves nothing to look for, and so no null results: a run that is killed between its
// record and its end is not taken up again.
func (s *pursuit) end(ctx context.Context, record results.Record, nulls func(kept bool) []store.Null) error {
	if s.store == nil {
		return nil
	}
	kept, err := s.store.AddRecord(record)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		s.remark("%s: interrupted; leeway resume goes on", s.job)
		return nil
	}
	if record.Status == results.StatusOptimal {
		return s.store.Finish(s.key)
	}
	return s.store.Finish(s.key, nulls(kept)...)
}
