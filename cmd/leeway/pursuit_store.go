package main

import (
	"context"

	"leeway/objective"
	"leeway/results"
	"leeway/results/store"
	"leeway/search"
	"leeway/search/portfolio"
)

// passOver reports whether the store makes the job needless.
func (s *pursuit) passOver() (bool, error) {
	if s.job.Limit == nil {
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

// keep puts an improvement into the store at once.
func (s *pursuit) keep(p objective.Problem, e search.Event) {
	if s.store == nil || !e.Improved || e.Best.Size() != p.Size {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept != nil && e.Value.Cmp(s.kept) >= 0 {
		return
	}
	result := search.Result{Outcome: search.Outcome{Best: e.Best, Table: e.Table, Value: e.Value, Evaluations: e.Evaluations}, Method: e.Method}
	plain := &lowerBound{best: s.lower.fallback, fallback: s.lower.fallback, sure: true}
	record, err := s.newRecord(context.Background(), p, result, plain, s.papers, s.budget(), s.started)
	if err == nil {
		_, err = s.store.AddInterim(record)
	}
	if err != nil {
		s.remark("%s: E_max %s is not in the store: %v", s.job, e.Value.RatString(), err)
		return
	}
	s.kept = e.Value
}

// finish puts the record into the store and closes the run, unless it was interrupted;
// what the methods did not find stays as null results. An optimum leaves nothing to look
// for, and so no null results: a run that is killed between its record and its end is not
// taken up again.
func (s *pursuit) finish(ctx context.Context, record results.Record, state portfolio.State) error {
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
	var nulls []store.Null
	for _, m := range state.Methods {
		if record.Status == results.StatusOptimal || m.Method == record.FoundBy.Method || s.job.Free != nil && kept {
			continue
		}
		null := store.Null{Goal: s.key.Goal, Method: m.Method, Seed: s.job.Seed, Budget: s.key.Budget, Evaluations: m.Evaluations}
		if m.Best != nil {
			null.Best = m.Best.RatString()
		}
		nulls = append(nulls, null)
	}
	return s.store.Finish(s.key, nulls...)
}
