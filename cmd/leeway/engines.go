package main

import (
	"slices"
	"strings"

	"leeway/objective"
	"leeway/search"
	"leeway/search/census"
	"leeway/search/exhaustive"
	"leeway/search/family"
	"leeway/search/local"
	"leeway/search/orderly"
	"leeway/search/sat"
	"leeway/search/slabs"
)

// warmUp is how many swaps prove tries to find a good placement before an engine
// that can finish takes over; fewer where a full count takes no time, and
// where only one value is asked about.
const (
	warmUp      = 200_000
	smallWarmUp = 1000
)

// engines returns the methods of a proof: first those that find a good
// placement, then the engine that is named. With auto that is the full count on
// tori of up to 20 nodes, beyond the census engines that support the problem, side
// by side, and sat where there is none; on large tori none does, and a placement
// and the bound are left.
func (h *proving) engines(p objective.Problem, log *workLog) ([]search.Method, error) {
	list := []search.Method{family.Method{}}
	swaps := int64(warmUp)
	if h.limit != nil || exhaustive.New().Supports(p) == nil {
		swaps = smallWarmUp
	}
	if (local.Method{}).Supports(p) == nil {
		list = append(list, search.Limited{Method: local.Method{}, Evaluations: swaps})
	}
	if h.backend != "" {
		m, err := h.outside(p)
		return append(list, m), err
	}
	if h.engine == "bound" {
		return list, nil
	}
	engines := engineList()
	if h.engine == "auto" {
		for _, e := range slices.Concat(engines[:1], []search.Method{census.Method{Engines: censusEngines()}}, engines[1:]) {
			if e.Supports(p) == nil {
				return append(list, h.logged(e, log)), nil
			}
		}
		return list, nil
	}
	for _, e := range engines {
		if e.Name() == h.engine {
			return append(list, h.logged(e, log)), e.Supports(p)
		}
	}
	return nil, &usageError{err: usagef("--engine %q: unknown engine", h.engine), hint: "engines are " + strings.Join(engineNames(), ", ")}
}

// logged gives a census its log and its part.
func (h *proving) logged(m search.Method, log *workLog) search.Method {
	if c, ok := m.(census.Method); ok {
		c.Wanted, c.Below = h.part, h.limit
		if h.lead != nil {
			c.Crew = h.lead
		}
		if log != nil {
			c.Log = log
		}
		return c
	}
	return m
}

// censusEngines lists the engines that walk trees.
func censusEngines() []census.Engine {
	return []census.Engine{slabs.Margin{}, slabs.Levels{}, orderly.Engine{}}
}

// boundedEngines lists the same, with bounds on what their plans take.
func boundedEngines(kept int, steps int64) []census.Engine {
	return []census.Engine{slabs.Margin{Kept: kept, Steps: steps}, slabs.Levels{Kept: kept, Steps: steps}, orderly.Engine{}}
}

// engineList lists the engines that can finish, the full count first.
func engineList() []search.Method {
	list := []search.Method{exhaustive.New()}
	for _, e := range censusEngines() {
		list = append(list, census.Method{Engines: []census.Engine{e}})
	}
	return append(list, sat.New())
}

// engineNames returns the values of --engine.
func engineNames() []string {
	names := []string{"auto", "bound"}
	for _, engine := range engineList() {
		names = append(names, engine.Name())
	}
	return names
}
