package routing_test

import (
	"errors"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
)

func TestTableConforms(t *testing.T) {
	for i := range coretest.Cases(60, 15) {
		rng := coretest.Rng(61, i)
		torus := coretest.AnyNetwork(rng, 24)
		conformPaths(t, coretest.Table(rng, torus, i%2 == 0 || !torus.Closed()), core.NewSet(torus.N()))
	}
}

// TestTableOfOrders puts the paths of dimension-ordered routings into tables:
// the loads must be those of the routing.
func TestTableOfOrders(t *testing.T) {
	for i := range 60 {
		rng := coretest.Rng(62, i)
		torus := coretest.Torus(rng, 30)
		if i%3 == 0 {
			torus = coretest.Twisted(rng, 30)
		}
		orders, p := coretest.Orders(rng, torus), coretest.Placement(rng, torus)
		table := coretest.TableOf(orders)
		have, want := objective.Naive(table, p), objective.Naive(orders, p)
		for l := range torus.M() {
			if a, b := have.Load(core.Link(l)), want.Load(core.Link(l)); a.Cmp(b) != 0 {
				t.Fatalf("table of %s on %s, nodes %v: link %d carries %s, not %s", orders, torus, p.Nodes(), l, a, b)
			}
		}
	}
}

// TestTableByHand has one pair with two of its paths on 4x3: from (0,0) to (2,1),
// a tie in dimension 0. One path goes - and then along dimension 1, the other
// along dimension 1 first and then +.
func TestTableByHand(t *testing.T) {
	torus := core.MustTorus(4, 3)
	node := func(c ...int) int {
		return coretest.Must(torus.Node(c...))
	}
	table := coretest.Must(routing.NewTable(torus, true, []routing.TableEntry{{From: 0, To: node(2, 1),
		Paths: []routing.TablePath{
			{Order: []int{1, 0}, Steps: []int{1, 2}},
			{Order: []int{0, 1}, Steps: []int{-2, 1}},
		}}}))
	var have [][]core.Link
	for path := range table.Paths(0, node(2, 1), nil) {
		have = append(have, append([]core.Link(nil), path...))
	}
	want := [][]core.Link{
		{torus.Link(0, 0, core.Minus), torus.Link(node(3, 0), 0, core.Minus), torus.Link(node(2, 0), 1, core.Plus)},
		{torus.Link(0, 1, core.Plus), torus.Link(node(0, 1), 0, core.Plus), torus.Link(node(1, 1), 0, core.Plus)},
	}
	if !reflect.DeepEqual(have, want) {
		t.Errorf("paths %v, want %v", have, want)
	}
	if d := table.Denominator(); d.Cmp(big.NewInt(2)) != 0 {
		t.Errorf("denominator %s", d)
	}
	if table.String() != "table" || table.DependsOnPlacement() || routing.Invariant(table) {
		t.Error("a table by pair depends on the pair and on nothing else")
	}
}

func TestTableRefuses(t *testing.T) {
	torus := core.MustTorus(5, 4, 2) // nodes: 8a + 2b + c
	type paths = []routing.TablePath
	path := func(order []int, steps ...int) routing.TablePath {
		return routing.TablePath{Order: order, Steps: steps}
	}
	good := path([]int{0, 1}, 2, -1) // to (2,3,0), node 22
	for want, c := range map[string]routing.TableEntry{
		"lies outside 0..39":                                        {To: 40, Paths: paths{good}},
		"node number lies outside":                                  {From: -1, To: 22, Paths: paths{good}},
		"same node":                                                 {To: 0, Paths: paths{good}},
		"there is no path":                                          {To: 22},
		"order names 2 dimensions and steps 1":                      {To: 22, Paths: paths{path([]int{0, 1}, 2)}},
		"dimension 3 lies outside 0..2":                             {To: 22, Paths: paths{path([]int{3, 1}, 2, -1)}},
		"dimension -1 lies outside":                                 {To: 22, Paths: paths{path([]int{-1, 1}, 2, -1)}},
		"dimension 0 is repeated":                                   {To: 22, Paths: paths{path([]int{0, 0}, 1, 1)}},
		"in dimension 2 a path makes 0 steps":                       {To: 22, Paths: paths{path([]int{0, 1, 2}, 2, -1, 0)}},
		"in dimension 0 a path makes 41 steps":                      {To: 22, Paths: paths{path([]int{0, 1}, 41, -1)}},
		"its steps lead to [2 0 0]":                                 {To: 22, Paths: paths{path([]int{0}, 2)}},
		"it has 4 links, so it is not a shortest one: these have 3": {To: 22, Paths: paths{good, path([]int{0, 1}, -3, -1)}},
		"it has 5 links":                                            {To: 22, Paths: paths{path([]int{0, 1}, 2, 3)}},
		"the direction must be +, as":                               {To: 1, Paths: paths{path([]int{2}, -1)}},
		"with order [0 1] and steps [2 -1] is repeated": {To: 22,
			Paths: paths{good, path([]int{1, 0}, -1, 2), good}},
		"entry 1, from [0 0 0] to [2 3 0]: there is no": {To: 22},
	} {
		_, err := routing.NewTable(torus, true, []routing.TableEntry{c})
		refusedTable(t, want, err)
	}
	entry := routing.TableEntry{To: 22, Paths: []routing.TablePath{good}}
	_, err := routing.NewTable(torus, true, []routing.TableEntry{entry, entry})
	refusedTable(t, "the entry is repeated", err)
	_, err = routing.NewTable(torus, false, []routing.TableEntry{entry})
	refusedTable(t, "no entry for displacement [0 0 1]", err)
	entry.From = 8
	_, err = routing.NewTable(torus, false, []routing.TableEntry{entry})
	refusedTable(t, "has no start", err)
}

