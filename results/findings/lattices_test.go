package findings

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math/big"
	"os"
	"reflect"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/lattices"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bisect"
	"leeway/objective/fast"
	"leeway/objective/texts"
	"leeway/results/atlas"
	"leeway/results/networks"
	"leeway/search/searchtest"
)

// TestLatticeBests: what is shipped is what a comparison finds, for small numbers of nodes and some others; no size is
// missing or is repeated, and no E_max is below what the distances of the network cause.
func TestLatticeBests(t *testing.T) {
	coretest.Alone(t)
	most := [4]int{2: 40, 3: 20}
	if testing.Short() {
		most = [4]int{2: 20, 3: 12}
	}
	next := [4]int{2: 4, 3: 8}
	for _, b := range coretest.Must(readAll[networks.Best](latticeBests)) {
		if b.Nodes != next[b.Dims] {
			t.Errorf("%d dimensions: %d nodes after %d", b.Dims, b.Nodes, next[b.Dims]-1)
		}
		if next[b.Dims] = b.Nodes + 1; b.Nodes <= most[b.Dims] {
			list := coretest.Must(networks.Compare(t.Context(), coretest.Must(lattices.List(b.Nodes, b.Dims)), "best"))
			best, plain := list.Items[0], (*networks.Item)(nil)
			less := func(a, b networks.Item) bool {
				return cmp.Or(number(a.Least).Cmp(number(b.Least)), number(a.Minimal).Cmp(number(b.Minimal))) < 0
			}
			for _, item := range list.Items {
				if less(item, best) {
					best = item
				}
				if !strings.Contains(item.Network, ":") && (plain == nil || less(item, *plain)) {
					plain = &item
				}
			}
			if best != b.Best || !reflect.DeepEqual(plain, b.Plain) || len(list.Items) != b.Networks {
				t.Errorf("%d nodes in %d dimensions: %+v and %+v, not %+v", b.Nodes, b.Dims, best, plain, b)
			}
		}
		for _, item := range []*networks.Item{&b.Best, b.Plain} {
			if item != nil {
				t.Run(item.Network, func(t *testing.T) { plausible(t, *item) })
			}
		}
	}
	if next[2] != 129 || next[3] != 65 {
		t.Errorf("the next are %v", next)
	}
	for _, b := range coretest.Must(readAll[networks.Best](podBests)) {
		t.Run(b.Best.Network, func(t *testing.T) { plausible(t, b.Best) })
		if b.Plain == nil {
			t.Errorf("%+v: no torus without shifts", b)
		}
	}
}

// plausible holds an item against distances found here, and a width that is not exact against what is quickly found.
func plausible(t *testing.T, item networks.Item) {
	torus := coretest.Must(core.ParseNetwork(item.Network))
	distance, _ := torus.Nearest([]int{0})
	total, diameter := int64(0), 0
	for _, d := range distance {
		total, diameter = total+int64(d), max(diameter, int(d))
	}
	if !item.Exact {
		cut := bisect.Quick(t.Context(), bisect.Half(core.MustPlacement(torus, core.Range(torus.N()))))
		if cut.Exact || cut.Width() < item.Width {
			t.Errorf("%+v: width %d, exact %t", item, cut.Width(), cut.Exact)
		}
	}
	mean := big.NewRat(total, int64(torus.N()-1))
	least := big.NewRat(total, int64(torus.Degree())) // each link of a node, if all carry the same
	if item.MeanDistance != mean.RatString() || item.Diameter != diameter || !item.Optimal ||
		number(item.Least).Cmp(least) < 0 || number(item.Minimal).Cmp(number(item.Least)) < 0 {
		t.Errorf("%+v: mean distance %s, diameter %d, mean load %s", item, mean.RatString(), diameter, least.RatString())
	}
}

