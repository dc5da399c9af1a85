package atlas

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"leeway/core/parallel"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/check/meter"
	"leeway/results/compose"
	"leeway/results/layout"
	"leeway/results/store"
)

// A Merged says what came of merging a file into a store.
type Merged struct {
	Taken  []texts.Key // cells about which the store knows more now
	Known  int         // records and bounds that say nothing new
	Left   int         // records and bounds that were not checked before the context ended
	Nulls  int         // null results handed over; the store keeps each once
	Faults []string    // what was not taken, and why: wrong records, and conflicts
	// Undecided is what was not taken because its check ended at a limit.
	Undecided []string
}

// batch is how many records and bounds are checked before they go in.
const batch = 64

// Merge takes into a store what a file holds: a store, an export, an atlas or a record. Better placements and new
// proofs win, nothing that the store has is lost; a bound without a placement goes in as such. Every record is checked
// before it goes in, with its proof, by the workers and within the limits of the options; a wrong one, or one that
// contradicts the store, becomes a fault and the others go in. When the context ends, what was checked until then is in
// the store. Errors are those of reading the file and of writing the store, and the context's.
//
// Files that proofs name are copied beside the store. Of a wrong record the bounds stay that its proofs show.
func Merge(ctx context.Context, into *store.Store, path string, options check.Options) (Merged, error) {
	from, err := openOffers(ctx, path)
	if err != nil {
		return Merged{}, err
	}
	m := Merged{Faults: from.faults}
	for p, list := range from.nulls {
		for _, n := range list {
			if err := into.AddNull(p, n); err != nil {
				return m, err
			}
			m.Nulls++
		}
	}
	c := folders{from.folder, into.Folder()}
	fresh, err := m.unknown(into, from, c)
	if err != nil {
		return m, err
	}
	m.Left = len(fresh)
	each := check.Options{Workers: 1, Limits: options.Limits, Kept: new(meter.Kept), Produce: options.Produce}
	for some := range slices.Chunk(fresh, batch) {
		verdicts := make([]check.Verdict, len(some)) // "": not checked
		parallel.Each(ctx, options.Workers, len(some), func(i int) {
			if v := some[i].verdict(ctx, from.folder, each); ctx.Err() == nil {
				verdicts[i] = v
			}
		})
		for i, o := range some {
			if verdicts[i].Verdict == "" {
				continue
			}
			m.Left--
			err := error(nil)
			switch verdicts[i].Verdict {
			case check.Valid:
				err = m.take(into, o)
			case check.Limit:
				m.Undecided = append(m.Undecided, fmt.Sprintf("%s: %s", o.key, verdicts[i].Reasons[0]))
			default:
				m.Faults = append(m.Faults, fmt.Sprintf("%s: %s", o.key, verdicts[i].Reasons[0]))
				err = m.rescue(ctx, into, o, c, each)
			}
			if err != nil {
				return m, err
			}
		}
	}
	return m, ctx.Err()
}

// An offer is a record or a bound that may go into a store.
type offer struct {
	key      texts.Key
	document any          // what the package check reads
	spare    []looseBound // of a record: what its proofs show, whether it is right or not
	add      func(into *store.Store) (news bool, err error)
}

// verdict returns that about an offer.
func (o offer) verdict(ctx context.Context, folder string, options check.Options) check.Verdict {
	data, err := layout.Encode(o.document)
	if err != nil {
		return check.Verdict{Verdict: check.Unreadable, Reasons: []string{err.Error()}}
	}
	return documents.Document(ctx, data, folder, options)
}

// unknown returns the records and bounds that say something which the store does not know.
func (m *Merged) unknown(into *store.Store, from *offers, c folders) ([]offer, error) {
	var fresh []offer
	for _, r := range from.records {
		news, err := saysMore(into, r)
		switch {
		case err != nil:
			return nil, err
		case news:
			fresh = append(fresh, recordOffer(r, c))
		default:
			m.Known++
		}
	}
	for _, b := range from.bounds {
		news, err := b.saysMore(into)
		if err != nil {
			return nil, err
		}
		if !news {
			m.Known++
		} else if o, err := b.offer(c); err != nil {
			m.Faults = append(m.Faults, fmt.Sprintf("%s: %v", b.problem, err))
		} else {
			fresh = append(fresh, o)
		}
	}
	return fresh, nil
}

