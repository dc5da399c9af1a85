package atlas

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"sync"

	"leeway/core"
	"leeway/objective/texts"
	"leeway/results"
)

// VerifiedSchema is the version of the files that say which values checkers of public proof formats accepted.
const VerifiedSchema = "leeway/verified/1"

// A VerifiedTable says of cells which formula was refuted by which proof, and who accepted that. It holds hashes only:
// formula and proof are made again from the cell. It is not safe for use by several goroutines while it changes.
type VerifiedTable struct {
	runs  []VerifiedRun
	cells map[statement]Verified
}

// A statement is what a line of a table is about: the value of a cell, or the list of all its optima.
type statement struct {
	texts.Key
	list bool
}

// A VerifiedRun is what cells that were verified in one run have in common.
type VerifiedRun struct {
	Started  string    `json:"started"` // RFC 3339, UTC
	Machine  string    `json:"machine"` // model of the processor
	Cores    int       `json:"cores"`
	Refuter  string    `json:"refuter"`  // what made the proofs, with its version
	Checkers []Checker `json:"checkers"` // that could be asked
}

// A Checker is a program that checks proofs.
type Checker struct {
	Name    string `json:"name"`
	Version string `json:"version"` // as the program says it, else the SHA-256 of its file
}

// A Verified says that no placement of a cell has E_max below a value: a formula that all such placements satisfy was
// refuted. With Labelled it says that no placement but those of a list has E_max at most the value. Or it says why that
// was not refuted.
type Verified struct {
	texts.Key
	Below    string `json:"below"`              // what the cell has as max_load, fraction
	Nodes    string `json:"nodes,omitempty"`    // of a cell outside the atlas: a placement with this E_max, see packNodes
	Labelled int64  `json:"labelled,omitempty"` // placements of the list, with all their images; 0 without a list
	Symmetry bool   `json:"symmetry,omitempty"` // the formula has the rows that break symmetry
	Clauses  int64  `json:"clauses,omitempty"`
	Formula  string `json:"formula,omitempty"` // SHA-256 of the file, which is always the same
	Proof    string `json:"proof,omitempty"`   // SHA-256 of the file, which depends on what made it
	Bytes    int64  `json:"bytes,omitempty"`   // of the proof
	// By names the checkers of the run that accepted the file of the proof; empty if the cell is not verified.
	By      []string `json:"by,omitempty"`
	Seconds float64  `json:"seconds"` // that formula, proof and checks took
	Run     int      `json:"run,omitempty"`
	Open    string   `json:"open,omitempty"`   // why the cell is not verified, "" if it is
	Budget  int      `json:"budget,omitempty"` // of an open cell: seconds that were tried
}

// Elsewhere reports whether a checker other than that of this program accepted the proof.
func (c Verified) Elsewhere() bool {
	return slices.ContainsFunc(c.By, func(name string) bool { return name != OwnChecker })
}

// OwnChecker is the name of the checker of this program.
const OwnChecker = "leeway"

// A verifiedHeader is the first line of a file.
type verifiedHeader struct {
	Schema string        `json:"schema"`
	Cells  int           `json:"cells"` // lines that follow
	Runs   []VerifiedRun `json:"runs"`
}

// NewVerified returns an empty table.
func NewVerified() *VerifiedTable { return &VerifiedTable{cells: map[statement]Verified{}} }

// ReadVerified reads a file that Encode wrote. Errors are *results.ReadError.
func ReadVerified(data []byte) (*VerifiedTable, error) {
	v := NewVerified()
	var h verifiedHeader
	err := readLines(data, &h, func(lines int) error {
		if v.runs = h.Runs; h.Schema != VerifiedSchema || h.Cells != lines {
			return fmt.Errorf("%d cells in the schema %q, but %d lines follow, and %s is read", h.Cells, h.Schema, lines,
				VerifiedSchema)
		}
		return nil
	}, v.add)
	if err != nil {
		return nil, err
	}
	return v, nil
}

