package main

import (
	"fmt"
	"slices"
	"strings"

	"leeway/objective"
	"leeway/search"
	"leeway/search/census"
	"leeway/search/family"
	"leeway/search/genetic"
	"leeway/search/joint"
	"leeway/search/lattice"
	"leeway/search/local"
	"leeway/search/orbit"
)

// methods lists every search method in the order in which they run.
func methods() []search.Method {
	list := []search.Method{family.Method{}, census.Share{Engines: boundedEngines}, lattice.Method{}, orbit.New(), local.Method{}, genetic.Method{}}
	return append(list, engineList()...)
}

// defaultMethods are the methods that search runs unless told otherwise, side by
// side.
var defaultMethods = []string{"family", "census", "lattice", "orbit", "local", "genetic", "exhaustive"}

func methodNames() []string {
	var names []string
	for _, m := range methods() {
		names = append(names, m.Name())
	}
	return names
}

// freeMethods are those of a search with a free routing: the first look for placements
// under all paths, then joint goes on from these.
var freeMethods = append(slices.Clone(defaultMethods), joint.Name)

// sharesOf has the parts of evaluations that methods get, 1 where nothing stands: one of
// local is a swap and one of joint a choice weighed, of the others a whole placement, or a
// node of a tree, which may take a millisecond.
var sharesOf = map[string]int{"local": 10, "exhaustive": 10, joint.Name: 64}

// named returns the methods of some names, the default ones for nil.
func named(names []string) []search.Method {
	if names == nil {
		names = defaultMethods
	}
	var list []search.Method
	for _, m := range methods() {
		if slices.Contains(names, m.Name()) {
			list = append(list, m)
		}
	}
	return list
}

// readMethods reads a list of method names; "" is nil, the default. Joint is one with
// a free routing only.
func readMethods(text string, free bool) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	var names []string
	for _, name := range strings.Split(text, ",") {
		switch known := append(methodNames(), joint.Name); {
		case name == joint.Name && !free:
			return nil, &usageError{err: usagef("--methods %q: %s looks for a placement and a routing together", text, name), hint: "add --routing free"}
		case name == "lns":
			return nil, &usageError{err: usagef("--methods %q: the method lns is gone", text), hint: "use local, which finds better placements in the same time"}
		case !slices.Contains(known, name):
			return nil, &usageError{err: usagef("--methods %q: unknown method %q", text, name), hint: "methods are " + strings.Join(known, ", ")}
		case slices.Contains(names, name):
			return nil, usagef("--methods %q: method %q stands twice", text, name)
		}
		names = append(names, name)
	}
	return names, nil
}

// pickMethods returns the methods of some names for a problem. A method that was
// asked for by name must support it; of the default ones those that do are taken.
func pickMethods(names []string, p objective.Problem) ([]search.Method, error) {
	if p.Limit != nil {
		if p.Free != nil {
			return freeMethod(names), nil
		}
		_, err := pickMethods(names, p.At(1)) // which stands for all that are tried
		return named(names), err
	}
	list := named(names)
	if names == nil && p.Free == nil {
		return search.Supporting(list, p), nil
	}
	for _, m := range list {
		if err := m.Supports(p.Given()); err != nil && names != nil {
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
	return []search.Method{joint.Method{Feeders: named(names), TablesOnly: names != nil && !slices.Contains(names, joint.Name)}}
}

// methodsOf returns the methods of some names, all of which must exist.
func methodsOf(names []string) ([]search.Method, error) {
	if list := named(names); len(list) == len(names) {
		return list, nil
	}
	return nil, fmt.Errorf("unknown method among %s", strings.Join(names, ", "))
}
