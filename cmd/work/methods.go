package work

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"leeway/objective"
	"leeway/search"
	"leeway/search/assign"
	"leeway/search/backend"
	"leeway/search/family"
	"leeway/search/genetic"
	"leeway/search/joint"
	"leeway/search/local"
	"leeway/search/orbit"
	"leeway/search/refuters"
	"leeway/search/sat"
)

// methods lists every search method in the order in which they run.
func methods() []search.Method {
	list := []search.Method{family.Method{}}
	for _, r := range refuters.Deciding(refuters.All()) {
		list = append(list, refuters.Bounded{Method: refuters.Method{Refuter: r}})
	}
	return append(list, orbit.Lattice{}, orbit.Method{}, local.Method{}, genetic.Method{}, sat.New(), assign.Method{})
}

// DefaultMethods are the methods that a search runs unless told otherwise, side by side. With a free routing they look
// for placements under all paths, and joint goes on from these.
var DefaultMethods = slices.Concat([]string{"family"}, refuters.Names(refuters.Deciding(refuters.All())),
	[]string{"lattice", "orbit", "local", "genetic", assign.Name})

// MethodNames returns the names of all methods that look for placements.
func MethodNames() []string { return namesOf(methods()) }

func namesOf(list []search.Method) (names []string) {
	for _, m := range list {
		names = append(names, m.Name())
	}
	return names
}

// sharesOf has the parts of evaluations that methods get, 1 where nothing stands: one of local is a swap, one of learn,
// of counts and of orderly a step, one of joint a choice weighed, and one of annealing, which looks alone, a change of
// a few loads; of the others it is a whole placement, which may take a millisecond.
var sharesOf = map[string]int{"local": 10, "learn": 10, "counts": 10, "orderly": 10, joint.Name: 64, assign.Name: 1000}

// methodsNamed returns the methods of some names, the default ones for nil.
func methodsNamed(names []string) []search.Method {
	if names == nil {
		names = DefaultMethods
	}
	var list []search.Method
	for _, m := range methods() {
		if slices.Contains(names, m.Name()) {
			list = append(list, m)
		}
	}
	return list
}

// pickMethods returns the methods of some names for a problem. A method that was
// asked for by name must support it; of the default ones those that do are taken, or the error says why none does.
func pickMethods(names []string, p objective.Problem) ([]search.Method, error) {
	if p.Limit != nil {
		if p.Near.Asked() {
			return nil, search.Unsupported("all", p, "a search for the largest size takes neither a radius nor a distance")
		}
		if p.Free != nil {
			return freeMethod(names), nil
		}
		_, err := pickMethods(names, p.WithSize(1)) // which stands for all that are tried
		return methodsNamed(names), err
	}
	list := methodsNamed(names)
	if names == nil && p.Free == nil {
		if some := search.Supporting(list, p); len(some) > 0 {
			return some, nil
		}
		var widest search.Method = local.Method{}
		if p.Traffic.Matrix != nil {
			widest = assign.Method{}
		}
		return nil, search.Supports(widest, p)
	}
	for _, m := range list {
		if err := search.Supports(m, p.Given()); err != nil && names != nil {
			return nil, err
		}
	}
	switch {
	case p.Free != nil:
		return freeMethod(names), search.Supports(freeMethod(names)[0], p)
	case slices.Contains(names, joint.Name):
		return nil, joint.Method{}.Supports(p)
	}
	return list, nil
}

// freeMethod returns the method for a free routing, with those named that look for
// placements to begin with.
func freeMethod(names []string) []search.Method {
	return []search.Method{joint.Method{Finders: methodsNamed(names),
		TablesOnly: names != nil && !slices.Contains(names, joint.Name)}}
}

// MethodsOf returns the methods of some names, all of which must exist.
func MethodsOf(names []string) ([]search.Method, error) {
	if list := methodsNamed(names); len(list) == len(names) {
		return list, nil
	}
	return nil, fmt.Errorf("unknown method among %s", strings.Join(names, ", "))
}

// warmUp is how many swaps a proof tries to find a good placement before an engine
// that can finish takes over; fewer where a full count takes no time, where only one
// value is asked about, and where a swap is a whole evaluation.
const (
	warmUp      = 200_000
	smallWarmUp = 1000
	warmUpTasks = 1_000_000 // swaps and moves of tasks
)

// Before engines take whatever they need, they write up to some bytes of a proof, and methods that try placements with
// a symmetry try some of them.
const (
	soon         = 1 << 18
	warmUpOrbits = 10_000
	favour       = 4 // times as much for one alone that is likely to come to an end first
)

// Supports returns nil if the methods or the engine of a task can treat its problem, and list its optima if asked for.
func (s *Session) Supports(t Task) (err error) {
	if t.Proof == nil {
		_, err = pickMethods(t.Methods, t.Problem)
	} else if t.Proof.Symmetry == "" {
		_, err = s.proofMethods(t)
	}
	if err == nil && t.Proof != nil && t.Proof.All {
		err = listable(t.Problem)
	}
	return err
}

