package atlas

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/parallel"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/compose"
	"leeway/results/export"
	"leeway/results/store"
)

// Schema is the version of the files that hold an atlas.
const Schema = "leeway/atlas/1"

// A header is the first line of a file.
type header struct {
	Schema  string   `json:"schema"`
	Cells   int      `json:"cells"` // lines that follow
	Origins []origin `json:"runs"`  // what cells have in common
}

// An origin is where records come from.
type origin struct {
	Version string         `json:"version"`
	Command []string       `json:"command"`
	Budget  results.Budget `json:"budget"`
}

// A line is a cell of a file: its best record, short.
type line struct {
	texts.Key
	MaxLoad     string          `json:"max_load"`
	Nodes       string          `json:"nodes"`                 // a set, see packNodes
	LowerBound  string          `json:"lower_bound,omitempty"` // absent if it is max_load
	BoundReason string          `json:"bound_reason,omitempty"`
	Proof       *results.Proof  `json:"proof,omitempty"`       // see fold
	BoundProof  *results.Proof  `json:"bound_proof,omitempty"` // likewise
	FoundBy     results.FoundBy `json:"found_by"`
	Started     string          `json:"started"`
	Origin      int             `json:"run,omitempty"`  // in the list of the header
	Then        string          `json:"then,omitempty"` // mean_distance follows from the nodes

	SolverClaim   *results.SolverClaim   `json:"solver_claim,omitempty"`
	SymmetryClaim *results.SymmetryClaim `json:"symmetry_claim,omitempty"`
	Optima        []string               `json:"optima,omitempty"` // sets
	Orbits        *int                   `json:"orbits,omitempty"` // absent if optima are listed
	Labelled      *int64                 `json:"labelled,omitempty"`
	Nulls         []null                 `json:"nulls,omitempty"`
	Credit        *results.Credit        `json:"credit,omitempty"`     // absent where a paper has it, by its family
	Families      [][2]string            `json:"families,omitempty"`   // placements with a name, each with its max_load
	Invariants    []int                  `json:"invariants,omitempty"` // see Invariants.pack
}

// A null is a search that found nothing better.
type null struct {
	Goal        string          `json:"goal,omitempty"`
	Method      string          `json:"method"`
	Seed        uint64          `json:"seed"`
	Budget      *results.Budget `json:"budget,omitempty"` // absent if it is that of the origin
	Evaluations int64           `json:"evaluations"`
	Best        string          `json:"best,omitempty"`
	Added       string          `json:"added"`
}

// nullOf returns a null result as a line has it.
func nullOf(n store.Null, r origin) null {
	out := null{Goal: n.Goal, Method: n.Method, Seed: n.Seed, Evaluations: n.Evaluations, Best: n.Best, Added: n.Added}
	if !reflect.DeepEqual(n.Budget, r.Budget) {
		out.Budget = &n.Budget
	}
	return out
}

