package picture

import (
	"fmt"
	"strings"
)

// A palette holds the colours of one theme.
type palette struct {
	background, text, muted, node, processor, idle string
	loads                                          ramp
	series                                         [5]string // by kind; told apart by shape as well
}

var (
	lightPalette = palette{"#ffffff", "#1c2230", "#626b7c", "#a3abb9", "#0a6c8f", "#dbe0e8", onLight,
		[5]string{"#0a6c8f", "#3d4656", "#b4532a", "#8a6a00", "#8c3a86"}}
	darkPalette = palette{"#12151d", "#e8ebf2", "#98a2b5", "#626c80", "#5bc4ee", "#2f3644", onDark,
		[5]string{"#5bc4ee", "#aeb6c6", "#f0956a", "#e0bf4f", "#d991d4"}}
)

// shapes are the rules that do not depend on the theme, one a line.
const shapes = `text{font:13px system-ui,"Segoe UI","DejaVu Sans",Helvetica,Arial,sans-serif}
.title{font-size:18px;font-weight:600}
.small{font-size:11px}
.value{font-size:10px;paint-order:stroke;stroke-width:2.5;stroke-linejoin:round}
.mid{text-anchor:middle}
.end{text-anchor:end}
path.wire{fill:none;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
path.wire.idle{stroke-width:1.4}
path.wire.top{stroke-width:3.6}
.mark{stroke-width:.4;stroke-linejoin:round}
.mark.top{stroke-width:2.2}
.swatch{stroke-width:.5}
path.grid{fill:none;stroke-width:1}
path.axis{fill:none;stroke-width:1.2}
path.gap{fill:none;stroke-width:2;stroke-dasharray:2 4}
path.steps{fill:none;stroke-width:1.6}
`

// rootClass returns the class of the svg element. Rules hold only below it, so
// that pictures of different themes can stand in one page and leave its own
// texts alone.
func rootClass(theme Theme) string {
	return [...]string{"leeway-auto", "leeway-light", "leeway-dark"}[theme]
}

// StyleSheet returns the style sheet of pictures of a theme, which a page with
// embedded pictures must have. Auto is light with the dark colours for viewers
// that prefer them.
func StyleSheet(theme Theme) string {
	within := func(rules string) string {
		prefix := "." + rootClass(theme) + " "
		return prefix + strings.ReplaceAll(strings.TrimSuffix(rules, "\n"), "\n", "\n"+prefix) + "\n"
	}
	switch theme {
	case Light:
		return within(shapes + lightPalette.rules())
	case Dark:
		return within(shapes + darkPalette.rules())
	default:
		return within(shapes+lightPalette.rules()) + "@media (prefers-color-scheme:dark){\n" + within(darkPalette.rules()) + "}\n"
	}
}

// rules returns the coloured rules, one a line.
func (p palette) rules() string {
	var b strings.Builder
	rule := func(selector, property, color string) {
		fmt.Fprintf(&b, "%s{%s:%s}\n", selector, property, color)
	}
	rule(".paper", "fill", p.background)
	rule("text", "fill", p.text)
	rule(".muted", "fill", p.muted)
	rule(".value", "stroke", p.background)
	rule(".node", "fill", p.node)
	rule(".processor", "fill", p.processor)
	rule(".in-node", "fill", p.text)
	rule(".in-processor", "fill", p.background)
	fmt.Fprintf(&b, ".idle{stroke:%[1]s;fill:%[1]s}\n", p.idle)
	rule("path.grid", "stroke", p.idle)
	rule("path.axis", "stroke", p.node)
	rule("path.gap", "stroke", p.series[Best])
	for k := Best; k <= Third; k++ {
		fill := p.series[k]
		if k >= First {
			fill = "none" // so that equal values show through
		}
		fmt.Fprintf(&b, ".%s{stroke:%s;fill:%s;stroke-width:1.6}\n", k.class(), p.series[k], fill)
	}
	rule(".open.best", "fill", p.background)
	for i := 1; i <= bands; i++ {
		fmt.Fprintf(&b, ".b%[1]d{stroke:%[2]s;fill:%[2]s}\n", i, p.loads.color(i))
	}
	return b.String()
}
