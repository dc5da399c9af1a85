// Package picture draws a placement with the load of every link, as SVG and as text for a terminal.
//
// A torus is drawn in slices: each panel shows the last two dimensions, the last one horizontally (x) and the one
// before it downwards (y), and there is one panel for every value of the other dimensions. A torus of one dimension is
// one row. Links inside a panel run between their nodes; links that go around the torus leave one border and come back
// at the other, and an open dimension has none of these; where the ends of a twisted torus are shifted, such a link
// says which node it leads to. Links along the other dimensions are marks beside the node that they leave. Where links
// differ in bandwidth, those with more are wider.
//
// Colours only guide the eye: they show in which of a few equal bands between 0 and E_max a load lies. Exact loads
// stand in the titles that a viewer shows under the pointer, and beside the links when asked for. Loads on the edge
// of two bands count to the lower one; a load of 0 has a look of its own.
//
// A phase of a schedule of complete exchange has the blocks that go over each link in place of loads.
//
// The same parameters give the same bytes: coordinates are integers and nothing depends on map order, the clock or
// the machine.
package picture

import (
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"leeway/core"
	"leeway/core/words"
	"leeway/objective"
	"leeway/objective/texts"
)

// A Picture can be drawn: Params with a placement, or a Chart.
type Picture interface {
	check() error    // nil if it can be drawn, otherwise an *core.InputError
	asScene() *scene // of one that passes the check
	asText() string  // the same for a terminal
}

// SVG writes a picture as one SVG document. Errors are *core.InputError for one that cannot be drawn, otherwise those
// of w; nothing is written unless the whole document is ready. Cost linear in what is drawn, as of PNG and Terminal.
func SVG(w io.Writer, p Picture) error {
	return write(w, p, func() ([]byte, error) { return p.asScene().svg(), nil })
}

// PNG writes the picture that SVG writes as pixels, two by two for each unit of the SVG; its background is light.
// Errors as of SVG, and *core.InputError for a picture of too many pixels.
func PNG(w io.Writer, p Picture) error {
	return write(w, p, func() ([]byte, error) { return p.asScene().png() })
}

// Terminal writes a picture as text. Errors as of SVG.
func Terminal(w io.Writer, p Picture) error {
	return write(w, p, func() ([]byte, error) { return []byte(p.asText()), nil })
}

