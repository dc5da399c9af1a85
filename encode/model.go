package encode

import (
	"context"
	"errors"
	"fmt"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/encode/cnf"
	"leeway/objective"
	"leeway/objective/fast"
)

// MaxClauses is the most clauses that a formula may have. With three literals a
// clause this keeps a solver's memory within a few gigabytes.
const MaxClauses = 20_000_000

// Options says how a problem is written.
type Options struct {
	BreakSymmetry bool // keep few placements of every orbit, at least one
}

// A Model is what the formulas of one problem for different limits have in
// common. It is immutable.
type Model struct {
	problem objective.Problem
	torus   *core.Torus
	shifts  []int           // the translations of the network, by the nodes that they move by
	base    []int           // by node: the number of the base that it is a translate of
	classes []linkClass     // of the links
	linear  bool            // loads are linear in the lines of the torus
	lines   []lineLoad      // if so, of the classes that are not idle
	group   *symmetry.Group // nil: symmetry is left alone
	sums    core.NodeTable  // by two nodes: their sum

	nodeLoads [][]nodeLoad // by link, under client traffic; then there are no classes
}

// A linkClass are the links that translations take to one of them, the link that leaves a base (Torus.Bases) by a port.
// On a torus without open dimensions a port has one class.
type linkClass struct {
	port, from int
	loads      []pairLoad // of the pairs that use the link at from
	idle       bool       // its links carry what the reverse ones do
}

// maxNodes bounds the nodes of a torus whose formula could stay within
// MaxClauses: every pair that can pass a limit needs a clause.
const maxNodes = 2048

// maxLoads bounds what is kept of pairs and links that they use. It is reached on networks
// with open dimensions only, where links have many classes.
const maxLoads = 1 << 23

// Supports returns the *UnsupportedError of NewModel as far as it is known at once: for a routing that depends on the
// placement or is a table by pair, a condition on how processors lie other than the radius, and a network of more than
// 2048 nodes.
func Supports(p objective.Problem) error {
	why := ""
	switch {
	case p.Traffic.Matrix != nil:
		why = "the tasks of a matrix are not placed by formulas"
	case p.Routing.DependsOnPlacement():
		why = "the paths of a pair depend on the other processors"
	case routing.ByPair(p.Routing):
		why = "the paths of a pair depend on more than its displacement"
	case p.Near != objective.Near{Radius: p.Radius}:
		why = "of the conditions on how processors lie clauses know the radius only"
	case p.Torus().N() > maxNodes:
		why = fmt.Sprintf("the torus has more than %d nodes", maxNodes)
	default:
		return nil
	}
	return &UnsupportedError{Problem: p.String(), Why: why}
}

// NewModel returns the model of a problem. It fails with an *UnsupportedError as Supports does, and for
// loads beyond 62 bits or more than maxLoads of them, with an *core.InputError for a wrong size, and with the error of
// the context. Cost O(B N) flows of pairs, B being the number of bases (Torus.Bases): 1 without open dimensions.
func NewModel(ctx context.Context, p objective.Problem, o Options) (*Model, error) {
	if _, err := objective.NewProblem(p.Routing, p.Size); err != nil {
		return nil, err
	}
	if err := Supports(p); err != nil {
		return nil, err
	}
	t, w := p.Torus(), core.NewWatch(ctx)
	m := &Model{problem: p, torus: t, sums: core.Sums(t), base: make([]int, t.N())}
	for i, b := range t.Bases() {
		m.base[b] = i
	}
	for v := range t.N() {
		if closed := t.ClosedPart(v); closed == v {
			m.shifts = append(m.shifts, v)
		} else {
			m.base[v] = m.base[v-closed]
		}
	}
	if p.Traffic.Clients() {
		if err := m.addNodeLoads(w); err != nil {
			return nil, err
		}
	} else {
		if err := m.addLoads(w); err != nil {
			return nil, err
		}
		m.findIdle()
		m.lines, m.linear = m.lineLoads()
	}
	if o.BreakSymmetry {
		group, err := fast.Group(ctx, p)
		if err != nil {
			return nil, err
		}
		m.group = group
	}
	return m, nil
}

// unsupported returns an *UnsupportedError.
func (m *Model) unsupported(why string, args ...any) error {
	return &UnsupportedError{Problem: m.problem.String(), Why: fmt.Sprintf(why, args...)}
}

// tooLarge returns the error of a constraint as one of the whole formula, if it is about its size.
func (m *Model) tooLarge(err error) error {
	if size := (*cnf.SizeError)(nil); errors.As(err, &size) {
		return &cnf.SizeError{What: m.problem.String(), Limit: MaxClauses}
	}
	return err
}

// NodeVar returns the variable that says that a node carries a processor.
func (m *Model) NodeVar(node int) int { return node + 1 }

// Decode returns the placement that an assignment of the variables describes. It
// fails with a *ModelError when the number of processors is not that of the
// problem.
func (m *Model) Decode(value func(variable int) bool) (core.Placement, error) {
	return Decode(m.problem, m.NodeVar, value)
}

// Decode returns the placement of the nodes whose variables hold. It fails with a
// *ModelError when they are not as many as the problem has.
func Decode(p objective.Problem, nodeVar func(node int) int, value func(variable int) bool) (core.Placement, error) {
	var nodes []int
	for v := range p.Torus().N() {
		if value(nodeVar(v)) {
			nodes = append(nodes, v)
		}
	}
	if len(nodes) != p.Size {
		return core.Placement{}, &ModelError{Problem: p.String(), Why: fmt.Sprintf("%d processors", len(nodes))}
	}
	s, err := core.NewPlacement(p.Torus(), nodes)
	if err == nil && !p.Admits(s) {
		return core.Placement{}, &ModelError{Problem: p.String(), Why: "it does not keep to the conditions"}
	}
	return s, err
}

// An UnsupportedError says that a problem cannot be written as a formula, and
// why.
type UnsupportedError struct {
	Problem string
	Why     string
}

// Error names the problem and the reason.
func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("no formula for %s: %s", e.Problem, e.Why)
}

// A ModelError says that what a solver returned is not a placement of the
// problem. It means a bug in the solver or in the encoding.
type ModelError struct {
	Problem string
	Why     string
}

// Error names the problem and the reason.
func (e *ModelError) Error() string {
	return fmt.Sprintf("wrong model of %s: %s", e.Problem, e.Why)
}
