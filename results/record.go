// Package results holds what is written to files: records of placements and evaluations, bounds and tables, with the
// schema of a record and strict reading. Package layout writes them as text, disk as files.
//
// A Record is a claim about one placement with its provenance. What is claimed (torus, routing, nodes, max_load) is
// tied together by claim_sha256; everything that can be recomputed is recomputed by the package check below, which
// trusts no searcher. An Evaluation is what the command eval prints.
//
// Fractions are strings in lowest terms ("5/2", "4"), nodes are coordinate lists in ascending order. docs/formats.md
// describes every field.
//
//	r, err := compose.New(compose.Values{Routing: routing, Placement: p, MaxLoad: big.NewRat(4, 1), ...})
//	text, err := layout.Encode(r)
//	err = disk.WriteFile("best.json", text)
package results

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// RecordSchema is the schema version of the records that this program writes and reads.
const RecordSchema = "leeway/record/1"

// The states of a record.
const (
	StatusOptimal  = "optimal"  // no placement of this size has a smaller max_load, and proof says why
	StatusFeasible = "feasible" // the placement has this max_load
)

// TableRouting is the routing text of a record that holds the routing in Table.
const TableRouting = "table"

// A Record is the stored form of one placement with what is claimed about it and how it was found. The fields hold
// text as it stands in the file; nothing in them is checked beyond its type. A field without the tag read:"optional"
// must be present, and only pointers may be null.
type Record struct {
	Schema  string `json:"schema"`
	Grid           // what the placement is on
	Routing string `json:"routing"` // canonical text, TableRouting for a table
	Table   *Table `json:"table,omitempty"`
	// RoutingChoice is there where the routing was left to the search: from which restrictions Table was chosen, as
	// routing.Free spells it. Bound, proof and status are then about all of these.
	RoutingChoice string `json:"routing_choice,omitempty"`
	Setting
	Size    int     `json:"size"`
	Nodes   [][]int `json:"nodes"`    // coordinates, ascending
	MaxLoad string  `json:"max_load"` // E_max, fraction
	// MeanDistance is there for client traffic: that of a client from the processors. With ThenDistance it was asked for
	// the least among placements of equal max_load.
	MeanDistance string       `json:"mean_distance,omitempty"`
	Then         string       `json:"then,omitempty"`
	LowerBound   string       `json:"lower_bound"`
	BoundReason  string       `json:"bound_reason"`
	Status       string       `json:"status"`
	Baseline     *Baseline    `json:"baseline"`
	Proof        *Proof       `json:"proof"`
	BoundProof   *Proof       `json:"bound_proof,omitempty"` // of lower_bound, where no bound gives it
	SolverClaim  *SolverClaim `json:"solver_claim" read:"optional"`
	// LoadLimit is there where the largest size within a limit was looked for, with a size that no placement within
	// it passes, and proofs that bounds do not replace.
	LoadLimit   *string `json:"load_limit,omitempty"`
	UpperBound  *int    `json:"upper_bound,omitempty"`
	UpperProofs []Proof `json:"upper_proofs,omitzero"`
	// SymmetryClaim is there where only placements with a symmetry were looked at.
	SymmetryClaim *SymmetryClaim `json:"symmetry_claim,omitempty"`
	// Certificate is there where files for independent checkers were made: that no placement is below lower_bound.
	Certificate  *Certificate `json:"certificate,omitempty"`
	FoundBy      FoundBy      `json:"found_by"`
	ClaimSHA256  string       `json:"claim_sha256"`
	Optima       *[][][]int   `json:"optima,omitempty"`         // all optimal placements, one an orbit
	Orbits       *int         `json:"orbits,omitempty"`         // how many these are
	Labelled     *int64       `json:"labelled_count,omitempty"` // how many placements they stand for
	OptimaOrbits []Orbit      `json:"optima_orbits,omitempty"`  // of each of the optima
	// Label is that of the cell, or of the orbit in it, which docs/formats.md explains; absent for given tables and for a
	// matrix. Credit says who had a placement with this max_load first, absent where that is what FoundBy says.
	Label  string  `json:"label,omitempty"`
	Credit *Credit `json:"credit,omitempty"`
	Provenance
}

