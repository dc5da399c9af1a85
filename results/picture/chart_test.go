package picture_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/results/picture"
)

func rat(text string) *big.Rat {
	v, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	return v
}

// small is a chart of every kind of series.
func small() picture.Chart {
	return picture.Chart{Title: `E_max <on> "8x8"`, About: "3 sizes", X: "n", Y: "E_max", Series: []picture.Series{
		{Name: "best", Kind: picture.Best, Points: []picture.Point{{X: 2, Y: rat("1/4")},
			{X: 3, Y: rat("5/2"), Open: true}, {X: 5, Y: rat("4"), Note: "why & how"}}},
		{Name: "bound", Kind: picture.Bound, Points: []picture.Point{{X: 2, Y: rat("1/4")}, {X: 3, Y: rat("2")},
			{X: 5, Y: rat("4")}}},
		{Name: "linear", Kind: picture.First, Points: []picture.Point{{X: 3, Y: rat("7")}}},
		{Name: "multi", Kind: picture.Second, Points: []picture.Point{{X: 5, Y: rat("8")}}},
		{Name: "spaced", Kind: picture.Third, Points: []picture.Point{{X: 5, Y: rat("4")}}},
	}}
}

func parseChart(t *testing.T, c picture.Chart) element {
	t.Helper()
	var b bytes.Buffer
	coretest.Try(picture.SVG(&b, c))
	var root element
	if err := xml.Unmarshal(b.Bytes(), &root); err != nil {
		t.Fatalf("not well-formed: %v\n%s", err, b.String())
	}
	return root
}

// TestChartShowsEveryValue: each point is there once with its exact value.
func TestChartShowsEveryValue(t *testing.T) {
	root := parseChart(t, small())
	seen := map[string]int{}
	for _, e := range root.all("point") {
		seen[e.title()]++
	}
	for _, want := range []string{"best at 2: 1/4", "best at 3: 5/2", "best at 5: 4, why & how", "bound at 3: 2",
		"linear at 3: 7", "multi at 5: 8", "spaced at 5: 4"} {
		if seen[want] != 1 {
			t.Errorf("%q is there %d times", want, seen[want])
		}
	}
	if len(root.all("point")) != 9 || len(root.all("gap")) != 1 || len(root.all("open")) != 1 ||
		len(root.all("steps")) != 1 {
		t.Errorf("%d points, %d gaps, %d open, %d steps", len(root.all("point")), len(root.all("gap")),
			len(root.all("open")), len(root.all("steps")))
	}
	if !strings.Contains(root.Label, `E_max <on> "8x8"`) {
		t.Errorf("label %q", root.Label)
	}
}

// TestChartLegend: names stand clear of each other, however long they are.
func TestChartLegend(t *testing.T) {
	c := small()
	for _, longest := range []string{"spaced", "mesh 8x8, fixed 0,0+7,7, forbidden", strings.Repeat("forbidden ", 20)} {
		c.Series[4].Name = longest
		c.Series[2].Name = strings.Clone(longest)
		root := parseChart(t, c)
		ends := map[int]int{} // by line: where its last name ends
		for _, e := range root.all("small") {
			if e.has("mid") || e.has("end") || e.has("turned") || e.Y < 400 {
				continue
			}
			if e.X < ends[e.Y]+16 { // its marker lies before it
				t.Errorf("%q begins at %d, where another name ends at %d", e.Text, e.X, ends[e.Y])
			}
			ends[e.Y] = e.X + 7*utf8.RuneCountInString(e.Text)
		}
		if width, _ := strconv.Atoi(root.Width); len(ends) < 2 || slices.Max(slices.Collect(maps.Values(ends))) > width {
			t.Errorf("%d lines, the last name ends at %v of %d", len(ends), ends, width)
		}
	}
}

