package atlas

import (
	"bytes"
	"cmp"
	"context"
	_ "embed" // the files
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"

	"leeway/core"
	"leeway/core/parallel"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/compose"
	"leeway/results/export"
	"leeway/results/store"
)

// A line is a cell of a file: its key, what takes long to compute again, and its record as JSON.
type line struct {
	texts.Key
	Families   []Family        `json:"families"` // placements with a name
	Invariants *Invariants     `json:"invariants,omitempty"`
	Nulls      []store.Null    `json:"nulls,omitempty"`
	Record     json.RawMessage `json:"record"`
}

// packNodes returns a set of nodes as hexadecimal digits: digit i, from the left, has
// the nodes 4i to 4i+3, the first of them as its 8.
func packNodes(t *core.Torus, coords [][]int) (string, error) {
	bits := make([]byte, (t.N()+7)/8)
	for _, c := range coords {
		v, err := t.Node(c...)
		if err != nil {
			return "", err
		}
		bits[v/8] |= 0x80 >> (v % 8)
	}
	return hex.EncodeToString(bits)[:(t.N()+3)/4], nil
}

// unpackNodes is the reverse of packNodes. Its errors say what is wrong with the text.
func unpackNodes(t *core.Torus, text string) (core.Placement, error) {
	if len(text) != (t.N()+3)/4 {
		return core.Placement{}, fmt.Errorf("a set of nodes of %s has %d digits, not %d", t, (t.N()+3)/4, len(text))
	}
	bits, err := hex.DecodeString(text + "0"[:len(text)%2])
	if err != nil {
		return core.Placement{}, fmt.Errorf("%q is not a set of nodes: %w", results.Shorten(text), err)
	}
	var nodes []int
	for i, b := range bits {
		for j := range 8 {
			if b&(0x80>>j) != 0 {
				nodes = append(nodes, 8*i+j)
			}
		}
	}
	return core.NewPlacement(t, nodes) // refuses nodes past the last
}

// OfRecords returns the atlas of some records, JSON as in their files. One that cannot be read refuses all; one that
// says what is not so becomes a cell with a fault. Errors are *results.ReadError.
func OfRecords(records ...[]byte) (*Atlas, error) {
	var lines []line
	for _, text := range records {
		r, err := results.ReadRecord(text)
		if err != nil {
			return nil, err
		}
		lines = append(lines, line{Key: compose.KeyOfRecord(r), Record: text})
	}
	return admitted(lines)
}

// admitted returns the atlas of lines, all of which are looked at.
func admitted(lines []line) (*Atlas, error) {
	s := &fileSource{lines: map[texts.Key]func() (line, error){}}
	entries := make([]entry, len(lines))
	for i, l := range lines {
		if s.lines[l.Key] != nil {
			return nil, &results.ReadError{Line: i + 1, Column: 1, Problem: fmt.Sprintf("the cell %s is repeated", l.Key)}
		}
		s.lines[l.Key] = func() (line, error) { return l, nil }
		entries[i] = entry{Key: l.Key, text: l.Record}
	}
	for _, c := range admit(entries) {
		s.rows = append(s.rows, rowOf(c))
	}
	return newAtlas(s)
}

// A fileSource holds lines.
type fileSource struct {
	lines map[texts.Key]func() (line, error)
	rows  []row // until the atlas has them

	mu   sync.Mutex
	last *series // of the cell that was looked at last
}

// refresh returns the cells once: the files are read.
func (s *fileSource) refresh() (rows []row, err error) {
	rows, s.rows = s.rows, nil
	return rows, nil
}

// detail adds the record of a line, which is looked at now: those of the program's own files were not before.
func (s *fileSource) detail(d *Detail) error {
	read := s.lines[d.Key()]
	if read == nil || d.Fault != "" {
		return nil
	}
	l, err := read()
	if err != nil {
		return err
	}
	e := entry{Key: l.Key, text: l.Record}
	c := s.look(&e)
	if c.Invariants = d.Invariants; !reflect.DeepEqual(*c, d.Cell) {
		d.Cell = c.faulty(cmp.Or(c.Fault, "its line does not say what is computed again: hash or named placements"))
		return nil
	}
	d.Record, d.History, d.Nulls = e.record, []Event{eventOf(e.record)}, l.Nulls
	return nil
}

