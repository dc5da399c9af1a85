package networks_test

import (
	"testing"

	"leeway/core/coretest"
	"leeway/results/networks"
)

// TestKnown: 4x8 with a processor on every node has E_max 32 under minimal, with twist 4 it has 21, which is the mean
// load of its links; its diameter is 4 (Camara et al., Twisted Torus Topologies, 2010).
func TestKnown(t *testing.T) {
	list := coretest.Must(networks.Compare(t.Context(), 32, 2, "minimal"))
	found := 0
	for _, item := range list.Items {
		switch item.Network {
		case "4x8":
			found++
			if item.Minimal != "32" || item.Diameter != 6 || item.Least != "32" {
				t.Errorf("%+v", item)
			}
		case "4x8:twist=4":
			found++
			if item.Minimal != "21" || item.Diameter != 4 || item.Least != "21" || !item.Optimal {
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
