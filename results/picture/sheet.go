package picture

import (
	"image/color"
	"slices"
	"strconv"
	"strings"
)

// A look is how a shape appears: what the rules of a style sheet say about its
// element and classes.
type look struct {
	fill, stroke  color.NRGBA // transparent for none
	width         float64     // of the stroke
	dash          []float64   // nil for an unbroken stroke
	size          float64     // of text
	bold          bool
	anchor        string // "", "middle" or "end"
	strokeIsBelow bool   // text: the stroke is a halo
}

// A sheet is a style sheet read back: the rules that the SVG has, so that both
// kinds of pictures look alike. It knows just what these rules use: selectors of
// an element and classes, and the properties of a look.
type sheet []rule

type rule struct {
	element string // "" for any
	classes []string
	values  map[string]string
}

// newSheet reads rules that stand one a line.
func newSheet(rules string) sheet {
	var s sheet
	for line := range strings.Lines(rules) {
		selector, body, ok := strings.Cut(strings.TrimSpace(line), "{")
		if !ok {
			continue
		}
		parts := strings.Split(selector, ".")
		r := rule{element: parts[0], classes: parts[1:], values: map[string]string{}}
		for _, item := range strings.Split(strings.TrimSuffix(body, "}"), ";") {
			name, value, _ := strings.Cut(item, ":")
			r.values[name] = value
		}
		s = append(s, r)
	}
	slices.SortStableFunc(s, func(a, b rule) int { return a.weight() - b.weight() })
	return s
}

// weight orders rules as CSS does: more classes count more, then an element.
func (r rule) weight() int {
	w := 2 * len(r.classes)
	if r.element != "" {
		w++
	}
	return w
}

func (r rule) fits(element string, classes []string) bool {
	if r.element != "" && r.element != element {
		return false
	}
	for _, c := range r.classes {
		if !slices.Contains(classes, c) {
			return false
		}
	}
	return true
}

// look returns how a shape appears.
func (s sheet) look(e shape) look {
	values := map[string]string{"fill": "#000000"}
	classes := strings.Fields(e.class)
	for _, r := range s {
		if r.fits(e.kind.element(), classes) {
			for name, value := range r.values {
				values[name] = value
			}
		}
	}
	l := look{fill: paint(values["fill"]), stroke: paint(values["stroke"]), width: number(values["stroke-width"], 1),
		size: number(values["font-size"], 13), anchor: values["text-anchor"], bold: values["font-weight"] == "600",
		strokeIsBelow: values["paint-order"] == "stroke"}
	if dash := values["stroke-dasharray"]; dash != "" {
		for _, part := range strings.Fields(dash) {
			l.dash = append(l.dash, number(part, 0))
		}
	}
	return l
}

// paint returns the colour #rrggbb, transparent for anything else.
func paint(text string) color.NRGBA {
	v, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 32)
	if err != nil || len(text) != 7 {
		return color.NRGBA{}
	}
	return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 255}
}

// number returns a length in pixels, other if there is none.
func number(text string, other float64) float64 {
	v, err := strconv.ParseFloat(strings.TrimSuffix(text, "px"), 64)
	if err != nil {
		return other
	}
	return v
}
