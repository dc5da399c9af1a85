package search

import (
	"context"

	"leeway/objective"
)

// Limited is a method that is given at most some number of evaluations, whatever the budget. In a proof it lets a
// heuristic provide a good placement and then make room for the engines that can finish.
type Limited struct {
	Method
	Evaluations int64
}

// Run runs the method with the smaller of both limits.
func (l Limited) Run(ctx context.Context, p Params) (Outcome, error) {
	if p.Evaluations == 0 || p.Evaluations > l.Evaluations {
		p.Evaluations = l.Evaluations
	}
	return l.Method.Run(ctx, p)
}

// Supports returns nil if a method can treat the problem, otherwise an *UnsupportedError. A
// free routing takes a method that finds tables, which says so by FindsTables() == true.
func Supports(m Method, p objective.Problem) error {
	finder, ok := m.(interface{ FindsTables() bool })
	if p.Free != nil && !(ok && finder.FindsTables()) {
		return &UnsupportedError{Method: m.Name(), Problem: p.String(), Why: "it looks for placements only, not for paths"}
	}
	return m.Supports(p)
}

// Supporting returns the methods that can treat the problem.
func Supporting(methods []Method, p objective.Problem) []Method {
	var list []Method
	for _, m := range methods {
		if Supports(m, p) == nil {
			list = append(list, m)
		}
	}
	return list
}
