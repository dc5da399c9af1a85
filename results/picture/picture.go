package picture

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"leeway/core"
	"leeway/objective"
)

// MaxNodes is the most nodes that are drawn; larger tori are refused. A drawing
// of more is of no use to the eye and takes many megabytes.
const MaxNodes = 4096

// A Theme says what background a picture is for.
type Theme uint8

// The themes.
const (
	// Auto follows the preference of the viewer in SVG, and takes colours that
	// can be read on both backgrounds in a terminal.
	Auto Theme = iota
	Light
	Dark
)

// Params says what to draw and how.
type Params struct {
	Title     string // any text, "" for none
	Routing   string // text form of the routing that the loads are for, "" to leave it out
	Placement core.Placement
	Loads     *objective.Loads // of the placement's torus
	Theme     Theme
	Values    bool // print exact loads beside the links
	Embedded  bool // SVG: leave out the style sheet, since the page around has StyleSheet
	Compact   bool // SVG: all links of a load as one element, and nodes without titles; see SVG

	Color bool // terminal: ANSI colours
	ASCII bool // terminal: no characters beyond ASCII
	Width int  // terminal: columns, 0 for 80
}

// minWidth is the narrowest terminal that is drawn for.
const minWidth = 40

// check returns nil if the parameters can be drawn, otherwise an
// *core.InputError.
func (p Params) check() error {
	fail := func(text, problem, hint string) error {
		return &core.InputError{Text: text, Problem: problem, Hint: hint}
	}
	t := p.Placement.Torus()
	switch {
	case t == nil:
		return fail("picture", "there is no placement to draw", "")
	case p.Loads == nil:
		return fail("picture", "there are no loads to draw", "evaluate the placement first")
	case !p.Loads.Torus().Equal(t):
		return fail(p.Loads.Torus().String(), fmt.Sprintf("the loads are for another torus than the placement, which is on "+
			"%s", t), "")
	case t.N() > MaxNodes:
		return fail(t.String(), fmt.Sprintf("the torus has %d nodes; pictures are limited to %d", t.N(), MaxNodes), "draw "+
			"a smaller torus")
	case p.Theme > Dark:
		return fail(fmt.Sprint(p.Theme), "unknown theme", "themes are auto, light and dark")
	case p.Width != 0 && p.Width < minWidth:
		return fail(fmt.Sprint(p.Width), fmt.Sprintf("a picture needs at least %d columns", minWidth), "")
	}
	return nil
}

// maxRouting is the number of characters after which the facts cut the routing: a
// list of orders can be very long.
const maxRouting = 60

// facts returns the numbers that stand with every picture.
func (p Params) facts() []string {
	facts := []string{"torus " + p.Placement.Torus().String(), fmt.Sprintf("n = %d", p.Placement.Size())}
	if p.Routing != "" {
		facts = append(facts, clipped(p.Routing, maxRouting, "..."))
	}
	most, links := p.Loads.Max()
	return append(facts, "E_max = "+most.RatString(), fmt.Sprintf("%d of %d links at E_max", links,
		p.Placement.Torus().M()))
}

// clipped returns text cut to a number of characters, with an ellipsis if any
// are missing.
func clipped(text string, length int, ellipsis string) string {
	if runes := []rune(text); len(runes) > length {
		return string(runes[:length-utf8.RuneCountInString(ellipsis)]) + ellipsis
	}
	return text
}

// coordinates returns a node as (0,1,2).
func coordinates(t *core.Torus, node int) string {
	return "(" + strings.Trim(strings.ReplaceAll(fmt.Sprint(t.Coords(node)), " ", ","), "[]") + ")"
}

// linkName returns a link as (0,1) -> (0,2).
func linkName(t *core.Torus, l core.Link) string {
	from, to := t.LinkEnds(l)
	return coordinates(t, from) + " -> " + coordinates(t, to)
}
