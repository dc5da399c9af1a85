package portfolio

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective"
	"leeway/search"
	"leeway/search/restrict"
)

// A State is what a run needs to go on after an epoch, in the form of JSON. Values are fractions in lowest terms.
type State struct {
	Problem      string               `json:"problem"` // in the words of the command line
	Seed         uint64               `json:"seed"`
	Epoch        int                  `json:"epoch"` // epochs that are over
	Evaluations  int64                `json:"evaluations"`
	Improvements int                  `json:"improvements"`
	Archive      []Entry              `json:"archive"` // best first
	Methods      []Status             `json:"methods"`
	Refutations  []*search.Refutation `json:"refutations"` // at most one of each kind, proofs first
}

// An Entry is a placement of the archive.
type Entry struct {
	Nodes  []int    `json:"nodes"` // core.Placement.List
	Value  *big.Rat `json:"value"`
	Paths  [][]int  `json:"paths,omitempty"` // with a free routing; see restrict.Choices.List
	Method string   `json:"method"`          // that found it
}

// NewEntry returns the entry of a placement, with paths of the lists where it has a table.
func NewEntry(f search.Found, lists *restrict.Lists) Entry {
	e := Entry{Nodes: f.Placement.List(), Value: f.Value, Method: f.Method}
	if f.Table != nil {
		e.Paths = lists.ChoicesOf(f.Placement, f.Table).List(f.Placement)
	}
	return e
}

// Found returns the placement of an entry of a problem, with a table of paths of the lists where the routing is free.
// The value is not evaluated. An error says what is wrong with nodes or paths.
func (e Entry) Found(p objective.Problem, lists *restrict.Lists) (search.Found, error) {
	placement, err := p.Place(e.Nodes)
	f := search.Found{Placement: placement, Value: e.Value, Method: e.Method}
	switch {
	case err != nil:
		return f, err
	case placement.Size() != p.Size || e.Value == nil:
		return f, fmt.Errorf("it has %d nodes with E_max %v", placement.Size(), e.Value)
	case !p.Admits(placement):
		return f, fmt.Errorf("its nodes do not keep to the fixed and forbidden nodes")
	case p.Free == nil:
		return f, nil
	}
	chosen, err := lists.Read(placement, *p.Free, e.Paths)
	if err == nil {
		f.Table = lists.Table(placement, *p.Free, chosen)
	}
	return f, err
}

// A Status is how a method stands. It is also the record of what the method did not find.
type Status struct {
	Method      string          `json:"method"`
	Epochs      int             `json:"epochs"` // in which it ran
	Evaluations int64           `json:"evaluations"`
	Best        *big.Rat        `json:"best"` // that it returned; null: nothing
	Seed        uint64          `json:"seed"` // of its last epoch
	Idle        int             `json:"idle"` // epochs since it last improved on the best of all
	Resting     bool            `json:"resting"`
	Met         *big.Rat        `json:"met"`             // the best it knew when it came to rest
	Until       int             `json:"until,omitempty"` // the epoch that ends its rest; 0: none does by itself
	State       json.RawMessage `json:"state,omitempty"` // of the method itself
}

// resume goes on from a state: an *core.InputError if it belongs to another run.
func (r *run) resume(ctx context.Context, s State) error {
	refuse := func(format string, args ...any) error {
		return core.Invalid(s.Problem, "the state is of another run: %s", fmt.Sprintf(format, args...))
	}
	same := func(a, b Status) bool { return a.Method == b.Method }
	switch p := r.params; {
	case s.Problem != p.Problem.String():
		return refuse("the problem is %s", p.Problem)
	case s.Seed != p.Seed:
		return refuse("its seed is %d, not %d", s.Seed, p.Seed)
	case !slices.EqualFunc(s.Methods, r.state.Methods, same):
		return refuse("its methods are %s, not %s", names(s.Methods), names(r.state.Methods))
	}
	for i, e := range s.Archive {
		f, err := e.Found(r.params.Problem, r.lists)
		if err == nil {
			err = r.verify(ctx, f)
		}
		if err != nil {
			return refuse("entry %d of its archive: %v", i+1, err)
		}
		if i > 0 && f.IsBelow(r.archive.list[i-1].Value) {
			return refuse("its archive is out of order at entry %d", i+1)
		}
		r.archive.list = append(r.archive.list, f)
		r.archive.keys = append(r.archive.keys, r.archive.kinship.Key(f.Placement))
	}
	r.state = s
	r.refutations = slices.Clone(s.Refutations)
	r.best, r.spent, r.improvements = r.archive.best(), s.Evaluations, s.Improvements
	return r.agree()
}

func names(list []Status) (all []string) {
	for _, s := range list {
		all = append(all, s.Method)
	}
	return all
}

// snapshot makes what is known now the state, with how the methods stand, and shows it.
func (r *run) snapshot(methods []Status) error {
	r.state.Epoch++
	r.state.Evaluations = r.spent
	r.state.Improvements = r.improvements
	r.state.Methods = methods
	r.state.Archive = make([]Entry, len(r.archive.list))
	for i, f := range r.archive.list {
		r.state.Archive[i] = NewEntry(f, r.lists)
	}
	r.state.Refutations = slices.Clone(r.refutations)
	if r.options.Checkpoint == nil {
		return nil
	}
	return r.options.Checkpoint(r.state)
}

// verify evaluates a placement again, as search.Confirm does.
func (r *run) verify(ctx context.Context, f search.Found) error {
	p := r.params.Problem
	if f.Value == nil || f.Placement.Size() != p.Size || !f.Placement.Torus().Equal(p.Torus()) ||
		!p.Admits(f.Placement) {
		return fmt.Errorf("portfolio: method %s gives nodes %v as a placement of %s", f.Method, f.Placement.Nodes(), p)
	}
	if p.Free != nil {
		if err := restrict.Allowed(f.Placement, f.Table, *p.Free); err != nil {
			return fmt.Errorf("portfolio: method %s: %w", f.Method, err)
		}
	}
	return search.Confirm(ctx, p, f)
}

// recheck evaluates a placement from the definition.
func (r *run) recheck(f search.Found) error {
	if f.Table != nil {
		return f.Compare(objective.Naive(f.Table, f.Placement))
	}
	return f.Compare(r.params.Problem.Naive(f.Placement))
}

// recheckAll rechecks the archive and the best placement, if that was asked for.
func (r *run) recheckAll() error {
	if r.options.Recheck <= 0 || r.best.Value == nil {
		return nil
	}
	for _, f := range append(slices.Clone(r.archive.list), r.best) {
		if err := r.recheck(f); err != nil {
			return err
		}
	}
	return nil
}
