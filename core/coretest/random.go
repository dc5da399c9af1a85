// Package coretest holds seeded random instances. Only tests import it.
package coretest

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
)

// An Instance is a torus with a routing and a placement, small enough for the
// naive evaluator.
type Instance struct {
	Torus     *core.Torus
	Routing   routing.Routing
	Placement core.Placement
}

// String spells the instance so that a failure can be repeated.
func (i Instance) String() string {
	return fmt.Sprintf("--torus %s --routing %s, nodes %v", i.Torus, i.Routing, i.Placement.Nodes())
}

// Rng returns the generator of case number i of a test with the given seed.
func Rng(seed, i int) *rand.Rand { return rand.New(rand.NewPCG(uint64(seed), uint64(i))) }

// Torus returns a random torus of 1 to 5 dimensions, mixed sides, many of them
// 2, with at most maxNodes nodes.
func Torus(rng *rand.Rand, maxNodes int) *core.Torus {
	for {
		dims := make([]int, 1+rng.IntN(5))
		nodes := 1
		for j := range dims {
			dims[j] = 2 + rng.IntN(7)
			if rng.IntN(4) == 0 {
				dims[j] = 2
			}
			nodes *= dims[j]
		}
		if nodes <= maxNodes {
			return core.MustTorus(dims...)
		}
	}
}

// Network returns a random torus as Torus does, mostly with some dimensions open and some bandwidths above 1.
func Network(rng *rand.Rand, maxNodes int) *core.Torus { return Opened(rng, Torus(rng, maxNodes)) }

// AnyNetwork returns a random network with dimensions as Network does, or, one time in three, as Twisted does.
func AnyNetwork(rng *rand.Rand, maxNodes int) *core.Torus {
	if rng.IntN(3) == 0 {
		return Twisted(rng, maxNodes)
	}
	return Network(rng, maxNodes)
}

// Any returns a random network as AnyNetwork does, or, one time in three, as Given does.
func Any(rng *rand.Rand, maxNodes int) *core.Network {
	if rng.IntN(3) == 0 {
		return Given(rng, maxNodes)
	}
	return AnyNetwork(rng, maxNodes)
}

// Opened returns the torus with random dimensions open and, as often as not, random bandwidths of 1 to 4.
func Opened(rng *rand.Rand, t *core.Torus) *core.Torus {
	var open []int
	for j := range t.D() {
		if rng.IntN(2) == 0 {
			open = append(open, j)
		}
	}
	var bandwidth []int
	if rng.IntN(2) == 0 {
		for range t.D() {
			bandwidth = append(bandwidth, 1+rng.IntN(4))
		}
	}
	return Must(t.WithLinks(open, bandwidth))
}

// Twisted returns a random twisted torus of two or three dimensions with at most maxNodes nodes, some of them with
// sides of 1, and as often as not with bandwidths.
func Twisted(rng *rand.Rand, maxNodes int) *core.Torus {
	for {
		d := 2 + rng.IntN(2)
		sides, shifts := make([]int, d), make([][]int, d)
		for j := range sides {
			sides[j], shifts[j] = 1+rng.IntN(6), make([]int, d)
		}
		for i, order := 0, rng.Perm(d); i < d; i++ {
			for _, j := range order[i+1:] {
				shifts[order[i]][j] = rng.IntN(sides[j])
			}
		}
		if t, err := core.NewTwisted(sides, shifts); err == nil && t.Twisted() && t.N() <= maxNodes {
			if rng.IntN(2) == 0 {
				return t
			}
			bandwidth := make([]int, d)
			for j := range bandwidth {
				bandwidth[j] = 1 + rng.IntN(3)
			}
			return Must(t.WithLinks(nil, bandwidth))
		}
	}
}

// Given returns a random connected network from a list of links, a tree with more edges, some of them parallel, and as
// often as not with bandwidths of 1 to 4.
func Given(rng *rand.Rand, maxNodes int) *core.Network {
	n := 2 + rng.IntN(maxNodes-1)
	most, numbers := 1+3*rng.IntN(2), rng.Perm(n)
	var edges []core.Edge
	join := func(a, b int) {
		edges = append(edges, core.Edge{A: numbers[a], B: numbers[b], Bandwidth: 1 + rng.IntN(most)})
	}
	for v := 1; v < n; v++ {
		join(rng.IntN(v), v)
	}
	for range rng.IntN(2 * n) {
		if a, b := rng.IntN(n), rng.IntN(n); a != b {
			join(a, b)
		}
	}
	return Must(core.NewGiven(n, nil, edges))
}

// Listed returns the same network as a list of links, with the coordinates of the nodes as names.
func Listed(t *core.Torus) *core.Network {
	var names []string
	for v := range t.N() {
		names = append(names, t.NodeText(v))
	}
	return Must(core.NewGiven(t.N(), names, t.Edges()))
}

