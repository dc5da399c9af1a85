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
	"leeway/core/family"
	"leeway/core/parallel"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/compose"
	"leeway/results/store"
)

// An entry is what a source holds of a problem, before it is looked at.
type entry struct {
	texts.Key
	record        *results.Record // nil where there is none
	text          []byte          // the record's JSON, read if record is nil
	bound, reason string          // a lower bound besides that of the record; "" if there is none
	fault         string          // what is wrong with it anyway; "" if nothing is known
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
	for i, e := range entries {
		n := len(starts)
		if n == 0 || i-starts[n-1] >= chunk || e.Torus != entries[i-1].Torus || e.Routing != entries[i-1].Routing {
			starts = append(starts, i)
		}
	}
	parallel.Each(context.Background(), runtime.GOMAXPROCS(0), len(starts), func(j int) {
		end := len(entries)
		if j+1 < len(starts) {
			end = starts[j+1]
		}
		w := newSeries(entries[starts[j]].Key)
		for i := starts[j]; i < end; i++ {
			cells[i] = w.cell(&entries[i])
		}
	})
	return cells
}

// A series is what the cells of one torus or network, its conditions and a routing have in common.
type series struct {
	key       texts.Key         // of one of the cells
	base      objective.Problem // of any size, for its conditions
	torus     *core.Torus       // nil where the key names none
	routing   routing.Routing   // nil where every record has a table of its own: the routing is free
	evaluator *fast.Evaluator   // of routing
	problem   string            // why there are no cells, "" if all is well
	names     []candidate
	families  map[int][]Family // by size
}

func newSeries(k texts.Key) *series {
	w := &series{key: k, families: map[int][]Family{}}
	p, err := readSeries(k)
	if p.Routing != nil {
		w.base, w.torus = p, p.Torus()
	}
	switch {
	case err != nil:
		w.problem = err.Error()
	case p.Free == nil:
		w.routing, w.evaluator, w.names = p.Routing, fast.NewEvaluator(p), candidates(p)
	}
	return w
}

// readSeries returns a problem of the network, the conditions and the routing of a key, of one processor whatever the
// conditions say. With an error that is about the routing it has all but that.
func readSeries(k texts.Key) (objective.Problem, error) {
	on, err := texts.ParseWhere(k.Torus)
	if err == nil && on.Torus().M() > maxLinks {
		err = fmt.Errorf("torus %s has more than %d links, too many for the atlas", on.Torus(), maxLinks)
	}
	if err != nil {
		return objective.Problem{}, err
	}
	p, err := texts.ParseProblem(k.Torus, k.Routing, 1)
	if err != nil {
		var wrong error
		if p, wrong = texts.ParseProblem(k.Torus, routing.Free{}.String(), 1); wrong != nil {
			return objective.Problem{}, err
		}
	}
	if p.Where() != k.Torus { // it would take the place of another cell
		return objective.Problem{}, fmt.Errorf("%s is written %s", k.Torus, p.Where())
	}
	return p, err
}

// sizeProblem says what is wrong with the size of a cell, "" if nothing is.
func sizeProblem(p objective.Problem, size int) string {
	if least, most := p.Sizes(); size < least || size > most {
		return fmt.Sprintf("the size lies outside %d..%d", least, most)
	}
	return ""
}

// cell returns the cell of an entry.
func (w *series) cell(e *entry) *Cell {
	c := &Cell{Routing: e.Routing, Size: e.Size, Status: Wrong, Families: []Family{}}
	if w.torus != nil {
		c.Grid, c.Setting = compose.GridOf(w.torus), compose.SettingOf(w.base)
	}
	if w.problem == "" {
		c.Twin = store.Twin(w.torus, c.Routing)
		c.Fault = w.take(c, e)
	} else {
		c.Fault = w.problem
	}
	if c.Fault != "" {
		*c = c.faulty(c.Fault)
	}
	return c
}

// faulty returns the cell with a fault: nothing of what is wrong is shown.
func (c *Cell) faulty(fault string) Cell {
	return Cell{Grid: c.Grid, Setting: c.Setting, Routing: c.Routing, Size: c.Size, Status: Wrong,
		Families: c.Families, Twin: c.Twin, Fault: fault}
}

