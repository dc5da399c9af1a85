package networks_test

import (
	"fmt"
	"math/big"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/lattices"
	"leeway/objective/bisect"
	"leeway/results/networks"
)

// TestKnown: 4x8 with a processor on every node has E_max 32 under minimal, with twist 4 it has 21, which is the mean
// load of its links; its diameter is 4 (Camara et al., Twisted Torus Topologies, 2010).
func TestKnown(t *testing.T) {
	list := coretest.Must(networks.Compare(t.Context(), coretest.Must(lattices.List(32, 2)), "minimal"))
	found := 0
	for _, item := range list.Items {
		switch item.Network {
		case "4x8":
			found++
			if item.Minimal != "32" || item.Diameter != 6 || item.Least != "32" || item.Width != 16 || !item.Exact {
				t.Errorf("%+v", item)
			}
		case "4x8:twist=4":
			found++
			if item.Minimal != "21" || item.Diameter != 4 || item.Least != "21" || !item.Optimal ||
				item.Width != 32 || !item.Exact {
				t.Errorf("%+v", item)
			}
		}
		if !item.Optimal {
			t.Errorf("%+v: the linear program is not solved", item)
		}
	}
	if found != 2 {
		t.Errorf("%d of 2 found", found)
	}
}

// TestDense: in two dimensions at most 4s nodes are s links away, so no network has a smaller mean distance than one
// with that many nearer than its diameter. With 2a^2 nodes the rectangular twisted torus a x 2a is such a one, of
// diameter a and mean distance a (4a^2-1) / (3 (2a^2-1)) (Camara et al., 2010), with 2a^2+2a+1 the dense Gaussian
// network, of diameter a and mean distance (2a+1)/3 (Martinez et al., Modeling Toroidal Networks with the Gaussian
// Integers, 2008).
func TestDense(t *testing.T) {
	for a := 2; a <= 4; a++ {
		side := int64(a)
		for _, c := range []struct {
			nodes   int
			network string
			mean    *big.Rat
		}{
			{2 * a * a, fmt.Sprintf("%dx%d:twist=%d", a, 2*a, a), big.NewRat(side*(4*side*side-1), 3*(2*side*side-1))},
			{2*a*a + 2*a + 1, "", big.NewRat(2*side+1, 3)},
		} {
			list := coretest.Must(networks.Compare(t.Context(), coretest.Must(lattices.List(c.nodes, 2)), "distance"))
			if best := list.Items[0]; best.MeanDistance != c.mean.RatString() || best.Diameter != a {
				t.Errorf("%d nodes: the nearest is %+v, not of mean distance %s", c.nodes, best, c.mean.RatString())
			}
			found := c.network == ""
			for _, item := range list.Items {
				found = found || item.Network == c.network && item.MeanDistance == c.mean.RatString() && item.Diameter == a
			}
			if !found {
				t.Errorf("%d nodes: %s is not as near", c.nodes, c.network)
			}
		}
	}
}

// TestBisections: widths are the least links between two halves of all sets of nodes, and the widest come first.
func TestBisections(t *testing.T) {
	list := coretest.Must(networks.Compare(t.Context(), coretest.Must(lattices.List(14, 2)), "bisection"))
	for i, item := range list.Items {
		torus := coretest.Must(core.ParseNetwork(item.Network))
		least := torus.M()
		for mask := range uint64(1) << 13 {
			if half := (core.Set{mask}); half.Count() == 7 {
				least = min(least, 2*bisect.CapacityOut(torus, half))
			}
		}
		if item.Width != least || !item.Exact || i > 0 && item.Width > list.Items[i-1].Width {
			t.Errorf("%+v: the width is %d", item, least)
		}
	}
}
