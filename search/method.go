package search

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// A Method is one way to look for a placement of small E_max.
//
// Run is anytime: it returns the best placement found when the context ends, the evaluations are spent, the goal is
// reached, or there is nothing left to look at. With a budget of evaluations and no deadline the outcome depends on the
// parameters only: not on Workers, not on the clock.
type Method interface {
	// Name returns the word by which records and flags call the method.
	Name() string
	// Supports returns nil if the method can treat the problem, otherwise an *UnsupportedError. It is asked before any
	// budget begins: it makes no table, formula or group. What only these can tell, Run says.
	Supports(objective.Problem) error
	// Run looks for a placement. Errors are faults, not failures to improve.
	Run(ctx context.Context, p Params) (Outcome, error)
}

// Params says what to look for and how long.
type Params struct {
	Problem     objective.Problem
	Goal        *big.Rat         // stop at this value or below; nil: never
	GoalOnly    bool             // a proof that Goal is out of reach is an end too
	Starts      []core.Placement // placements to start from, best first; may be empty
	Seed        uint64
	Evaluations int64 // placements that may be evaluated; 0: no limit
	Workers     int   // at least 1; changes the speed, never the result
	Observe     func(Event)
	// State is the Outcome.State of the method's last turn in the same run, nil in the first.
	State json.RawMessage
}

// Done reports whether value reaches the goal.
func (p Params) Done(value *big.Rat) bool {
	return p.Goal != nil && value != nil && value.Cmp(p.Goal) <= 0
}

// Hopeless reports whether a refutation ends the search since all that was asked is out of reach by proof.
func (p Params) Hopeless(r *Refutation) bool {
	return p.GoalOnly && p.Goal != nil && r != nil && r.Kind != SolverClaim && r.Below.Cmp(p.Goal) > 0
}

// Report passes an event to the observer, if there is one.
func (p Params) Report(e Event) {
	if p.Problem.Near.Asked() && e.Best.Size() == 0 {
		e.Value, e.Improved = nil, false // there may be no placement that is near enough yet
	}
	if p.Observe != nil {
		p.Observe(e)
	}
}

// A Reason says why a method ended.
type Reason int

// The reasons.
const (
	Stopped  Reason = iota // the context ended
	Spent                  // the evaluations are used up
	Reached                // the goal is reached
	Complete               // there is nothing left to look at
)

// String returns one word.
func (r Reason) String() string {
	return [...]string{"stopped", "spent", "reached", "complete"}[r]
}

// An Outcome is what a method found.
type Outcome struct {
	Best  core.Placement
	Table *routing.Table // of a problem with a free routing: its paths for Best; else nil
	Value *big.Rat       // E_max of Best, exact; nil if nothing was found
	// Method is, of the outcome of several methods, the one that found Best.
	Method string
	// How says how it was found, where records are to say more than the method's name; "steps:counts" names an
	// engine too.
	How         string
	Evaluations int64
	Reason      Reason
	Refutation  *Refutation // nil unless the method showed that nothing is better
	GaveUp      string      // why a method that could have finished did not; "" if it did, or was stopped
	// Turns is, of a method that can finish, an estimate of how many runs as long as this one that takes; 0: not known.
	Turns int64
	// State is what the method wants back in its next turn, as JSON; nil: nothing.
	State json.RawMessage
}

// A Refutation says that no placement of the problem has E_max below a value.
type Refutation struct {
	Below  *big.Rat
	Kind   RefutationKind
	Engine string
	File   string // path of the proof of Unsat, in LRAT
}

// A RefutationKind tells a proof from a claim.
type RefutationKind int

// The kinds of refutations.
const (
	Steps       RefutationKind = iota // an engine can write it as steps
	SolverClaim                       // a solver said so and left no proof
	Unsat                             // a solver refuted a formula and left a proof
	All                               // all placements were gone through
)

// A WrongValueError says that a method reported a value that the exact
// evaluation of its placement does not have. It means a bug in the method.
type WrongValueError struct {
	Method        string
	Nodes         []int
	Claimed, True *big.Rat
}

// Error names the method, the placement and both values.
func (e *WrongValueError) Error() string {
	return fmt.Sprintf("search: method %s claims E_max %s for nodes %v, exact evaluation gives %s",
		e.Method, e.Claimed.RatString(), e.Nodes, e.True.RatString())
}

// An Event is a sign of life of a method.
type Event struct {
	Method      string
	Value       *big.Rat // best so far; nil if there is none
	Evaluations int64
	Improved    bool
	Best        core.Placement // that has the value, where the method says; else its zero value
	Table       *routing.Table // of Best, with a free routing
	Note        string         // "" or a short remark such as "below 5/2: none"
	// Done of Total parts of equal standing, not of equal size, are done; Total is 0 where that is not known.
	Done, Total int
}

// An UnsupportedError says that a method cannot treat a problem, and why.
type UnsupportedError struct {
	Method  string
	Problem string
	Why     string
}

// Unsupported returns an *UnsupportedError.
func Unsupported(method string, p objective.Problem, why string, args ...any) error {
	return &UnsupportedError{Method: method, Problem: p.String(), Why: fmt.Sprintf(why, args...)}
}

// Freely returns nil for a problem without fixed and forbidden nodes, otherwise an *UnsupportedError.
func Freely(method string, p objective.Problem) error {
	if p.Conditioned() {
		return Unsupported(method, p, "it does not support fixed and forbidden nodes")
	}
	return nil
}

// Anywhere returns nil for a problem without a radius or a distance, otherwise an *UnsupportedError.
func Anywhere(method string, p objective.Problem) error {
	if p.Near.Asked() {
		return Unsupported(method, p, "it does not keep to a radius or a distance")
	}
	return nil
}

// AllToAll returns nil for a problem of all-to-all traffic, otherwise an *UnsupportedError: it is what a method says
// that adds up what pairs of processors exchange.
func AllToAll(method string, p objective.Problem) error {
	if !p.Traffic.ToAll() {
		return Unsupported(method, p, "it supports all-to-all traffic only")
	}
	return nil
}

// Error names method, problem and reason.
func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("method %s does not support %s: %s", e.Method, e.Problem, e.Why)
}

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
// free routing takes a method that finds tables, which says so by FindsTables() == true, and a matrix one that places
// tasks, which says so by PlacesTasks() == true.
func Supports(m Method, p objective.Problem) error {
	if l, ok := m.(Limited); ok {
		m = l.Method
	}
	placer, ok := m.(interface{ PlacesTasks() bool })
	if p.Traffic.Matrix != nil && !(ok && placer.PlacesTasks()) {
		return Unsupported(m.Name(), p, "it places processors, not the tasks of a matrix")
	}
	finder, ok := m.(interface{ FindsTables() bool })
	if p.Free != nil && !(ok && finder.FindsTables()) {
		return Unsupported(m.Name(), p, "it looks for placements only, not for paths")
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