func write(w io.Writer, p Picture, render func() ([]byte, error)) error {
	if err := p.check(); err != nil {
		return err
	}
	data, err := render()
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// MaxNodes is the most nodes that are drawn; larger tori are refused. A drawing of more is of no use to the eye and
// takes many megabytes.
const MaxNodes = 4096

// Params says which placement to draw, with its loads, and how.
//
// In SVG every link is one element of class "link" and every node one of class "node" or "processor", each with a
// title: "(0,1) -> (0,2): 5/2", "processor (0,1)", or "controller (0,1)" with clients.
//
// In a terminal loads are exact where there is room, else levels: ninths of E_max, rounded up. Where not even levels
// fit side by side into the width, only the placement is drawn. A remark says so in both cases. A ring is broken into
// lines instead, and so is a placement that is wider than the terminal.
type Params struct {
	Title     string // any text, "" for none
	Label     string // of the cell or orbit that is drawn, "" to leave it out
	Routing   string // canonical text of the routing that the loads are for, "" to leave it out
	Placement core.Placement
	Loads     *objective.Loads // of the placement's torus
	// Cycle says that Loads are places in a cycle of links that wait for each other, from 1; 0 for other links.
	Cycle     bool
	Phase     *Phase            // whose blocks Loads are, see PhaseAt; nil for other pictures
	Fixed     core.Set          // nodes that have to carry a processor, nil for none
	Forbidden core.Set          // nodes that must not, nil for none
	Traffic   objective.Traffic // with clients the processors are called controllers
	Values    bool              // SVG and PNG: print exact loads beside the links

	Color bool // terminal: ANSI colours
	ASCII bool // terminal: no characters beyond ASCII
	Width int  // terminal: columns, 0 for 80
}

// minWidth is the narrowest terminal that is drawn for.
const minWidth = 40

// check returns nil if the parameters can be drawn, otherwise an *core.InputError.
func (p Params) check() error {
	fail := func(text, problem, hint string) error {
		return core.Invalid(text, "%s", problem).Hinted(hint)
	}
	t := p.Placement.Torus()
	switch {
	case t == nil:
		return fail("picture", "there is no placement to draw", "")
	case !t.HasDimensions() && t.N() > maxCircleNodes:
		return fail(t.Title(), fmt.Sprintf("it has %d nodes; pictures of networks from lists of links have up to %d", t.N(),
			maxCircleNodes), "leeway export --to graphml writes it with its loads for programs that lay graphs out")
	case p.Loads == nil:
		return fail("picture", "there are no loads to draw", "evaluate the placement first")
	case !p.Loads.Torus().Equal(t):
		return fail(p.Loads.Torus().String(), fmt.Sprintf("the loads are for another torus than the placement, which is on "+
			"%s", t), "")
	case t.N() > MaxNodes:
		return fail(t.String(), fmt.Sprintf("the torus has %d nodes; pictures are limited to %d", t.N(), MaxNodes), "draw "+
			"a smaller torus")
	}
	processors := p.Placement.Set()
	for v := range t.N() {
		switch has := processors.Has(v); {
		case has && p.forbidden(v):
			return fail(coordinates(t, v), "a forbidden node carries a processor", "")
		case !has && p.fixed(v):
			return fail(coordinates(t, v), "a fixed node carries no processor", "")
		}
	}
	return checkWidth(p.Width)
}

// PlacesIn returns the places of links in a cycle as loads, see Params.Cycle.
func PlacesIn(t *core.Torus, cycle []core.Link) *objective.Loads {
	places := make([]int64, t.M())
	for i, l := range cycle {
		places[l] = int64(i + 1)
	}
	return objective.NewLoads(t, big.NewInt(1), places, nil)
}

// A measure is what the numbers beside links are, in words.
type measure struct {
	drawn            string // all of them
	what, most, idle string // a number, a link with the largest, and one without
	arrow, left      string // in a terminal: a number that way, and links without
	counts           bool   // from 1 on; else loads
	facts            []string
	about            string // a sentence
}

// measured returns what the loads are.
func (p Params) measured() measure {
	value, links := p.Loads.Max()
	most, all := value.RatString(), p.Placement.Torus().Links()
	switch {
	case p.Cycle:
		return measure{drawn: "a cycle", what: "place in the cycle", most: "waits for link 1", idle: "other link",
			arrow: "place in the cycle of the link that way", left: "other links are left out", counts: true,
			facts: []string{fmt.Sprintf("%s of %d links wait for each other", most, all)},
			about: most + " links wait for each other in a circle, each for the next one."}
	case p.Phase != nil:
		return measure{drawn: "the blocks", what: "blocks over a link", most: "link with the most", idle: "idle link",
			arrow: "blocks over the link that way", left: "idle links are left out", counts: true, facts: p.Phase.facts(),
			about: strings.Join(p.Phase.facts(), ", ") + "."}
	}
	m := measure{drawn: "the load", what: "load of a link", most: "link at E_max", idle: "idle link",
		arrow: "load of the link that way", left: "idle links are left out",
		facts: []string{"E_max = " + most, fmt.Sprintf("%d of %d links at E_max", links, all)},
		about: fmt.Sprintf("The largest load, E_max, is %s, on %s.", most, core.Count(links, "link"))}
	if p.Placement.Torus().CommonBandwidth() > 1 {
		m.what += ", divided by its bandwidth"
		m.arrow += ", divided by its bandwidth"
	}
	return m
}

// fixed reports whether a node has to carry a processor.
func (p Params) fixed(node int) bool { return p.Fixed != nil && p.Fixed.Has(node) }

// noun returns what a processor is called.
func (p Params) noun() string {
	kind := ""
	if !p.Traffic.ToAll() {
		kind = p.Traffic.String()
	}
	return strings.TrimPrefix(Processors(1, kind), "1 ")
}

// Processors returns a number of processors in words, "1 processor"; under a traffic of this text, "" for all to all,
// processors that have clients are controllers, and with a matrix there are tasks.
func Processors(n int, traffic string) string {
	switch {
	case strings.HasPrefix(traffic, objective.MatrixTraffic):
		return core.Count(n, "task")
	case traffic != "" && traffic != objective.AllToAll:
		return core.Count(n, "controller")
	}
	return core.Count(n, "processor")
}

// labelOn returns what stands on a node, and the same in words: the first of its tasks, with + where there are more, or
// how many blocks wait there; "" where there is none.
func (p Params) labelOn(node int) (label, words string) {
	if p.Phase != nil {
		if held := p.Phase.Held[node]; held > 0 {
			return strconv.Itoa(held), core.Count(held, "block") + " for others"
		}
		return "", ""
	}
	var tasks []string
	for task, v := range p.Placement.Tasks() {
		if v == node {
			tasks = append(tasks, strconv.Itoa(task))
		}
	}
	if len(tasks) == 0 {
		return "", ""
	}
	return tasks[0] + "+"[:min(1, len(tasks)-1)], strings.Join(tasks, ", ")
}

// forbidden reports whether a node must not carry a processor.
func (p Params) forbidden(node int) bool { return p.Forbidden != nil && p.Forbidden.Has(node) }

// NetworkName returns what a network is called with every picture: "torus 8x8:open=0", or "mesh 8x8" if all dimensions
// are open; a network from a list of links has its title.
func NetworkName(t *core.Torus) string {
	if !t.HasDimensions() {
		return t.Title()
	}
	bandwidths := make([]int, t.D())
	for j := range bandwidths {
		bandwidths[j] = t.Bandwidth(j)
	}
	if mesh, err := t.WithLinks(core.Range(t.D()), bandwidths); err == nil && mesh.Equal(t) && !t.Closed() {
		closed, _ := t.WithLinks(nil, bandwidths) // like the mesh, since t has the bandwidths
		return "mesh " + closed.String()
	}
	return "torus " + t.String()
}

// Shown returns a network with traffic and conditions, as objective.Problem.Where writes them, in the words of pages
// and pictures: "mesh 8x8, clients 1:4, fixed 0,0, forbidden 3,3", where a client sends a request of 1 and gets a reply
// of 4; a plain torus is its sides. Long lists are cut, and so is a text that cannot be read.
func Shown(where string) string {
	s, err := texts.ParseWhere(where)
	if err != nil {
		return clipped(where, maxShown, "...")
	}
	name := where
	if !s.Torus().Plain() || s.TermsText() != "" {
		name, _ = strings.CutPrefix(NetworkName(s.Torus()), "torus ")
	}
	name += named(s.Traffic)
	if s.Fixed != nil {
		name += ", fixed " + clipped(objective.NodesText(s.Torus(), s.Fixed.Nodes()), maxShown, "...")
	}
	if s.Forbidden != nil {
		name += ", forbidden " + clipped(objective.NodesText(s.Torus(), s.Forbidden.Nodes()), maxShown, "...")
	}
	for _, a := range objective.Axes {
		if text := a.Text(s); a.Group == objective.GroupRadius && text != "" {
			name += ", " + a.Name + " " + text
		}
	}
	return name
}

// maxShown is how many characters of a list a name of a network has at most.
const maxShown = 40

// checkWidth returns nil for a width of at least minWidth, or 0, otherwise an *core.InputError.
func checkWidth(width int) error {
	if width != 0 && width < minWidth {
		return core.Invalid(fmt.Sprint(width), "a picture needs at least %d columns", minWidth)
	}
	return nil
}

// way says by which routing and for which traffic the loads are: "UDR, both ways at ties", "XY, clients 1:4, replies by
// YX".
func (p Params) way() string {
	return clipped(words.Routing(p.Placement.Torus(), p.Routing), maxShown, "...") + named(p.Traffic)
}

// named returns a traffic in words that follow others, "" for all to all.
func named(t objective.Traffic) (text string) {
	if t.Matrix != nil {
		text = ", " + t.Matrix.Title()
	}
	if t.Clients() {
		text += fmt.Sprintf(", clients %d:%d", t.Request, t.Reply)
	}
	if t.Replies != nil {
		text += ", replies by " + clipped(words.Routing(t.Replies.Torus(), t.Replies.String()), maxShown, "...")
	}
	return text
}

// Caption says by which routing and for which traffic the loads are, and which dimension is horizontal: "UDR, both ways
// at ties; dimension 1 is horizontal".
func (p Params) Caption() string {
	if !p.Placement.Torus().HasDimensions() {
		return p.way() + "; nodes in the order of their numbers"
	}
	return fmt.Sprintf("%s; dimension %d is horizontal", p.way(), p.Placement.Torus().D()-1)
}

// facts returns the numbers that stand with every picture.
func (p Params) facts() []string {
	facts := []string{NetworkName(p.Placement.Torus()), fmt.Sprintf("n = %d", p.Placement.Size())}
	if p.Routing != "" {
		facts = append(facts, p.way())
	}
	facts = append(facts, p.measured().facts...)
	if p.Label != "" {
		facts = append(facts, p.Label)
	}
	return facts
}

// clipped returns text cut to a number of characters, with an ellipsis if any are missing.
func clipped(text string, length int, ellipsis string) string {
	if runes := []rune(text); len(runes) > length {
		return string(runes[:length-utf8.RuneCountInString(ellipsis)]) + ellipsis
	}
	return text
}

// coordinates returns a node as (0,1,2), or by its name.
func coordinates(t *core.Torus, node int) string { return "(" + t.NodeText(node) + ")" }

// linkName returns a link as (0,1) -> (0,2).
func linkName(t *core.Torus, l core.Link) string {
	from, to := t.LinkEnds(l)
	return coordinates(t, from) + " -> " + coordinates(t, to)
}

// bands is the number of equal parts into which colours cut 0..E_max. On a light background they run from pale to dark,
// on a dark one from dim to bright, so that they can be read without telling hues apart and the heaviest links stand
// out most.
const bands = 16

// A scale places loads between 0 and E_max, exactly.
type scale struct {
	loads *objective.Loads
	most  *big.Rat // E_max
}

func newScale(l *objective.Loads) scale {
	most, _ := l.Max()
	return scale{loads: l, most: most}
}

// level returns 0 for an idle link and otherwise which of count equal parts of 0..E_max, from 1, the load lies in; a
// load between two parts belongs to the lower one.
func (s scale) level(l core.Link, count int64) int {
	load := s.loads.Load(l)
	if load.Sign() == 0 {
		return 0
	}
	load.Mul(load, big.NewRat(count, 1)).Quo(load, s.most)
	up := new(big.Int).Add(load.Num(), load.Denom())
	up.Sub(up, big.NewInt(1))
	return int(up.Quo(up, load.Denom()).Int64())
}

// atMax reports whether the link carries E_max, and that is not 0.
func (s scale) atMax(l core.Link) bool {
	return s.most.Sign() > 0 && s.loads.Load(l).Cmp(s.most) == 0
}

// text returns the exact load of a link.
func (s scale) text(l core.Link) string { return s.loads.Load(l).RatString() }

// part returns i/of of E_max, exactly.
func (s scale) part(i, of int64) string {
	r := big.NewRat(i, of)
	return r.Mul(r, s.most).RatString()
}

// longest returns the length of the longest load text.
func (s scale) longest() int {
	most := 1
	for l := range s.loads.Torus().M() {
		most = max(most, len(s.text(core.Link(l))))
	}
	return most
}