// take fills a cell in and says what is wrong with its entry, "" if nothing is.
func (w *series) take(c *Cell, e *entry) string {
	if problem := sizeProblem(w.base, e.Size); problem != "" {
		return problem
	}
	if e.fault != "" {
		return e.fault
	}
	c.Families = w.named(e.Size)
	r := e.record
	if r == nil && e.text != nil {
		read, err := results.ReadRecord(e.text)
		if err != nil {
			return "the record cannot be read: " + err.Error()
		}
		r, e.record = &read, &read
	}
	c.Status, c.LowerBound, c.BoundReason = Bounded, e.bound, e.reason
	var nodes [][]int
	var assignment [][2]int
	if r != nil {
		if problem := w.wrong(r, e); problem != "" {
			return problem
		}
		c.fill(w.torus, r)
		if e.bound != "" && mustFraction(r.LowerBound).Cmp(mustFraction(e.bound)) < 0 {
			c.LowerBound, c.BoundReason = e.bound, e.reason
		}
		nodes, assignment = r.Nodes, r.Assignment
	}
	c.SHA256 = contentHash(c, nodes, assignment)
	return ""
}

// fill takes in what a record says, whose nodes are those of a network.
func (c *Cell) fill(t *core.Torus, r *results.Record) {
	c.MaxLoad, c.LowerBound, c.BoundReason, c.Status, c.Proof = r.MaxLoad, r.LowerBound, r.BoundReason, r.Status, r.Proof
	c.Method, c.Seed, c.Found = r.FoundBy.Method, r.FoundBy.Seed, r.Started
	if r.Orbits != nil && r.Labelled != nil {
		c.Optima, c.Labelled = *r.Orbits, strconv.FormatInt(*r.Labelled, 10)
	}
	c.Credit = c.credited(r.Credit)
	c.set, _ = packNodes(t, r.Nodes)
}

// wrong says what is wrong with a record, "" if nothing is. Its loads are computed again
// by the quick exact evaluator; its proof is only compared with what it is for.
func (w *series) wrong(r *results.Record, e *entry) string {
	load, ok := fraction(r.MaxLoad)
	lower, okLower := fraction(r.LowerBound)
	switch {
	case r.Where() != w.base.Where() || cmp.Or(r.RoutingChoice, r.Routing) != e.Routing || r.Size != e.Size:
		return fmt.Sprintf("the record is about %s", compose.KeyOfRecord(*r))
	case w.routing == nil && r.Routing != results.TableRouting:
		return fmt.Sprintf("routing %q is not a table: with a free routing the record holds the table chosen", r.Routing)
	case w.routing != nil && r.Routing != w.routing.String():
		return fmt.Sprintf("routing %q is not in canonical form, which is %q", r.Routing, w.routing)
	case r.ClaimSHA256 != r.Hash():
		return "claim_sha256 does not belong to the claim"
	case !ok || !okLower:
		return "max_load or lower_bound is not a fraction"
	case (r.Status == Optimal) != (r.Proof != nil) || r.Status != Optimal && r.Status != Feasible:
		return fmt.Sprintf("status %q does not go with what there is of a proof", r.Status)
	case lower.Cmp(load) > 0:
		return fmt.Sprintf("lower_bound %s is above max_load %s", r.LowerBound, r.MaxLoad)
	case r.Proof != nil && (lower.Cmp(load) != 0 || r.Proof.Below != r.MaxLoad):
		return fmt.Sprintf("the proof is not about max_load %s", r.MaxLoad)
	case e.bound != "" && mustFraction(e.bound).Cmp(load) > 0:
		return fmt.Sprintf("max_load %s is below the lower bound %s (%s) that is stored too: one of them is wrong",
			r.MaxLoad, e.bound, e.reason)
	}
	return w.loadProblem(r, load)
}

