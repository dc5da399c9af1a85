package check

import (
	"context"

	"leeway/results"
	"leeway/results/check/meter"
)

// A Judge tells which of two records that contradict each other is wrong, for results/store. Its verdicts are those of
// Document.
type Judge struct {
	Folder  string // of the files that proofs name
	Produce Producer
}

// Load reports whether the placement of a record has the load that the record says, by the naive evaluator; known is
// false where that is too large to be recomputed.
func (j Judge) Load(r results.Record) (right, known bool) {
	m := meter.New(context.Background(), meter.Limits{})
	c := &checker{record: r, meter: m}
	var err error
	ended := m.Run(func() {
		c.maxLoad = c.fraction("max_load", r.MaxLoad)
		if c.checkProblem() && c.checkConditions() && c.checkNodes() {
			err = c.checkLoad()
		}
	})
	if ended != nil || isLimit(err) {
		return false, false
	}
	return err == nil && len(c.faults) == 0, true
}

// Record reports whether a record is valid, its proof too.
func (j Judge) Record(r results.Record) (right, known bool) {
	data, err := r.Encode()
	if err != nil {
		return false, false
	}
	v := Document(context.Background(), data, j.Folder, Options{Produce: j.Produce})
	return v.Verdict == Valid, v.Verdict == Valid || v.Verdict == Wrong
}
