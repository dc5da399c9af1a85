package picture

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective/exchange"
)

// meshHead is that of schedules on a mesh of 2x3 nodes of which 0, 1 and 5 exchange, meshPhase a phase of one.
var (
	meshHead = exchange.Head{Name: "a <b>", Model: exchange.Wormhole, Participants: []int{0, 1, 5},
		Axes: []exchange.Axis{{Kind: exchange.Path, Nodes: 2}, {Kind: exchange.Path, Nodes: 3}}}
	meshPhase = exchange.Phase{
		{From: 0, To: 1, Axis: 1, Dir: core.Plus, Blocks: []exchange.Block{{From: 0, To: 1}, {From: 0, To: 5}}},
		{From: 1, To: 2, Axis: -1, Blocks: []exchange.Block{{From: 1, To: 5}}}}
)

// twice is a schedule of the same phase twice.
func twice(yield func(exchange.Phase, error) bool) {
	for range 2 {
		if !yield(meshPhase, nil) {
			return
		}
	}
}

func TestPhaseText(t *testing.T) {
	p := coretest.Must(PhaseAt(meshHead, twice, 1))
	p.ASCII = true
	var b bytes.Buffer
	coretest.Try(Terminal(&b, p))
	for _, want := range []string{"a <b>, phase 1", "2 sends | 3 blocks | largest send 2", "2 of 6 sending, 2 of 6",
		"0 #>2*    2>1     1\n", "1 .       .       2\n", "0 > 1  2 blocks\n", "1 > 2  1>5\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
}

// TestPhaseSVG counts the nodes that carry a number and the links that carry blocks.
func TestPhaseSVG(t *testing.T) {
	p := coretest.Must(PhaseAt(meshHead, twice, 0))
	var b bytes.Buffer
	coretest.Try(SVG(&b, p))
	for text, count := range map[string]int{"<title>a &lt;b&gt;, phase 0</title>": 1, `class="small mid in-processor"`: 3,
		": 2 blocks for others</title>": 3, `class="link wire b16 top"><title>(0,0) -&gt; (0,1): 2</title>`: 0,
		"<title>(0,0) -&gt; (0,1): 2</title>": 1, "<title>(0,1) -&gt; (0,2): 1</title>": 1} {
		if n := strings.Count(b.String(), text); n != count {
			t.Errorf("%q stands %d times, not %d", text, n, count)
		}
	}
}

// TestPhaseAt follows a schedule of the same phase twice, and past its end.
func TestPhaseAt(t *testing.T) {
	for number, want := range [][]int{{2, 2, 0, 0, 0, 2}, {0, 2, 1, 0, 0, 2}} {
		if p, err := PhaseAt(meshHead, twice, number); err != nil || !slices.Equal(p.Phase.Held, want) {
			t.Errorf("phase %d: %+v, %v", number, p.Phase, err)
		}
	}
	var missing *NoPhaseError
	if _, err := PhaseAt(meshHead, twice, 2); !errors.As(err, &missing) || missing.Phases != 2 {
		t.Errorf("phase 2: %v", err)
	}
}

// TestFollow holds that a block that comes home waits no longer, and that sends and heads without sense are refused.
func TestFollow(t *testing.T) {
	held := []int{2, 2, 0, 0, 0, 2}
	if err := follow(held, meshPhase); err != nil || !slices.Equal(held, []int{0, 2, 1, 0, 0, 2}) {
		t.Errorf("%v, %v", held, err)
	}
	var input *core.InputError
	for _, s := range []exchange.Send{{From: 0, To: 6}, {From: -1, To: 0}} {
		if err := follow(held, exchange.Phase{s}); !errors.As(err, &input) {
			t.Errorf("%+v: %v", s, err)
		}
	}
	for _, head := range []exchange.Head{{}, {Axes: []exchange.Axis{{Kind: exchange.Ring, Nodes: 1 << 20}}},
		{Axes: []exchange.Axis{{Kind: exchange.Ring, Nodes: 0}}},
		{Axes: []exchange.Axis{{Kind: exchange.Ring, Nodes: 4}}, Participants: []int{4}}} {
		if _, err := PhaseAt(head, twice, 0); !errors.As(err, &input) {
			t.Errorf("%+v: %v", head, err)
		}
	}
}

// TestLinksOf: the links of sends on a torus of 3x4 nodes and on a product with a complete graph, by hand.
func TestLinksOf(t *testing.T) {
	ring := func(n int) exchange.Axis { return exchange.Axis{Kind: exchange.Ring, Nodes: n} }
	torus, mixed := []exchange.Axis{ring(3), ring(4)}, []exchange.Axis{ring(3), {Kind: exchange.Complete, Nodes: 4}}
	legs := func(list ...exchange.Leg) []exchange.Leg { return list }
	for name, c := range map[string]struct {
		axes []exchange.Axis
		send exchange.Send
		want string
	}{
		"beside":    {torus, exchange.Send{From: 4, To: 5, Axis: 1, Dir: core.Plus}, "4-5"},
		"around":    {torus, exchange.Send{From: 2, To: 1, Axis: 1, Dir: core.Plus}, "2-3 3-0 0-1"},
		"back":      {torus, exchange.Send{From: 1, To: 9, Axis: 0, Dir: core.Minus}, "1-9"},
		"no way":    {torus, exchange.Send{From: 3, To: 0, Axis: -1}, "3-0"},
		"not there": {torus, exchange.Send{From: 0, To: 5, Axis: -1}, ""},
		"turning": {torus, exchange.Send{From: 0, To: 7, Axis: -1,
			Path: legs(exchange.Leg{Axis: 0, Links: 1}, exchange.Leg{Axis: 1, Links: -1})}, "0-4 4-7"},
		"no such axis": {torus, exchange.Send{From: 0, To: 2, Axis: 7, Dir: core.Plus}, ""},
		"no such leg": {torus, exchange.Send{From: 0, To: 2, Axis: -1,
			Path: legs(exchange.Leg{Axis: 2, Links: 1})}, ""},
		"huge": {torus, exchange.Send{From: 0, To: 2, Axis: -1,
			Path: legs(exchange.Leg{Axis: 1, Links: 1 << 30})}, ""},
		"path":     {meshHead.Axes, exchange.Send{From: 5, To: 3, Axis: 1, Dir: core.Minus}, "5-4 4-3"},
		"complete": {mixed, exchange.Send{From: 4, To: 6, Axis: -1}, "4-6"},
	} {
		n := coretest.Must(exchange.Head{Model: exchange.Wormhole, Axes: c.axes}.Network())
		got := ""
		for _, l := range linksOf(n, c.send) {
			from, to := n.LinkEnds(l)
			got += " " + core.JoinInts([]int{from, to}, "-")
		}
		if strings.TrimSpace(got) != c.want {
			t.Errorf("%s:%s, want %s", name, got, c.want)
		}
	}
}