// loadProblem computes E_max again.
func (w *series) loadProblem(r *results.Record, load *big.Rat) string {
	p, err := r.Placement(w.torus, r.Nodes)
	switch {
	case err != nil:
		return "nodes: " + err.Error()
	case p.Size() != r.Size:
		return fmt.Sprintf("size is %d, but there are %d nodes", r.Size, p.Size())
	case w.base.Traffic.Matrix != nil && !w.base.Admits(p):
		return "assignment: " + w.base.Refusal(p)
	case !slices.EqualFunc(p.Coords(), r.Nodes, slices.Equal):
		return "the nodes are not sorted"
	case !w.base.Admits(p):
		return "the nodes do not keep to the fixed and forbidden ones"
	case p.Size() > maxPairs/p.Size():
		return fmt.Sprintf("more than %d ordered pairs of processors, too many for the atlas", maxPairs)
	}
	evaluator := w.evaluator
	if evaluator == nil {
		table, err := r.ReadRouting(w.torus)
		if err == nil {
			err = routing.Covers(table, p)
		}
		if err != nil {
			return "table: " + err.Error()
		}
		evaluator = fast.NewEvaluator(objective.Problem{Routing: table})
	}
	if most, _ := evaluator.Loads(p).Max(); most.Cmp(load) != 0 {
		return fmt.Sprintf("max_load is %s, recomputed it is %s", r.MaxLoad, most.RatString())
	}
	return ""
}

// contentHash returns the hexadecimal SHA-256 of the compact JSON of what a cell says: torus,
// routing, size, nodes, max_load, lower_bound, bound_reason, status, proof, optima
// and labelled, and at the end the key's torus where that is more than sides, and where tasks are; not of how it came
// about.
func contentHash(c *Cell, nodes [][]int, assignment [][2]int) string {
	items := []any{c.Torus, c.Routing, c.Size, nodes, c.MaxLoad, c.LowerBound, c.BoundReason, c.Status, c.Proof, c.Optima,
		c.Labelled}
	if c.Network != "" || c.Traffic != "" || c.Conditioned() {
		items = append(items, c.Where())
	}
	if assignment != nil {
		items = append(items, assignment)
	}
	text, err := json.Marshal(items)
	if err != nil {
		panic("atlas: numbers and text always encode")
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// proposed returns the placement that the source papers propose for a cell, "" if there is none.
func proposed(k texts.Key, t *core.Torus) string {
	if _, ok := family.Proposed(k.Torus, k.Routing, k.Size); !ok {
		return ""
	}
	text, _ := family.Baseline(t, k.Size)
	return text
}

// named returns the placements with a name that have n processors and keep to the conditions, with their E_max: linear
// and multilinear on equal sides, their spaced relatives, the same modulo one of the sides on others,
// and with client traffic the placements of controllers of the literature.
func (w *series) named(n int) []Family {
	if list, ok := w.families[n]; ok {
		return list
	}
	list := []Family{}
	if w.routing == nil {
		return list // no placement has a load before its table is known
	}
	baseline := proposed(texts.Key{Torus: w.key.Torus, Routing: w.key.Routing, Size: n}, w.torus)
	for _, c := range w.names {
		if c.size != n || n > maxPairs/n {
			continue
		}
		p, err := family.Parse(w.torus, c.text)
		if err != nil || p.Size() != n || !w.base.Admits(p) {
			continue
		}
		most, _ := w.evaluator.Loads(p).Max()
		list = append(list, Family{Placement: c.text, MaxLoad: results.FormatFraction(most), Papers: c.text == baseline})
	}
	w.families[n] = list
	return list
}

// A candidate is a placement with a name and the number of its nodes.
type candidate struct {
	text string
	size int
}

// candidates lists the placements with a name for a problem of any size, with client traffic those of the literature,
// too. The last is full, which has a name of its own but on equal sides is multilinear.
func candidates(p objective.Problem) []candidate {
	var list []candidate
	t := p.Torus()
	if p.Traffic.Clients() {
		for n := range t.N() {
			for _, text := range family.Planar(t, n) {
				list = append(list, candidate{text, n})
			}
		}
	}
	if k, ok := t.Common(); ok {
		list = append(list, classes(k, t.N()/k, "")...)
	} else {
		sides := t.Dims()
		slices.Sort(sides)
		for _, m := range slices.Compact(sides) {
			list = append(list, classes(m, t.N()/m, fmt.Sprintf(":m=%d", m))...)
		}
	}
	return append(list, candidate{"full", t.N()})
}

// classes lists linear, multilinear and spaced placements modulo m, which is a side: every residue has as many nodes.
func classes(m, each int, modulus string) []candidate {
	list := []candidate{{"linear" + modulus, each}}
	for t := 2; t <= m; t++ {
		list = append(list, candidate{fmt.Sprintf("multilinear:t=%d%s", t, modulus), t * each})
		if t < m {
			list = append(list, candidate{fmt.Sprintf("spaced:t=%d%s", t, modulus), t * each})
		}
	}
	return list
}
