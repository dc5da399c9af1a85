package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/objective/exchange"
)

// meshPhase is a phase on a mesh of 2x3 nodes of which 0, 1 and 5 exchange.
func meshPhase() PhaseParams {
	return PhaseParams{Number: 1, Held: []int{2, 2, 0, 0, 0, 2},
		Head: exchange.Head{Name: "a <b>", Model: exchange.Wormhole, Participants: []int{0, 1, 5},
			Axes: []exchange.Axis{{Kind: exchange.Path, Nodes: 2}, {Kind: exchange.Path, Nodes: 3}}},
		Phase: exchange.Phase{
			{From: 0, To: 1, Blocks: []exchange.Block{{From: 0, To: 1}, {From: 0, To: 5}}},
			{From: 1, To: 2, Blocks: []exchange.Block{{From: 1, To: 5}}}}}
}

func TestPhaseText(t *testing.T) {
	var b bytes.Buffer
	p := meshPhase()
	p.ASCII = true
	if err := Terminal(&b, p); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"2 sends, 3 blocks, largest send 2, busy ports 2 of 6 sending, 2 of 6 receiving",
		" [s]2  [x]2   r 0 ", "  . 0   . 0  [.]2 ", "0 -> 1  2 blocks\n", "1 -> 2  1>5\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
}

// TestPhaseSVG reads the picture as XML and counts what stands in it.
func TestPhaseSVG(t *testing.T) {
	var b bytes.Buffer
	if err := SVG(&b, meshPhase()); err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	dec := xml.NewDecoder(&b)
	for {
		token, err := dec.Token()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok {
			count[e.Name.Local]++
			for _, a := range e.Attr {
				if a.Name.Local == "class" {
					count["."+a.Value]++
				}
			}
		}
	}
	if count[".wire b7"] != 2 || count[".b7"] != 2 || count[".processor"] != 3 || count[".node"] != 3 {
		t.Errorf("%v", count)
	}
}

// TestPhaseAt follows a schedule of the same phase twice, and past its end.
func TestPhaseAt(t *testing.T) {
	p := meshPhase()
	twice := func(yield func(exchange.Phase, error) bool) {
		for range 2 {
			if !yield(p.Phase, nil) {
				return
			}
		}
	}
	first, err := PhaseAt(p.Head, twice, 0)
	if err != nil || !slices.Equal(first.Held, []int{2, 2, 0, 0, 0, 2}) {
		t.Errorf("phase 0: %v, %v", first.Held, err)
	}
	second, err := PhaseAt(p.Head, twice, 1)
	if err != nil || !slices.Equal(second.Held, []int{0, 2, 1, 0, 0, 2}) {
		t.Errorf("phase 1: %v, %v", second.Held, err)
	}
	var missing *NoPhaseError
	if _, err := PhaseAt(p.Head, twice, 2); !errors.As(err, &missing) || missing.Phases != 2 {
		t.Errorf("phase 2: %v", err)
	}
}

// TestFollow holds that a block that comes home waits no longer.
func TestFollow(t *testing.T) {
	p := meshPhase()
	held, err := heldAtStart(p.Head)
	if err != nil || !slices.Equal(held, []int{2, 2, 0, 0, 0, 2}) {
		t.Fatalf("%v, %v", held, err)
	}
	if err := follow(held, p.Phase); err != nil || !slices.Equal(held, []int{0, 2, 1, 0, 0, 2}) {
		t.Errorf("%v, %v", held, err)
	}
	var input *core.InputError
	if err := follow(held, exchange.Phase{{From: 0, To: 6}}); !errors.As(err, &input) {
		t.Errorf("node 6: %v", err)
	}
	if err := follow(held, exchange.Phase{{From: -1, To: 0}}); !errors.As(err, &input) {
		t.Errorf("node -1: %v", err)
	}
	for _, head := range []exchange.Head{
		{Axes: []exchange.Axis{{Nodes: 1 << 20}}}, {Axes: []exchange.Axis{{Nodes: 0}}},
		{Axes: []exchange.Axis{{Nodes: 4}}, Participants: []int{4}},
	} {
		if _, err := heldAtStart(head); !errors.As(err, &input) {
			t.Errorf("%+v: %v", head, err)
		}
	}
	all, err := heldAtStart(exchange.Head{Axes: []exchange.Axis{{Nodes: 3}}})
	if err != nil || !slices.Equal(all, []int{2, 2, 2}) {
		t.Errorf("%v, %v", all, err)
	}
}
