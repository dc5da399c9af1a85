//go:build !js

package work

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/compose"
	"leeway/results/layout"
	"leeway/results/store"
	"leeway/search"
	"leeway/search/transfer"
)

// AddImplied adds to findings what the cells of their atlas imply for them. Errors are those of atlas.Detail and the
// context's.
func AddImplied(ctx context.Context, view *atlas.Atlas, found []atlas.Finding) error {
	var cells []atlas.Cell
	number := map[texts.Key]int{}
	for i, f := range found {
		cells = append(cells, f.Cell)
		number[f.Key()] = i
	}
	list, err := tableOf(view).Implied(ctx, cellsOf(cells))
	if err != nil {
		return err
	}
	say := func(k texts.Key, what string, value *big.Rat, source string) {
		f := &found[number[k]]
		text := fmt.Sprintf("%s: %s %s from %s", k, what, layout.WithDecimal(value.RatString()), source)
		f.Implied = append(f.Implied, text)
	}
	for _, i := range list {
		say(i.Key, "E_max", i.Value, i.Source)
	}
	known := &Known{}
	if err := known.LearnAtlas(view, true); err != nil {
		return err
	}
	for _, c := range cells {
		if b, ok := known.largerBound(ctx, c); ok {
			say(c.Key(), "lower bound", b.Value, b.Reason)
		}
	}
	return nil
}

// largerBound returns the lower bound of a cell by proofs of other cells, which are not repeated, and by closed forms;
// ok is false unless the cell is open and it is larger than that of the cell.
func (k *Known) largerBound(ctx context.Context, c atlas.Cell) (b store.Bound, ok bool) {
	p, err := c.Key().Problem()
	if err != nil || c.Fault != "" || c.Status == atlas.Optimal || p.Free != nil || p.Near.Asked() {
		return b, false
	}
	n, _ := k.look(p)
	b = newLowerBound(ctx, p, n, true).stored(p)
	have, err := results.ParseFraction(c.LowerBound)
	return b, err != nil || b.Value.Cmp(have) > 0
}

// stored returns the bound of a problem as a store has it.
func (l *lowerBound) stored(p objective.Problem) store.Bound {
	if n := l.known; n != nil && n.below.Cmp(l.best.Value) > 0 {
		return store.Bound{Value: n.below, Reason: n.reason(p), Proof: n.proofOf(p)}
	}
	return store.Bound{Value: l.best.Value, Reason: l.best.Reason()}
}

// imply takes in what the cells of the store's atlas imply for those of some tasks, until nothing more follows or the
// context ends: what was found until then is in the store, and the next time goes on. Proofs in the store are repeated
// before they are used, unless they are sure to be right.
func (s *Session) imply(ctx context.Context, view *atlas.Atlas, tasks []Task, sure bool,
	tell func(results.Record)) (err error) {
	for news := true; news && err == nil; {
		if err = s.Known.LearnAtlas(view, sure); err == nil {
			news, err = s.TakeImplied(ctx, view, tasks, tell)
		}
		if err == nil {
			err = view.Refresh()
		}
	}
	return untilEnd(ctx, err)
}

// TakeImplied puts into the store what its atlas implies for the open cells among some tasks, placements and the bounds
// that the proofs at hand show, and shows each record to tell. It reports whether the store knows more now, from which
// more may follow. Errors are those of the store, of atlas.Detail and the context's.
func (s *Session) TakeImplied(ctx context.Context, view *atlas.Atlas, tasks []Task,
	tell func(results.Record)) (news bool, err error) {
	var keys []texts.Key
	byKey := map[texts.Key]Task{}
	for _, t := range tasks {
		keys = append(keys, texts.KeyOf(t.Problem))
		byKey[texts.KeyOf(t.Problem)] = t
	}
	cells := view.Known(keys)
	list, err := tableOf(view).Implied(ctx, cellsOf(cells))
	if err != nil {
		return false, err
	}
	take := func(k texts.Key, what func(*run) (bool, error)) {
		t, ok := byKey[k]
		if !ok || err != nil {
			return // nothing ties, and it has the name of the other tie rule
		}
		var more bool
		more, err = what(&run{Session: s, Task: t, started: time.Now()})
		news = news || more
	}
	for _, i := range list {
		take(i.Key, func(r *run) (bool, error) { return r.takePlacement(ctx, i, tell) })
	}
	for _, c := range cells {
		if _, ok := s.Known.largerBound(ctx, c); ok {
			take(c.Key(), func(r *run) (bool, error) { return r.takeBound(ctx) })
		}
	}
	return news, err
}

// takePlacement puts a placement that is implied into the store, and reports whether that knows more now.
func (r *run) takePlacement(ctx context.Context, i transfer.Implied, tell func(results.Record)) (bool, error) {
	r.baseline = startBaseline(ctx, r.Problem)
	found := search.Outcome{Method: transfer.Name, Best: i.Placement, Value: i.Value, Evaluations: 1}
	record, err := r.record(ctx, r.Problem, found, r.bestLower(ctx))
	if err != nil {
		return false, err
	}
	kept, err := r.Store.AddRecord(record)
	if kept && err == nil {
		tell(record)
	}
	return kept, err
}

// bestLower returns the lower bound by known proofs and closed forms.
func (r *run) bestLower(ctx context.Context) *lowerBound {
	return newLowerBound(ctx, r.Problem, r.Known.best(ctx, r.Problem, r.Workers), true)
}

// takeBound puts the lower bound by known proofs and closed forms into the store, and reports whether that knows more
// now.
func (r *run) takeBound(ctx context.Context) (bool, error) {
	b, problem := r.bestLower(ctx).stored(r.Problem), compose.KeyOf(r.Problem)
	have, ok, err := r.Store.Bound(problem)
	if err != nil || ok && have.Value.Cmp(b.Value) >= 0 {
		return false, err // it rests on what cannot be proved again here
	}
	if err := r.Store.AddBound(problem, b); err != nil {
		return false, err
	}
	r.remark("%s: lower bound %s (%s)", r.Problem, b.Value.RatString(), b.Reason)
	return true, nil
}
