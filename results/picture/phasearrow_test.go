package picture

import (
	"bytes"
	"image/png"
	"slices"
	"testing"

	"leeway/core"
	"leeway/objective/exchange"
)

// torusPhase is a phase without sends on a torus of 3x4 nodes, in the picture 84 apart from (42,42), of which arrows
// around leave and enter 40 beyond the last, 9 to the right of the link.
func torusPhase() PhaseParams {
	return PhaseParams{Held: make([]int, 12), Head: exchange.Head{Name: "torus", Model: exchange.Wormhole,
		Axes: []exchange.Axis{{Kind: exchange.Ring, Nodes: 3}, {Kind: exchange.Ring, Nodes: 4}}}}
}

// TestStretches: the ways of sends, by hand. Node 4r+c lies at (42+84c, 42+84r).
func TestStretches(t *testing.T) {
	legs := func(list ...exchange.Leg) []exchange.Leg { return list }
	for name, c := range map[string]struct {
		send exchange.Send
		want []stretch
	}{
		"beside": {exchange.Send{From: 4, To: 5, Axis: 1, Dir: core.Plus}, []stretch{{vec{42, 126}, vec{126, 126}}}},
		"around +": {exchange.Send{From: 2, To: 1, Axis: 1, Dir: core.Plus},
			[]stretch{{vec{210, 42}, vec{334, 51}}, {vec{2, 51}, vec{126, 42}}}},
		"around -": {exchange.Send{From: 1, To: 9, Axis: 0, Dir: core.Minus},
			[]stretch{{vec{126, 42}, vec{135, 2}}, {vec{135, 250}, vec{126, 210}}}},
		"the shorter": {exchange.Send{From: 3, To: 0, Axis: -1}, []stretch{{vec{294, 42}, vec{334, 51}},
			{vec{2, 51}, vec{42, 42}}}},
		"no way is said": {exchange.Send{From: 0, To: 5, Axis: -1}, []stretch{{vec{42, 42}, vec{126, 126}}}},
		"turning": {exchange.Send{From: 0, To: 7, Axis: -1, Path: legs(exchange.Leg{Axis: 0, Links: 1},
			exchange.Leg{Axis: 1, Links: -1})},
			[]stretch{{vec{42, 42}, vec{42, 126}}, {vec{42, 126}, vec{2, 117}}, {vec{334, 117}, vec{294, 126}}}},
		"elsewhere": {exchange.Send{From: 0, To: 2, Axis: -1, Path: legs(exchange.Leg{Axis: 1, Links: 1})},
			[]stretch{{vec{42, 42}, vec{210, 42}}}},
		"no such axis": {exchange.Send{From: 0, To: 2, Axis: 7, Dir: core.Plus}, []stretch{{vec{42, 42}, vec{210, 42}}}},
		"huge": {exchange.Send{From: 0, To: 2, Axis: -1, Path: legs(exchange.Leg{Axis: 1, Links: 1 << 30})},
			[]stretch{{vec{42, 42}, vec{210, 42}}}},
	} {
		if got := (&phaseDrawing{PhaseParams: torusPhase()}).stretches(c.send); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestPhasePNG: an arrow is there, on a bend to the right of its way.
func TestPhasePNG(t *testing.T) {
	p := torusPhase()
	p.Phase = exchange.Phase{{From: 0, To: 1, Axis: 1, Dir: core.Plus, Blocks: []exchange.Block{{From: 0, To: 1}}}}
	d := p.asScene()
	var b bytes.Buffer
	if err := PNG(&b, p); err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(&b)
	if err != nil || m.Bounds().Dx() != 2*d.width || m.Bounds().Dy() != 2*d.height {
		t.Fatalf("%v, %v", m.Bounds(), err)
	}
	// The arc is at 11 below the middle of the way, and so is its label; a quarter of the way is 3/4 as deep and free
	// of it.
	x, y := d.width/2-2*phaseCell+42+21, border+phaseMargin+phaseHead+42
	want := lightPalette.loads.color(7)
	for dy := 4; dy <= 14; dy++ {
		if r, g, b, _ := m.At(2*x, 2*(y+dy)).RGBA(); uint8(r>>8) == want.R && uint8(g>>8) == want.G && uint8(b>>8) == want.B {
			return
		}
	}
	t.Error("there is no arc below the way from 0 to 1")
}
