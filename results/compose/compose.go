// Package compose makes documents from values, and values of documents: records, evaluations, lists of bounds, answers
// and tables.
package compose

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"time"

	"leeway/core"
	"leeway/core/labels"
	"leeway/core/linkname"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/lowerbound"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/answers"
)

// GridOf returns the grid that names a torus or network.
func GridOf(t *core.Torus) results.Grid {
	g := results.Grid{Torus: t.Dims()}
	if !t.Plain() {
		g.Network = t.String()
	}
	if !t.HasDimensions() {
		g.NetworkSHA256 = t.SHA256()
	}
	return g
}

// SettingOf returns the setting of a problem.
func SettingOf(p objective.Problem) results.Setting {
	coords := func(s core.Set) (list [][]int) {
		for _, v := range s.Nodes() {
			list = append(list, p.Torus().Coords(v))
		}
		return list
	}
	s := results.Setting{Fixed: coords(p.Fixed), Forbidden: coords(p.Forbidden), Near: p.Near}
	if p.Traffic.Clients() {
		s.Traffic, s.ReplyRouting = p.Traffic.String(), p.Traffic.ReplyText()
	}
	if m := p.Traffic.Matrix; m != nil {
		text := json.RawMessage(m.Text())
		s.Traffic, s.MatrixSHA256, s.Matrix, s.PerNode = objective.MatrixTraffic, m.SHA256(), &text, p.Traffic.PerNode
		for _, f := range p.Pinned {
			s.FixedTasks = append(s.FixedTasks, [2]int{f.Task, f.Node})
		}
	}
	return s
}

// ProblemOf returns the problem that a record is about. Its routing is free where it was left to the search. Errors
// are *core.InputError; the size is compared with the torus only where nodes are fixed or forbidden.
func ProblemOf(r results.Record) (objective.Problem, error) {
	t, err := r.ReadGrid()
	if err != nil {
		return objective.Problem{}, err
	}
	way, err := r.ReadRouting(t)
	if err != nil {
		return objective.Problem{}, err
	}
	p := objective.Problem{Routing: way, Size: r.Size}
	if r.RoutingChoice != "" {
		f, free, err := routing.FreeOn(t, r.RoutingChoice)
		if err == nil && !free {
			err = core.Invalid(r.RoutingChoice, "not a free routing")
		}
		if err != nil {
			return objective.Problem{}, err
		}
		p = objective.FreeProblem(t, f).WithSize(r.Size)
	}
	return r.Setting.Apply(p)
}

// SubjectOf returns what an answer about a placement under routing and traffic of a problem is about.
func SubjectOf(q objective.Problem, p core.Placement) results.Subject {
	return results.Subject{Grid: GridOf(p.Torus()), Routing: q.Routing.String(),
		Setting: SettingOf(q).WithTasks(p), Size: p.Size(), Nodes: p.Coords(), Table: TableOf(q.Routing)}
}

// FormatTime returns a time as records spell it: RFC 3339 in UTC, whole seconds.
func FormatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// Values are what New turns into a record.
type Values struct {
	Routing     routing.Routing
	Setting     results.Setting
	Free        *routing.Free // the restrictions that Routing, a table, was chosen from; nil: the routing was given
	Then        string        // ThenDistance or ""; for client traffic
	Placement   core.Placement
	MaxLoad     *big.Rat
	LowerBound  *big.Rat // nil: 0
	BoundReason string
	Baseline    *results.Baseline
	Proof       *results.Proof // nil unless optimal
	BoundProof  *results.Proof // of LowerBound, where no bound gives it
	SolverClaim *results.SolverClaim
	Symmetry    *results.SymmetryClaim
	FoundBy     results.FoundBy
	Provenance  results.Provenance
}