// look returns the cell of an entry, computed again. Neighbours are likely to be looked at next: they share their
// series.
func (s *fileSource) look(e *entry) *Cell {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil || s.last.key.Torus != e.Torus || s.last.key.Routing != e.Routing {
		s.last = newSeries(e.Key)
	}
	return s.last.cell(e)
}

// folder is of no use: a line holds no proof that names a file.
func (s *fileSource) folder() string { return "" }

// faults returns nil: a file is read as a whole, or not at all.
func (s *fileSource) faults() (map[texts.Key]string, error) { return nil, nil }

func (s *fileSource) close() error { return nil }

// maxOptima is how many optima a line lists; of more only the numbers stay.
const maxOptima = 64

// Export returns the cells that a filter picks in one of the formats of export.Records, or as lines for the format
// "atlas", and how many cells have no place in it: in the first formats those without a full record. Errors are those
// of Detail and of renew, for which see Encode.
func (a *Atlas) Export(format string, f Filter, renew Renewer) (data []byte, left int, err error) {
	if format == "atlas" {
		return a.Encode(f, renew)
	}
	records := []results.Record{}
	cells, _ := a.Cells(f)
	for _, c := range cells {
		d, _, err := a.Detail(c.Key())
		switch {
		case err != nil:
			return nil, 0, err
		case d.Record == nil:
			left++
		default:
			records = append(records, *d.Record)
		}
	}
	data, err = export.Records(format, records)
	return data, left, err
}

// Loses returns the cells of a file with an atlas or with records of which an export of the cells that a filter picks
// knows less: nothing, a larger E_max or a smaller lower bound; and how many cells the file has. A file that is
// neither, or is not there, has none.
func (a *Atlas) Loses(ctx context.Context, file string, f Filter) (lost []texts.Key, of int) {
	had, err := openOffers(ctx, file)
	if err != nil {
		return nil, 0
	}
	exported := map[texts.Key]Cell{}
	cells, _ := a.Cells(f)
	for _, c := range cells {
		if c.Fault == "" && c.MaxLoad != "" {
			exported[c.Key()] = c
		}
	}
	for _, r := range had.records {
		old := Cell{MaxLoad: r.MaxLoad, LowerBound: r.LowerBound}
		c, ok := exported[compose.KeyOfRecord(r)]
		if p, err := compose.KeyOfRecord(r).Problem(); !ok && err == nil { // nothing ties, and it has the other name
			c, ok = exported[texts.Key{Torus: p.Where(), Routing: store.Twin(p.Torus(), r.Routing), Size: r.Size}]
		}
		if !ok {
			lost = append(lost, compose.KeyOfRecord(r))
		} else if worse, below := old.Improves(c); worse || below {
			lost = append(lost, c.Key())
		}
	}
	return lost, len(had.records)
}

// A Renewer may replace the proofs of records, and the reasons of their bounds.
type Renewer func(records []*results.Record) error

// Encode returns the cells that a filter picks as lines, in the order of Cells, so that two versions can be compared
// line by line. Cells with a fault or without a placement, tables, and proofs that stand in a file of their own, are
// left out and counted. The records of cells with a proof go through renew, if it is not nil, all at once, but for
// those whose proof is that of another cell. Errors are those of Detail and renew.
func (a *Atlas) Encode(f Filter, renew Renewer) (data []byte, left int, err error) {
	var lines []line
	var records []*results.Record // by line
	var measure surveyor
	cells, _ := a.Cells(f)
	for _, c := range cells {
		d, ok, err := a.Detail(c.Key())
		if err != nil {
			return nil, 0, err
		}
		if !ok || d.Record == nil || d.Record.Table != nil || d.Record.Proof.NamesFile() || d.Record.BoundProof.NamesFile() {
			left++
			continue
		}
		l, r := line{Key: d.Key(), Families: d.Families, Invariants: measure.invariants(&d.Cell)}, *d.Record
		if d.Status != Optimal {
			l.Nulls = d.Nulls
		}
		if r.Optima != nil && len(*r.Optima) > maxOptima {
			r.Optima = nil
		}
		lines, records = append(lines, l), append(records, &r)
	}
	if renew != nil {
		if err := renewOwn(records, renew); err != nil {
			return nil, left, err
		}
	}
	var out bytes.Buffer
	for i, l := range lines {
		if l.Record, err = json.Marshal(records[i]); err != nil {
			return nil, left, err
		}
		text, err := json.Marshal(l)
		if err != nil {
			return nil, left, err
		}
		out.Write(append(text, '\n'))
	}
	return out.Bytes(), left, nil
}

