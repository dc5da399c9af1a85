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

// splitTime bounds how long a request waits for a split.
const splitTime = 10 * time.Second

// A splitCache keeps splits that were computed.
type splitCache struct {
	mu   sync.Mutex
	list map[string]splitBody // by content hash of the cell
	busy sync.Mutex           // one is computed at a time: it takes a core
}

// maxSplits is how many splits are kept.
const maxSplits = 512

// split returns the split of a cell with a record. Its effort is bounded by the
// options, so that it is the same each time unless the context ends.
func (s *Site) split(ctx context.Context, d atlas.Detail) (splitBody, error) {
	s.splits.mu.Lock()
	have, ok := s.splits.list[d.SHA256]
	s.splits.mu.Unlock()
	if ok {
		return have, nil
	}
	s.splits.busy.Lock()
	defer s.splits.busy.Unlock()
	p, _, err := loadsOf(d)
	if err != nil {
		return splitBody{}, err
	}
	body, err := s.newSplit(ctx, d, p)
	if err != nil || ctx.Err() != nil {
		return body, err
	}
	s.splits.mu.Lock()
	defer s.splits.mu.Unlock()
	if s.splits.list == nil || len(s.splits.list) >= maxSplits {
		s.splits.list = map[string]splitBody{}
	}
	s.splits.list[d.SHA256] = body
	return body, nil
}

func (s *Site) newSplit(ctx context.Context, d atlas.Detail, p core.Placement) (splitBody, error) {
	body := splitBody{Routing: d.Routing, MaxLoad: d.MaxLoad}
	if n := p.Size(); n*n > maxSplitPairs {
		body.Problem = fmt.Sprintf("%d processors are too many to work it out here; the command leeway explain has no such limit", n)
		return body, nil
	}
	limited, cancel := context.WithTimeout(ctx, splitTime)
	defer cancel()
	e, err := explain.Of(limited, p, s.options.Split)
	if err != nil {
		body.Problem = err.Error()
		return body, nil
	}
	body.Explanation = e
	for _, name := range explain.Routings {
		body.Rows = append(body.Rows, splitRow{Routing: name, MaxLoad: e.MaxLoad[name], Lost: e.LostToRouting[name], Own: canonical(p.Torus(), name) == d.Routing})
	}
	body.shares()
	return body, nil
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
