package encode

import (
	"context"
	"fmt"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
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
	loads   [][]pairLoad    // by port: the pairs that use its link at node 0
	idle    []bool          // by port: its links carry what the reverse ones do
	linear  bool            // loads are linear in the lines of the torus
	lines   []lineLoad      // if so, of the ports that are not idle
	group   *symmetry.Group // nil: symmetry is left alone
	sums    core.NodeTable  // by two nodes: their sum
}

// maxNodes bounds the nodes of a torus whose formula could stay within
// MaxClauses: every pair that can pass a limit needs a clause.
const maxNodes = 2048

// NewModel returns the model of a problem. It fails with an *UnsupportedError
// for a routing that depends on the placement or is a table by pair, a torus of more than 2048 nodes
// or loads beyond 62 bits, and with an *core.InputError for a wrong size. Cost
// O(N) flows of pairs.
func NewModel(p objective.Problem, o Options) (*Model, error) {
	if _, err := objective.NewProblem(p.Routing, p.Size); err != nil {
		return nil, err
	}
	t := p.Torus()
	if p.Routing.DependsOnPlacement() {
		return nil, &UnsupportedError{Problem: p.String(), Why: "the paths of a pair depend on the other processors"}
	}
	if !routing.Invariant(p.Routing) {
		return nil, &UnsupportedError{Problem: p.String(), Why: "the paths of a pair depend on more than its displacement"}
	}
	if !t.Plain() {
		return nil, &UnsupportedError{Problem: p.String(), Why: "formulas have no open dimensions and bandwidths yet"}
	}
	if t.N() > maxNodes {
		return nil, &UnsupportedError{Problem: p.String(), Why: fmt.Sprintf("the torus has more than %d nodes", maxNodes)}
	}
	loads, ok := pairLoads(p.Routing)
	if !ok {
		return nil, &UnsupportedError{Problem: p.String(), Why: "the loads of pairs in common units pass 62 bits"}
	}
	m := &Model{problem: p, torus: t, loads: loads, sums: core.Sums(t)}
	m.idle = m.idlePorts()
	m.lines, m.linear = m.lineLoads()
	if o.BreakSymmetry {
		group, err := p.Group(context.Background())
		if err != nil {
			return nil, err
		}
		m.group = group
	}
	return m, nil
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
		return core.Placement{}, &ModelError{Problem: p.String(), Why: "a fixed or forbidden node is not as it has to be"}
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
