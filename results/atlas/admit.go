package atlas

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"runtime"
	"slices"
	"strconv"

	"leeway/core"
	"leeway/core/parallel"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/store"
)

// An entry is what a source holds of a problem, before it is looked at.
type entry struct {
	torus, routing string
	size           int
	record         *results.Record // nil where there is none
	text           []byte          // the record's JSON, read if record is nil
	bound, reason  string          // a lower bound besides that of the record; "" if there is none
	fault          string          // what is wrong with it anyway; "" if nothing is known
}

// Limits of what is computed again when a record comes in: more would take long.
const (
	maxLinks = 1 << 21
	maxPairs = 1 << 22
)

// chunk is how many entries of one torus and routing a worker takes at once.
const chunk = 256

// admit looks at entries, side by side, and returns their cells in the same order.
// Neighbours in the list share what torus and routing give.
func admit(entries []entry) []*Cell {
	cells := make([]*Cell, len(entries))
	var starts []int
	for i := range entries {
		if n := len(starts); n == 0 || i-starts[n-1] >= chunk || entries[i].torus != entries[i-1].torus || entries[i].routing != entries[i-1].routing {
			starts = append(starts, i)
		}
	}
	parallel.Each(context.Background(), runtime.GOMAXPROCS(0), len(starts), func(j int) {
		end := len(entries)
		if j+1 < len(starts) {
			end = starts[j+1]
		}
		d := newDoorman(entries[starts[j]])
		for i := starts[j]; i < end; i++ {
			cells[i] = d.cell(&entries[i])
		}
	})
	return cells
}

// A doorman looks at the entries of one torus and routing.
type doorman struct {
	torus     *core.Torus
	routing   routing.Routing      // nil where every record has a table of its own: the routing is free
	evaluator *objective.Evaluator // of routing
	problem   string               // why there are no cells, "" if all is well
	names     []candidate
	families  map[int][]Family // by size
}

func newDoorman(e entry) *doorman {
	d := &doorman{families: map[int][]Family{}}
	t, err := core.ParseTorus(e.torus)
	if err == nil && t.M() > maxLinks {
		err = fmt.Errorf("torus %s has more than %d links, too many for the atlas", t, maxLinks)
	}
	var r routing.Routing
	free := false
	if err == nil {
		d.torus = t
		if _, free, err = routing.ParseFree(e.routing); !free {
			r, err = routing.Parse(t, e.routing)
		}
	}
	if err != nil {
		d.problem = err.Error()
		return d
	}
	if free {
		return d
	}
	d.routing, d.evaluator, d.names = r, objective.NewEvaluator(r), candidates(t)
	return d
}

// cell returns the cell of an entry.
func (d *doorman) cell(e *entry) *Cell {
	c := &Cell{Routing: e.routing, Size: e.size, Status: Wrong, Families: []Family{}}
	if d.torus != nil {
		c.Torus = d.torus.Dims()
	}
	if d.problem == "" {
		c.Twin = store.Twin(c.Torus, c.Routing)
		c.Fault = d.take(c, e)
	} else {
		c.Fault = d.problem
	}
	if c.Fault != "" { // nothing of what is wrong is shown
		*c = Cell{Torus: c.Torus, Routing: c.Routing, Size: c.Size, Status: Wrong, Families: c.Families, Twin: c.Twin, Fault: c.Fault}
	}
	return c
}

// take fills a cell in and says what is wrong with its entry, "" if nothing is.
func (d *doorman) take(c *Cell, e *entry) string {
	if e.size < 1 || e.size > d.torus.N() {
		return fmt.Sprintf("the size lies outside 1..%d", d.torus.N())
	}
	if e.fault != "" {
		return e.fault
	}
	c.Families = d.named(e.size)
	r := e.record
	if r == nil && e.text != nil {
		read, err := results.ReadRecord(e.text)
		if err != nil {
			return "the record cannot be read: " + err.Error()
		}
		r, e.record = &read, &read
	}
	c.Status, c.LowerBound, c.BoundReason = Bounded, e.bound, e.reason
	if r != nil {
		if problem := d.wrong(r, e); problem != "" {
			return problem
		}
		c.MaxLoad, c.Status, c.Proof = r.MaxLoad, r.Status, r.Proof
		c.Method, c.Seed, c.Found = r.FoundBy.Method, r.FoundBy.Seed, r.Started
		if r.Orbits != nil && r.Labelled != nil {
			c.Optima, c.Labelled = *r.Orbits, strconv.FormatInt(*r.Labelled, 10)
		}
		if own, _ := fraction(r.LowerBound); e.bound == "" || own.Cmp(mustFraction(e.bound)) >= 0 {
			c.LowerBound, c.BoundReason = r.LowerBound, r.BoundReason
		}
	}
	c.SHA256 = contentHash(c, r)
	return ""
}

