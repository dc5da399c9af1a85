package picture

import (
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"
)

// A palette holds the colours of one theme.
type palette struct {
	background, text, muted, node, processor, idle color.NRGBA
	loads                                          ramp
	series                                         [5]color.NRGBA // by kind; told apart by shape as well
}

var (
	lightPalette = palette{rgb(0xffffff), rgb(0x1c2230), rgb(0x626b7c), rgb(0xa3abb9), rgb(0x0a6c8f), rgb(0xdbe0e8),
		onLight,
		[5]color.NRGBA{rgb(0x0a6c8f), rgb(0x3d4656), rgb(0xb4532a), rgb(0x8a6a00), rgb(0x8c3a86)}}
	darkPalette = palette{rgb(0x12151d), rgb(0xe8ebf2), rgb(0x98a2b5), rgb(0x626c80), rgb(0x5bc4ee), rgb(0x2f3644), onDark,
		[5]color.NRGBA{rgb(0x5bc4ee), rgb(0xaeb6c6), rgb(0xf0956a), rgb(0xe0bf4f), rgb(0xd991d4)}}
)

func rgb(v uint32) color.NRGBA { return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255} }

// paletteOf returns the colours of a theme in PNG, where Auto is light.
func paletteOf(theme Theme) palette {
	if theme == Dark {
		return darkPalette
	}
	return lightPalette
}

// A look is how a shape appears.
type look struct {
	fill, stroke color.NRGBA // transparent for none
	width        float64     // of the stroke
	dash         []float64   // nil for an unbroken stroke
	size         float64     // of text
	bold         bool
	anchor       string // "", "middle" or "end"
}

// A rule says how shapes of an element and with some classes look. The rules are the style sheet of SVG, and PNG
// takes the look of a shape from them. As in CSS the more special rule holds, and of equal ones the later.
type rule struct {
	element string // "" for any
	classes string // with blanks between
	sets    []property
}

// A property is one thing that a rule says: in CSS, and what it changes in a look, nil for nothing.
type property struct {
	css string
	set func(l *look)
}

func fill(c color.NRGBA) property {
	return property{"fill:" + cssColor(c), func(l *look) { l.fill = c }}
}
func stroke(c color.NRGBA) property {
	return property{"stroke:" + cssColor(c), func(l *look) { l.stroke = c }}
}

func width(w float64) property {
	return property{"stroke-width:" + strings.TrimPrefix(strconv.FormatFloat(w, 'g', -1, 64), "0"),
		func(l *look) { l.width = w }}
}

func size(px float64) property {
	return property{fmt.Sprintf("font-size:%gpx", px), func(l *look) { l.size = px }}
}
func anchor(at string) property {
	return property{"text-anchor:" + at, func(l *look) { l.anchor = at }}
}

func dash(on, off float64) property {
	return property{fmt.Sprintf("stroke-dasharray:%g %g", on, off), func(l *look) { l.dash = []float64{on, off} }}
}

var (
	none      = color.NRGBA{}
	bold      = property{"font-weight:600", func(l *look) { l.bold = true }}
	halo      = property{"paint-order:stroke", nil}    // PNG always has the stroke of text below it,
	roundJoin = property{"stroke-linejoin:round", nil} // and round joints and ends
	roundCap  = property{"stroke-linecap:round", nil}
	plain     = property{`font:13px system-ui,"Segoe UI","DejaVu Sans",Helvetica,Arial,sans-serif`,
		func(l *look) { l.size = 13 }}
)

// cssColor returns #rrggbb, or none.
func cssColor(c color.NRGBA) string {
	if c.A == 0 {
		return "none"
	}
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}

// shapeRules do not depend on the theme.
var shapeRules = []rule{
	{"text", "", []property{plain}},
	{"", "title", []property{size(18), bold}},
	{"", "small", []property{size(11)}},
	{"", "value", []property{size(10), halo, width(2.5), roundJoin}},
	{"", "mid", []property{anchor("middle")}},
	{"", "end", []property{anchor("end")}},
	{"path", "wire", []property{fill(none), width(2), roundCap, roundJoin}},
	{"path", "wire idle", []property{width(1.4)}},
	{"path", "wire top", []property{width(3.6)}},
	{"", "mark", []property{width(.4), roundJoin}},
	{"", "mark top", []property{width(2.2)}},
	{"", "swatch", []property{width(.5)}},
	{"path", "grid", []property{fill(none), width(1)}},
	{"path", "axis", []property{fill(none), width(1.2)}},
	{"path", "gap", []property{fill(none), width(2), dash(2, 4)}},
	{"path", "steps", []property{fill(none), width(1.6)}},
}