// A Credit says who found something, and where it was published.
type Credit struct {
	Finder string `json:"finder" read:"optional"`
	Paper  string `json:"paper,omitempty"` // title, DOI or address
	Year   int    `json:"year,omitempty"`
}

// String returns what there is of a credit, with commas between; "" of nil.
func (c *Credit) String() string {
	if c == nil {
		return ""
	}
	parts := []string{c.Finder, c.Paper, strconv.Itoa(c.Year)}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" || part == "0" }), ", ")
}

// A Grid says on which torus or network something is.
type Grid struct {
	Torus   []int  `json:"torus"`             // sides
	Network string `json:"network,omitempty"` // canonical text, where it is more than the sides
	// NetworkSHA256 is that of the text of a network from a list of links, absent for others.
	NetworkSHA256 string `json:"network_sha256,omitempty"`
}

// Text returns the canonical text of the torus or network, unchecked.
func (g Grid) Text() string {
	if g.Network != "" {
		return g.Network
	}
	return core.JoinInts(g.Torus, "x")
}

// Title returns the text as people read it, of a network from a list of links core.Network.Title, unchecked.
func (g Grid) Title() string {
	if t, err := g.ReadGrid(); err == nil {
		return t.Title()
	}
	return g.Text()
}

// NodesText returns nodes as people write them, by their names where they have some, unchecked.
func (g Grid) NodesText(nodes [][]int) string {
	t, err := g.ReadGrid()
	if err != nil || t.Names() == nil {
		return core.JoinNodes(nodes)
	}
	p, err := core.PlacementFromCoords(t, nodes)
	if err != nil {
		return core.JoinNodes(nodes)
	}
	names := make([]string, p.Size())
	for i, v := range p.Nodes() {
		names[i] = t.NodeText(v)
	}
	return strings.Join(names, "+")
}

// ReadGrid returns the torus or network. Errors are *core.InputError: unreadable sides, a network that is not
// canonical or has other sides.
func (g Grid) ReadGrid() (*core.Torus, error) {
	if g.Network == "" && g.NetworkSHA256 == "" {
		return core.NewTorus(g.Torus...)
	}
	n, err := core.ParseNetwork(g.Network)
	switch {
	case err != nil:
		return nil, err
	case n.Plain() || n.String() != g.Network:
		return nil, core.Invalid(g.Network, "it is not the canonical text of a network").
			Hinted("omit network where it is only the sides")
	case !slices.Equal(n.Dims(), g.Torus):
		return nil, core.Invalid(g.Network, "its sides are not %s", core.JoinInts(g.Torus, "x"))
	case !n.HasDimensions() && g.NetworkSHA256 != n.SHA256():
		return nil, core.Invalid(Shorten(g.NetworkSHA256), "network_sha256 is not that of the network, %s", n.SHA256())
	case n.HasDimensions() && g.NetworkSHA256 != "":
		return nil, core.Invalid(Shorten(g.NetworkSHA256), "network_sha256 is there without a network "+
			"from a list of links")
	}
	return n, nil
}

// A Setting has the fields for the axes of a problem (objective.Axes): who sends to whom, and where processors may be.
// A field is absent where the axis has its default.
type Setting struct {
	Traffic      string  `json:"traffic,omitempty"`       // canonical text of objective.Traffic
	ReplyRouting string  `json:"reply_routing,omitempty"` // canonical text, where replies have a routing of their own
	Fixed        [][]int `json:"fixed,omitempty"`         // nodes that must have a processor: coordinates, ascending
	Forbidden    [][]int `json:"forbidden,omitempty"`     // nodes that must not
	objective.Near
	// With a matrix traffic is objective.MatrixTraffic, and these are there: its hash and the document itself, how many
	// tasks a node may have where that is not 1, and which are fixed, as [task, node number].
	MatrixSHA256 string           `json:"matrix_sha256,omitempty"`
	PerNode      int              `json:"per_node,omitempty"`
	FixedTasks   [][2]int         `json:"fixed_tasks,omitempty"`
	Matrix       *json.RawMessage `json:"matrix,omitempty"`
	// Assignment is there for one placement of these tasks: [task, node number] for each, ascending.
	Assignment [][2]int `json:"assignment,omitempty"`
}

