package main

import (
	"slices"
	"strings"

	"leeway/objective"
	"leeway/search"
	"leeway/search/family"
	"leeway/search/genetic"
	"leeway/search/lattice"
	"leeway/search/local"
	"leeway/search/orbit"
)

// methods lists every search method in the order in which they run.
func methods() []search.Method {
	return append([]search.Method{family.Method{}, lattice.Method{}, orbit.New(), local.Method{}, genetic.Method{}}, engineList()...)
}

// searchMethods are the methods that search runs by default.
const searchMethods = "family,lattice,local,genetic"

func methodNames() []string {
	var names []string
	for _, m := range methods() {
		names = append(names, m.Name())
	}
	return names
}

// pickMethods reads a list of method names and refuses those that cannot treat
// the problem.
func pickMethods(list string, p objective.Problem) ([]search.Method, error) {
	var picked []search.Method
	for _, name := range strings.Split(list, ",") {
		i := slices.Index(methodNames(), name)
		if i < 0 {
			return nil, &usageError{err: usagef("--methods %q: unknown method %q", list, name), hint: "methods are " + strings.Join(methodNames(), ", ")}
		}
		m := methods()[i]
		if slices.ContainsFunc(picked, func(have search.Method) bool { return have.Name() == name }) {
			return nil, usagef("--methods %q: method %q stands twice", list, name)
		}
		if err := m.Supports(p); err != nil {
			return nil, err
		}
		picked = append(picked, m)
	}
	return picked, nil
}
