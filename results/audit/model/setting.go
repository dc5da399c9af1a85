package model

import (
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
)

// A Setting is a placement on a torus, with a routing unless only the placement matters, and the words of the command
// line for both.
type Setting struct {
	Placement core.Placement
	Routing   routing.Routing
	Placed    string // the text of the placement, empty if it has no name
	routed    string
}

// SetUp returns the setting on d sides of k of a placement and a routing given by their texts, which must be right.
func SetUp(k, d int, placed, routed string) Setting {
	return SetUpAt(Must(family.Parse(Cube(k, d), placed)), placed, routed)
}

// SetUpAt returns the setting of a placement, whose text is empty if it has no name.
func SetUpAt(p core.Placement, placed, routed string) Setting {
	s := Setting{Placement: p, Placed: placed, routed: routed}
	if routed != "" {
		s.Routing = Must(routing.Parse(p.Torus(), routed))
	}
	return s
}

// Torus returns the torus of the placement.
func (s Setting) Torus() *core.Torus { return s.Placement.Torus() }

// Sides returns the side of a torus with equal sides and the number of its axes.
func (s Setting) Sides() (k, d int) { return s.Torus().Side(0), s.Torus().D() }

// Loads returns the loads of the placement under the routing.
func (s Setting) Loads() *objective.Loads {
	return fast.Evaluate(objective.Problem{Routing: s.Routing}, s.Placement)
}

// Load returns E_max.
func (s Setting) Load() *big.Rat {
	most, _ := s.Loads().Max()
	return most
}

// Words returns the text form of the placement.
func (s Setting) Words() string {
	if s.Placed != "" {
		return s.Placed
	}
	return "nodes:" + core.JoinNodes(s.Placement.Coords())
}

// String returns torus, placement and, if there is one, routing.
func (s Setting) String() string {
	text := fmt.Sprintf("torus %s, placement %s", s.Torus(), s.Words())
	if s.Routing != nil {
		text += ", routing " + s.routed
	}
	return text
}

// Command evaluates the placement, or finds its bisection width without a routing.
func (s Setting) Command() string {
	flags := fmt.Sprintf("--torus %s --placement %s", s.Torus(), s.Words())
	if s.Routing == nil {
		return "leeway bisect " + flags
	}
	return fmt.Sprintf("leeway eval %s --routing %s", flags, s.routed)
}

// A MinimalSetting is a placement with the best minimal routing, which explain shows.
type MinimalSetting struct{ Setting }

// Minimal returns the placement of the setting with the best minimal routing.
func (s Setting) Minimal() MinimalSetting { return MinimalSetting{s} }

// String returns torus and placement, and that the routing is the best.
func (m MinimalSetting) String() string { return m.Setting.String() + ", best minimal routing" }

// Command shows the best minimal routing.
func (m MinimalSetting) Command() string {
	return fmt.Sprintf("leeway explain --torus %s --placement %s", m.Torus(), m.Words())
}

// Must returns a value that the library makes of a check's own parameters: an error is a mistake of the check and
// panics.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Sprintf("audit: %v", err))
	}
	return v
}