// WithTasks returns the setting with the nodes that the tasks have under a placement.
func (s Setting) WithTasks(p core.Placement) Setting {
	s.Assignment = nil
	for task, v := range p.Tasks() {
		s.Assignment = append(s.Assignment, [2]int{task, v})
	}
	return s
}

// Placement returns the placement on some nodes, with the tasks that the setting says to be there. Errors are
// *core.InputError.
func (s Setting) Placement(t *core.Torus, nodes [][]int) (core.Placement, error) {
	p, err := core.PlacementFromCoords(t, nodes)
	if err != nil || s.Assignment == nil {
		return p, err
	}
	var at []int
	for task, pair := range s.Assignment {
		if pair[0] != task {
			return p, core.Invalid("assignment", "it does not list all tasks, ascending")
		}
		at = append(at, pair[1])
	}
	placed, err := core.PlaceTasks(t, at)
	if err == nil && !slices.Equal(placed.Nodes(), p.Nodes()) {
		err = core.Invalid("assignment", "its nodes are not those of the list")
	}
	return placed, err
}

// Says returns what the setting says of an axis, unchecked.
func (s Setting) Says(a objective.Axis) string {
	switch a.Name {
	case "traffic":
		return s.Traffic
	case "per-node":
		return strings.TrimPrefix(strconv.Itoa(s.PerNode), "0")
	case "reply-routing":
		return s.ReplyRouting
	case "fixed":
		return core.JoinNodes(s.Fixed)
	case "forbidden":
		return core.JoinNodes(s.Forbidden)
	}
	if a.Group != objective.GroupRadius {
		panic("results: the axis " + a.Name + " has no field")
	}
	return a.Text(objective.Problem{Terms: objective.Terms{Near: s.Near}})
}

// Conditioned reports whether there is a condition on placements.
func (s Setting) Conditioned() bool { return s.Fixed != nil || s.Forbidden != nil || s.Near.Asked() }

// Where returns a network with traffic and conditions as objective.Problem.Where writes them, unchecked.
func (s Setting) Where(g Grid) string {
	if s.Matrix != nil {
		if t, err := g.ReadGrid(); err == nil {
			if p, err := s.Listed(objective.Problem{Routing: routing.NewUDR(t, routing.TieBoth)}); err == nil {
				return p.Where()
			}
		}
	}
	return objective.WhereText(g.Text(), s.Says)
}

// Where returns network, traffic and conditions of the record as objective.Problem.Where writes them, unchecked.
func (r Record) Where() string { return r.Setting.Where(r.Grid) }

// Listed returns a problem of any size with traffic and conditions. Errors are *core.InputError and begin with the name
// of the field: what is not in canonical form or names the default, and those of objective.Axes.
func (s Setting) Listed(p objective.Problem) (objective.Problem, error) {
	p, err := s.withMatrix(p)
	if err != nil {
		return p, err
	}
	for _, a := range objective.Axes {
		text := s.Says(a)
		if text == "" || a.Name == "traffic" && s.Matrix != nil {
			continue
		}
		q, err := a.Read(p, text)
		if err != nil {
			return p, fmt.Errorf("%s: %w", strings.ReplaceAll(a.Name, "-", "_"), err)
		}
		if p = q; a.Text(p) != text {
			return p, fmt.Errorf("%s: %w", strings.ReplaceAll(a.Name, "-", "_"), core.Invalid(text, "%s",
				"it is not in canonical form or is the default, as in "+strconv.Quote(a.Text(p))))
		}
	}
	return p, nil
}

// withMatrix returns a problem with the matrix of the setting, if there is one. Errors are *core.InputError and
// *ReadError.
func (s Setting) withMatrix(p objective.Problem) (objective.Problem, error) {
	if (s.Matrix != nil) != (s.Traffic == objective.MatrixTraffic) || s.Matrix == nil && s.MatrixSHA256 != "" {
		return p, core.Invalid(s.Traffic, "a matrix belongs to the traffic matrix, and to no other")
	}
	if s.Matrix == nil {
		return p, nil
	}
	m, err := ReadMatrix(*s.Matrix)
	if err != nil {
		return p, fmt.Errorf("matrix: %w", err)
	}
	if m.SHA256() != s.MatrixSHA256 {
		return p, core.Invalid(s.MatrixSHA256, "the matrix has the hash %s", m.SHA256())
	}
	for _, f := range s.FixedTasks {
		if f[0] < 0 || f[0] >= m.Tasks || f[1] < 0 || f[1] >= p.Torus().N() ||
			len(p.Pinned) > 0 && f[0] <= p.Pinned[len(p.Pinned)-1].Task {
			return p, core.Invalid(fmt.Sprint(f), "fixed_tasks are a task and a node each, ascending")
		}
		p.Pinned = append(p.Pinned, objective.Pin{Task: f[0], Node: f[1]})
	}
	return p.WithTraffic(objective.Traffic{Matrix: m, PerNode: s.PerNode})
}

