package picture

import (
	_ "embed"
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"
)

// The style sheet, a rule a line: what does not depend on the background, the colours for each, and widths by
// bandwidth. SVG has its text, and PNG reads the look of a shape from it. After a comment the colours have the roles of
// nodes, which, as the widths, few pictures need.
var (
	//go:embed shapes.css
	shapeRules string
	//go:embed light.css
	lightRules string
	//go:embed dark.css
	darkRules string
	//go:embed widths.css
	widthRules string
)

// colourRules returns light or dark rules with or without those of networks.
func colourRules(rules string, networks bool) string {
	rules, roles, _ := strings.Cut(rules, "/* networks */\n")
	if networks {
		rules += roles + widthRules
	}
	return rules
}

// rootClass is the class of the svg element. Rules hold only below it, so that pictures leave the texts of a page
// alone.
const rootClass = "leeway-auto"

// StyleSheet returns the style sheet of pictures, which a page that draws pictures itself must have: light, with the
// dark colours for viewers that prefer them.
func StyleSheet() string { return styleSheet(true) }

// styleSheet returns the style sheet with or without the rules of networks.
func styleSheet(networks bool) string {
	within := func(rules string) (sheet string) {
		for rule := range strings.Lines(rules) {
			sheet += "." + rootClass + " " + rule
		}
		return sheet
	}
	return within(shapeRules+colourRules(lightRules, networks)) +
		"@media (prefers-color-scheme:dark){\n" + within(colourRules(darkRules, networks)) + "}\n"
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

// set changes a look by a property of CSS. What is not here means nothing in PNG, which always has the stroke of text
// below it, and round joints and ends.
func (l *look) set(property string) {
	name, value, _ := strings.Cut(property, ":")
	number, _ := strconv.ParseFloat(strings.TrimSuffix(value, "px"), 64)
	switch name {
	case "fill":
		l.fill = readColor(value)
	case "stroke":
		l.stroke = readColor(value)
	case "stroke-width":
		l.width = number
	case "stroke-dasharray":
		l.dash = make([]float64, 2)
		fmt.Sscan(value, &l.dash[0], &l.dash[1])
	case "font-size":
		l.size = number
	case "font-weight":
		l.bold = true
	case "text-anchor":
		l.anchor = value
	}
}

// readColor reads #rrggbb; anything else is transparent.
func readColor(text string) (c color.NRGBA) {
	if _, err := fmt.Sscanf(text, "#%02x%02x%02x", &c.R, &c.G, &c.B); err == nil {
		c.A = 255
	}
	return c
}

// looks returns how shapes appear by some rules of colours, by element and class. As in CSS the rule with more classes
// holds, then that with an element, and of equal ones the later.
func looks(colours string) func(e shape) look {
	type rule struct {
		element    string // "" for any
		classes    []string
		properties string
	}
	var rules []rule
	for line := range strings.Lines(shapeRules + colours) {
		selector, properties, _ := strings.Cut(strings.TrimSuffix(line, "}\n"), "{")
		parts := strings.Split(selector, ".")
		rules = append(rules, rule{parts[0], parts[1:], properties})
	}
	special := func(r rule) int { return 2*len(r.classes) + min(1, len(r.element)) }
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
			if r.element != "" && r.element != e.kind.element() || slices.ContainsFunc(r.classes, lacks) {
				continue
			}
			for property := range strings.SplitSeq(r.properties, ";") {
				l.set(property)
			}
		}
		known[key] = l
		return l
	}
}
