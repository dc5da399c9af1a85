// Package optima checks lists of all optimal placements: that they are as many, up to symmetry and with all images, as
// steps place.
package optima

import (
	"errors"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/check/kernel"
	"leeway/results/check/meter"
)

// A list is the optima of a record.
type list struct {
	check.Listed
	meter *meter.Meter
	group *symmetry.Group
}

// Problem says what is wrong with the optima of a record, "" if nothing is: each is one, no two lie in one orbit under
// the group that preserves E_max, the orbits add up to the labelled count, and steps place as many. Where only the two
// counts stand, both are counted again. A note says what was not looked at.
func Problem(m *meter.Meter, listed check.Listed) (problem, note string) {
	group, err := Group(m, listed.Problem)
	if err != nil {
		return err.Error(), ""
	}
	l := list{listed, m, group}
	switch r := l.Record; {
	case r.Optima != nil:
		problem = l.eachProblem()
	case r.OptimaOrbits != nil:
		problem, note = l.orbitsProblem(), "optima_orbits is checked in sum only: optima are not listed"
	}
	if problem != "" {
		return problem, ""
	}
	return l.countsProblem(), note
}

// Group returns the group that preserves E_max and maps fixed and forbidden nodes to themselves. It is charged as one
// that is verified by all flows for each of its generators, and lists all points that package symmetry may list.
func Group(m *meter.Meter, p objective.Problem) (*symmetry.Group, error) {
	type answer struct {
		group *symmetry.Group
		err   error
	}
	a := meter.OncePer(m, "group", p.Routing, func() (a answer) {
		ChargeGroup(m, p.Routing.Torus(), func() { m.ChargeFlows(p.Routing, 1) }, false)
		m.Foreign(0, func() { a.group, a.err = symmetry.Of(p.Routing) })
		return a
	})
	if a.err != nil || !p.Conditioned() {
		return a.group, a.err
	}
	m.ChargeAll(4, a.group.Order(), p.Fixed.Count()+p.Forbidden.Count())
	return a.group.StabiliserOf(p.Fixed, p.Forbidden), nil
}