// Apply is Listed for a problem of a size that goes with the conditions.
func (s Setting) Apply(p objective.Problem) (objective.Problem, error) {
	p, err := s.Listed(p)
	if err != nil {
		return p, err
	}
	if p.Traffic.Matrix != nil {
		return p, p.CheckRoom()
	}
	if p, err = p.WithNodes(p.Fixed.Nodes(), p.Forbidden.Nodes()); err != nil {
		return p, err
	}
	return p.WithNear(p.Near)
}

// A Baseline is the linear or multilinear placement of the same size with coefficients 1, and its E_max.
type Baseline struct {
	Placement string `json:"placement"` // linear or multilinear:t=T
	MaxLoad   string `json:"max_load"`
}

// ThenDistance is the second key of a search: among placements of equal E_max the least mean distance.
const ThenDistance = "distance"

// The kinds of proofs.
const (
	ProofBound = "bound" // a bound that check derives again
	ProofUnsat = "unsat" // a formula was refuted, with a proof file
	ProofSteps = "steps" // a stream of steps refutes a smaller E_max, see docs/steps.md
	// ProofAssignments: all assignments of the tasks of a matrix, which check goes through again.
	ProofAssignments = "assignments"
	ProofMonotone    = "monotone" // a proof about a smaller size, or about a routing that loads no link more
)

// A Proof says why no placement of the size has a smaller E_max. Which fields there are depends on its kind.
type Proof struct {
	Kind   string `json:"kind"`
	Engine string `json:"engine"`
	Below  string `json:"below,omitempty"` // no placement has E_max below this
	Bound  string `json:"-"`               // steps that are still to be written: the bound that they show

	Format   string `json:"format,omitempty"`   // unsat: of the file
	File     string `json:"file,omitempty"`     // unsat, steps: name of the proof, in the folder of the record
	SHA256   string `json:"sha256,omitempty"`   // unsat: of the file; steps: of the stream
	Symmetry *bool  `json:"symmetry,omitempty"` // unsat: the formula breaks symmetry

	Steps *int64 `json:"steps,omitempty"` // steps: of the stream, definitions included
	Bytes *int64 `json:"bytes,omitempty"` // steps: of the stream
	// Placed is how many placements the steps place, which also show that no others have E_max at most Below.
	Placed *int64 `json:"placed,omitempty"`

	// A monotone proof is one about a neighbour: it has the fields of its basis.
	Basis   string `json:"basis,omitempty"`   // monotone: the kind of the proof about the neighbour
	Size    *int   `json:"size,omitempty"`    // monotone: size of the neighbour
	Routing string `json:"routing,omitempty"` // monotone: routing of the neighbour, if another
	Torus   string `json:"torus,omitempty"`   // monotone: torus of the neighbour, if another: the same graph
}

// NamesFile reports whether there is a proof that stands in a file of its own.
func (p *Proof) NamesFile() bool { return p != nil && p.File != "" }

// A SolverClaim is a refutation by a solver that left no proof. It never makes a record optimal.
type SolverClaim struct {
	Engine string `json:"engine"`
	Below  string `json:"below"`
}

// A Certificate names a formula, in DIMACS CNF or linear rows in OPB, that says that some placement has E_max below a
// value, and a proof that it cannot be satisfied. Both are files in the folder of the record or, with Folder, in one
// inside it.
type Certificate struct {
	Formula       string   `json:"formula"`
	FormulaSHA256 string   `json:"formula_sha256"`
	Proof         string   `json:"proof"`
	ProofSHA256   string   `json:"proof_sha256"`
	Format        string   `json:"format"`
	Folder        string   `json:"folder,omitempty"` // names joined by slashes
	Below         string   `json:"below"`
	Symmetry      bool     `json:"symmetry"` // the formula breaks symmetry, which is then to be believed as well
	Engine        string   `json:"engine"`   // what refuted the formula
	VerifiedBy    []string `json:"verified_by"`
	// Kind is CertificateList where the formula says that some placement has E_max at most Below and is neither
	// among the optima of the record nor an image of one, Labelled placements in all. Else both are absent.
	Kind     string `json:"kind,omitempty"`
	Labelled *int64 `json:"labelled,omitempty"`
}

