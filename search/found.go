package search

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/parallel"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/objective/fast"
)

// A Found placement has been evaluated exactly. The zero value stands for no placement.
type Found struct {
	Placement core.Placement
	Table     *routing.Table // with a free routing; else nil
	Value     *big.Rat       // E_max
	Method    string         // that found it
}

// IsBelow reports whether there is a placement of smaller E_max than a value, nil for none.
func (f Found) IsBelow(value *big.Rat) bool {
	return f.Value != nil && (value == nil || f.Value.Cmp(value) < 0)
}

// Confirm evaluates a placement of a problem again: a *WrongValueError if it does not have the value. What cannot be
// evaluated within Grace of the end of the context stays unconfirmed, without an error.
func Confirm(ctx context.Context, p objective.Problem, f Found) error {
	if p.Free != nil {
		p = objective.Problem{Routing: f.Table}
	}
	loads, err := parallel.Await(ctx, Grace, func() (*objective.Loads, error) {
		return fast.Evaluate(p, f.Placement), nil
	})
	if err != nil {
		return nil
	}
	return f.Compare(loads)
}

// Compare returns a *WrongValueError unless the largest of the loads of a placement is its value.
func (f Found) Compare(loads *objective.Loads) error {
	if exact, _ := loads.Max(); exact.Cmp(f.Value) != 0 {
		return &WrongValueError{Method: f.Method, Nodes: f.Placement.Nodes(), Claimed: f.Value, True: exact}
	}
	return nil
}

// Kinship tells placements apart: up to the symmetries of a group, by their nodes without one.
type Kinship struct{ Group *symmetry.Group }

// KinshipOf returns the kinship by a group, nil for none, of placements of a size. The group is left out where a
// canonical form would cost more than a given number of steps: the points of the group times the square of the size.
func KinshipOf(group *symmetry.Group, size, steps int) Kinship {
	if group == nil || group.Points()*size*size > steps {
		return Kinship{}
	}
	return Kinship{group}
}

// Key returns the same text for placements that count as the same.
func (k Kinship) Key(p core.Placement) string {
	nodes := p.List()
	if k.Group != nil {
		nodes, _ = k.Group.Canonical(nodes)
	}
	return fmt.Sprint(nodes)
}