// full is the reverse of nullOf.
func (n null) full(r origin) store.Null {
	out := store.Null{Goal: n.Goal, Method: n.Method, Seed: n.Seed, Budget: r.Budget, Evaluations: n.Evaluations,
		Best: n.Best, Added: n.Added}
	if n.Budget != nil {
		out.Budget = *n.Budget
	}
	return out
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

// fold returns a proof as a line has it. A monotone proof is left with size and routing if the line of that cell has
// the proof of which it speaks: it stands there once.
func fold(k texts.Key, p *results.Proof, of map[texts.Key]*results.Proof) *results.Proof {
	at := basis(k, p)
	if at == nil {
		return p
	}
	own := of[*at]
	if own == nil || !sameProof(inherit(p, own), p) {
		return p
	}
	return &results.Proof{Kind: p.Kind, Engine: p.Engine, Size: p.Size, Routing: p.Routing, Torus: p.Torus}
}

// unfold is the reverse of fold.
func unfold(k texts.Key, p *results.Proof, of map[texts.Key]*results.Proof) (*results.Proof, error) {
	if !folded(p) {
		return p, nil
	}
	at := basis(k, p)
	if at == nil {
		return nil, fmt.Errorf("a monotone proof of %s names no size", k)
	}
	own := of[*at]
	if own == nil || own.Kind == results.ProofMonotone {
		return nil, fmt.Errorf("the proof of %s is that of %s, which names a proof of another size itself", k, at)
	}
	return inherit(p, own), nil
}

// inherit returns the monotone proof p that speaks of the proof own.
func inherit(p, own *results.Proof) *results.Proof {
	out := *own
	out.Kind, out.Basis, out.Size, out.Routing, out.Torus = p.Kind, own.Kind, p.Size, p.Routing, p.Torus
	return &out
}

// Read returns the atlas that files of Schema spell together. A line that is not a line of such a file refuses the
// whole, with a *results.ReadError, and so does a cell that is repeated; a line that can be read but says what is not
// so becomes a cell with a fault.
func Read(files ...[]byte) (*Atlas, error) { return read(false, 0, files) }

// read is Read, of cells on networks of a number of nodes only unless that is 0; own files are believed until a cell is
// asked for.
func read(own bool, nodes int, files [][]byte) (*Atlas, error) {
	s := &fileSource{sheets: make([]*lineFile, len(files)), own: own, places: map[texts.Key]place{}}
	errs := make([]error, len(files))
	parallel.Each(context.Background(), runtime.GOMAXPROCS(0), len(files), func(i int) {
		if s.sheets[i], errs[i] = readLines(files[i], nodes); errs[i] == nil {
			errs[i] = s.sheets[i].look(own)
		}
	})
	if err := cmp.Or(errs...); err != nil {
		return nil, err
	}
	for _, sheet := range s.sheets {
		for i, l := range sheet.lines {
			if _, twice := s.places[l.Key]; twice {
				return nil, &results.ReadError{Problem: fmt.Sprintf("the cell %s stands in two files", l.Key)}
			}
			s.places[l.Key] = place{sheet, i}
		}
	}
	return newAtlas(s)
}

// A fileSource holds what files say.
type fileSource struct {
	sheets []*lineFile
	places map[texts.Key]place
	own    bool // the files are part of the program
	done   bool // the cells are made

	mu   sync.Mutex
	last *series // of the cell that was looked at last
}

// A place is where the line of a cell stands.
type place struct {
	*lineFile
	at int
}

// refresh returns the cells once: the files are read.
func (s *fileSource) refresh() ([]*Cell, error) {
	if s.done {
		return nil, nil
	}
	s.done = true
	cells := make([]*Cell, 0, len(s.places))
	for _, sheet := range s.sheets {
		cells = append(cells, sheet.cells...)
		sheet.cells = nil
	}
	return cells, nil
}

// detail makes the record of a line. A cell of the program's own files is looked at now, as those of others were when
// they were read.
func (s *fileSource) detail(d *Detail) error {
	at, ok := s.places[d.Key()]
	if !ok || d.Fault != "" {
		return nil
	}
	e, err := at.entry(at.at)
	if err != nil {
		return lineError(at.at, err)
	}
	if s.own {
		c := s.look(&e)
		if c.Invariants = d.Invariants; !reflect.DeepEqual(*c, d.Cell) {
			d.Cell = c.faulty(cmp.Or(c.Fault, "its line does not say what is computed again: hash or named placements"))
			return nil
		}
	}
	full, err := withBaseline(*e.record)
	if err != nil {
		return err
	}
	d.Record, d.History, d.Nulls = &full, []Event{eventOf(e.record)}, at.nulls(at.at)
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

// folder is of no use: a file of Schema holds no proof that names another.
func (s *fileSource) folder() string { return "" }

// faults are none: a file is read as a whole.
func (s *fileSource) faults() (map[texts.Key]string, error) { return nil, nil }

func (s *fileSource) close() error { return nil }

// A lineFile is what a file says.
type lineFile struct {
	header header
	lines  []line
	own    map[texts.Key]*results.Proof // of cells, for those that refer to them
	cells  []*Cell                      // until the atlas has them
}

// readLines reads a whole file, or only the cells on networks of a number of nodes, 0 for all.
func readLines(data []byte, nodes int) (*lineFile, error) {
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	h, err := readHeader(first)
	if err != nil {
		return nil, err
	}
	most := bytes.Count(rest, []byte("\n")) + 1
	s := &lineFile{header: h, lines: make([]line, 0, most), own: make(map[texts.Key]*results.Proof, most)}
	for text := range bytes.Lines(rest) {
		if nodes != 0 && nodesOfLine(text) != nodes {
			continue
		}
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return nil, lineError(len(s.lines), err)
		}
		s.lines = append(s.lines, l)
		if s.own[l.Key] == nil {
			s.own[l.Key] = cmp.Or(l.Proof, l.BoundProof)
		}
	}
	if nodes == 0 && len(s.lines) != h.Cells {
		return nil, &results.ReadError{Hint: "is the file complete?",
			Problem: fmt.Sprintf("the atlas has %d cells, its first line says %d", len(s.lines), h.Cells)}
	}
	return s, nil
}

// nodesOfLine returns the number of nodes of the network that a line begins with.
func nodesOfLine(text []byte) int {
	text, _ = bytes.CutPrefix(text, []byte(`{"torus":"`))
	nodes, side := 1, 0
	for _, c := range text {
		switch {
		case '0' <= c && c <= '9':
			side = 10*side + int(c-'0')
			continue
		case c != 'x':
			return nodes * side
		}
		nodes, side = nodes*side, 0
	}
	return 0
}

// look makes the cells of a file, of the program's own as the lines have it.
func (s *lineFile) look(own bool) error {
	if !own {
		entries, err := s.entries()
		s.cells = admit(entries)
		return err
	}
	var like *Cell // of the same network and routing, without what a line says
	var p objective.Problem
	var coords [][]int // of all nodes
	for i := range s.lines {
		l := &s.lines[i]
		if i == 0 || !l.sameSeries(&s.lines[i-1]) {
			var err error
			if p, err = readSeries(l.Key); err != nil {
				return lineError(i, err)
			}
			like = &Cell{Grid: compose.GridOf(p.Torus()), Routing: l.Routing, Setting: compose.SettingOf(p),
				Status: Feasible, Twin: store.Twin(p.Torus(), l.Routing)}
			coords = coords[:0:0]
			for v := range p.Torus().N() {
				coords = append(coords, p.Torus().Coords(v))
			}
		}
		c, err := s.cell(l, like, p.Torus(), coords)
		if err != nil {
			return lineError(i, err)
		}
		s.cells = append(s.cells, c)
	}
	return nil
}

// sameSeries reports whether two lines have torus and routing in common.
func (l *line) sameSeries(other *line) bool {
	return l.Torus == other.Torus && l.Routing == other.Routing
}

// entries returns the entries of all lines.
func (s *lineFile) entries() ([]entry, error) {
	entries := []entry{}
	seen := map[texts.Key]bool{}
	var p objective.Problem // neighbours share network, conditions and routing
	for i := range s.lines {
		l := &s.lines[i]
		var err error
		if i == 0 || !l.sameSeries(&s.lines[i-1]) {
			p, err = readSeries(l.Key)
		}
		var r *results.Record
		if err == nil {
			r, err = s.record(l, p)
		}
		if err == nil && seen[l.Key] {
			err = errors.New("the cell is repeated")
		}
		if err != nil {
			return nil, lineError(i, err)
		}
		seen[l.Key] = true
		entries = append(entries, entry{Key: l.Key, record: r})
	}
	return entries, nil
}

// entry returns the entry of a line.
func (s *lineFile) entry(i int) (entry, error) {
	l := &s.lines[i]
	p, err := readSeries(l.Key)
	if err != nil {
		return entry{}, err
	}
	r, err := s.record(l, p)
	return entry{Key: l.Key, record: r}, err
}

// nulls returns the null results of a line.
func (s *lineFile) nulls(i int) (list []store.Null) {
	l := &s.lines[i]
	for _, n := range l.Nulls {
		list = append(list, n.full(s.header.Origins[l.Origin]))
	}
	return list
}

// cell returns the cell of a line of the program's own files, like others of its torus and routing, without a look at
// its record. Tests hold it to what admit makes of the line.
func (s *lineFile) cell(l *line, like *Cell, t *core.Torus, coords [][]int) (*Cell, error) {
	c := new(*like)
	c.Size, c.MaxLoad, c.LowerBound, c.BoundReason = l.Size, l.MaxLoad, cmp.Or(l.LowerBound, l.MaxLoad), l.BoundReason
	c.Method, c.Seed, c.Found, c.Families = l.FoundBy.Method, l.FoundBy.Seed, l.Started, make([]Family, 0, len(l.Families))
	baseline := proposed(c.Key(), t)
	for _, f := range l.Families {
		c.Families = append(c.Families, Family{Placement: f[0], MaxLoad: f[1], Papers: f[0] == baseline})
	}
	c.Credit, c.set, c.Invariants = c.credited(l.Credit), l.Nodes, unpackInvariants(l.Invariants)
	if l.Labelled != nil {
		c.Optima, c.Labelled = len(l.Optima), strconv.FormatInt(*l.Labelled, 10)
		if l.Orbits != nil {
			c.Optima = *l.Orbits
		}
	}
	placement, err := unpackNodes(t, l.Nodes)
	if err != nil {
		return nil, err
	}
	nodes := make([][]int, 0, placement.Size())
	for _, v := range placement.Nodes() {
		nodes = append(nodes, coords[v])
	}
	if l.Proof != nil {
		c.Status = Optimal
		if c.Proof, err = unfold(l.Key, l.Proof, s.own); err != nil {
			return nil, err
		}
	}
	c.SHA256 = contentHash(c, nodes)
	return c, nil
}

// lineError says what is wrong with a cell's line, the first of which has number 0.
func lineError(at int, err error) error {
	return &results.ReadError{Line: at + 2, Column: 1, Problem: "no line of an atlas: " + err.Error()}
}

func readHeader(text []byte) (header, error) {
	var h header
	if err := json.Unmarshal(text, &h); err != nil {
		return h, &results.ReadError{Line: 1, Column: 1, Problem: "not an atlas: " + err.Error(),
			Hint: "an atlas starts with {\"schema\":\"" + Schema + "\""}
	}
	if h.Schema != Schema {
		return h, &results.ReadError{Line: 1, Column: 1, Problem: fmt.Sprintf("unknown schema %q", results.Shorten(h.Schema)),
			Hint: "this program reads " + Schema}
	}
	return h, nil
}

// record returns the record of a line, whose network, conditions and routing are those of a problem, full but for its
// baseline.
func (s *lineFile) record(l *line, p objective.Problem) (*results.Record, error) {
	if _, err := objective.NewProblem(p.Routing, l.Size); err != nil {
		return nil, err
	}
	if problem := sizeProblem(p, l.Size); problem != "" {
		return nil, errors.New(problem)
	}
	if p.Where() != l.Torus || p.Routing.String() != l.Routing {
		return nil, fmt.Errorf("%s %s is written %s %s", l.Torus, l.Routing, p.Where(), p.Routing)
	}
	if l.Origin < 0 || l.Origin >= len(s.header.Origins) {
		return nil, fmt.Errorf("there is no run %d", l.Origin)
	}
	placement, err := unpackNodes(p.Torus(), l.Nodes)
	if err != nil {
		return nil, err
	}
	from := s.header.Origins[l.Origin]
	r := &results.Record{Schema: results.RecordSchema, Grid: compose.GridOf(p.Torus()), Routing: l.Routing, Size: l.Size,
		Setting: compose.SettingOf(p), Nodes: placement.Coords(),
		MaxLoad: l.MaxLoad, LowerBound: cmp.Or(l.LowerBound, l.MaxLoad), BoundReason: l.BoundReason, Status: Feasible,
		Then: l.Then, SolverClaim: l.SolverClaim, SymmetryClaim: l.SymmetryClaim, FoundBy: l.FoundBy,
		Provenance: results.Provenance{Version: from.Version, Command: from.Command, Started: l.Started,
			Seed: l.FoundBy.Seed, Budget: from.Budget}}
	if distance := fast.MeanDistance(placement); p.Traffic.Clients() && distance != nil {
		r.MeanDistance = results.FormatFraction(distance)
	}
	if r.Command == nil {
		r.Command = []string{}
	}
	if r.Proof, err = unfold(l.Key, l.Proof, s.own); err != nil {
		return nil, err
	}
	if r.BoundProof, err = unfold(l.Key, l.BoundProof, s.own); err != nil {
		return nil, err
	}
	if r.Proof != nil {
		r.Status = Optimal
	}
	if err := l.unpackOptima(p.Torus(), r); err != nil {
		return nil, err
	}
	r.ClaimSHA256 = r.Hash()
	r.Credit = l.Credit
	return r, nil
}

// proposed returns the placement that the source papers propose for a cell, "" if there is none.
func proposed(k texts.Key, t *core.Torus) string {
	if _, ok := family.Proposed(k.Torus, k.Routing, k.Size); !ok {
		return ""
	}
	text, _ := family.Baseline(t, k.Size)
	return text
}

// withBaseline adds to a record what it says of the baseline of its size. This is
// left until somebody asks for the record: it costs as much as the record's own loads.
func withBaseline(r results.Record) (results.Record, error) {
	p, err := compose.KeyOfRecord(r).Problem()
	if err != nil {
		return r, err
	}
	text, ok := family.Baseline(p.Torus(), p.Size)
	if !ok {
		return r, nil
	}
	theirs, err := family.Parse(p.Torus(), text)
	if err != nil || !p.Admits(theirs) {
		return r, err
	}
	most, _ := fast.Evaluate(p, theirs).Max()
	r.Baseline = &results.Baseline{Placement: text, MaxLoad: results.FormatFraction(most)}
	return r, nil
}

// Limits of what a file of an atlas keeps.
const (
	maxOptima = 64 // orbits that are listed; of more only the numbers stay
)

// Export returns the cells that a filter picks in one of the formats of export.Records, or as a file of Schema for the
// format "atlas", and how many cells have no place in it: in the first formats those without a full record. Errors are
// those of Detail and of renew, for which see Encode.
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

// Encode returns the cells that a filter picks as a file of Schema: one line a cell, in the order of Cells, so that two
// versions can be compared line by line. Cells with a fault or without a placement, tables, and proofs that stand in a
// file of their own, have no place in it: they are left out and counted. The records of cells with a proof go through
// renew, if it is not nil, all at once, but for those whose proof stands on the line of another cell.
// Errors are those of Detail and renew.
func (a *Atlas) Encode(f Filter, renew Renewer) (data []byte, left int, err error) {
	var lines []line
	var records []*results.Record // by line
	var measure surveyor
	h := header{Schema: Schema, Origins: []origin{}}
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
		l, err := lineOf(d, &h)
		if err != nil {
			return nil, 0, err
		}
		l.Invariants = measure.invariants(&d.Cell).pack()
		lines, records = append(lines, l), append(records, d.Record)
	}
	foldAll(lines)
	if renew != nil {
		if err := renewOwn(lines, records, renew); err != nil {
			return nil, left, err
		}
	}
	h.Cells = len(lines)
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(h); err != nil {
		return nil, left, err
	}
	for _, l := range lines {
		if err := enc.Encode(l); err != nil {
			return nil, left, err
		}
	}
	return out.Bytes(), left, nil
}