// Tie returns one of the tie rules.
func Tie(rng *rand.Rand) routing.Tie {
	if rng.IntN(2) == 0 {
		return routing.TiePlus
	}
	return routing.TieBoth
}

// Orders returns a random dimension-ordered routing: odr, udr or a set of
// orders.
func Orders(rng *rand.Rand, t *core.Torus) *routing.Orders {
	tie := Tie(rng)
	switch rng.IntN(3) {
	case 0:
		return Must(routing.NewODR(t, rng.Perm(t.D()), tie))
	case 1:
		return routing.NewUDR(t, tie)
	default:
		var list [][]int
		for range 1 + rng.IntN(4) {
			list = append(list, rng.Perm(t.D()))
		}
		return Must(routing.NewOrders(t, list, tie))
	}
}

// Routing returns a random routing of any family that the network has.
func Routing(rng *rand.Rand, t *core.Torus) routing.Routing {
	if !t.HasDimensions() {
		return routing.NewMinimal(t, routing.TieBoth)
	}
	switch rng.IntN(6) {
	case 0:
		return routing.NewMinimal(t, Tie(rng))
	case 1:
		return routing.NewAvoid(t, Tie(rng))
	case 2:
		return Legs(rng, t)
	default:
		return Orders(rng, t)
	}
}

// Legs returns a random routing of two legs that the torus has, some of them with longer paths than the shortest.
func Legs(rng *rand.Rand, t *core.Torus) *routing.Legs {
	for {
		rules := routing.Rules()
		if r, err := routing.NewLegs(t, rules[rng.IntN(len(rules))], Tie(rng)); err == nil {
			return r
		}
	}
}

// Table returns a random table on t, by ordered pair or by displacement: every
// entry has a few of the paths that correct one dimension after the other.
func Table(rng *rand.Rand, t *core.Torus, byPair bool) *routing.Table {
	var entries []routing.TableEntry
	starts := 1
	if byPair {
		starts = t.N()
	}
	for from := range starts {
		for to := range t.N() {
			if from != to {
				entries = append(entries, routing.TableEntry{From: from, To: to, Paths: tablePaths(rng, t, from, to)})
			}
		}
	}
	return Must(routing.NewTable(t, byPair, entries))
}

// tablePaths draws up to four distinct paths.
func tablePaths(rng *rand.Rand, t *core.Torus, from, to int) []routing.TablePath {
	var list []routing.TablePath
	for range 1 + rng.IntN(4) {
		var p routing.TablePath
		vectors := t.Vectors(from, to, true)
		vector := vectors[rng.IntN(len(vectors))]
		for _, j := range rng.Perm(t.D()) {
			if vector[j] != 0 {
				p.Order, p.Steps = append(p.Order, j), append(p.Steps, vector[j])
			}
		}
		if !slices.ContainsFunc(list, func(o routing.TablePath) bool { return o.Compare(p) == 0 }) {
			list = append(list, p)
		}
	}
	return list
}

// WeightedEntries returns a random table of weighted paths of all pairs: paths that walk anywhere without a node twice,
// with random shares.
func WeightedEntries(rng *rand.Rand, t *core.Network) []routing.WeightedEntry {
	next := map[int][]int{}
	for _, e := range t.Edges() {
		next[e.A], next[e.B] = append(next[e.A], e.B), append(next[e.B], e.A)
	}
	var walk func(path []int, to int) []int
	walk = func(path []int, to int) []int {
		last := path[len(path)-1]
		if last == to {
			return path
		}
		for _, i := range rng.Perm(len(next[last])) {
			seen := false
			for _, v := range path {
				seen = seen || v == next[last][i]
			}
			if !seen {
				if found := walk(append(path[:len(path):len(path)], next[last][i]), to); found != nil {
					return found
				}
			}
		}
		return nil
	}
	var entries []routing.WeightedEntry
	for from := range t.N() {
		for to := range t.N() {
			if from == to {
				continue
			}
			e, known, left := routing.WeightedEntry{From: from, To: to}, map[string]bool{}, big.NewRat(1, 1)
			for i := range 1 + rng.IntN(3) {
				path := walk([]int{from}, to)
				if known[fmt.Sprint(path)] {
					continue
				}
				known[fmt.Sprint(path)] = true
				share := new(big.Rat).Mul(left, big.NewRat(int64(1+rng.IntN(3)), 4))
				left.Sub(left, share)
				if e.Paths = append(e.Paths, routing.WeightedPath{Nodes: path, Share: share}); i == 2 {
					break
				}
			}
			last := e.Paths[len(e.Paths)-1]
			last.Share.Add(last.Share, left)
			entries = append(entries, e)
		}
	}
	return entries
}

// pathOf returns a path in the words of a table: the links go along one dimension after the other.
func pathOf(t *core.Torus, links []core.Link) (p routing.TablePath) {
	for _, l := range links {
		_, port := t.LinkFrom(l)
		n := len(p.Order)
		if n == 0 || p.Order[n-1] != port.Dim {
			p.Order, p.Steps, n = append(p.Order, port.Dim), append(p.Steps, 0), n+1
		}
		p.Steps[n-1] += int(port.Dir)
	}
	return p
}

