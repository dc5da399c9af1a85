package sat

import (
	"fmt"

	"leeway/core"
	"leeway/encode/dimacs"
	"leeway/results/check/meter"
)

// modelProblem says which clause of a formula about placements does not hold for a placement, "" if all do: variables
// 1 to N are its nodes, what unit clauses force is true or false, and all else is false. A placement that the formula
// admits has a model of this kind, since every other variable is forced where its meaning (docs/proofs.md) is needed.
// Cost: the clauses, a few times.
func modelProblem(m *meter.Meter, f dimacs.Formula, s core.Placement) string {
	c := completion{value: make([]int8, f.Vars()+1)}
	for v := range s.Torus().N() {
		c.value[v+1] = -1
	}
	for _, v := range s.Nodes() {
		c.value[v+1] = 1
	}
	for open := true; open; {
		c.grown = false
		if err := f.Write(meterSink{m, &c}); err != nil {
			return err.Error()
		}
		if c.grown {
			continue
		}
		open = false
		for v, value := range c.value {
			if value == 0 {
				c.value[v], open = -1, true
			}
		}
		c.value[0] = -1 // which is not a variable
	}
	return ""
}

// A completion is a sink that gives values to variables: 1 true, -1 false, 0 not known. It fails with the first clause
// of which all literals are false.
type completion struct {
	value []int8
	grown bool // by a variable since this was false
}

// Add implements cnf.Sink.
func (c *completion) Add(clause []int) error {
	open := 0
	for _, l := range clause {
		switch value := c.value[max(l, -l)]; {
		case value == 0 && open != 0, value > 0 && l > 0, value < 0 && l < 0:
			return nil
		case value == 0:
			open = l
		}
	}
	if open == 0 {
		return fmt.Errorf("the clause %v does not hold", clause)
	}
	if c.value[max(open, -open)], c.grown = 1, true; open < 0 {
		c.value[-open] = -1
	}
	return nil
}