// renewOwn has the proofs renewed that stand on their own lines, and names what those rest on that stand elsewhere.
func renewOwn(lines []line, records []*results.Record, renew Renewer) error {
	var proved []*results.Record
	own := map[texts.Key]*results.Record{}
	for i, l := range lines {
		if l.Proof != nil && !folded(l.Proof) {
			proved, own[l.Key] = append(proved, records[i]), records[i]
		}
	}
	if err := renew(proved); err != nil {
		return err
	}
	for i := range lines {
		l := &lines[i]
		if r := own[l.Key]; r != nil {
			l.Proof, l.BoundReason = r.Proof, r.BoundReason
		} else if folded(l.Proof) {
			if basis := own[*basis(l.Key, l.Proof)]; basis != nil {
				_, rest, _ := strings.Cut(l.BoundReason, " at size ")
				l.BoundReason = results.ProofMonotone + ": " + basis.Proof.Kind + " at size " + rest
			}
		}
	}
	return nil
}

// folded reports whether a proof stands on the line of another cell.
func folded(p *results.Proof) bool {
	return p != nil && p.Kind == results.ProofMonotone && p.Basis == ""
}

// foldAll shortens the proofs that stand elsewhere.
func foldAll(lines []line) {
	own := map[texts.Key]*results.Proof{}
	for _, l := range lines {
		switch {
		case l.Proof != nil && l.Proof.Kind != results.ProofMonotone:
			own[l.Key] = l.Proof
		case l.Proof == nil && l.BoundProof != nil && l.BoundProof.Kind != results.ProofMonotone:
			own[l.Key] = l.BoundProof
		}
	}
	for i := range lines {
		l := &lines[i]
		l.Proof, l.BoundProof = fold(l.Key, l.Proof, own), fold(l.Key, l.BoundProof, own)
	}
}