// readLines reads JSON lines without unknown fields: the first into a header, which is judged with the number of those
// that follow, and each of these for a function. Errors are *results.ReadError.
func readLines[T any](data []byte, header any, judge func(lines int) error, each func(T) error) error {
	lines := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	for i, line := range lines {
		var err error
		if i == 0 {
			if err = strictly(line, header); err == nil {
				err = judge(len(lines) - 1)
			}
		} else {
			var item T
			if err = strictly(line, &item); err == nil {
				err = each(item)
			}
		}
		if err != nil {
			return &results.ReadError{Problem: fmt.Sprintf("line %d: %v", i+1, err)}
		}
	}
	return nil
}

// strictly reads one JSON document without fields that are unknown.
func strictly(line []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF { // More takes a bracket for an end
		return fmt.Errorf("something follows the document")
	}
	return nil
}

// add takes a line, or says what is wrong with it.
func (v *VerifiedTable) add(c Verified) error {
	p, err := c.Problem()
	if err != nil {
		return err
	}
	_, err = results.ParseFraction(c.Below)
	switch _, twice := v.cells[c.statement()]; {
	case err != nil:
		return err
	case texts.KeyOf(p) != c.Key:
		return fmt.Errorf("%s is written %s", c.Key, texts.KeyOf(p))
	case twice:
		return fmt.Errorf("%s comes twice", c.Key)
	case c.Run < 0 || c.Run >= len(v.runs):
		return fmt.Errorf("there is no run %d", c.Run)
	case (c.Open == "") != (len(c.By) > 0):
		return fmt.Errorf("%s is either accepted by some checker or open", c.Key)
	case c.Labelled < 0 || c.Labelled > 0 && c.Symmetry:
		return fmt.Errorf("%s: of %d optima the proof breaks no symmetry", c.Key, c.Labelled)
	case c.Open == "" && c.Budget != 0:
		return fmt.Errorf("%s is verified, and has the budget of an open cell", c.Key)
	case c.Open == "" && (!isHash(c.Formula) || !isHash(c.Proof)):
		return fmt.Errorf("%s has no hashes of formula and proof", c.Key)
	}
	for i, name := range c.By {
		if slices.Contains(c.By[:i], name) {
			return fmt.Errorf("%s: %s accepted it twice", c.Key, name)
		}
		if !slices.ContainsFunc(v.runs[c.Run].Checkers, func(k Checker) bool { return k.Name == name }) {
			return fmt.Errorf("%s is not a checker of the run", name)
		}
	}
	if c.Nodes != "" {
		if s, err := unpackNodes(p.Torus(), c.Nodes); err != nil || s.Size() != c.Size {
			return fmt.Errorf("%s: nodes: %d, %v", c.Key, s.Size(), err)
		}
	}
	v.cells[c.statement()] = c
	return nil
}

// statement returns what the line is about.
func (c Verified) statement() statement { return statement{c.Key, c.Labelled > 0} }

// isHash reports whether a text is a SHA-256.
func isHash(text string) bool {
	b, err := hex.DecodeString(text)
	return err == nil && len(b) == 32 && text == hex.EncodeToString(b)
}

// Begin adds a run; the cells that Put adds from then on are of it.
func (v *VerifiedTable) Begin(r VerifiedRun) { v.runs = append(v.runs, r) }

// Put adds a cell of the last run, or puts it in place of what was known. It fails where a line would be refused.
func (v *VerifiedTable) Put(c Verified) error {
	old, there := v.cells[c.statement()]
	delete(v.cells, c.statement())
	c.Run = len(v.runs) - 1
	err := v.add(c)
	if err != nil && there {
		v.cells[c.statement()] = old
	}
	return err
}

// Rebase reads a file that another run wrote in the meantime and puts the cells of the last run of this table into it:
// the table is then that of both. A cell that only the other run verified stays as it has it. Errors are
// *results.ReadError; then nothing is changed.
func (v *VerifiedTable) Rebase(data []byte) error {
	both, err := ReadVerified(data)
	if err != nil {
		return err
	}
	last := len(v.runs) - 1
	both.Begin(v.runs[last])
	for _, c := range v.cells {
		other, ok := both.cells[c.statement()]
		if c.Run != last || ok && c.Open != "" && other.Open == "" && other.Below == c.Below {
			continue
		}
		if err := both.Put(c); err != nil {
			return err
		}
	}
	*v = *both
	return nil
}

// Get returns what is known of the value of a key, or of the list of all its optima.
func (v *VerifiedTable) Get(k texts.Key, list bool) (Verified, bool) {
	c, ok := v.cells[statement{k, list}]
	return c, ok
}

