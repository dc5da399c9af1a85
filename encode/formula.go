package encode

import (
	"context"
	"math/big"

	"leeway/core"
	"leeway/encode/cnf"
	"leeway/encode/symbreak"
	"leeway/objective"
)

// A Formula is the question of a model for one limit, measured and ready to be
// written as often as needed. It is immutable.
type Formula struct {
	model   *Model
	rules   rules
	vars    int
	clauses int64
}

// rules write the clauses that keep the size of a placement and every link within
// a limit; nodes holds the variable of each node.
type rules interface {
	write(b *cnf.Builder, nodes []int)
}

// Formula returns the formula "some placement has no load above limit". It fails
// with a *cnf.SizeError when it would have more than MaxClauses clauses, before
// it takes the memory, and with the error of the context. A negative limit gives a formula that cannot hold.
//
// There are two kinds of rules, over pairs (pairRules) and, where loads are linear
// in the lines of the torus, over counts (lineRules); the formula has those that
// take fewer clauses, over pairs if they take as many, but where symmetry is not broken
// never more than manyPairs over pairs: counts have the shorter proofs. Client traffic
// has rules over nodes (nodeRules). Cost that of Write to a sink which does nothing,
// with each.
func (m *Model) Formula(ctx context.Context, limit *big.Rat) (*Formula, error) {
	units, w := m.units(limit), core.NewWatch(ctx)
	if m.problem.Traffic.Clients() {
		return m.nodeFormula(units, w)
	}
	pairs, err := m.pairFormula(units, w)
	if !m.linear || ctx.Err() != nil {
		return pairs, err
	}
	lines, lineErr := m.lineFormula(units, w)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	small := m.group != nil || err == nil && pairs.clauses <= manyPairs
	if lineErr != nil || err == nil && small && pairs.clauses <= lines.clauses {
		return pairs, err
	}
	return lines, nil
}

// manyPairs is how many clauses rules over pairs may take, where there are others.
const manyPairs = 1 << 16

// pairFormula returns the formula with rules over pairs.
func (m *Model) pairFormula(units int64, w *core.Watch) (*Formula, error) {
	rules, err := m.pairRules(units, w)
	if err != nil {
		return nil, err
	}
	return m.measured(rules, w)
}

// lineFormula returns the formula with rules over counts, for a linear model.
func (m *Model) lineFormula(units int64, w *core.Watch) (*Formula, error) {
	return m.measured(&lineRules{model: m, units: units}, w)
}

// measured returns the formula with the given rules.
func (m *Model) measured(r rules, w *core.Watch) (*Formula, error) {
	f := &Formula{model: m, rules: r}
	b := f.builder(nil)
	b.SetWatch(w)
	f.write(b)
	f.vars, f.clauses = b.Vars(), b.Clauses()
	return f, b.Err()
}

// units returns the limit in units of 1/D, rounded down, cut off beyond all loads.
func (m *Model) units(limit *big.Rat) int64 {
	u := objective.Numerator(limit, m.problem.Denominator())
	if most := big.NewInt(1 << 62); u.Cmp(most) > 0 {
		u = most
	}
	return u.Int64()
}

// Vars returns the number of variables.
func (f *Formula) Vars() int { return f.vars }

// Clauses returns the number of clauses.
func (f *Formula) Clauses() int64 { return f.clauses }

// OverCounts reports whether the formula counts the processors of slabs (lineRules), not pairs (pairRules).
func (f *Formula) OverCounts() bool {
	_, lines := f.rules.(*lineRules)
	return lines
}

// Write writes the formula to the sink, always the same clauses in the same
// sequence. It stops at the first error of the sink and returns it.
func (f *Formula) Write(sink cnf.Sink) error {
	b := f.builder(sink)
	f.write(b)
	return b.Err()
}

func (f *Formula) builder(sink cnf.Sink) *cnf.Builder {
	return cnf.NewBuilder(sink, f.model.problem.String(), f.model.torus.N(), MaxClauses)
}

func (f *Formula) write(b *cnf.Builder) {
	nodes := make([]int, f.model.torus.N())
	for v := range nodes {
		nodes[v] = f.model.NodeVar(v)
	}
	for _, v := range f.model.problem.Fixed.Nodes() {
		b.Clause(nodes[v])
	}
	for _, v := range f.model.problem.Forbidden.Nodes() {
		b.Clause(-nodes[v])
	}
	if f.model.problem.Radius > 0 {
		for _, within := range f.model.problem.Balls(f.model.problem.Radius) {
			clause := make([]int, len(within))
			for i, v := range within {
				clause[i] = nodes[v]
			}
			b.Clause(clause...)
		}
	}
	f.rules.write(b, nodes)
	if f.model.group != nil {
		symbreak.Orbit(b, f.model.group, nodes)
	}
}

// A Rest is a formula without some placements: it has a model exactly if the formula has one that describes none of
// them. It is immutable.
type Rest struct {
	formula *Formula
	except  [][]int
}

// Except returns the formula without placements, each given by its nodes: a clause more for each, which says that not
// all of these nodes carry processors. They must have as many nodes as the problem has processors. Nothing is copied.
func (f *Formula) Except(placements [][]int) *Rest { return &Rest{f, placements} }

// Vars returns the number of variables, that of the formula.
func (r *Rest) Vars() int { return r.formula.vars }

// Clauses returns the number of clauses.
func (r *Rest) Clauses() int64 { return r.formula.clauses + int64(len(r.except)) }

// Write writes the clauses of the formula and then one for each placement, in their sequence. It stops at the first
// error of the sink and returns it.
func (r *Rest) Write(sink cnf.Sink) error {
	if err := r.formula.Write(sink); err != nil {
		return err
	}
	var clause []int
	for _, nodes := range r.except {
		clause = clause[:0]
		for _, v := range nodes {
			clause = append(clause, -r.formula.model.NodeVar(v))
		}
		if err := sink.Add(clause); err != nil {
			return err
		}
	}
	return nil
}