// New returns the record of some values, with its hash; its status is optimal exactly when there is a proof. It fails
// with an *core.InputError when the parts do not belong together: no load, a placement on another torus, a bound
// above the load, or a proof with a bound below it.
func New(c Values) (results.Record, error) {
	if c.LowerBound == nil {
		c.LowerBound = new(big.Rat)
	}
	if problem := c.problem(); problem != "" {
		return results.Record{}, core.Invalid("record", "%s", problem)
	}
	r := results.Record{Schema: results.RecordSchema, Grid: GridOf(c.Routing.Torus()), Routing: c.Routing.String(),
		Setting: c.Setting.WithTasks(c.Placement), Size: c.Placement.Size(), Nodes: c.Placement.Coords(),
		MaxLoad: results.FormatFraction(c.MaxLoad), LowerBound: results.FormatFraction(c.LowerBound),
		BoundReason: c.BoundReason,
		Status:      results.StatusFeasible, Baseline: c.Baseline, Proof: c.Proof, BoundProof: c.BoundProof,
		SolverClaim: c.SolverClaim, SymmetryClaim: c.Symmetry, Table: TableOf(c.Routing),
		FoundBy: c.FoundBy, Provenance: c.Provenance}
	if c.Free != nil {
		r.RoutingChoice = c.Free.String()
	}
	if c.Setting.Traffic != "" && c.Setting.Matrix == nil {
		r.Then = c.Then
		if distance := fast.MeanDistance(c.Placement); distance != nil {
			r.MeanDistance = results.FormatFraction(distance)
		}
	}
	if c.Proof != nil {
		r.Status = results.StatusOptimal
	}
	if r.Command == nil {
		r.Command = []string{} // a list is never null
	}
	r.ClaimSHA256 = r.Hash()
	if c.Free != nil || r.Table == nil {
		k := KeyOfRecord(r)
		r.Label = labels.Cell(k.Torus, k.Routing, k.Size)
	}
	return r, nil
}

// problem says why the parts do not belong together, "" if they do.
func (c Values) problem() string {
	switch t := c.Placement.Torus(); {
	case c.Routing == nil || t == nil || c.MaxLoad == nil:
		return "routing, placement and load are needed"
	case !t.Equal(c.Routing.Torus()):
		return fmt.Sprintf("the placement is on torus %s, the routing on %s", t, c.Routing.Torus())
	case c.Free != nil && c.Routing.String() != results.TableRouting:
		return "a free routing is a table in the end"
	case c.LowerBound.Cmp(c.MaxLoad) > 0:
		return fmt.Sprintf("the lower bound %s is above the load %s", c.LowerBound.RatString(), c.MaxLoad.RatString())
	case !c.admitted():
		return "the placement does not keep to the conditions"
	case c.Proof != nil && c.LowerBound.Cmp(c.MaxLoad) < 0:
		return fmt.Sprintf("with a proof the lower bound is the load %s, not %s", c.MaxLoad.RatString(),
			c.LowerBound.RatString())
	}
	return ""
}

// admitted reports whether the placement keeps to the conditions.
func (c Values) admitted() bool {
	p, err := c.Setting.Apply(objective.Problem{Routing: c.Routing, Size: c.Placement.Size()})
	return err == nil && p.Admits(c.Placement)
}

// OrbitsOf returns the orbits of placements under the group of their problem. Its cost is that of
// symmetry.Group.Canonical for each.
func OrbitsOf(group *symmetry.Group, list []core.Placement) []results.Orbit {
	orbits := make([]results.Orbit, len(list))
	for i, o := range list {
		_, fixing := group.Canonical(o.Nodes())
		orbits[i] = results.Orbit{Size: int64(group.Order() / fixing), Stabiliser: int64(fixing)}
	}
	return orbits
}

// ListSchema is the schema version of lists of documents, each of which names its own.
const ListSchema = "leeway/list/1"

// EvaluationSchema is the schema version of evaluations.
const EvaluationSchema = "leeway/evaluation/1"

// An Evaluation is what the command eval prints about one placement.
type Evaluation struct {
	Schema string `json:"schema"`
	results.Grid
	Routing string `json:"routing"`
	results.Setting
	Size       int     `json:"size"`
	Nodes      [][]int `json:"nodes"`
	MaxLoad    string  `json:"max_load"`
	MeanLoad   string  `json:"mean_load"`            // over all links
	Links      int     `json:"links"`                // directed links of the torus
	LinksAtMax int     `json:"links_at_max"`         // 0 if max_load is 0
	Throughput string  `json:"throughput,omitempty"` // exchanges per unit time, 1 / max_load; absent if that is 0
	// MeanDistance is that of a client from the processors, for client traffic.
	MeanDistance string `json:"mean_distance,omitempty"`
	// CoveringRadius is the greatest distance from a node to its nearest processor, TotalDistance that of all nodes
	// together, absent without processors, and PackingDistance the least between two processors, absent with fewer than
	// two; in links.
	CoveringRadius  *int       `json:"covering_radius,omitempty"`
	TotalDistance   *int       `json:"total_distance,omitempty"`
	PackingDistance int        `json:"packing_distance,omitempty"`
	Uniform         []bool     `json:"uniform"`        // per dimension, none without dimensions
	Loads           []LinkLoad `json:"loads,omitzero"` // links with a load above 0
}

