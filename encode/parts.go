package encode

import (
	"leeway/encode/card"
	"leeway/encode/cnf"
)

// Lines are the parts of a formula over counts that speak of the lines along one dimension. Lines are alike: renaming
// the nodes of one, and the variables of its counter and loads part by part, gives the clauses of another.
type Lines struct {
	Nodes   [][]int      // by line: its variables, by place
	Size    []card.Unary // by line: how many processors it has, an exact number
	Counter []Part       // by line: what counts them
	Total   Part         // that all lines together have the number of processors of the problem
	Met     []Part       // what a processor of any line meets, from the sizes of the lines along the other dimension
	Loads   [][]Part     // by line
}

// A Part is a stretch of a formula.
type Part struct {
	Clauses [2]int64 // the numbers, 1, 2, ..., of the first clause and of the one after the last
	Vars    [2]int   // those that it introduces, likewise
}

// Lines returns the lines along both dimensions, nil for a formula that is not over counts or cannot hold. Cost that of
// Write.
func (f *Formula) Lines() *[2]Lines {
	r, ok := f.rules.(*lineRules)
	if !ok || r.units < 0 {
		return nil
	}
	noting := &lineRules{model: r.model, units: r.units, noted: &[2]Lines{}}
	for dim := range noting.noted {
		noting.noted[dim].Loads = make([][]Part, f.model.torus.Side(1-dim))
	}
	described := &Formula{model: f.model, rules: noting}
	described.write(described.builder(nil))
	return noting.noted
}

// Lines returns the lines of the formula, which is the beginning of the rest.
func (r *Rest) Lines() *[2]Lines { return r.formula.Lines() }

// partOf returns a part that begins and ends at what the builder writes next.
func partOf(b *cnf.Builder) Part {
	return Part{Clauses: [2]int64{b.Clauses() + 1, b.Clauses() + 1}, Vars: [2]int{b.Vars() + 1, b.Vars() + 1}}
}

// note has a part end where the builder stands and noted among the lines along a dimension, where that is wanted.
func (r *lineRules) note(b *cnf.Builder, p Part, dim int, add func(*Lines, Part)) {
	if r.noted != nil {
		p.Clauses[1], p.Vars[1] = b.Clauses()+1, b.Vars()+1
		add(&r.noted[dim], p)
	}
}