// TestChartKeepsOrder: larger values lie higher and further right, for random series.
func TestChartKeepsOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	for range 200 {
		s := picture.Series{Name: "s", Kind: picture.Best}
		x := int64(0)
		for range 1 + rng.IntN(20) {
			x += 1 + rng.Int64N(1<<rng.IntN(30))
			s.Points = append(s.Points, picture.Point{X: x, Y: big.NewRat(rng.Int64N(1000), 1+rng.Int64N(9))})
		}
		list := parseChart(t, picture.Chart{Series: []picture.Series{s}}).all("point")
		if len(list) != len(s.Points) {
			t.Fatalf("%d of %d points", len(list), len(s.Points))
		}
		for i, e := range list {
			if e.CX < 0 || e.CY < 0 || e.CX > 760 || e.CY > 480 {
				t.Fatalf("%s lies at %d,%d", e.title(), e.CX, e.CY)
			}
			for j := range i {
				if e.CX < list[j].CX || s.Points[i].Y.Cmp(s.Points[j].Y) > 0 && e.CY > list[j].CY {
					t.Fatalf("%s at %d,%d and %s at %d,%d", list[j].title(), list[j].CX, list[j].CY, e.title(), e.CX, e.CY)
				}
			}
		}
	}
}

func TestChartTerminal(t *testing.T) {
	c := small()
	c.ASCII = true
	var b bytes.Buffer
	coretest.Try(picture.Terminal(&b, c))
	text := b.String()
	for _, sign := range []string{"* best", "- bound", "# linear", "^ multi", "x spaced", "o open"} {
		if !strings.Contains(text, sign) {
			t.Errorf("the legend lacks %q:\n%s", sign, text)
		}
	}
	for line := range strings.Lines(text) {
		if len(line) > 81 || strings.ContainsFunc(line, func(r rune) bool { return r > 126 || r == 0x1b }) {
			t.Errorf("line %q", line)
		}
	}
}

func TestChartPNG(t *testing.T) {
	c := small()
	root := parseChart(t, c)
	img := pixels(t, func(b *bytes.Buffer) error { return picture.PNG(b, c) })
	for _, e := range root.all("best") {
		want := rgb(0x0a6c8f)
		if e.has("open") {
			want = rgb(0xffffff)
		}
		if got := pixel(img, e.CX, e.CY); got != want {
			t.Errorf("%s has colour %v", e.title(), got)
		}
	}
}

func TestChartRefusals(t *testing.T) {
	point := func(x int64, y *big.Rat) picture.Chart {
		return picture.Chart{Series: []picture.Series{{Name: "s", Points: []picture.Point{{X: 3, Y: rat("1")},
			{X: x, Y: y}}}}}
	}
	for name, c := range map[string]picture.Chart{
		"nothing":        {},
		"no value":       point(4, nil),
		"a negative one": point(4, rat("-1")),
		"out of order":   point(2, rat("1")),
		"a strange kind": {Series: []picture.Series{{Kind: 9, Points: []picture.Point{{Y: rat("1")}}}}},
		"a narrow width": {Width: 3, Series: small().Series},
	} {
		var b bytes.Buffer
		err := fmt.Errorf("%w", picture.SVG(&b, c))
		var input *core.InputError
		if !errors.As(err, &input) || b.Len() > 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestChartSteps: a bound holds until the next one, in SVG and in a terminal, where each column from the first point to
// the last has a sign of the series in the row of the value that holds there.
func TestChartSteps(t *testing.T) {
	c := picture.Chart{Title: "steps", X: "evaluations", Y: "E_max", ASCII: true, Width: 60, Series: []picture.Series{
		{Name: "best so far", Kind: picture.Bound, Points: []picture.Point{{X: 0, Y: rat("9")},
			{X: 50, Y: rat("5")}, {X: 100, Y: rat("3")}}}}}
	if steps := parseChart(t, c).all("steps"); len(steps) != 1 {
		t.Errorf("%d lines of steps", len(steps))
	}
	var b bytes.Buffer
	coretest.Try(picture.Terminal(&b, c))
	lines := strings.Split(b.String(), "\n")
	var found []string
	for _, line := range lines {
		part := strings.TrimSpace(line[min(9, len(line)):])
		if strings.HasPrefix(part, "-") && !strings.Contains(part, "best") {
			found = append(found, part)
		}
	}
	if len(found) != 3 || strings.Count(found[0], "-") < 20 || strings.Count(found[1], "-") < 20 || found[2] != "-" ||
		!strings.HasSuffix(found[0], "|") || !strings.HasSuffix(found[1], "|") {
		t.Errorf("steps %q in\n%s", found, b.String())
	}
}
