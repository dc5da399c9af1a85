// Package learn proves that no placement of a size has E_max below a value on tori and meshes of two dimensions, and
// writes the proof as steps (docs/steps.md). It looks for a placement by bounds on the counts of sets and learns from
// each conflict which of them cannot hold together: a lemma.
package learn

import (
	"context"
	"encoding/binary"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/search"
	"leeway/search/flows"
)

// Name is that of the engine.
const Name = "learn"

// A PlacementError says that there is no refutation: a placement answers the question.
type PlacementError struct{ Placement core.Placement }

func (e *PlacementError) Error() string { return "a placement is below the value" }

// mostNodes bounds the nodes, for all pairs of which there are tables.
const mostNodes = 1 << 9

// Refutes returns nil for problems that Refute takes, else an *search.UnsupportedError: tori and meshes of two
// dimensions where paths go along one dimension after the other.
func Refutes(p objective.Problem) error {
	t := p.Torus()
	_, requests := p.Routing.(*routing.Orders)
	_, replies := p.ReplyRouting().(*routing.Orders)
	switch {
	case !requests || !replies:
		return search.Unsupported(Name, p, "its paths do not go along one dimension after the other")
	case !t.HasDimensions() || t.D() != 2 || !t.Separable() || min(t.Side(0), t.Side(1)) < 2:
		return search.Unsupported(Name, p, "the network is not a torus or mesh of two dimensions")
	case t.N() > mostNodes:
		return search.Unsupported(Name, p, "the network has %d nodes; the most is %d", t.N(), mostNodes)
	case p.Distance > 0:
		return search.Unsupported(Name, p, "it knows nothing of distances")
	case p.Routing.Denominator() == nil || p.Denominator().BitLen() > 40:
		return search.Unsupported(Name, p, "the denominator of its loads is too large")
	}
	return nil
}

// A refuter writes one proof.
type refuter struct {
	solver
	to      *steps.Writer
	problem objective.Problem
	torus   *core.Torus
	flows   *flows.Table
	limits  []int64
	numbers map[string]int // of sets, by their nodes
	dims    [2]*dimension
	cases
}

// Refute writes, as steps, that no placement of a problem has E_max below a value, when its search is over. Errors are
// *search.UnsupportedError, *PlacementError, those of writing and the context's, and one for lemmas of more than 1 GiB.
// Cost: some 0.3 ms and 2 kB a conflict on 8x8.
func Refute(ctx context.Context, p objective.Problem, below *big.Rat, to *steps.Writer) error {
	if err := Refutes(p); err != nil {
		return err
	}
	table, err := flows.New(ctx, p)
	if err != nil {
		return err
	}
	r := &refuter{to: to, problem: p, torus: p.Torus(), flows: table, limits: table.Limits(p.Torus(), below, false),
		numbers: map[string]int{}}
	if err := r.model(ctx); err != nil {
		return err
	}
	if !r.begin() {
		to.Crossed()
		return to.Flush()
	}
	if err := r.prove(ctx); err != nil {
		return err
	}
	r.write()
	return to.Flush()
}

// set returns the number of a set of nodes, which it defines if there is none yet, as the sum of them if that is asked.
func (r *refuter) set(nodes []int, sum bool) int {
	slices.Sort(nodes)
	if number, ok := r.numbers[keyOf(nodes)]; ok {
		return number
	}
	number := int(r.to.Set(nodes))
	if r.add(nodes, 0, len(nodes)); sum {
		r.addSum(number, nodeSets(nodes), nil)
	}
	return number
}

// add adds a set of nodes that has a number already.
func (r *refuter) add(nodes []int, least, most int) {
	key := keyOf(nodes)
	if _, there := r.numbers[key]; !there {
		r.numbers[key] = r.sets()
	}
	r.addSet(least, most)
}

func keyOf(nodes []int) string {
	var key []byte
	for _, v := range nodes {
		key = binary.AppendUvarint(key, uint64(v))
	}
	return string(key)
}

func nodeSets(nodes []int) (list []int) {
	for _, v := range nodes {
		list = append(list, int(steps.Node(v)))
	}
	return list
}

// declare says that a set is the sum of others, each as often as times says, once for nil.
func (r *refuter) declare(whole int, parts []int, times []int64) {
	sets, numbers := make([]steps.Set, len(parts)), make([]int, len(parts))
	for i, p := range parts {
		sets[i], numbers[i] = steps.Set(p), 1
		if times != nil {
			numbers[i] = int(times[i])
		}
	}
	r.to.Sum(steps.Set(whole), sets, numbers)
	r.addSum(whole, parts, times)
}

// model has the sets, the rows and the forms of the question.
func (r *refuter) model(ctx context.Context) error {
	t, p := r.torus, r.problem
	r.add(core.Range(t.N()), p.Size, p.Size)
	for v := range t.N() {
		least, most := 0, 1
		if p.MustHave(v) {
			least = 1
		}
		if !p.MayHave(v) {
			most = 0
		}
		r.add([]int{v}, least, most)
	}
	if p.Radius > 0 {
		for _, nodes := range p.Balls(p.Radius) {
			r.add(nodes, 1, len(nodes))
			r.addSum(r.sets()-1, nodeSets(nodes), nil)
		}
	}
	if p.Traffic.Clients() {
		r.addClients()
	}
	for s := range r.dims {
		r.dims[s] = r.newDimension(s)
	}
	if p.Traffic.Clients() {
		r.spreadClients()
	} else if err := r.addLoads(); err != nil {
		return err
	}
	return r.chooseKeys(ctx)
}