// A LinkLoad is the load of one link, named by the node it leaves.
type LinkLoad struct {
	linkname.Ended
	Load string `json:"load"`
}

// NewEvaluation returns the evaluation of a placement under routing and traffic of a problem from its loads, with the
// list of loaded links if that is asked for.
func NewEvaluation(q objective.Problem, p core.Placement, loads *objective.Loads, withLoads bool) Evaluation {
	t := p.Torus()
	most, count := loads.Max()
	e := Evaluation{Schema: EvaluationSchema, Grid: GridOf(t), Routing: q.Routing.String(),
		Setting: SettingOf(q).WithTasks(p), Size: p.Size(), Nodes: p.Coords(), MaxLoad: results.FormatFraction(most),
		MeanLoad: results.FormatFraction(loads.Mean()),
		Links:    t.Links(), LinksAtMax: count, Uniform: []bool{}}
	if distance := fast.MeanDistance(p); distance != nil && q.Traffic.Clients() {
		e.MeanDistance = results.FormatFraction(distance)
	}
	if count > 0 {
		e.Throughput = results.FormatFraction(new(big.Rat).Inv(most))
	}
	radius, total, packing := p.Spacing()
	if e.PackingDistance = packing; radius >= 0 {
		e.CoveringRadius, e.TotalDistance = &radius, &total
	}
	for j := 0; t.HasDimensions() && j < t.D(); j++ {
		e.Uniform = append(e.Uniform, p.Uniform(j))
	}
	if withLoads {
		e.Loads = linkLoads(loads)
	}
	return e
}

// linkLoads lists the links with a load above 0, in link order.
func linkLoads(loads *objective.Loads) []LinkLoad {
	list := []LinkLoad{}
	t := loads.Torus()
	for l := range t.M() {
		if v := loads.Load(core.Link(l)); v.Sign() > 0 {
			list = append(list, LinkLoad{linkname.NewEnded(t, core.Link(l)), results.FormatFraction(v)})
		}
	}
	return list
}

// NewBounds returns the document of some bounds, the best of which is given. Placement p is nil if they are
// placement-free.
func NewBounds(r routing.Routing, size int, p *core.Placement, bounds []lowerbound.Bound,
	best lowerbound.Bound) answers.Bounds {
	d := answers.Bounds{Schema: answers.BoundsSchema, Grid: GridOf(r.Torus()), Routing: r.String(), Size: size,
		Bounds: []answers.Bound{}, Best: results.FormatFraction(best.Value), Reason: best.Reason(), Table: TableOf(r)}
	if p != nil {
		nodes := p.Coords()
		d.Nodes = &nodes
	}
	for _, b := range bounds {
		d.Bounds = append(d.Bounds, NewBound(b))
	}
	return d
}

// NewBound returns a bound in the words of the document.
func NewBound(b lowerbound.Bound) answers.Bound {
	return answers.Bound{Name: b.Name, Value: results.FormatFraction(b.Value), Witness: b.Witness}
}

// NewBelow returns the unknown answer about a problem, to be filled in.
func NewBelow(p objective.Problem, below *big.Rat) results.Below {
	return results.Below{Schema: results.BelowSchema, Grid: GridOf(p.Torus()), Routing: p.Routing.String(),
		Setting: SettingOf(p), Size: p.Size, Below: results.FormatFraction(below), Status: results.StatusUnknown,
		Table: TableOf(p.Routing)}
}

// TableOf returns the document of a routing that is a table, nil of any other.
func TableOf(r routing.Routing) *results.Table {
	var d results.Table
	switch r := r.(type) {
	case *routing.Table:
		d = NewTable(r)
	case *routing.Weighted:
		d = newWeighted(r)
	default:
		return nil
	}
	return &d
}

// newWeighted is NewTable of a table of weighted paths.
func newWeighted(r *routing.Weighted) results.Table {
	t := r.Torus()
	d := results.Table{Schema: results.WeightedSchema, Grid: GridOf(t), By: results.ByPair,
		Entries: []results.TableEntry{}}
	for _, e := range r.Entries() {
		entry := results.TableEntry{From: t.Coords(e.From), To: t.Coords(e.To)}
		for _, p := range e.Paths {
			path := results.TablePath{Share: results.FormatFraction(p.Share)}
			for _, v := range p.Nodes {
				path.Nodes = append(path.Nodes, t.Coords(v))
			}
			entry.Paths = append(entry.Paths, path)
		}
		d.Entries = append(d.Entries, entry)
	}
	return d
}