// TableOf returns the table by displacement with the paths of r, read off its
// links.
func TableOf(r *routing.Orders) *routing.Table {
	t := r.Torus()
	var entries []routing.TableEntry
	for v := 1; v < t.N(); v++ {
		e := routing.TableEntry{To: v}
		for links := range r.Paths(0, v, nil) {
			e.Paths = append(e.Paths, pathOf(t, links))
		}
		entries = append(entries, e)
	}
	return Must(routing.NewTable(t, false, entries))
}

// Placement returns a random placement of a random size, which is 0, 1 or N more
// often than chance has it.
func Placement(rng *rand.Rand, t *core.Torus) core.Placement {
	n := rng.IntN(t.N() + 1)
	switch rng.IntN(12) {
	case 0:
		n = rng.IntN(2)
	case 1:
		n = t.N()
	}
	return family.Draw(t, n, rng)
}

// Random returns a random instance on a torus of at most maxNodes nodes.
func Random(rng *rand.Rand, maxNodes int) Instance {
	return RandomOn(rng, Torus(rng, maxNodes))
}

// RandomOn returns a random instance on a torus.
func RandomOn(rng *rand.Rand, t *core.Torus) Instance {
	return Instance{Torus: t, Routing: Routing(rng, t), Placement: Placement(rng, t)}
}

// Long reports whether tests run in their long form, that of make test-long: with LEEWAY_LONG in the environment.
func Long() bool { return os.Getenv("LEEWAY_LONG") != "" && !testing.Short() }

// Raced reports whether tests run under the race detector, and not for make test-long. Everything takes several times
// as long there.
func Raced() bool { return race && os.Getenv("LEEWAY_LONG") == "" }

// Alone skips a long test where Raced: nothing runs side by side in it, or nothing that does not in shorter tests too.
func Alone(t testing.TB) {
	t.Helper()
	if Raced() {
		t.Skip("left out under the race detector")
	}
}

// Cases returns how many cases a test tries: all in the long form, few under -short, else an eighth of all, or the few
// if they are more.
func Cases(all, few int) int {
	switch {
	case Long():
		return all
	case testing.Short():
		return few
	}
	return max(all/8, few)
}

// Must returns v, and panics on an error: for what a test sets up and knows to be right.
func Must[T any](v T, err error) T {
	if err != nil {
		panic("coretest: " + err.Error())
	}
	return v
}

// Parse returns the network and the routing that texts name.
func Parse(network, text string) (*core.Network, routing.Routing) {
	t := Must(core.ParseNetwork(network))
	return t, Must(routing.Parse(t, text))
}

// Try panics where a step of a set-up fails.
func Try(err error) {
	if err != nil {
		panic(err)
	}
}

// Refused fails unless an error is an input error about a text, and about the part of it that stands between « and »,
// with some words of the problem; without these it is about no part. It returns the error.
func Refused(t testing.TB, err error, marked, problem string) *core.InputError {
	t.Helper()
	before, rest, pointed := strings.Cut(marked, "«")
	part, after, _ := strings.Cut(rest, "»")
	var e *core.InputError
	switch {
	case !errors.As(err, &e):
		t.Errorf("%s: error %v, want an input error", marked, err)
		return new(core.InputError)
	case e.Text != before+part+after || e.Part != part || pointed && e.Offset != len(before) ||
		!strings.HasPrefix(e.Text[e.Offset:], part) || !strings.Contains(e.Problem, problem):
		t.Errorf("%s: part %q at %d of %q, problem %q; want %q", marked, e.Part, e.Offset, e.Text, e.Problem, problem)
	case !strings.Contains(e.Error(), e.Problem) || !strings.Contains(e.Error(), e.Part):
		t.Errorf("%s: the message %q leaves out the problem or the part", marked, e.Error())
	}
	return e
}

// Unmarked returns a text for Refused as it is read.
func Unmarked(marked string) string { return strings.NewReplacer("«", "", "»", "").Replace(marked) }

// A Counted context ends by how often it was looked at, not by time, so that tests of
// what ends with a context say the same on every machine.
type Counted struct {
	context.Context
	cancel context.CancelFunc
	looks  atomic.Int64
	most   int64
}

// EndsAfter returns a context that has ended once Err was asked more than a given number of times.
func EndsAfter(looks int) *Counted {
	ctx, cancel := context.WithCancel(context.Background())
	c := &Counted{Context: ctx, cancel: cancel, most: int64(looks)}
	if looks == 0 {
		cancel()
	}
	return c
}

// Err counts the look and ends the context when there were too many.
func (c *Counted) Err() error {
	if c.looks.Add(1) > c.most {
		c.cancel()
	}
	return c.Context.Err()
}

// Looks returns how often the context was asked.
func (c *Counted) Looks() int64 { return c.looks.Load() }
