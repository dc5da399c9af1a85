package findings

import (
	"cmp"
	"math/big"
	"os"
	"reflect"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/results/atlas"
	"leeway/results/networks"
)

// TestLatticesPage: docs/best-lattices.md is what the program prints.
func TestLatticesPage(t *testing.T) {
	want := coretest.Must(Lattices(coretest.Must(atlas.Shipped())))
	if got := coretest.Must(os.ReadFile("../../docs/best-lattices.md")); string(got) != want {
		t.Error("docs/best-lattices.md is not what leeway atlas findings --lattices prints: make lattices-page writes it")
	}
}

// TestLatticeBests: what is shipped is what a comparison finds, for small numbers of nodes and some others; no size is
// missing or stands twice, and no E_max is below what the distances of the network cause.
func TestLatticeBests(t *testing.T) {
	most := [4]int{2: 40, 3: 20}
	if testing.Short() {
		most = [4]int{2: 20, 3: 12}
	}
	next := [4]int{2: 4, 3: 8}
	for _, b := range coretest.Must(readBests(latticeBests)) {
		if b.Nodes != next[b.Dims] {
			t.Errorf("%d dimensions: %d nodes after %d", b.Dims, b.Nodes, next[b.Dims]-1)
		}
		if next[b.Dims] = b.Nodes + 1; b.Nodes <= most[b.Dims] {
			list := coretest.Must(networks.Compare(t.Context(), b.Nodes, b.Dims, "best"))
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
		t.Run(b.Best.Network, func(t *testing.T) { plausible(t, b.Best) })
	}
	if next[2] != 129 || next[3] != 65 {
		t.Errorf("the next are %v", next)
	}
	for _, b := range coretest.Must(readBests(podBests)) {
		t.Run(b.Best.Network, func(t *testing.T) { plausible(t, b.Best) })
		if b.Plain == nil {
			t.Errorf("%+v: no torus without shifts", b)
		}
	}
}

// plausible holds an item against distances found here.
func plausible(t *testing.T, item networks.Item) {
	torus := coretest.Must(core.ParseNetwork(item.Network))
	distance, _ := torus.Nearest([]int{0})
	total, diameter := int64(0), 0
	for _, d := range distance {
		total, diameter = total+int64(d), max(diameter, int(d))
	}
	mean := big.NewRat(total, int64(torus.N()-1))
	least := big.NewRat(total, int64(torus.Degree())) // each link of a node, if all carry the same
	if item.MeanDistance != mean.RatString() || item.Diameter != diameter || !item.Optimal ||
		number(item.Least).Cmp(least) < 0 || number(item.Minimal).Cmp(number(item.Least)) < 0 {
		t.Errorf("%+v: mean distance %s, diameter %d, mean load %s", item, mean.RatString(), diameter, least.RatString())
	}
}
