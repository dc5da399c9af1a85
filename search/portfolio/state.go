package portfolio

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
	"leeway/search/restrict"
)

// A State is what a run needs to go on after an epoch, in the form of JSON. Values
// are fractions in lowest terms.
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
	Nodes  []int    `json:"nodes"`
	Value  *big.Rat `json:"value"`
	Paths  [][]int  `json:"paths,omitempty"` // with a free routing; see restrict.ChoicesOf
	Method string   `json:"method"`          // that found it
}

// A Status is how a method stands. It is also the record of what the method did
// not find.
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
		return &core.InputError{Text: s.Problem, Problem: "the state is of another run: " + fmt.Sprintf(format, args...)}
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
		placement, err := core.NewPlacement(r.params.Problem.Torus(), e.Nodes)
		f := found{placement: placement, value: e.Value, method: e.Method}
		if err == nil && r.lists != nil {
			f.table, err = r.tableOf(placement, e.Paths)
		}
		if err == nil {
			err = r.verify(ctx, f)
		}
		if err != nil {
			return refuse("entry %d of its archive: %v", i+1, err)
		}
		if i > 0 && f.below(r.archive.list[i-1].value) {
			return refuse("its archive is out of order at entry %d", i+1)
		}
		r.archive.list = append(r.archive.list, f)
		r.archive.keys = append(r.archive.keys, r.archive.key(placement))
	}
	r.state = s
	r.refutations = slices.Clone(s.Refutations)
	r.best, r.spent, r.improvements = r.archive.best(), s.Evaluations, s.Improvements
	return r.agree()
}

// tableOf returns the table of an entry of the archive, with a free routing.
func (r *run) tableOf(p core.Placement, paths [][]int) (*routing.Table, error) {
	chosen, err := r.lists.Read(p, *r.params.Problem.Free, paths)
	if err != nil {
		return nil, err
	}
	return r.lists.Table(p, *r.params.Problem.Free, chosen), nil
}

func names(list []Status) (all []string) {
	for _, s := range list {
		all = append(all, s.Method)
	}
	return all
}

// snapshot makes what is known now the state, with how the methods stand, and shows
// it.
func (r *run) snapshot(methods []Status) error {
	r.state.Epoch++
	r.state.Evaluations = r.spent
	r.state.Improvements = r.improvements
	r.state.Methods = methods
	r.state.Archive = r.archive.entries(r.lists)
	r.state.Refutations = slices.Clone(r.refutations)
	if r.options.Checkpoint == nil {
		return nil
	}
	return r.options.Checkpoint(r.state)
}

// verify evaluates a placement again, as search.Confirm does.
func (r *run) verify(ctx context.Context, f found) error {
	p := r.params.Problem
	if f.value == nil || f.placement.Size() != p.Size || !f.placement.Torus().Equal(p.Torus()) {
		return fmt.Errorf("portfolio: method %s gives nodes %v as a placement of %s", f.method, f.placement.Nodes(), p)
	}
	if p.Free != nil {
		if err := restrict.Allowed(f.placement, f.table, *p.Free); err != nil {
			return fmt.Errorf("portfolio: method %s: %w", f.method, err)
		}
	}
	return search.Confirm(ctx, p, f.method, search.Outcome{Best: f.placement, Table: f.table, Value: f.value})
}

// recheck evaluates a placement from the definition.
func (r *run) recheck(f found) error {
	if f.table != nil {
		return compare(f, objective.Naive(f.table, f.placement))
	}
	return compare(f, objective.Naive(r.params.Problem.Routing, f.placement))
}

// compare holds a value against loads.
func compare(f found, loads *objective.Loads) error {
	if exact, _ := loads.Max(); exact.Cmp(f.value) != 0 {
		return &search.WrongValueError{Method: f.method, Nodes: f.placement.Nodes(), Claimed: f.value, True: exact}
	}
	return nil
}

// recheckAll rechecks the archive and the best placement, if that was asked for.
func (r *run) recheckAll() error {
	if r.options.Recheck <= 0 || r.best.value == nil {
		return nil
	}
	for _, f := range append(slices.Clone(r.archive.list), r.best) {
		if err := r.recheck(f); err != nil {
			return err
		}
	}
	return nil
}
