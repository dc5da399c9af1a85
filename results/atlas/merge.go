package atlas

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"

	"leeway/results"
	"leeway/results/check"
	"leeway/results/store"
)

// A Merged says what came of merging a file into a store.
type Merged struct {
	Taken  []Key    // cells about which the store knows more now
	Known  int      // records that say nothing new
	Nulls  int      // null results handed over; the store keeps each once
	Faults []string // what was not taken, and why: wrong records, and conflicts
}

// Merge takes into a store what a file holds: a store, an export, an atlas or a
// record. Better placements and new proofs win, nothing that the store has is lost. Every
// record is checked before it goes in, with its proof, by so many workers; a wrong one, or
// one that contradicts the store, becomes a fault and the others go in. Errors are
// those of reading the file and of writing the store, and the context's.
func Merge(ctx context.Context, into *store.Store, path string, workers int) (Merged, error) {
	var m Merged
	from, err := openOffers(path)
	if err != nil {
		return m, err
	}
	fresh, err := m.unknown(into, from.records)
	if err != nil {
		return m, err
	}
	verdicts := checkAll(ctx, fresh, from.folder, workers)
	if ctx.Err() != nil {
		return m, ctx.Err()
	}
	for i, r := range fresh {
		k := Key{sidesText(r.Torus), r.Routing, r.Size}
		if verdicts[i] != "" {
			m.Faults = append(m.Faults, fmt.Sprintf("%s: %s", k, verdicts[i]))
			continue
		}
		if err := m.add(into, k, r); err != nil {
			return m, err
		}
	}
	for p, list := range from.nulls {
		for _, n := range list {
			if err := into.AddNull(p, n); err != nil {
				return m, err
			}
			m.Nulls++
		}
	}
	m.Faults = append(m.Faults, from.faults...)
	return m, nil
}

// unknown returns the records that say something which the store does not know.
func (m *Merged) unknown(into *store.Store, records []results.Record) ([]results.Record, error) {
	var fresh []results.Record
	for _, r := range records {
		p, err := store.OfRecord(r)
		if err != nil {
			fresh = append(fresh, r) // the checker says what is wrong
			continue
		}
		have, err := into.Records(p)
		if err != nil {
			return nil, err
		}
		bound, _, err := into.Bound(p)
		if err != nil {
			return nil, err
		}
		if says(have, bound, r) {
			m.Known++
		} else {
			fresh = append(fresh, r)
		}
	}
	return fresh, nil
}

// says reports whether some records and a bound say all that a record does.
func says(have []results.Record, bound store.Bound, r results.Record) bool {
	lower, ok := fraction(r.LowerBound)
	if !ok || bound.Value == nil || bound.Value.Cmp(lower) < 0 {
		return false
	}
	for _, h := range have {
		if h.ClaimSHA256 == r.ClaimSHA256 && reflect.DeepEqual(h.Proof, r.Proof) && reflect.DeepEqual(h.Optima, r.Optima) {
			return true
		}
	}
	return false
}

// checkAll says what is wrong with each record, "" if nothing is.
func checkAll(ctx context.Context, records []results.Record, folder string, workers int) []string {
	problems := make([]string, len(records))
	var next atomic.Int64
	var all sync.WaitGroup
	for range max(1, workers) {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(records)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				problems[i] = recordProblem(ctx, records[i], folder)
			}
		})
	}
	all.Wait()
	return problems
}

func recordProblem(ctx context.Context, r results.Record, folder string) string {
	data, err := r.Encode()
	if err != nil {
		return err.Error()
	}
	if v := check.Document(ctx, data, folder, check.Options{Workers: 1}); v.Verdict != check.Valid {
		return v.Reasons[0]
	}
	return ""
}

// add puts a checked record into the store.
func (m *Merged) add(into *store.Store, k Key, r results.Record) error {
	p, err := store.OfRecord(r)
	if err != nil {
		return err
	}
	before, _, err := into.Bound(p)
	if err != nil {
		return err
	}
	kept, err := into.AddRecord(r)
	var conflict *store.ConflictError
	switch {
	case errors.As(err, &conflict):
		m.Faults = append(m.Faults, conflict.Error())
		return nil
	case err != nil:
		return err
	}
	after, _, err := into.Bound(p)
	if kept || before.Value == nil || after.Value.Cmp(before.Value) > 0 {
		m.Taken = append(m.Taken, k)
	} else {
		m.Known++
	}
	return err
}