// Run returns the run of a cell.
func (v *VerifiedTable) Run(c Verified) VerifiedRun { return v.runs[c.Run] }

// Runs returns all runs; Verified.Run counts them from 0.
func (v *VerifiedTable) Runs() []VerifiedRun { return v.runs }

// All returns all lines: the values in the order in which an atlas lists their cells, then the lists of optima.
func (v *VerifiedTable) All() (all []Verified) {
	for _, lists := range []bool{false, true} {
		var rows []row
		for k := range v.cells {
			if k.list != lists {
				continue
			}
			rows = append(rows, row{key: k.Key, sides: sidesOf(k.Torus)})
		}
		slices.SortFunc(rows, compareRows)
		for _, r := range rows {
			all = append(all, v.cells[statement{r.key, lists}])
		}
	}
	return all
}

// Encode returns the table as a file: runs without cells are left out.
func (v *VerifiedTable) Encode() ([]byte, error) {
	all := v.All()
	h := verifiedHeader{Schema: VerifiedSchema, Cells: len(all), Runs: []VerifiedRun{}}
	number := map[int]int{}
	for i, r := range v.runs {
		if slices.ContainsFunc(all, func(c Verified) bool { return c.Run == i }) {
			number[i] = len(h.Runs)
			h.Runs = append(h.Runs, r)
		}
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	err := e.Encode(h)
	for _, c := range all {
		c.Run = number[c.Run]
		err = cmp.Or(err, e.Encode(c))
	}
	return out.Bytes(), err
}

// ValueOf returns what verifies a cell: that of its key, if the cell is optimal, without a fault, and has the same
// value.
func (v *VerifiedTable) ValueOf(c Cell) (Verified, bool) { return v.lookUp(c, false) }

// ListOf returns what verifies that the list of all optima of a cell is complete: the value and the number of optima
// are those of the cell, which is optimal, without a fault.
func (v *VerifiedTable) ListOf(c Cell) (Verified, bool) {
	known, ok := v.lookUp(c, true)
	return known, ok && strconv.FormatInt(known.Labelled, 10) == c.Labelled
}

func (v *VerifiedTable) lookUp(c Cell, list bool) (Verified, bool) {
	known, ok := v.Get(c.Key(), list)
	return known, ok && known.Open == "" && c.Status == Optimal && c.Fault == "" && known.Below == c.MaxLoad
}

// Placement returns the placement of a cell outside the atlas; ok is false where there is none.
func (c Verified) Placement() (s core.Placement, ok bool) {
	p, err := c.Problem()
	if err != nil || c.Nodes == "" {
		return core.Placement{}, false
	}
	s, err = unpackNodes(p.Torus(), c.Nodes)
	return s, err == nil
}

// PackedNodes returns a placement as Verified.Nodes has it.
func PackedNodes(s core.Placement) (string, error) { return packNodes(s.Torus(), s.Coords()) }

// shippedVerified has the files of the table that is part of the program: values by the number of nodes, and lists of
// optima.
//
//go:embed verified*.jsonl
var shippedVerified embed.FS

var verified struct {
	once  sync.Once
	table *VerifiedTable
	err   error
}

// ShippedVerified returns the table that is part of the program, always the same: it must not be changed.
func ShippedVerified() (*VerifiedTable, error) {
	verified.once.Do(func() { verified.table, verified.err = readVerified() })
	return verified.table, verified.err
}

// readVerified reads the files of the program.
func readVerified() (*VerifiedTable, error) {
	names, err := fs.Glob(shippedVerified, "*")
	if err != nil {
		return nil, err
	}
	table := NewVerified()
	for _, name := range names {
		data, err := shippedVerified.ReadFile(name)
		if err != nil {
			return nil, err
		}
		part, err := ReadVerified(data)
		if err != nil {
			return nil, err
		}
		if err := table.join(part); err != nil {
			return nil, err
		}
	}
	return table, nil
}

// join adds the lines of another table, none of which this one has.
func (v *VerifiedTable) join(other *VerifiedTable) error {
	before := len(v.runs)
	v.runs = append(v.runs, other.runs...)
	for _, c := range other.cells {
		c.Run += before
		if err := v.add(c); err != nil {
			return err
		}
	}
	return nil
}