// sameProof reports whether two proofs say the same.
func sameProof(a, b *results.Proof) bool { return reflect.DeepEqual(a, b) }

// lineOf returns the line of a cell, and adds its origin to the header.
func lineOf(d Detail, h *header) (line, error) {
	r := d.Record
	t, err := r.ReadGrid()
	if err != nil {
		return line{}, err
	}
	l := line{Key: compose.KeyOfRecord(*r), MaxLoad: r.MaxLoad, BoundReason: r.BoundReason, FoundBy: r.FoundBy,
		Started: r.Started, Proof: r.Proof, BoundProof: r.BoundProof,
		Then: r.Then, SolverClaim: r.SolverClaim, SymmetryClaim: r.SymmetryClaim}
	if r.LowerBound != r.MaxLoad {
		l.LowerBound = r.LowerBound
	}
	if l.Nodes, err = packNodes(t, r.Nodes); err != nil {
		return l, err
	}
	if err := l.packOptima(t, r); err != nil {
		return l, err
	}
	from := origin{Version: r.Version, Command: r.Command, Budget: r.Budget}
	if l.Origin = slices.IndexFunc(h.Origins, func(o origin) bool { return reflect.DeepEqual(o, from) }); l.Origin < 0 {
		l.Origin = len(h.Origins)
		h.Origins = append(h.Origins, from)
	}
	if d.Credit != nil && !reflect.DeepEqual(d.Credit, d.credited(nil)) {
		l.Credit = d.Credit
	}
	for _, f := range d.Families {
		l.Families = append(l.Families, [2]string{f.Placement, f.MaxLoad})
	}
	if d.Status != Optimal {
		for _, n := range d.Nulls {
			l.Nulls = append(l.Nulls, nullOf(n, from))
		}
	}
	return l, nil
}