// MaxCertified is how many optimal placements a certificate of their list may have, with all their images.
const MaxCertified = 100_000

// CertificateList is the kind of a certificate that shows that the list of all optima is complete.
const CertificateList = "list"

// A SymmetryClaim says that an engine found no placement with E_max below a value among those that a group of
// symmetries leaves as they are. It says nothing about others and never makes a record optimal.
type SymmetryClaim struct {
	Engine   string `json:"engine"`
	Symmetry string `json:"symmetry"` // generators, see docs/conventions.md
	Order    int    `json:"order"`    // of the group
	Below    string `json:"below"`
	Nodes    int64  `json:"nodes"` // choices of orbits visited
}

// FoundBy says how the placement was found. Seconds is a measured time and no part of any claim. Engine is that
// of a proof, absent for other methods.
type FoundBy struct {
	Method      string  `json:"method"`
	Engine      string  `json:"engine,omitempty"`
	Seed        uint64  `json:"seed"`
	Evaluations int64   `json:"evaluations"`
	Seconds     float64 `json:"seconds"`
}

// Provenance says which program, called how and when, wrote a record.
type Provenance struct {
	Version string   `json:"version"`
	Command []string `json:"command"`
	Started string   `json:"started"` // RFC 3339, UTC
	Seed    uint64   `json:"seed"`
	Budget  Budget   `json:"budget"`
}

// A Budget holds the limits of a search; null means none.
type Budget struct {
	Time        *string `json:"time"` // as the option --time has it, "90s"
	Evaluations *int64  `json:"evaluations"`
}

// String returns the budget for a person: "90s", "400000 evaluations", both, or "no limit".
func (b Budget) String() string {
	var parts []string
	if b.Time != nil {
		parts = append(parts, *b.Time)
	}
	if b.Evaluations != nil {
		parts = append(parts, fmt.Sprintf("%d evaluations", *b.Evaluations))
	}
	if len(parts) == 0 {
		return "no limit"
	}
	return strings.Join(parts, " or ")
}

// An Orbit is the orbit of a placement under the group that preserves E_max: its size times the order of the stabiliser
// of the placement is the order of the group.
type Orbit struct {
	Size       int64 `json:"size"`       // placements
	Stabiliser int64 `json:"stabiliser"` // symmetries that map the placement to itself
}

// Hash returns the hexadecimal SHA-256 of the compact JSON of exactly {"max_load","nodes","routing","torus"} with
// "network" and the fields of the setting where the record has them, keys in the order of the alphabet. The nodes are
// taken as they are given: ascending in a right record.
func (r Record) Hash() string {
	setting := r.Setting
	setting.Matrix = nil // its hash is there
	text, err := compact(struct {
		Setting
		MaxLoad string  `json:"max_load"`
		Network string  `json:"network,omitempty"`
		Nodes   [][]int `json:"nodes"`
		Routing string  `json:"routing"`
		Torus   []int   `json:"torus"`
	}{setting, r.MaxLoad, r.Network, r.Nodes, r.Routing, r.Torus})
	var fields map[string]json.RawMessage // which are written sorted
	if err == nil {
		err = json.Unmarshal(text, &fields)
	}
	if err == nil {
		text, err = compact(fields)
	}
	if err != nil {
		panic("results: texts and whole numbers always encode")
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))
}

// compact returns a value as JSON without spaces and without HTML escapes.
func compact(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// ReadRecord returns the record that data spells. Fields that this program does not know are ignored. Errors are
// *ReadError: no JSON, an unknown schema version, a field that is missing, is repeated or has the wrong type.
// Whether the record is right is for package check to say.
func ReadRecord(data []byte) (Record, error) {
	var r Record
	err := Decode(data, RecordSchema, &r)
	return r, err
}