// fewPlacements is up to how many placements a few swaps are enough before a proof.
const fewPlacements = 1 << 18

// proofMethods returns the methods of a proof: first those that find a good placement, then the named solver or engine.
// With auto that are the engines that write steps, in turn with more and more of them; sat where none takes the
// problem. On large tori no engine does, and a placement and the bound are left.
func (s *Session) proofMethods(t Task) ([]search.Method, error) {
	p := t.Problem
	list := []search.Method{family.Method{}}
	swaps := int64(warmUp)
	if t.Proof.Below != nil || p.Placements().Cmp(big.NewInt(fewPlacements)) < 0 || p.Routing.DependsOnPlacement() {
		swaps = smallWarmUp
	}
	list = append(list, search.Supporting([]search.Method{search.Limited{Method: local.Method{}, Evaluations: swaps},
		search.Limited{Method: assign.Method{}, Evaluations: warmUpTasks}}, p)...)
	if onMachine && t.Proof.Solver != "" {
		m := backend.Method{Solver: t.Proof.Solver, Below: t.Proof.Below, Proof: t.Proof.File}
		return append(list, m), m.Supports(p)
	}
	switch t.Proof.Engine {
	case EngineBound:
		return list, nil
	case EngineAuto:
		refuting, _ := refuters.Supporting(p)
		refuting = refuters.Deciding(refuting)
		switch {
		case len(refuting) == 0:
			return append(list, search.Supporting([]search.Method{taskProver{}, sat.New()}, p)...), nil
		case t.Proof.Log != nil || s.Head != nil: // what is kept or shared is the proof of one engine
			return append(list, s.slicedMethod(t, refuters.Patient(refuters.Slicing(refuting), p))), nil
		}
		var all []refuters.Method
		for _, r := range refuting {
			all = append(all, s.slicedMethod(t, r))
		}
		if swaps == warmUp { // what they do not find nor refute soon is looked for once more
			first := refuters.Race{Methods: all, Spend: soon}
			if refuters.ByNodes(p) {
				first = refuters.Race{Methods: all[:1], Spend: favour * soon}
			}
			list = append(list, first)
			for _, m := range search.Supporting([]search.Method{orbit.Lattice{}, orbit.Method{}}, p) {
				list = append(list, search.Limited{Method: m, Evaluations: warmUpOrbits})
			}
		}
		return append(list, refuters.Race{Methods: all}), nil
	}
	for _, e := range engines() {
		if e.Name() == t.Proof.Engine {
			if m, ok := e.(refuters.Method); ok {
				e = s.slicedMethod(t, m.Refuter)
			}
			return append(list, e), search.Supports(e, p)
		}
	}
	return nil, fmt.Errorf("unknown engine %q", t.Proof.Engine)
}

// Unshared says why the proof of a task cannot be shared by a cluster, "" if it can: only what refuters write is cut
// into slices.
func (t Task) Unshared() string {
	list, others := refuters.Supporting(t.Problem)
	list = refuters.Slicing(list)
	names := refuters.Names(refuters.Slicing(refuters.All()))
	if t.Proof.Engine != EngineAuto {
		list = slices.DeleteFunc(list, func(r refuters.Refuter) bool { return r.Name != t.Proof.Engine })
	}
	switch {
	case t.Problem.Near != t.Problem.InSteps():
		return "on many machines placements keep to a radius and a distance only"
	case len(list) > 0:
		return ""
	case t.Proof.Engine != EngineAuto && !slices.Contains(names, t.Proof.Engine):
		return fmt.Sprintf("the engine %s writes no slices; %s do", t.Proof.Engine, strings.Join(names, " and "))
	}
	return "no engine can write steps about this: " + errors.Join(others...).Error()
}

// engines lists the engines that can finish.
func engines() (list []search.Method) {
	for _, r := range refuters.Deciding(refuters.All()) {
		list = append(list, refuters.Method{Refuter: r})
	}
	return append(list, sat.New(), taskProver{})
}

// Words that --engine takes besides engines: all that can, and a proof by a bound alone.
const (
	EngineAuto  = "auto"
	EngineBound = "bound"
)

// EngineNames returns the names of all engines, with EngineAuto and EngineBound.
func EngineNames() []string { return append([]string{EngineAuto, EngineBound}, namesOf(engines())...) }

// IsEngine reports whether a method is an engine, which can finish a proof: a cluster has no units of a search for it.
func IsEngine(method string) bool {
	races := []string{refuters.Race{}.Name(), refuters.Race{Spend: soon}.Name()}
	return slices.Contains(namesOf(engines()), method) || slices.Contains(races, method)
}

// Unshared says why a cluster cannot share a search by some methods, "" if it can.
func Unshared(methods []string) string {
	if i := slices.IndexFunc(methods, IsEngine); i >= 0 {
		return methods[i] + " proves, and is not divided into units of a search"
	}
	return ""
}