// mustFraction reads a fraction that the program itself has written.
func mustFraction(text string) *big.Rat {
	if v, ok := fraction(text); ok {
		return v
	}
	return new(big.Rat)
}

// wrong says what is wrong with a record, "" if nothing is. Its loads are computed again
// by the quick exact evaluator; its proof is only compared with what it is for.
func (d *doorman) wrong(r *results.Record, e *entry) string {
	load, ok := fraction(r.MaxLoad)
	lower, okLower := fraction(r.LowerBound)
	switch {
	case !slices.Equal(r.Torus, d.torus.Dims()) || cmp.Or(r.RoutingChoice, r.Routing) != e.routing || r.Size != e.size:
		return fmt.Sprintf("the record is about %s", keyOfRecord(*r))
	case d.routing == nil && r.Routing != results.TableRouting:
		return fmt.Sprintf("routing %q is no table, to which a free routing comes in the end", r.Routing)
	case d.routing != nil && r.Routing != d.routing.String():
		return fmt.Sprintf("routing %q is not in canonical form, which is %q", r.Routing, d.routing)
	case r.ClaimSHA256 != results.ClaimSHA256(r.Torus, r.Routing, r.Nodes, r.MaxLoad):
		return "claim_sha256 does not belong to the claim"
	case !ok || !okLower:
		return "max_load or lower_bound is no fraction"
	case (r.Status == Optimal) != (r.Proof != nil) || r.Status != Optimal && r.Status != Feasible:
		return fmt.Sprintf("status %q does not go with what there is of a proof", r.Status)
	case lower.Cmp(load) > 0:
		return fmt.Sprintf("lower_bound %s is above max_load %s", r.LowerBound, r.MaxLoad)
	case r.Proof != nil && (lower.Cmp(load) != 0 || proofValue(r.Proof) != r.MaxLoad):
		return fmt.Sprintf("the proof is not about max_load %s", r.MaxLoad)
	case e.bound != "" && mustFraction(e.bound).Cmp(load) > 0:
		return fmt.Sprintf("max_load %s is below the lower bound %s (%s) that is stored too: one of them is wrong", r.MaxLoad, e.bound, e.reason)
	}
	return d.loadProblem(r, load)
}

// proofValue returns the value that, a proof says, nothing is below.
func proofValue(p *results.Proof) string {
	if p.Kind == results.ProofBound {
		return p.Value
	}
	return p.Below
}

// loadProblem computes E_max again.
func (d *doorman) loadProblem(r *results.Record, load *big.Rat) string {
	p, err := core.PlacementFromCoords(d.torus, r.Nodes)
	switch {
	case err != nil:
		return "nodes: " + err.Error()
	case p.Size() != r.Size:
		return fmt.Sprintf("size is %d, but there are %d nodes", r.Size, p.Size())
	case !slices.EqualFunc(p.Coords(), r.Nodes, slices.Equal):
		return "the nodes are not sorted"
	case p.Size() > maxPairs/p.Size():
		return fmt.Sprintf("more than %d ordered pairs of processors, too many for the atlas", maxPairs)
	}
	evaluator := d.evaluator
	if evaluator == nil {
		table, err := r.ReadRouting(d.torus)
		if err == nil {
			err = routing.Covers(table, p)
		}
		if err != nil {
			return "table: " + err.Error()
		}
		evaluator = objective.NewEvaluator(table)
	}
	if most, _ := evaluator.Loads(p).Max(); most.Cmp(load) != 0 {
		return fmt.Sprintf("max_load is %s, recomputed it is %s", r.MaxLoad, most.RatString())
	}
	return ""
}

// contentHash returns the hexadecimal SHA-256 of the compact JSON of what a cell says: torus,
// routing, size, nodes, max_load, lower_bound, bound_reason, status, proof with the
// slices of a census joined to one, optima and labelled; not of how it came about.
func contentHash(c *Cell, r *results.Record) string {
	var nodes [][]int
	if r != nil {
		nodes = r.Nodes
	}
	text, err := json.Marshal([]any{c.Torus, c.Routing, c.Size, nodes, c.MaxLoad, c.LowerBound, c.BoundReason, c.Status, c.Proof.Joined(1), c.Optima, c.Labelled})
	if err != nil {
		panic("atlas: numbers and text always encode")
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