func refusedTable(t *testing.T, want string, err error) {
	t.Helper()
	var wrong *core.InputError
	if !errors.As(err, &wrong) || !strings.Contains(strings.ReplaceAll(err.Error(), `"`, ""), want) {
		t.Errorf("error %v, want one with %q", err, want)
	}
}

// TestTableMissingPairs takes one pair out of a table by pair.
func TestTableMissingPairs(t *testing.T) {
	torus := core.MustTorus(3, 3)
	whole := coretest.Table(coretest.Rng(63, 0), torus, true)
	entries := whole.Entries()
	part := coretest.Must(routing.NewTable(torus, true, entries[1:])) // without (0,0) to (0,1)
	refusedTable(t, "there is no entry from [0 0] to [0 1]", routing.Covers(part, core.MustPlacement(torus,
		[]int{0, 1, 5})))
	refusedTable(t, "entries for 71 of the 72", routing.Complete(part))
	udr := routing.NewUDR(torus, routing.TiePlus)
	for name, err := range map[string]error{
		"other pairs":     routing.Covers(part, core.MustPlacement(torus, []int{0, 2, 5})),
		"one processor":   routing.Covers(part, core.MustPlacement(torus, []int{0})),
		"whole":           routing.Covers(whole, family.Draw(torus, 9, coretest.Rng(63, 1))),
		"whole, complete": routing.Complete(whole),
		"displacements":   routing.Complete(coretest.Table(coretest.Rng(63, 2), torus, false)),
		"udr":             errors.Join(routing.Complete(udr), routing.Covers(udr, core.MustPlacement(torus, []int{0, 1}))),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("the missing pair has paths")
		}
	}()
	part.Paths(0, 1, nil)
}

// TestTwistedTablePaths: on 4x8 with twist 4 the node (2,4) is two steps down dimension 0 away, over its end.
func TestTwistedTablePaths(t *testing.T) {
	torus := coretest.Must(core.ParseNetwork("4x8:twist=4"))
	to := coretest.Must(torus.Node(2, 4))
	table := func(torus *core.Torus, to int, p routing.TablePath) (*routing.Table, error) {
		return routing.NewTable(torus, true, []routing.TableEntry{{To: to, Paths: []routing.TablePath{p}}})
	}
	good := coretest.Must(table(torus, to, routing.TablePath{Order: []int{0}, Steps: []int{-2}}))
	for path := range good.Paths(0, to, nil) {
		if next := coretest.Must(torus.Node(3, 4)); !slices.Equal(path, []core.Link{torus.Link(0, 0, core.Minus),
			torus.Link(next, 0, core.Minus)}) {
			t.Errorf("links %v", path)
		}
	}
	for _, c := range []struct {
		torus       string
		to          int
		order, step []int
		want        string
	}{
		{"4x8:twist=4", to, []int{0}, nil, "steps 0 numbers"},
		{"4x8:twist=4", to, []int{0}, []int{-1}, "lead to [3 4]"},
		{"4x8:twist=4", to, []int{0, 1}, []int{2, 4}, "it has 6 links, so it is not a shortest one: these have 2"},
		{"1x4:twist=2", 2, []int{0}, []int{-1}, "direction must be +"},
		{"4x8:open=1", 7, []int{1}, []int{-1}, "-1 steps lead over an end of dimension 1"},
	} {
		torus := coretest.Must(core.ParseNetwork(c.torus))
		_, err := table(torus, c.to, routing.TablePath{Order: c.order, Steps: c.step})
		refusedTable(t, c.want, err)
	}
}

// TestTableEntries reads back what a table was made of.
func TestTableEntries(t *testing.T) {
	for i := range 40 {
		rng := coretest.Rng(64, i)
		torus := coretest.AnyNetwork(rng, 20)
		table := coretest.Table(rng, torus, i%2 == 0 || !torus.Closed())
		again, err := routing.NewTable(torus, table.ByPair(), table.Entries())
		if err != nil || !reflect.DeepEqual(again, table) {
			t.Fatalf("%v: table %d on %s reads back as %+v", err, i, torus, again)
		}
	}
}
