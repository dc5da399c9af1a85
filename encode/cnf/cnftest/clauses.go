package cnftest

import (
	"slices"

	"leeway/encode/cnf"
)

// Clauses are a formula on variables 1 to Of, in memory; a *Clauses is a cnf.Sink.
type Clauses struct {
	Of   int
	List [][]int
}

// Vars returns the number of variables.
func (f Clauses) Vars() int { return f.Of }

// Clauses returns the number of clauses.
func (f Clauses) Clauses() int64 { return int64(len(f.List)) }

// Write adds the clauses to a sink. The error is that of the sink.
func (f Clauses) Write(sink cnf.Sink) error {
	for _, c := range f.List {
		if err := sink.Add(c); err != nil {
			return err
		}
	}
	return nil
}

// Add keeps a copy of the clause and returns nil.
func (f *Clauses) Add(clause []int) error {
	f.List = append(f.List, slices.Clone(clause))
	return nil
}

// Satisfiable tries all assignments.
func (f Clauses) Satisfiable() bool {
	for x := range uint(1) << f.Of {
		if !slices.ContainsFunc(f.List, func(c []int) bool {
			return !slices.ContainsFunc(c, func(l int) bool { return x>>(max(l, -l)-1)&1 == 1 == (l > 0) })
		}) {
			return true
		}
	}
	return false
}
