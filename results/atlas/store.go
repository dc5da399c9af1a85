package atlas

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"leeway/core/routing"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/store"
)

// OpenStore returns the view of a store, which must exist. Refresh takes in what others have written since. Errors are
// those of store.Open, and *results.ReadError where there is no file.
func OpenStore(path string) (*Atlas, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, &results.ReadError{File: path, Problem: "there is no such file", Hint: "leeway atlas fill makes a store"}
	}
	s, err := store.Open(path)
	if err != nil {
		return nil, err
	}
	a, err := newAtlas(&storeSource{store: s, dir: filepath.Dir(path), known: map[texts.Key]known{}})
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return a, nil
}

// A storeSource reads cells from a store.
type storeSource struct {
	store *store.Store
	dir   string

	mu    sync.Mutex
	known map[texts.Key]known
}

// known is a cell with the state of the store that it was made of.
type known struct {
	stamp string
	cell  *Cell
}

// refresh reads the problems that are not as they were.
func (s *storeSource) refresh() ([]row, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var entries []entry
	var stands []store.Standing
	rows := []row{}
	now := map[texts.Key]known{}
	for st, err := range s.store.Standings(func(p texts.Key, stamp string) bool { return s.known[p].stamp != stamp }) {
		if err != nil {
			return nil, err
		}
		if st.Problem.Table != "" || st.Problem.Size == 0 {
			continue
		}
		if k := s.known[st.Problem]; k.stamp == st.Stamp {
			now[st.Problem] = k
			rows = append(rows, rowOf(k.cell))
			continue
		}
		_, free, _ := routing.ParseFree(st.Problem.Routing)
		if st.Record == nil && (free || st.Bound == nil && st.Fault == "") {
			continue // a search has begun, nothing is known; of a free routing no document spells a bound alone
		}
		entries, stands = append(entries, entryOf(st)), append(stands, st)
	}
	if len(entries) == 0 && len(now) == len(s.known) {
		return nil, nil
	}
	fresh := admit(entries)
	if err := s.raiseAll(entries, fresh); err != nil {
		return nil, err
	}
	for i, c := range fresh {
		now[stands[i].Problem] = known{stands[i].Stamp, c}
		rows = append(rows, rowOf(c))
	}
	s.known = now
	return rows, nil
}

// raiseAll looks again at the cells whose bound is not that of their record, now with
// its proof: together they may show that the record is optimal.
func (s *storeSource) raiseAll(entries []entry, cells []*Cell) error {
	for i, c := range cells {
		r := entries[i].record
		if c.Fault != "" || r == nil || r.LowerBound == c.LowerBound {
			continue
		}
		raised, err := raise(s.store, *r, c.Key())
		var corrupt *store.CorruptError
		switch {
		case errors.As(err, &corrupt): // the other cells are not
			entries[i].fault = corrupt.Problem
		case err != nil:
			return err
		default:
			entries[i].record = &raised
		}
		cells[i] = admit(entries[i : i+1])[0]
	}
	return nil
}

// raise gives a record the bound that a store holds, if that is larger.
func raise(s *store.Store, r results.Record, p texts.Key) (results.Record, error) {
	b, ok, err := s.Bound(p)
	if err != nil || !ok || b.Value.Cmp(mustFraction(r.LowerBound)) <= 0 {
		return r, err
	}
	r.LowerBound, r.BoundReason, r.BoundProof = results.FormatFraction(b.Value), b.Reason, b.Proof
	if b.Proof != nil && r.LowerBound == r.MaxLoad {
		r.Status, r.Proof, r.BoundProof = Optimal, b.Proof, nil
	}
	return r, nil
}

func entryOf(st store.Standing) entry {
	e := entry{Key: st.Problem, text: st.Record, fault: st.Fault}
	if st.Bound != nil {
		e.bound, e.reason = results.FormatFraction(st.Bound.Value), st.Bound.Reason
	}
	return e
}

// detail reads record, history and null results. A record that cannot be read is
// left out: the cell says that it is wrong.
func (s *storeSource) detail(d *Detail) error {
	p := d.Key()
	if d.Fault != "" {
		return nil
	}
	best, ok, err := s.store.Best(p)
	if err != nil {
		return err
	}
	if ok {
		if best, err = raise(s.store, best, p); err != nil {
			return err
		}
		d.Record = &best
	} else {
		b, ok, err := s.store.Bound(p)
		if err != nil {
			return err
		}
		if ok {
			below, err := looseBound{p, b}.document()
			if err != nil {
				return err
			}
			d.Below = &below
		}
	}
	all, err := s.store.Records(p)
	if err != nil {
		return err
	}
	for i := range all { // those that found less than all before
		e, n := eventOf(&all[i]), len(d.History)
		if n == 0 || mustFraction(e.MaxLoad).Cmp(mustFraction(d.History[n-1].MaxLoad)) < 0 {
			d.History = append(d.History, e)
		}
	}
	d.Nulls, err = s.store.Nulls(p)
	return err
}

func (s *storeSource) folder() string { return s.dir }

// Pour puts into a store what an atlas knows of some cells: records, with their proofs, and null results. It is for an
// atlas that is believed, as that of the program is: nothing is checked. When the context ends it returns its error;
// others are those of Detail and of the store.
func (a *Atlas) Pour(ctx context.Context, into *store.Store, cells []Cell) error {
	for _, c := range cells {
		d, ok, err := a.Detail(c.Key())
		switch {
		case err != nil || ctx.Err() != nil:
			return cmp.Or(ctx.Err(), err)
		case !ok || d.Record == nil:
			continue
		}
		if _, err := into.AddRecord(*d.Record); err != nil {
			return err
		}
		for _, n := range d.Nulls {
			if err := into.AddNull(d.Key(), n); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *storeSource) faults() (map[texts.Key]string, error) {
	list, err := s.store.Verify()
	faults := map[texts.Key]string{}
	for _, f := range list {
		faults[f.Problem] = fmt.Sprintf("in the store: %v", f.Err)
	}
	return faults, err
}

func (s *storeSource) close() error { return s.store.Close() }
