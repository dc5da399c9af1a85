package atlas_test

import (
	"os"
	"testing"

	"leeway/core/coretest"
	"leeway/results/atlas"
)

// TestShippedAgrees: no cell of the program is worse than what the list of the networks with few nodes has, or than
// what the tables of verified values have; and that list is not worse than the cells.
func TestShippedAgrees(t *testing.T) {
	coretest.Alone(t)
	a := coretest.Must(atlas.Shipped())
	const file = "parts.jsonl"
	data := coretest.Must(os.ReadFile("../findings/" + file))
	other := coretest.Must(atlas.Read(data))
	cells, _ := other.Cells(atlas.Filter{})
	met := 0
	for _, c := range cells {
		near := c.Near.Asked()
		c.Radius, c.Distance = 0, 0
		p := coretest.Must(c.Key().Problem())
		have, _, ok := a.Find(p)
		if !ok || have.Routing != c.Routing {
			continue
		}
		met++
		value, bound := c.Improves(have)
		if value || bound && !near { // a bound under conditions says nothing without
			t.Errorf("%s has E_max %s, bound %s, and %s of %s %s, %s", have.Key(), have.MaxLoad, have.LowerBound,
				file, c.Key(), c.MaxLoad, c.LowerBound)
		}
		back, lower := have.Improves(c)
		if lower || back && !near {
			t.Errorf("%s of %s has E_max %s, bound %s, and the atlas %s, %s", c.Key(), file, c.MaxLoad, c.LowerBound,
				have.MaxLoad, have.LowerBound)
		}
	}
	if met == 0 {
		t.Errorf("no cell of %s is in the atlas", file)
	}
	table := coretest.Must(atlas.ShippedVerified())
	met = 0
	for _, v := range table.All() {
		c, ok := a.Cell(v.Key)
		if !ok || v.Open != "" {
			continue
		}
		met++
		if _, bound := (atlas.Cell{LowerBound: v.Below}).Improves(c); bound {
			t.Errorf("%s has the bound %s, and %v accepted %s", c.Key(), c.LowerBound, v.By, v.Below)
		}
	}
	if met == 0 {
		t.Error("no verified value is that of a cell")
	}
}