// renewOwn has the proofs renewed that are not those of other cells, and names the new ones where they are.
func renewOwn(records []*results.Record, renew Renewer) error {
	type borrowed struct {
		proof    **results.Proof
		by, from *results.Record
	}
	var list []borrowed
	var own []*results.Record
	cells := map[texts.Key]*results.Record{}
	for _, r := range records {
		cells[compose.KeyOfRecord(*r)] = r
	}
	for _, r := range records {
		before := len(list)
		for _, proof := range []**results.Proof{&r.BoundProof, &r.Proof} {
			at := basis(compose.KeyOfRecord(*r), *proof)
			if at == nil || cells[*at] == nil || cells[*at].Proof == nil {
				continue
			}
			if reflect.DeepEqual(inherit(*proof, cells[*at].Proof), *proof) {
				list = append(list, borrowed{proof, r, cells[*at]})
			}
		}
		if r.Proof != nil && len(list) == before {
			own = append(own, r)
		}
	}
	if err := renew(own); err != nil {
		return err
	}
	for _, b := range list {
		*b.proof = inherit(*b.proof, b.from.Proof)
		_, rest, _ := strings.Cut(b.by.BoundReason, " at size ")
		b.by.BoundReason = results.ProofMonotone + ": " + b.from.Proof.Kind + " at size " + rest
	}
	return nil
}

// inherit returns the monotone proof p that speaks of the proof own.
func inherit(p, own *results.Proof) *results.Proof {
	out := *own
	out.Kind, out.Basis, out.Size, out.Routing, out.Torus = p.Kind, own.Kind, p.Size, p.Routing, p.Torus
	return &out
}

// The files of cells: plain tori, smaller and longer ones, meshes, client traffic, a processor near every node. As
// strings they are read where they lie.
var (
	//go:embed atlas-2.jsonl
	atlas2 string
	//go:embed atlas-3.jsonl
	atlas3 string
	//go:embed atlas.jsonl
	atlas1 string
	//go:embed controllers.jsonl
	controllers string
	//go:embed meshes-2.jsonl
	meshes2 string
	//go:embed meshes.jsonl
	meshes1 string
	//go:embed radius.jsonl
	radius string
	//go:embed tori-100.jsonl
	tori100 string
	//go:embed tori-144.jsonl
	tori144 string
	//go:embed tori-24-2.jsonl
	tori24_2 string
	//go:embed tori-24.jsonl
	tori24 string
	//go:embed tori-44-2.jsonl
	tori44_2 string
	//go:embed tori-44.jsonl
	tori44 string
	//go:embed tori-64-2.jsonl
	tori64_2 string
	//go:embed tori-64.jsonl
	tori64 string
	//go:embed tori-twisted.jsonl
	toriTwisted string
)

// shipped is what the files of the program say, read once: they never change. It is set by Shipped alone, so that a
// program without that has no files.
var shipped struct {
	once  sync.Once
	atlas *Atlas
	err   error
}

// Shipped returns the atlas that is part of the program. Every call returns the same.
func Shipped() (*Atlas, error) {
	shipped.once.Do(func() { shipped.atlas, shipped.err = readShipped(0) })
	return shipped.atlas, shipped.err
}

