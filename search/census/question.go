package census

import (
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/objective"
	"leeway/search"
)

// A Log keeps the slices that were walked, so that a stopped proof can go on. Its
// methods may be called from any goroutine.
type Log interface {
	// Walked returns the slices kept for a question of an engine, in any order.
	Walked(engine string, below *big.Rat, split int) []search.Slice
	// Keep keeps one more, Drop takes one back that is wrong.
	Keep(engine string, below *big.Rat, split int, s search.Slice) error
	Drop(engine string, below *big.Rat, split int, s search.Slice) error
}

// A Question asks whether a placement with E_max below a value exists.
type Question struct {
	Problem objective.Problem
	Below   *big.Rat
	Engines []Engine // that support the problem
	Workers int
	Nodes   int64   // that may be visited; 0: no limit. With a limit the engines take turns
	Log     Log     // nil: none
	Cluster Cluster // walks the slices, for one engine after the other; nil: Workers do
	// Wanted picks slices by number; nil: all.
	Wanted  func(i int) bool
	Observe func(Progress)
}

// A Progress is a sign of life of an engine.
type Progress struct {
	Engine      string
	Below       *big.Rat
	Nodes       int64 // of all engines, for this question
	Done, Total int   // slices of this engine
}

// A Reply is the answer to a question: a placement, a refutation, or neither.
type Reply struct {
	Found      core.Placement     // below the value; zero if none was found
	Finder     string             // the engine that found it
	Refutation *search.Refutation // nil unless an engine walked everything
	Nodes      int64
	// TooLarge is why engines could not plan, nil if one could.
	TooLarge error
}

// A TooLargeError says that a tree has too many prefixes to be planned.
type TooLargeError struct {
	Engine, Problem, Why string
}

// Error names engine, problem and reason.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s: %s is too large: %s", e.Engine, e.Problem, e.Why)
}

// A DisagreementError says that one engine walked everything without a placement
// and another has one. It means a bug in one of the two.
type DisagreementError struct {
	Problem string
	Below   *big.Rat
	Engine  string // that found none
	Nodes   []int
}

// Error names the engine and the placement.
func (e *DisagreementError) Error() string {
	return fmt.Sprintf("census: %s: %s found no placement below %s, but nodes %v are one", e.Problem, e.Engine, e.Below.RatString(), e.Nodes)
}
