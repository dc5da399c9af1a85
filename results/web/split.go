package web

import (
	"context"
	"fmt"
	"math/big"
	"sync"
	"time"

	"leeway/core"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/explain"
)

// splitBody says what is lost to the placement and what to the routing.
type splitBody struct {
	explain.Explanation
	Routing string
	Rows    []splitRow
	// Parts of the load of the cell's own routing, in hundredths, for the bar.
	Free, Placement, Way int
	MaxLoad              string // under the cell's own routing
	Problem              string // "" or why there is no answer
}

// WayStart returns where the part of the routing begins in the bar.
func (b splitBody) WayStart() int { return b.Free + b.Placement }

// A splitRow is one routing of the comparison.
type splitRow struct {
	Routing, MaxLoad, Lost string
	Own                    bool
}

// maxSplitPairs is how many ordered pairs of processors a split is computed for.
const maxSplitPairs = 1 << 14

// splitTime bounds how long a request waits for a split, unless the options say otherwise.
const splitTime = 10 * time.Second

// A splitCache keeps what was computed about placements.
type splitCache struct {
	mu   sync.Mutex
	list map[string]explain.Explanation // by torus and nodes
	busy sync.Mutex                     // one is computed at a time: it takes a core
}

// maxSplits is how many placements are kept.
const maxSplits = 512

func (c *splitCache) find(placement string) (explain.Explanation, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.list[placement]
	return e, ok
}

func (c *splitCache) keep(placement string, e explain.Explanation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.list == nil || len(c.list) >= maxSplits {
		c.list = map[string]explain.Explanation{}
	}
	c.list[placement] = e
}

// split returns the split of a cell with a record. Its effort is bounded by the
// options, so that it is the same each time unless the context ends.
func (s *Site) split(ctx context.Context, d atlas.Detail) (splitBody, error) {
	p, err := placementOf(d)
	if err != nil {
		return splitBody{}, err
	}
	body := splitBody{Routing: d.Routing, MaxLoad: d.MaxLoad}
	if n := p.Size(); n*n > maxSplitPairs {
		body.Problem = fmt.Sprintf("%d processors are too many to work it out here; the command leeway explain has no such limit", n)
		return body, nil
	}
	body.Explanation, err = s.explain(ctx, p, d.Key().Torus+" "+nodesText(d.Record.Nodes))
	if err != nil {
		body.Problem = err.Error()
		return body, nil
	}
	for _, name := range explain.Routings {
		body.Rows = append(body.Rows, splitRow{Routing: name, MaxLoad: body.Explanation.MaxLoad[name], Lost: body.LostToRouting[name], Own: canonical(p.Torus(), name) == d.Routing})
	}
	body.shares()
	return body, nil
}

// explain returns the parts of a placement, under a name for it by which they are kept.
func (s *Site) explain(ctx context.Context, p core.Placement, name string) (explain.Explanation, error) {
	if have, ok := s.splits.find(name); ok {
		return have, nil
	}
	s.splits.busy.Lock()
	defer s.splits.busy.Unlock()
	if have, ok := s.splits.find(name); ok {
		return have, nil
	}
	limited, cancel := context.WithTimeout(ctx, s.options.SplitTime)
	defer cancel()
	e, err := explain.Parts(limited, p, s.options.Split)
	if err == nil && limited.Err() == nil {
		s.splits.keep(name, e)
	}
	return e, err
}

// shares cuts the load of the cell's own routing into its parts.
func (b *splitBody) shares() {
	most, errMost := results.ParseFraction(b.MaxLoad)
	free, errFree := results.ParseFraction(b.PlacementFree.Value)
	best, errBest := results.ParseFraction(b.BestMinimal.Upper)
	if errMost != nil || errFree != nil || errBest != nil || most.Sign() == 0 {
		return
	}
	part := func(v *big.Rat) int {
		x, _ := new(big.Rat).Quo(v, most).Float64()
		return min(100, int(100*x+0.5))
	}
	b.Free = part(free)
	b.Placement = max(0, part(best)-b.Free)
	b.Way = 100 - b.Free - b.Placement
}

// splitPage is the split as a page of its own, which the page of the cell takes in
// where scripts run.
func (s *Site) splitPage(ctx context.Context, d atlas.Detail) (document, error) {
	if d.Record == nil {
		return document{}, ErrNotFound
	}
	body, err := s.split(ctx, d)
	if err != nil {
		return document{}, err
	}
	k := d.Key()
	trail := []crumb{{k.Torus, torusAddress(k.Torus)}, {k.Routing, frontierAddress(k.Torus, k.Routing, 1)}, {plural(k.Size, "processor", "processors"), cellAddress(k, pageEnding)}}
	return s.render("split", cellAddress(k, splitEnding), "Lost to placement and to routing", trail, body)
}
