package joint

import (
	"fmt"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/search/restrict"
)

// A State is what a run needs to go on after an epoch, in the form of JSON. Values
// are fractions in lowest terms.
type State struct {
	Problem     string  `json:"problem"` // in the words of the command line
	Seed        uint64  `json:"seed"`
	Epochs      int     `json:"epochs"` // that are over, the feeders' the first
	Evaluations int64   `json:"evaluations"`
	Best        Entry   `json:"best"`
	Pool        []Entry `json:"pool"` // best first
}

// An Entry is a placement with its table.
type Entry struct {
	Nodes       []int    `json:"nodes"`
	Paths       [][]int  `json:"paths"` // by ordered pair: places in the list of all paths of its displacement
	Value       *big.Rat `json:"value"`
	Method      string   `json:"method"`
	Evaluations int64    `json:"evaluations"` // Found.Evaluations
	Looks       int      `json:"looks"`
	Lower       *big.Rat `json:"lower"` // null: not known
}

// snapshot makes what is known now the state and shows it.
func (r *run) snapshot() error {
	r.state.Epochs, r.state.Evaluations, r.state.Best, r.state.Pool = r.epochs, r.evaluations, r.entryOf(r.best), nil
	for _, e := range r.pool.list {
		out := r.entryOf(e.Found)
		out.Looks, out.Lower = e.looks, e.lower
		r.state.Pool = append(r.state.Pool, out)
	}
	if r.Checkpoint == nil {
		return nil
	}
	return r.Checkpoint(r.state)
}

// entryOf returns the form in a state of something found.
func (r *run) entryOf(f Found) Entry {
	e := Entry{Nodes: f.Placement.Nodes(), Value: f.Value, Method: f.Method, Evaluations: f.Evaluations}
	chosen := r.choicesOf(f.Placement, f.Table)
	for _, from := range e.Nodes {
		for _, to := range e.Nodes {
			if from != to {
				e.Paths = append(e.Paths, chosen[[2]int{from, to}])
			}
		}
	}
	return e
}

// foundOf reads an entry and evaluates it again.
func (r *run) foundOf(e Entry) (Found, error) {
	f := Found{Value: e.Value, Method: e.Method, Evaluations: e.Evaluations}
	var err error
	if f.Placement, err = core.NewPlacement(r.Torus, e.Nodes); err != nil {
		return f, err
	}
	if n := len(e.Nodes); n != r.Size || len(e.Paths) != n*(n-1) || e.Value == nil {
		return f, fmt.Errorf("it has %d nodes and paths for %d pairs", n, len(e.Paths))
	}
	chosen, next := choices{}, 0
	for _, from := range e.Nodes {
		for _, to := range e.Nodes {
			if from == to {
				continue
			}
			set, count := e.Paths[next], restrict.CountPaths(r.Torus, r.Torus.Displacement(from, to))
			if len(set) == 0 || slices.Min(set) < 0 || slices.Max(set) >= count || !r.Free.Allows(len(set), count) {
				return f, fmt.Errorf("the paths %v of pair %d are not allowed", set, next+1)
			}
			chosen[[2]int{from, to}] = set
			next++
		}
	}
	f.Table = r.table(f.Placement, chosen)
	return f, r.verify(f)
}

// resume goes on from a state: an *core.InputError if it belongs to another run.
func (r *run) resume(s State) error {
	refuse := func(format string, args ...any) error {
		return &core.InputError{Text: s.Problem, Problem: "the state is of another run: " + fmt.Sprintf(format, args...)}
	}
	switch {
	case s.Problem != r.name():
		return refuse("the problem is %s", r.name())
	case s.Seed != r.Seed:
		return refuse("its seed is %d, not %d", s.Seed, r.Seed)
	}
	var err error
	if r.best, err = r.foundOf(s.Best); err != nil {
		return refuse("its best: %v", err)
	}
	for i, e := range s.Pool {
		f, err := r.foundOf(e)
		if err != nil {
			return refuse("entry %d of its pool: %v", i+1, err)
		}
		r.pool.list = append(r.pool.list, &entry{Found: f, key: r.pool.key(f.Placement), looks: e.Looks, lower: e.Lower})
	}
	r.state, r.epochs, r.evaluations = s, s.Epochs, s.Evaluations
	return nil
}