// networkRules are those of bandwidths and of fixed and forbidden nodes, which few pictures need.
func (p palette) networkRules() []rule {
	list := []rule{
		{"", "fixed", []property{fill(p.background)}},
		{"path", "forbidden", []property{fill(none), stroke(p.text), width(1.8), roundCap}},
	}
	for i := 1; i <= wideLevels; i++ {
		class, w := fmt.Sprintf("wire wide%d", i), 1.8*float64(i)
		list = append(list, rule{"path", class, []property{width(w)}},
			rule{"path", class + " idle", []property{width(w - .4)}}, rule{"path", class + " top", []property{width(w + 1)}})
	}
	return list
}

// rules returns the rules with the colours of a theme.
func (p palette) rules() []rule {
	list := []rule{
		{"", "paper", []property{fill(p.background)}},
		{"text", "", []property{fill(p.text)}},
		{"", "muted", []property{fill(p.muted)}},
		{"", "value", []property{stroke(p.background)}},
		{"", "node", []property{fill(p.node)}},
		{"", "processor", []property{fill(p.processor)}},
		{"", "in-node", []property{fill(p.text)}},
		{"", "in-processor", []property{fill(p.background)}},
		{"", "idle", []property{stroke(p.idle), fill(p.idle)}},
		{"path", "grid", []property{stroke(p.idle)}},
		{"path", "axis", []property{stroke(p.node)}},
		{"path", "gap", []property{stroke(p.series[Best])}},
	}
	for k, c := range p.series {
		inside := c
		if SeriesKind(k) >= First {
			inside = none // so that equal values show through
		}
		list = append(list, rule{"", kinds[k].class, []property{stroke(c), fill(inside), width(1.6)}})
	}
	list = append(list, rule{"", "open best", []property{fill(p.background)}})
	for i := 1; i <= bands; i++ {
		c := p.loads.color(i)
		list = append(list, rule{"", fmt.Sprintf("b%d", i), []property{stroke(c), fill(c)}})
	}
	return list
}

// rootClass returns the class of the svg element. Rules hold only below it, so that pictures of different themes can
// stand in one page and leave its own texts alone.
func rootClass(theme Theme) string {
	return [...]string{"leeway-auto", "leeway-light", "leeway-dark"}[theme]
}

// StyleSheet returns the style sheet of pictures of a theme, which a page that draws pictures itself must have. Auto is
// light with the dark colours for viewers that prefer them.
func StyleSheet(theme Theme) string { return styleSheet(theme, true) }

// styleSheet returns the style sheet with or without the rules of networks.
func styleSheet(theme Theme, networks bool) string {
	within := func(rules []rule) string {
		var b strings.Builder
		for _, r := range rules {
			fmt.Fprintf(&b, ".%s %s", rootClass(theme), r.element)
			for _, c := range strings.Fields(r.classes) {
				b.WriteString("." + c)
			}
			var sets []string
			for _, p := range r.sets {
				sets = append(sets, p.css)
			}
			fmt.Fprintf(&b, "{%s}\n", strings.Join(sets, ";"))
		}
		return b.String()
	}
	colors := func(p palette) string {
		if networks {
			return within(slices.Concat(p.rules(), p.networkRules()))
		}
		return within(p.rules())
	}
	sheet := within(shapeRules) + colors(paletteOf(theme))
	if theme == Auto {
		sheet += "@media (prefers-color-scheme:dark){\n" + colors(darkPalette) + "}\n"
	}
	return sheet
}

// looks returns how the shapes of a theme appear, by element and class.
func looks(p palette) func(e shape) look {
	rules := slices.Concat(shapeRules, p.rules(), p.networkRules())
	special := func(r rule) int { // as in CSS: more classes count more, then an element
		n := 2 * len(strings.Fields(r.classes))
		if r.element != "" {
			n++
		}
		return n
	}
	slices.SortStableFunc(rules, func(a, b rule) int { return special(a) - special(b) })
	known := map[string]look{}
	return func(e shape) look {
		key := e.kind.element() + " " + e.class
		l, ok := known[key]
		if ok {
			return l
		}
		l = look{fill: color.NRGBA{A: 255}, width: 1, size: 13}
		has := strings.Fields(e.class)
		for _, r := range rules {
			lacks := func(c string) bool { return !slices.Contains(has, c) }
			if r.element != "" && r.element != e.kind.element() || slices.ContainsFunc(strings.Fields(r.classes), lacks) {
				continue
			}
			for _, p := range r.sets {
				if p.set != nil {
					p.set(&l)
				}
			}
		}
		known[key] = l
		return l
	}
}
