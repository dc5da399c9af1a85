package picture_test

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/picture"
)

// params returns what is needed to draw a placement under a routing on a network, all in text form.
func params(network, placement, route string) picture.Params {
	torus, r := coretest.Parse(network, route)
	p := coretest.Must(family.Parse(torus, placement))
	return picture.Params{Routing: r.String(), Placement: p, Loads: objective.Naive(r, p)}
}

// ofInstance returns the parameters of a random instance.
func ofInstance(in coretest.Instance) picture.Params {
	return picture.Params{Routing: in.Routing.String(), Placement: in.Placement, Loads: objective.Naive(in.Routing,
		in.Placement)}
}

// drawers are the ways to draw.
var drawers = map[string]func(io.Writer, picture.Picture) error{"SVG": picture.SVG, "Terminal": picture.Terminal}

func TestSameParamsSameBytes(t *testing.T) {
	for name, draw := range drawers {
		for i := range 20 {
			in := coretest.Random(coretest.Rng(11, i), 60)
			var first, second bytes.Buffer
			for _, b := range []*bytes.Buffer{&first, &second} {
				if err := draw(b, ofInstance(in)); err != nil {
					t.Fatalf("%s of %s: %v", name, in, err)
				}
			}
			if first.Len() == 0 || !bytes.Equal(first.Bytes(), second.Bytes()) {
				t.Fatalf("%s of %s: two runs differ or are empty", name, in)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	good := params("4x4", "linear", "odr")
	large := core.MustTorus(65, 64)
	largePlacement := core.MustPlacement(large, []int{0, 70})
	change := func(f func(*picture.Params)) picture.Params { p := good; f(&p); return p }
	cases := map[string]picture.Params{
		"there is no placement": {},
		"there are no loads":    change(func(p *picture.Params) { p.Loads = nil }),
		"another torus":         change(func(p *picture.Params) { p.Placement = largePlacement }),
		"pictures are limited to 4096": change(func(p *picture.Params) {
			p.Placement, p.Loads = largePlacement, objective.Naive(routing.NewUDR(large, routing.TieBoth), largePlacement)
		}),
		"at least 40": change(func(p *picture.Params) { p.Width = 39 }),
	}
	for want, p := range cases {
		for name, draw := range drawers {
			var b bytes.Buffer
			err := draw(&b, p)
			var input *core.InputError
			if !errors.As(err, &input) || !strings.Contains(input.Problem, want) {
				t.Errorf("%s: error %v, want an InputError with %q", name, err, want)
			}
			if b.Len() > 0 {
				t.Errorf("%s wrote %d bytes although it failed", name, b.Len())
			}
		}
	}
}

// TestLimitIsDrawn draws the largest tori allowed, flat and of the most dimensions.
func TestLimitIsDrawn(t *testing.T) {
	shapes := []string{"64x64", "4096", "2x2x2x2x2x2x2x2x2x2x2x2"}
	if testing.Short() {
		shapes = shapes[:1]
	}
	for _, dims := range shapes {
		p := params(dims, "random:n=5:seed=1", "odr")
		for name, draw := range drawers {
			if err := draw(io.Discard, p); err != nil {
				t.Errorf("%s of %v: %v", name, dims, err)
			}
		}
	}
}

// failing is a writer that is full.
type failing struct{}

var errFull = errors.New("disk full")

func (failing) Write([]byte) (int, error) { return 0, errFull }

func TestWriteErrorsAreReturned(t *testing.T) {
	p := params("3x3", "linear", "udr")
	for name, draw := range drawers {
		if err := draw(failing{}, p); !errors.Is(err, errFull) {
			t.Errorf("%s: error %v, want that of the writer", name, err)
		}
	}
}

// TestNamesOfNetworks: by hand.
func TestNamesOfNetworks(t *testing.T) {
	const crowded = "6x6:forbidden=0,0+0,1+0,2+0,3+0,4+0,5+1,0+1,1+1,2+1,3+1,4+1,5+2,0+2,1"
	for where, want := range map[string]string{
		"8x8":                        "8x8",
		"2x2x2":                      "2x2x2",
		"8x8:open=0,1":               "mesh 8x8",
		"8x2:open=0":                 "mesh 8x2",
		"8x8:open=1":                 "8x8:open=1",
		"8x8:bandwidth=2,1":          "8x8:bandwidth=2,1",
		"8x8:open=0,1:bandwidth=2,1": "mesh 8x8:bandwidth=2,1",
		"8x8:fixed=0,0+7,7":          "8x8, fixed 0,0+7,7",
		"1x11:twist=3":               "1x11:twist=3",
		"8x8:radius=2":               "8x8, radius 2",
		"8x8:open=0,1:distance=115":  "mesh 8x8, distance 115",
		"8x8:open=0,1:forbidden=3,3": "mesh 8x8, forbidden 3,3",
		"8x8:open=0,1:traffic=clients:request=1:reply=2:forbidden=3,3": "mesh 8x8, clients 1:2, forbidden 3,3",
		"8x8:traffic=clients:request=4:reply=1:reply-routing=odr:order=1,0:tie=both": "8x8, clients 4:1, replies by " +
			"XY, both ways at ties",
		"nonsense " + crowded:                "nonsense 6x6:forbidden=0,0+0,1+0,2+0,...",
		"4x4:open=0:fixed=0,0:forbidden=1,1": "4x4:open=0, fixed 0,0, forbidden 1,1",
		crowded:                              "6x6, forbidden 0,0+0,1+0,2+0,3+0,4+0,5+1,0+1,1+1,2+1...",
	} {
		if got := picture.Shown(where); got != want {
			t.Errorf("%s is shown as %q, want %q", where, got, want)
		}
	}
}

// TestControllersAreCalledSo: where processors have clients, no picture says processor, whatever it shows; elsewhere
// none says controller.
func TestControllersAreCalledSo(t *testing.T) {
	p := params("4x4", "nodes:0,0+1,1", "odr")
	p.Fixed = core.NewSet(16)
	p.Fixed.Add(0)
	words := []string{"processor", "controller"}
	for i, clients := range []bool{false, true} {
		p.Traffic = objective.Traffic{}
		if clients {
			p.Traffic = objective.Traffic{Request: 1, Reply: 4}
		}
		var svg, text bytes.Buffer
		coretest.Try(errors.Join(picture.SVG(&svg, p), picture.Terminal(&text, p)))
		yes, no := words[i], words[1-i]
		shown := regexp.MustCompile(`class="[^"]*"|<style>[^<]*</style>`).ReplaceAllString(svg.String(), "")
		for _, want := range []string{"2 " + yes + "s on the torus 4x4", "Placement of 2 " + yes + "s",
			"fixed " + yes + " (0,0)", ">" + yes + " (1,1)<", ">" + yes + "<", ">fixed " + yes + "<"} {
			if !strings.Contains(shown, want) {
				t.Errorf("%q is missing in the SVG", want)
			}
		}
		if !strings.Contains(text.String(), "fixed "+yes) || strings.Contains(shown+text.String(), no) {
			t.Errorf("clients %v: %s is said, or %s is not", clients, no, yes)
		}
	}
}