// KeyOf returns the key of a problem, with the table that may be its routing.
func KeyOf(p objective.Problem) texts.Key {
	k := texts.KeyOf(p)
	if t := TableOf(p.Routing); t != nil {
		text, err := json.Marshal(t)
		if err != nil {
			panic("compose: numbers and text always encode")
		}
		k.Table = string(text)
	}
	return k
}

// KeyOfRecord returns the key of the problem that a record is about, unchecked and without a table.
func KeyOfRecord(r results.Record) texts.Key {
	return texts.Key{Torus: r.Where(), Routing: cmp.Or(r.RoutingChoice, r.Routing), Size: r.Size}
}

// NewTable returns the stored form of a table, entries ascending by their ends and paths in canonical order.
func NewTable(r *routing.Table) results.Table {
	t := r.Torus()
	d := results.Table{Schema: results.TableSchema, Grid: GridOf(t), By: results.ByDisplacement,
		Entries: []results.TableEntry{}}
	if r.ByPair() {
		d.By = results.ByPair
	}
	for _, e := range r.Entries() {
		entry := results.TableEntry{To: t.Coords(e.To)}
		if r.ByPair() {
			entry.From = t.Coords(e.From)
		}
		for _, p := range e.Paths {
			path := results.TablePath{Order: p.Order}
			for _, steps := range p.Steps {
				dir := core.Plus
				if steps < 0 {
					dir = core.Minus
				}
				path.Dirs = append(path.Dirs, dir.String())
				if !t.Separable() {
					path.Steps = append(path.Steps, max(steps, -steps))
				}
			}
			entry.Paths = append(entry.Paths, path)
		}
		d.Entries = append(d.Entries, entry)
	}
	return d
}

// ReadPlaced returns a record or, of an evaluation or a worst case, those fields of a record that say what was
// evaluated: network, traffic, routing and placement. Errors are *results.ReadError and *core.InputError.
func ReadPlaced(data []byte) (results.Record, error) {
	switch schema, err := results.SchemaOf(data); {
	case err == nil && schema == answers.WorstSchema:
		d, err := answers.ReadWorst(data)
		return results.Record{Grid: d.Grid, Routing: d.Routing, Size: d.Size, Nodes: d.Nodes, Table: d.Table}, err
	case err != nil || schema != EvaluationSchema:
		return results.ReadRecord(data)
	}
	var e Evaluation
	err := results.Decode(data, EvaluationSchema, &e)
	return results.Record{Grid: e.Grid, Routing: e.Routing, Setting: e.Setting, Size: e.Size, Nodes: e.Nodes}, err
}

// ListedOptima returns the optima that the record lists, with the problem that they belong to, nil without a list.
// Errors are *core.InputError about the record.
func ListedOptima(r results.Record) (p objective.Problem, list []core.Placement, err error) {
	if r.Optima == nil {
		return p, nil, nil
	}
	if p, err = ProblemOf(r); err != nil {
		return p, nil, err
	}
	for _, nodes := range *r.Optima {
		o, err := core.PlacementFromCoords(p.Torus(), nodes)
		if err != nil {
			return p, nil, err
		}
		list = append(list, o)
	}
	return p, list, nil
}

// AddOptima adds all optimal placements, one of each orbit under the group that preserves E_max, and the number of
// placements in these orbits.
func AddOptima(r *results.Record, optima []core.Placement, labelled int64) {
	list, orbits := make([][][]int, len(optima)), len(optima)
	for i, p := range optima {
		list[i] = p.Coords()
	}
	r.Optima, r.Orbits, r.Labelled = &list, &orbits, &labelled
}

// Instance returns the placement of a record, and the problem that says its loads: its routing, which is the table
// where the routing was left to the search, its traffic and its conditions. Errors are *core.InputError.
func Instance(r results.Record) (objective.Problem, core.Placement, error) {
	t, err := r.ReadGrid()
	if err != nil {
		return objective.Problem{}, core.Placement{}, err
	}
	way, err := r.ReadRouting(t)
	if err != nil {
		return objective.Problem{}, core.Placement{}, err
	}
	p, err := r.Setting.Listed(objective.Problem{Routing: way, Size: len(r.Nodes)})
	if err != nil {
		return objective.Problem{}, core.Placement{}, err
	}
	s, err := r.Placement(t, r.Nodes)
	if err == nil && p.Traffic.Matrix != nil {
		if problem := p.Refusal(s); problem != "" {
			err = core.Invalid("assignment", "%s", problem)
		}
	}
	return p, s, err
}
