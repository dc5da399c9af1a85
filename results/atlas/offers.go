package atlas

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/compose"
	"leeway/results/disk"
	"leeway/results/store"
)

// maxOfferBytes is the largest export that is read.
const maxOfferBytes = 1 << 30

const offerHint = "name a store, an export, an atlas, a record or an answer of prove --below"

// Offers are what a file has to give to a store.
type offers struct {
	records []results.Record
	bounds  []looseBound
	nulls   map[texts.Key][]store.Null
	faults  []string // records that cannot be read
	folder  string   // of files that proofs name
}

// openOffers reads a file by what it holds: a store, an atlas, or records. Errors are
// *results.ReadError and those of opening a store.
func openOffers(ctx context.Context, path string) (*offers, error) {
	o := &offers{nulls: map[texts.Key][]store.Null{}, folder: filepath.Dir(path)}
	head, err := headOf(ctx, path)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(string(head), "SQLite format 3\x00") {
		return o, o.readStore(path)
	}
	data, err := disk.ReadFileUpTo(ctx, path, maxOfferBytes)
	if err != nil {
		return nil, err
	}
	return o, results.InFile(o.readText(data), path)
}

// headOf returns the first bytes of a file.
func headOf(ctx context.Context, path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, disk.FileError(path, err)
	case info.IsDir():
		return nil, &results.ReadError{File: path, Problem: "this is a folder", Hint: offerHint}
	case !info.Mode().IsRegular():
		return nil, &results.ReadError{File: path, Problem: "not a regular file", Hint: offerHint}
	}
	f, err := disk.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, 16)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, disk.FileError(path, err)
	}
	return head[:n], nil
}

// readStore takes the records with a proof and the best of every problem, and the best
// once more with the largest bound where that is not its own.
func (o *offers) readStore(path string) error {
	s, err := store.Open(path)
	if err != nil {
		return err
	}
	for st, wrong := range s.Standings(nil) {
		if err = wrong; err == nil {
			err = o.takeStanding(s, st)
			var corrupt *store.CorruptError
			if errors.As(err, &corrupt) { // the others are not
				o.faults = append(o.faults, fmt.Sprintf("%s: %s", st.Problem, corrupt.Problem))
				err = nil
			}
		}
		if err != nil {
			break
		}
	}
	return errors.Join(err, s.Close())
}

// takeStanding takes what a store holds of a problem. A bound without a placement, or with a
// record that cannot be read, goes alone.
func (o *offers) takeStanding(s *store.Store, st store.Standing) error {
	if st.Fault != "" {
		o.faults = append(o.faults, fmt.Sprintf("%s: %s", st.Problem, st.Fault))
	}
	nulls, err := s.Nulls(st.Problem)
	if err != nil {
		return err
	}
	if len(nulls) > 0 {
		o.nulls[st.Problem] = nulls
	}
	if st.Record != nil {
		best, err := results.ReadRecord(st.Record)
		if err == nil {
			return o.takeRecords(s, st.Problem, best)
		}
		o.faults = append(o.faults, fmt.Sprintf("%s: the record cannot be read: %v", st.Problem, err))
	}
	b, ok, err := s.Bound(st.Problem)
	if ok {
		o.bounds = append(o.bounds, looseBound{st.Problem, b})
	}
	return err
}

func (o *offers) takeRecords(s *store.Store, p texts.Key, best results.Record) error {
	all, err := s.Records(p)
	if err != nil {
		return err
	}
	for _, r := range all {
		if r.Proof != nil || r.BoundProof != nil {
			o.records = append(o.records, r)
		}
	}
	raised, err := raise(s, best, p)
	if err != nil {
		return err
	}
	if best.Proof == nil && best.BoundProof == nil || raised.LowerBound != best.LowerBound {
		o.records = append(o.records, raised)
		all = append(all, raised)
	}
	return o.takeBound(s, p, all)
}

// takeBound takes the largest bound if it has a proof that no record has: one that came later than the records.
func (o *offers) takeBound(s *store.Store, p texts.Key, have []results.Record) error {
	b, ok, err := s.Bound(p)
	if err != nil || !ok || b.Proof == nil {
		return err
	}
	if !slices.ContainsFunc(have, func(r results.Record) bool {
		return reflect.DeepEqual(r.Proof, b.Proof) || reflect.DeepEqual(r.BoundProof, b.Proof)
	}) {
		o.bounds = append(o.bounds, looseBound{p, b})
	}
	return nil
}