// ShippedOf returns the part of the atlas of the program that is about networks of a number of nodes, all that is
// known of a problem on one of them.
func ShippedOf(nodes int) (*Atlas, error) { return readShipped(nodes) }

// readShipped reads the files of the program, all or only what is of networks of a number of nodes.
func readShipped(nodes int) (*Atlas, error) {
	return readOwn(nodes, atlas2, atlas3, atlas1, controllers, meshes2, meshes1, radius, tori100, tori144, tori24_2,
		tori24, tori44_2, tori44, tori64_2, tori64, toriTwisted)
}

// readOwn finds the lines in files of the program and reads their keys. What a line says is read when its cell is asked
// for, and believed until Detail is. What is read stays, so that looking for garbage meanwhile, a third of the time,
// would find none.
func readOwn(nodes int, files ...string) (*Atlas, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	rows, errs := make([][]row, len(files)), make([]error, len(files))
	parallel.Each(context.Background(), runtime.GOMAXPROCS(0), len(files), func(i int) {
		rows[i], errs[i] = ownRows(files[i], nodes)
	})
	if err := cmp.Or(errs...); err != nil {
		return nil, err
	}
	s := &fileSource{rows: slices.Concat(rows...)}
	s.lines = make(map[texts.Key]func() (line, error), len(s.rows))
	for _, r := range s.rows {
		s.lines[r.key] = r.read
	}
	return newAtlas(s)
}

// ownRows returns the cells of a file of the program, whose lines all begin as Encode has them begin.
func ownRows(data string, nodes int) (rows []row, err error) {
	var shared func() ownSeries
	var sides []int
	last := ""
	for text := range strings.Lines(data) {
		where, rest, _ := strings.Cut(text[len(`{"torus":"`):], `"`)
		if where != last {
			last, sides = where, sidesOf(where)
		}
		if nodes != 0 && nodesOf(sides) != nodes {
			continue
		}
		way, rest, _ := strings.Cut(rest[len(`,"routing":"`):], `"`)
		digits, _, _ := strings.Cut(rest[len(`,"size":`):], ",")
		size, err := strconv.Atoi(digits)
		if err != nil {
			return nil, err
		}
		r := row{key: texts.Key{Torus: where, Routing: way, Size: size}, sides: sides,
			read: func() (l line, err error) { return l, json.Unmarshal([]byte(text), &l) }}
		if n := len(rows); n == 0 || rows[n-1].key.Torus != r.key.Torus || rows[n-1].key.Routing != r.key.Routing {
			shared = sync.OnceValue(func() ownSeries {
				p, _ := readSeries(r.key)
				return ownSeries{p.Torus(), store.Twin(p.Torus(), r.key.Routing)}
			})
		}
		in := shared
		r.twin = func() string { return in().twin }
		r.cell = sync.OnceValue(func() *Cell { return in().cell(r.read()) })
		rows = append(rows, r)
	}
	return rows, nil
}

// An ownSeries is what cells of one network and routing have in common.
type ownSeries struct {
	torus *core.Torus
	twin  string
}

// cell returns the cell of a line of the program's own files, without a look at what its record says. Tests hold it to
// what admit makes of the line.
func (s ownSeries) cell(l line, err error) *Cell {
	c := &Cell{Routing: l.Routing, Size: l.Size, Families: l.Families, Invariants: l.Invariants, Twin: s.twin}
	var r results.Record
	if err == nil {
		err = json.Unmarshal(l.Record, &r)
	}
	if c.Grid, c.Setting = r.Grid, r.Setting; err != nil {
		*c = c.faulty(err.Error())
		return c
	}
	c.fill(s.torus, &r)
	c.SHA256 = contentHash(c, r.Nodes, r.Assignment)
	return c
}

// sidesOf returns the sides with which the text of a network begins.
func sidesOf(where string) (sides []int) {
	where, _, _ = strings.Cut(where, ":")
	for side := range strings.SplitSeq(where, "x") {
		k, _ := strconv.Atoi(side)
		sides = append(sides, k)
	}
	return sides
}
