package atlas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"leeway/core"
	"leeway/core/family"
	"leeway/objective"
	"leeway/results"
	"leeway/results/store"
)

// Read returns the atlas that a file of Schema spells. A line that is no line of such
// a file refuses the whole, with a *results.ReadError; one that can be read but says
// what is not so becomes a cell with a fault.
func Read(data []byte) (*Atlas, error) {
	s, err := readLines(data)
	if err != nil {
		return nil, err
	}
	return newAtlas(s)
}

// A fileSource holds the records of a file.
type fileSource struct {
	entries []entry
	nulls   map[Key][]store.Null
	records map[Key]*results.Record
}

// refresh returns the cells once: the file is read.
func (s *fileSource) refresh() ([]*Cell, error) {
	if s.entries == nil {
		return nil, nil
	}
	cells := admit(s.entries)
	s.entries = nil
	return cells, nil
}

func (s *fileSource) detail(d *Detail) error {
	d.Nulls = s.nulls[d.Key()]
	if r := s.records[d.Key()]; r != nil {
		full, err := withBaseline(*r)
		if err != nil {
			return err
		}
		d.Record, d.History = &full, []Event{eventOf(r)}
	}
	return nil
}

// folder is of no use: a file of Schema holds no proof that names another.
func (s *fileSource) folder() string { return "" }

func (s *fileSource) close() error { return nil }

// readLines reads a whole file.
func readLines(data []byte) (*fileSource, error) {
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	h, err := readHeader(first)
	if err != nil {
		return nil, err
	}
	s := &fileSource{entries: make([]entry, 0), nulls: map[Key][]store.Null{}, records: map[Key]*results.Record{}}
	own := map[Key]*results.Proof{} // of cells, for those that refer to them
	var lines []line
	at := 1
	for text := range bytes.Lines(rest) {
		at++
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return nil, lineError(at, err)
		}
		lines = append(lines, l)
		if k := (Key{l.Torus, l.Routing, l.Size}); own[k] == nil {
			own[k] = l.Proof
			if own[k] == nil {
				own[k] = l.BoundProof
			}
		}
	}
	if len(lines) != h.Cells {
		return nil, &results.ReadError{Problem: fmt.Sprintf("the atlas has %d cells, its first line says %d", len(lines), h.Cells), Hint: "is the file complete?"}
	}
	var cache problemCache
	for i := range lines {
		r, err := lines[i].record(&cache, h, own)
		if err == nil && s.records[lines[i].key()] != nil {
			err = errors.New("the cell stands twice")
		}
		if err != nil {
			return nil, lineError(i+2, err)
		}
		s.add(&lines[i], r, h.Runs[lines[i].Run])
	}
	return s, nil
}

func (l *line) key() Key { return Key{l.Torus, l.Routing, l.Size} }

func (s *fileSource) add(l *line, r *results.Record, from run) {
	k := l.key()
	s.records[k] = r
	s.entries = append(s.entries, entry{torus: l.Torus, routing: l.Routing, size: l.Size, record: r})
	for _, n := range l.Nulls {
		s.nulls[k] = append(s.nulls[k], n.full(from))
	}
}

func lineError(at int, err error) error {
	return &results.ReadError{Line: at, Column: 1, Problem: "no line of an atlas: " + err.Error()}
}

func readHeader(text []byte) (header, error) {
	var h header
	if err := json.Unmarshal(text, &h); err != nil {
		return h, &results.ReadError{Line: 1, Column: 1, Problem: "this is no atlas: " + err.Error(), Hint: "an atlas starts with {\"schema\":\"" + Schema + "\""}
	}
	if h.Schema != Schema {
		return h, &results.ReadError{Line: 1, Column: 1, Problem: fmt.Sprintf("unknown schema %q", results.Shorten(h.Schema)), Hint: "this program reads " + Schema}
	}
	return h, nil
}

// record returns the record of a line, full but for its baseline.
func (l *line) record(cache *problemCache, h header, own map[Key]*results.Proof) (*results.Record, error) {
	p, err := cache.read(l.Torus, l.Routing, l.Size)
	if err != nil {
		return nil, err
	}
	if l.Run < 0 || l.Run >= len(h.Runs) {
		return nil, fmt.Errorf("there is no run %d", l.Run)
	}
	placement, err := unpackNodes(p.Torus(), l.Nodes)
	if err != nil {
		return nil, err
	}
	run := h.Runs[l.Run]
	r := &results.Record{Schema: results.RecordSchema, Torus: p.Torus().Dims(), Routing: l.Routing, Size: l.Size, Nodes: placement.Coords(),
		MaxLoad: l.MaxLoad, LowerBound: l.LowerBound, BoundReason: l.BoundReason, Status: Feasible,
		SolverClaim: l.SolverClaim, SymmetryClaim: l.SymmetryClaim, FoundBy: l.FoundBy,
		Provenance: results.Provenance{Version: run.Version, Command: run.Command, Started: l.Started, Seed: l.FoundBy.Seed, Budget: run.Budget}}
	if r.LowerBound == "" {
		r.LowerBound = l.MaxLoad
	}
	if r.Command == nil {
		r.Command = []string{}
	}
	if r.Proof, err = unfold(l.key(), l.Proof, own); err != nil {
		return nil, err
	}
	if r.BoundProof, err = unfold(l.key(), l.BoundProof, own); err != nil {
		return nil, err
	}
	if r.Proof != nil {
		r.Status = Optimal
	}
	if err := l.unpackOptima(p.Torus(), r); err != nil {
		return nil, err
	}
	r.ClaimSHA256 = results.ClaimSHA256(r.Torus, r.Routing, r.Nodes, r.MaxLoad)
	return r, nil
}

// unpackOptima is the reverse of packOptima.
func (l *line) unpackOptima(t *core.Torus, r *results.Record) error {
	switch {
	case l.Orbits != nil && len(l.Optima) > 0:
		return errors.New("orbits stand beside the list of optima")
	case (l.Labelled == nil) != (l.Orbits == nil && len(l.Optima) == 0):
		return errors.New("labelled belongs to orbits or to optima")
	case len(l.Optima) == 0:
		r.Orbits, r.Labelled = l.Orbits, l.Labelled
		return nil
	}
	var optima []core.Placement
	for _, text := range l.Optima {
		o, err := unpackNodes(t, text)
		if err != nil {
			return err
		}
		optima = append(optima, o)
	}
	r.AddOptima(optima, *l.Labelled)
	return nil
}

// withBaseline adds to a record what it says of the papers' placement of its size. This is
// left until somebody asks for the record: it costs as much as the record's own loads.
func withBaseline(r results.Record) (results.Record, error) {
	p, err := Key{sidesText(r.Torus), r.Routing, r.Size}.Problem()
	if err != nil {
		return r, err
	}
	text, ok := family.Baseline(p.Torus(), p.Size)
	if !ok {
		return r, nil
	}
	theirs, err := family.Parse(p.Torus(), text)
	if err != nil {
		return r, err
	}
	most, _ := objective.Evaluate(p.Routing, theirs).Max()
	r.Baseline = &results.Baseline{Placement: text, MaxLoad: results.FormatFraction(most)}
	return r, nil
}