// readText reads documents: one, those of a list of items, or lines of them, also those of an atlas.
func (o *offers) readText(data []byte) error {
	first, rest, several := bytes.Cut(bytes.TrimSpace(data), []byte("\n"))
	if several && json.Valid(first) {
		return o.readDocuments(append([][]byte{first}, bytes.Split(rest, []byte("\n"))...))
	}
	var list struct {
		Items []json.RawMessage `json:"items"`
	}
	if json.Unmarshal(data, &list) == nil && list.Items != nil {
		var items [][]byte
		for _, item := range list.Items {
			items = append(items, item)
		}
		return o.readDocuments(items)
	}
	return o.readDocument(data)
}

func (o *offers) readDocuments(texts [][]byte) error {
	for i, text := range texts {
		err := o.readDocument(text)
		var unreadable *results.ReadError
		if errors.As(err, &unreadable) {
			return &results.ReadError{Line: i + 1, Column: 1, Problem: "record: " + unreadable.Problem, Hint: unreadable.Hint}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readDocument reads a record, alone or in the line of an atlas, or the lower bound that an answer of prove --below
// proves.
func (o *offers) readDocument(data []byte) error {
	var l line
	if strictly(data, &l) == nil && l.Record != nil {
		if data = l.Record; l.Nulls != nil {
			o.nulls[l.Key] = l.Nulls
		}
	}
	if schema, err := results.SchemaOf(data); err != nil || schema != results.BelowSchema {
		r, err := results.ReadRecord(data)
		o.records = append(o.records, r)
		return err
	}
	d, err := results.ReadBelow(data)
	if err != nil {
		return err
	}
	p, err := store.KeyOfRecord(d.Record())
	if err != nil {
		return &results.ReadError{Problem: err.Error()}
	}
	b, ok := boundOf(p, d.Record().BoundProof)
	if !ok {
		return &results.ReadError{Problem: fmt.Sprintf("the answer %q proves no lower bound", results.Shorten(d.Status))}
	}
	o.bounds = append(o.bounds, b)
	return nil
}

// A looseBound is a lower bound of a problem of which no placement is known.
type looseBound struct {
	problem texts.Key
	bound   store.Bound
}

// document returns the bound as the document that the package check reads: no placement has E_max below it.
func (b looseBound) document() (results.Below, error) {
	way := b.problem.Routing
	if b.problem.Table != "" {
		way = "minimal" // any that can be read
	}
	p, err := texts.ParseProblem(b.problem.Torus, way, b.problem.Size)
	if err != nil {
		return results.Below{}, err
	}
	d := results.Below{Schema: results.BelowSchema, Grid: compose.GridOf(p.Torus()), Routing: b.problem.Routing,
		Size: b.problem.Size, Setting: compose.SettingOf(p),
		Below: results.FormatFraction(b.bound.Value)}
	if b.problem.Table != "" {
		if err := json.Unmarshal([]byte(b.problem.Table), &d.Table); err != nil {
			return d, err
		}
	}
	proof := b.bound.Proof
	if proof == nil {
		proof = &results.Proof{Kind: results.ProofSteps, Below: d.Below}
	}
	d.Infeasible(*proof)
	return d, nil
}

// offer returns the offer that the bound is.
func (b looseBound) offer(c folders) (offer, error) {
	document, err := b.document()
	return offer{key: b.problem, document: document, add: func(into *store.Store) (bool, error) {
		bound := b.bound
		var err error
		if bound.Proof, err = c.copyProof(bound.Proof); err != nil {
			return false, err
		}
		return true, into.AddBound(b.problem, bound)
	}}, err
}

// proofBounds returns the lower bounds that the proofs of a record claim to show, but for
// those that can be derived again at once: they cannot get lost.
func proofBounds(r results.Record) []looseBound {
	p, err := store.KeyOfRecord(r)
	if err != nil {
		return nil
	}
	var list []looseBound
	for _, proof := range []*results.Proof{r.Proof, r.BoundProof} {
		if b, ok := boundOf(p, proof); ok && b.bound.Proof != nil {
			list = append(list, b)
		}
	}
	return list
}

// boundOf returns the lower bound that a proof claims to show; false without a proof, or a value.
func boundOf(p texts.Key, proof *results.Proof) (looseBound, bool) {
	if proof == nil {
		return looseBound{}, false
	}
	v, ok := fraction(proof.Below)
	return looseBound{p, store.Bound{Value: v, Reason: proof.Kind + ": none is below", Proof: proof}}, ok
}

// saysMore reports whether a bound says what a store does not know.
func (b looseBound) saysMore(into *store.Store) (bool, error) {
	have, ok, err := into.Bound(b.problem)
	if err != nil || !ok {
		return true, err
	}
	return have.Value.Cmp(b.bound.Value) < 0 || have.Proof == nil && b.bound.Proof != nil, nil
}
