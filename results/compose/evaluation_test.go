package compose_test

import (
	"reflect"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/linkname"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/compose"
	"leeway/results/layout"
)

// TestEvaluation has two processors on a 2x3 torus, side by side along the side of 2: one unit each way.
func TestEvaluation(t *testing.T) {
	torus := core.MustTorus(2, 3)
	p := core.MustPlacement(torus, []int{0, 3})
	r := routing.NewUDR(torus, routing.TiePlus)
	have := compose.NewEvaluation(objective.Problem{Routing: r}, p, objective.Naive(r, p), true)
	want := compose.Evaluation{Schema: "leeway/evaluation/1", Grid: results.Grid{Torus: []int{2, 3}},
		Routing: "udr:tie=plus", Size: 2, Nodes: [][]int{{0, 0}, {1, 0}}, MaxLoad: "1", MeanLoad: "1/9",
		Links: 18, LinksAtMax: 2, Throughput: "1", CoveringRadius: new(1), TotalDistance: new(4), PackingDistance: 1,
		Uniform: []bool{true, false},
		Loads: []compose.LinkLoad{{Ended: linkname.NewEnded(torus, torus.Link(0, 0, core.Plus)), Load: "1"},
			{Ended: linkname.NewEnded(torus, torus.Link(3, 0, core.Plus)), Load: "1"}}}
	if !reflect.DeepEqual(have, want) {
		t.Errorf("got %+v", have)
	}
	text, _ := layout.Encode(have)
	var again compose.Evaluation
	if err := results.Decode(text, compose.EvaluationSchema, &again); err != nil || !reflect.DeepEqual(again, want) {
		t.Errorf("read %+v, %v", again, err)
	}
	short := compose.NewEvaluation(objective.Problem{Routing: r}, p, objective.Naive(r, p), false)
	if text, _ := layout.Encode(short); strings.Contains(string(text), `"loads"`) {
		t.Error("loads stand without being asked for")
	}
}
