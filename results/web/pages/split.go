package pages

import (
	"context"
	"fmt"
	"math/big"
	"sync"
	"time"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective/congestion"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/explain"
	"leeway/results/picture"
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

// Splits works out what is lost to placements and routings, and keeps what it has worked out.
type Splits struct {
	Effort congestion.Options
	Time   time.Duration // a request waits for at most; what is known then is shown

	busy sync.Mutex // one is computed at a time: it takes a core
	mu   sync.Mutex
	list map[string]explain.Explanation // by torus and nodes
}

// maxSplits is how many placements are kept.
const maxSplits = 512

func (c *Splits) find(placement string) (explain.Explanation, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.list[placement]
	return e, ok
}

func (c *Splits) keep(placement string, e explain.Explanation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.list == nil || len(c.list) >= maxSplits {
		c.list = map[string]explain.Explanation{}
	}
	c.list[placement] = e
}

// split returns the split of a cell with a record, where all processors send to all. Its effort is bounded, so
// that it is the same each time unless the context ends.
func (c *Splits) split(ctx context.Context, d atlas.Detail) (splitBody, error) {
	_, p, err := placementOf(d)
	if err != nil {
		return splitBody{}, err
	}
	body := splitBody{Routing: d.Routing, MaxLoad: d.MaxLoad}
	if n := p.Size(); n*n > maxSplitPairs {
		body.Problem = fmt.Sprintf(
			"%d processors are too many to work it out here; the command leeway explain has no such limit", n)
		return body, nil
	}
	body.Explanation, err = c.explain(ctx, p, d.Text()+" "+core.JoinNodes(d.Record.Nodes))
	if err != nil {
		body.Problem = err.Error()
		return body, nil
	}
	for _, name := range explain.Routings {
		body.Rows = append(body.Rows, splitRow{Routing: name, MaxLoad: body.Explanation.MaxLoad[name],
			Lost: body.LostToRouting[name], Own: isRouting(p.Torus(), name, d.Routing) || isRouting(p.Torus(), name, d.Twin)})
	}
	body.cut()
	return body, nil
}

// isRouting reports whether a text names a routing that is written so in full.
func isRouting(t *core.Torus, text, full string) bool {
	r, err := routing.Parse(t, text)
	return err == nil && r.String() == full
}

// explain returns the parts of a placement, under a name for it by which they are kept.
func (c *Splits) explain(ctx context.Context, p core.Placement, name string) (explain.Explanation, error) {
	if have, ok := c.find(name); ok {
		return have, nil
	}
	c.busy.Lock()
	defer c.busy.Unlock()
	if have, ok := c.find(name); ok {
		return have, nil
	}
	limited, cancel := context.WithTimeout(ctx, c.Time)
	defer cancel()
	e, err := explain.Parts(limited, p, c.Effort)
	if err == nil && limited.Err() == nil {
		c.keep(name, e)
	}
	return e, err
}

// cut divides the load of the cell's own routing into its parts.
func (b *splitBody) cut() {
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

// Page is the split as a page of its own, which the page of the cell takes in where scripts run.
func (c *Splits) Page(ctx context.Context, d atlas.Detail) (Page, error) {
	if d.Record == nil || d.Traffic != "" {
		return Page{}, ErrNotFound // its parts are those of all-to-all traffic
	}
	body, err := c.split(ctx, d)
	if err != nil {
		return Page{}, err
	}
	k := d.Key()
	trail := []crumb{{picture.Shown(k.Torus), TorusAddress(k.Torus)}, {k.Routing, FrontierAddress(k.Torus, k.Routing, 1)},
		{plural(k.Size, "processor", "processors"), CellAddress(k)}}
	return newPage("split", fileAddress(k, SplitEnding), "Lost to placement and to routing", trail, body), nil
}