// recordOffer returns the offer that a record is.
func recordOffer(r results.Record, c folders) offer {
	return offer{key: compose.KeyOfRecord(r), document: r, spare: proofBounds(r),
		add: func(into *store.Store) (bool, error) { return addRecord(into, r, c) }}
}

// rescue takes the bounds that the proofs of a wrong record show.
func (m *Merged) rescue(ctx context.Context, into *store.Store, wrong offer, c folders, options check.Options) error {
	for _, b := range wrong.spare {
		news, err := b.saysMore(into)
		if err != nil {
			return err
		}
		o, err := b.offer(c)
		if !news || err != nil || o.verdict(ctx, c.from, options).Verdict != check.Valid {
			continue // the fault of the record is reported already
		}
		if err := m.take(into, o); err != nil {
			return err
		}
	}
	return nil
}

// saysMore reports whether a record says something which a store does not know. Of a
// record about no problem, or with a hash that is not its own, it does: the checker says what is wrong.
func saysMore(into *store.Store, r results.Record) (bool, error) {
	p, err := store.KeyOfRecord(r)
	if err != nil || r.ClaimSHA256 != r.Hash() {
		return true, nil
	}
	have, err := into.Records(p)
	if err != nil {
		return false, err
	}
	bound, ok, err := into.Bound(p)
	if err != nil {
		return false, err
	}
	lower, readable := fraction(r.LowerBound)
	if !ok || !readable {
		return true, nil
	}
	if c := bound.Value.Cmp(lower); c < 0 || c == 0 && bound.Proof == nil && r.BoundProof != nil {
		return true, nil
	}
	return !slices.ContainsFunc(have, func(h results.Record) bool {
		return h.ClaimSHA256 == r.ClaimSHA256 && sameEvidence(h.Proof, r.Proof) && isThere(into.Folder(), h.Proof) &&
			hasOptima(h, r)
	}), nil
}

// hasOptima reports whether one record says all that another says of optimal placements.
func hasOptima(have, r results.Record) bool {
	switch {
	case r.Optima != nil:
		return reflect.DeepEqual(have.Optima, r.Optima)
	case r.Orbits != nil:
		return reflect.DeepEqual(have.Orbits, r.Orbits) && reflect.DeepEqual(have.Labelled, r.Labelled)
	}
	return true
}

// take puts what was checked into the store.
func (m *Merged) take(into *store.Store, o offer) error {
	news, err := o.add(into)
	var conflict *store.ConflictError
	var carried *fileError
	switch {
	case errors.As(err, &conflict):
		m.Faults = append(m.Faults, conflict.Error())
	case errors.As(err, &carried):
		m.Faults = append(m.Faults, fmt.Sprintf("%s: %v", o.key, carried))
	case err != nil:
		return err
	case news:
		m.Taken = append(m.Taken, o.key)
	default:
		m.Known++
	}
	return nil
}

// addRecord puts a record and the files of its proofs into a store and reports whether the store knows more now.
func addRecord(into *store.Store, r results.Record, c folders) (news bool, err error) {
	p, err := store.KeyOfRecord(r)
	if err != nil {
		return false, err
	}
	r.Certificate = nil // its files stay where they are
	if r.Proof, err = c.copyProof(r.Proof); err != nil {
		return false, err
	}
	if r.BoundProof, err = c.copyProof(r.BoundProof); err != nil {
		return false, err
	}
	before, ok, err := into.Bound(p)
	if err != nil {
		return false, err
	}
	kept, err := into.AddRecord(r)
	if err != nil {
		return false, err
	}
	after, _, err := into.Bound(p)
	if err != nil || kept || !ok {
		return kept || !ok, err
	}
	return after.Value.Cmp(before.Value) > 0 || before.Proof == nil && after.Proof != nil, nil
}
