package frontier_test

import (
	"errors"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/frontier"
)

func cell(n int, load, bound, status string, families ...atlas.Family) atlas.Cell {
	return atlas.Cell{Grid: results.Grid{Torus: []int{8, 8}}, Routing: "odr:tie=plus", Size: n, MaxLoad: load,
		LowerBound: bound, BoundReason: "degree", Status: status, Families: families}
}

// TestChartHasSeries: each kind of value goes to its series; wrong cells show nothing.
func TestChartHasSeries(t *testing.T) {
	wrong := cell(5, "1", "1", atlas.Optimal)
	wrong.Fault = "wrong"
	cells := []atlas.Cell{
		cell(2, "1/4", "1/4", atlas.Optimal), cell(3, "5/2", "2", atlas.Feasible), cell(4, "", "3", atlas.Bounded), wrong,
		cell(8, "4", "4", atlas.Optimal, atlas.Family{Placement: "linear", MaxLoad: "4"},
			atlas.Family{Placement: "linear:m=2", MaxLoad: "3"},
			atlas.Family{Placement: "spaced:t=2", MaxLoad: "5"}, atlas.Family{Placement: "full", MaxLoad: "9"}),
	}
	chart := coretest.Must(frontier.Chart(cells))
	want := map[string][]string{"best known": {"1/4", "5/2 open", "4"}, "lower bound": {"1/4", "2", "3", "4"},
		"linear": {"3"}, "spaced": {"5"}}
	if len(chart.Series) != len(want) {
		t.Errorf("%d series", len(chart.Series))
	}
	for _, s := range chart.Series {
		for i, p := range s.Points {
			text := p.Y.RatString()
			if p.Open {
				text += " open"
			}
			if i >= len(want[s.Name]) || text != want[s.Name][i] {
				t.Errorf("%s: point %d is %s", s.Name, i, text)
			}
		}
	}
	var input *core.InputError
	if _, err := frontier.Chart([]atlas.Cell{wrong}); !errors.As(err, &input) {
		t.Errorf("nothing to show: %v", err)
	}
}

// TestTitlesOfClients: the charts of client traffic are titled in words and count controllers.
func TestTitlesOfClients(t *testing.T) {
	c := cell(8, "4", "4", atlas.Optimal)
	c.Network, c.Traffic, c.ReplyRouting = "8x8:open=0,1", "clients:request=1:reply=4", "odr:order=1,0:tie=plus"
	chart := coretest.Must(frontier.Chart([]atlas.Cell{c}))
	const where, replies = "mesh 8x8, clients 1:4", "replies by XY; 1 "
	if chart.Title != "E_max on "+where+" under ODR" || !strings.HasPrefix(chart.About, replies) ||
		chart.X != "controllers n" {
		t.Errorf("%q, %q, %q", chart.Title, chart.About, chart.X)
	}
}