// TestParts: every number of processors stands once and in order, nothing in the atlas of the program is better than
// what is shown on any of the networks, and that atlas knows as much as that of the parts. For few nodes that is best
// of all placements, by the naive evaluator.
func TestParts(t *testing.T) {
	coretest.Alone(t)
	var records [][]byte
	for line := range bytes.Lines(coretest.Must(os.ReadFile("parts.jsonl"))) {
		var l struct{ Record json.RawMessage }
		coretest.Try(json.Unmarshal(line, &l))
		records = append(records, l.Record)
	}
	own := coretest.Must(atlas.OfRecords(records...))
	shipped := coretest.Must(atlas.Shipped())
	most, counted := coretest.Cases(64, 24), coretest.Cases(11, 9) // nodes
	cells, _ := own.Cells(atlas.Filter{})
	for _, c := range cellsOf(cells) {
		if known, ok := shipped.Cell(c.Key()); ok && (number(known.MaxLoad).Cmp(c.load) > 0 ||
			number(known.LowerBound).Cmp(c.bound) < 0) {
			t.Errorf("%s: parts.jsonl has %s, at least %s, the atlas %s and %s", c.Key(), c.MaxLoad, c.LowerBound,
				known.MaxLoad, known.LowerBound)
		}
	}
	parts := coretest.Must(readAll[networks.Part](latticeParts))
	for _, part := range parts {
		shown(t, own, part)
	}
	coretest.Try(improve(shipped, parts, true))
	var list []*core.Torus
	for i, part := range parts {
		if before := (networks.Part{}); i > 0 {
			before = parts[i-1]
			if order := cmp.Or(part.Dims-before.Dims, part.Nodes-before.Nodes, part.Size-before.Size); order < 1 ||
				part.Dims == before.Dims && part.Nodes > before.Nodes+1 {
				t.Errorf("%d of %d nodes in %d dimensions is out of order", part.Size, part.Nodes, part.Dims)
			}
		}
		if part.Nodes > most {
			continue
		}
		if list == nil || list[0].N() != part.Nodes || list[0].D() != part.Dims {
			list = coretest.Must(lattices.List(part.Nodes, part.Dims))
		}
		var least [2]*big.Rat // of all, and without shifts
		for _, torus := range list {
			var load *big.Rat
			if part.Nodes <= counted {
				load = leastLoad(torus, part.Size)
			} else if c, ok := shipped.Cell(texts.Key{Torus: torus.String(), Routing: "minimal:tie=both",
				Size: part.Size}); ok {
				load = number(c.MaxLoad)
			}
			for j := range least {
				if load != nil && (j == 0 || !torus.Twisted()) && (least[j] == nil || load.Cmp(least[j]) < 0) {
					least[j] = load
				}
			}
		}
		for j, held := range []*networks.Placed{&part.Best, part.Plain} {
			switch {
			case least[j] == nil:
			case least[j].Cmp(number(held.MaxLoad)) < 0 || part.Nodes <= counted && !held.Proved():
				t.Errorf("%d processors: %+v, but %s is known", part.Size, held, least[j].RatString())
			case part.Networks != len(list):
				t.Errorf("%d networks of %d nodes, not %d", len(list), part.Nodes, part.Networks)
			}
		}
	}
	for _, part := range coretest.Must(readAll[networks.Part](podParts)) {
		shown(t, own, part)
	}
}

// leastLoad returns the least E_max of a given number of processors, by a naive evaluation of all placements with node
// 0.
func leastLoad(torus *core.Torus, size int) (least *big.Rat) {
	p := coretest.Must(objective.NewProblem(routing.NewMinimal(torus, routing.TieBoth), size))
	least = searchtest.Optimum(coretest.Must(p.WithNodes([]int{0}, nil)))
	return least
}

// shown holds placements against their networks and the atlas of those shown.
func shown(t *testing.T, own *atlas.Atlas, part networks.Part) {
	t.Helper()
	for _, held := range []*networks.Placed{&part.Best, part.Plain} {
		if held == nil {
			continue
		}
		torus := coretest.Must(core.ParseNetwork(held.Network))
		placement := coretest.Must(family.Parse(torus, held.Placement))
		if torus.String() != held.Network || torus.N() != part.Nodes || torus.D() != part.Dims ||
			placement.Size() != part.Size || torus.Twisted() && held == part.Plain {
			t.Errorf("%+v is not of %d of %d nodes in %d dimensions", held, part.Size, part.Nodes, part.Dims)
		}
		p := coretest.Must(objective.NewProblem(routing.NewMinimal(torus, routing.TieBoth), part.Size))
		load, _ := fast.Evaluate(p, placement).Max()
		lower := number(held.LowerBound)
		if load.RatString() != held.MaxLoad || lower.Cmp(load) > 0 {
			t.Errorf("%+v has %s", held, load.RatString())
		}
		c, ok := own.Cell(texts.KeyOf(p))
		if !ok || c.Fault != "" || number(c.MaxLoad).Cmp(load) > 0 {
			t.Errorf("%+v is %+v in the atlas", held, c)
		}
	}
}