// packOptima puts down the optimal placements of a record, or how many there are.
func (l *line) packOptima(t *core.Torus, r *results.Record) error {
	l.Labelled = r.Labelled
	if r.Optima == nil || len(*r.Optima) > maxOptima {
		l.Orbits = r.Orbits
		return nil
	}
	for _, o := range *r.Optima {
		text, err := packNodes(t, o)
		if err != nil {
			return err
		}
		l.Optima = append(l.Optima, text)
	}
	return nil
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
	compose.AddOptima(r, optima, *l.Labelled)
	return nil
}

// The files of cells: plain tori, smaller and longer ones, meshes, client traffic, a processor near every node.
//
//go:embed atlas.jsonl tori-*.jsonl meshes.jsonl controllers.jsonl radius.jsonl
var shippedFiles embed.FS

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
// known of a problem on one of them. It reads little else.
func ShippedOf(nodes int) (*Atlas, error) { return readShipped(nodes) }

// readShipped reads the files of the program, all or only the networks of a number of nodes. What is read stays, so
// that looking for garbage meanwhile, a third of the time, would find none.
func readShipped(nodes int) (*Atlas, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var files [][]byte
	names, err := fs.Glob(shippedFiles, "*")
	for _, name := range names {
		var data []byte
		if err == nil {
			data, err = shippedFiles.ReadFile(name)
			files = append(files, data)
		}
	}
	if err != nil {
		return nil, err
	}
	return read(true, nodes, files)
}
