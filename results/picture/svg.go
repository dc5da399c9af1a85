package picture

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"leeway/core"
)

// A drawing is a scene of a placement in the making.
type drawing struct {
	scene
	params Params
	scale  scale
	geometry
	panelsX int // where the first panel begins
}

const (
	headHeight = 58 // title and facts
	keyHeight  = 104
)

func (p Params) asScene() *scene {
	d := &drawing{params: p, scale: newScale(p.Loads)}
	textLength := 0
	if p.Values {
		textLength = d.scale.longest()
	}
	if t := p.Placement.Torus(); t.HasDimensions() {
		d.geometry = newGeometry(newSlicing(t), textLength)
	} else {
		d.geometry = newCircle(t)
	}
	width, height := d.geometry.size()
	facts := strings.Join(p.facts(), " · ")
	inner := max(width, minInner, letter*len(facts))
	d.panelsX = border + (inner-width)/2
	d.width, d.height = inner+2*border, headHeight+height+keyHeight+2*border
	if d.rowDim > 0 {
		d.height += lineHeight + 8 // for the line about marks
	}
	d.height += keyLine * len(d.moreKeys())
	d.networks = len(d.moreKeys()) > 0
	d.name, d.about = p.Title, d.description()
	if p.Title == "" {
		d.name = fmt.Sprintf("%d %ss on the %s", p.Placement.Size(), p.noun(), NetworkName(d.torus))
	}
	d.text(border, border+16, "title", clipped(d.name, (d.width-2*border)/10, "…"))
	d.text(border, border+40, "muted", facts)
	for panel := range d.panels {
		d.moveTo(panel)
		d.panel(panel)
	}
	for panel := range d.panels {
		d.moveTo(panel)
		d.nodes(panel)
	}
	d.dx, d.dy = 0, 0
	d.key()
	return &d.scene
}

// moveTo makes shapes that follow part of a panel.
func (d *drawing) moveTo(panel int) {
	x, y := d.origin(panel)
	d.dx, d.dy = d.panelsX+x, border+headHeight+y
}

func (d *drawing) description() string {
	t := d.torus
	text := fmt.Sprintf("Placement of %s on the %d nodes of the %s with %s of its %d directed links",
		core.Count(d.params.Placement.Size(), d.params.noun()), t.N(), NetworkName(t), d.params.measured().drawn, t.Links())
	if d.params.Routing != "" {
		text += fmt.Sprintf(" under the routing %s (--routing %s)", d.params.way(), d.params.Routing)
	}
	text += ". " + d.params.measured().about
	if d.colDim < 0 {
		return text + " Nodes lie on a circle, in the order of their numbers."
	}
	return text + fmt.Sprintf(" Dimension %d is horizontal.", d.colDim)
}

var (
	rightwards = vec{1, 0}
	downwards  = vec{0, 1}
)

// panel writes one panel but for its nodes: coordinates, links, marks.
func (d *drawing) panel(panel int) {
	if d.colDim < 0 {
		d.chords()
		return
	}
	d.axes(panel)
	d.eachNode(panel, func(node int, at vec) {
		d.edge(node, panel, d.colDim, at, rightwards)
		if d.rowDim >= 0 {
			d.edge(node, panel, d.rowDim, at, downwards)
		}
		d.marks(node, at.x, at.y)
	})
}

// nodes writes the nodes of a panel, which lie on top of all links.
func (d *drawing) nodes(panel int) {
	processors := d.params.Placement.Set()
	d.eachNode(panel, func(node int, at vec) { d.node(node, at, processors.Has(node)) })
}

// eachNode calls visit with the nodes of a panel and where they lie.
func (d *drawing) eachNode(panel int, visit func(node int, at vec)) {
	if d.colDim < 0 {
		for v := range d.torus.N() {
			visit(v, d.onCircle(v, 0))
		}
		return
	}
	for row := range d.rows {
		for col := range d.cols {
			visit(d.slicing.node(panel, row, col), vec{d.left + col*d.pitch, d.top + row*d.pitch})
		}
	}
}

// axes writes the coordinates along both sides of a panel and what they are.
func (d *drawing) axes(panel int) {
	middle, bottom := d.left+(d.cols-1)*d.pitch/2, d.captions()
	if d.panels > 1 {
		d.text(middle, bottom-2*lineHeight-8, "mid", d.label(panel))
	}
	d.text(middle, bottom-lineHeight-6, "small muted mid", fmt.Sprintf("dimension %d (x) →", d.colDim))
	for col := range d.cols {
		d.text(d.left+col*d.pitch, bottom-6, "small muted mid", fmt.Sprint(col))
	}
	if d.rowDim < 0 {
		return
	}
	for row := range d.rows {
		d.text(gutter-4, d.top+row*d.pitch+4, "small muted end", fmt.Sprint(row))
	}
	// Turned a quarter to the left, an arrow to the left points down.
	y := d.top + (d.rows-1)*d.pitch/2
	d.turnedText(8, y, "small muted mid", fmt.Sprintf("← dimension %d (y)", d.rowDim))
}

func (d *drawing) node(node int, at vec, processor bool) {
	kind, name := "node", "node"
	if processor {
		kind, name = "processor", d.params.noun()
	}
	title := name + " " + coordinates(d.torus, node)
	switch {
	case d.params.fixed(node):
		title = "fixed " + title
	case d.params.forbidden(node):
		title = "forbidden " + title
	}
	if label, words := d.params.labelOn(node); label != "" {
		title += ": " + words
		d.rect(kind, at.x-9, at.y-9, 18, 18, 3, title)
		d.text(at.x, at.y+4, "small mid in-"+kind, label)
	} else if processor {
		d.rect(kind, at.x-8, at.y-8, 16, 16, 3, title)
	} else {
		d.circle(kind, at.x, at.y, 3.5, title)
	}
	d.role(at, d.params.fixed(node), d.params.forbidden(node), title)
}

// role marks a node on top of what it is otherwise: a fixed one by a dot, a forbidden one by a cross.
func (d *drawing) role(at vec, fixed, forbidden bool, title string) {
	if fixed {
		d.circle("fixed", at.x, at.y, 3, title)
	}
	if forbidden {
		d.line("forbidden", []subpath{{at.x - 6, at.y - 6, []vec{{12, 12}}}, {at.x - 6, at.y + 6, []vec{{12, -12}}}}, title)
	}
}

// edge writes both links between a node and its next along dim, which lies in the direction of to. Each keeps to the
// right of the way it goes.
func (d *drawing) edge(node, panel, dim int, at, to vec) {
	step, ok := d.step(node, dim)
	if !ok {
		return
	}
	next := d.place(step.next, panel)
	if step.wraps && d.shifts(dim) {
		d.end(step.next, at, to)
		d.end(node, next, to.times(-1))
	}
	d.wire(step.out, at, next, to, step.wraps)
	d.wire(step.back, next, at, to.times(-1), step.wraps)
}

// wire writes one link from node to node: a line, or two overhangs at opposite borders where it goes around the
// torus.
func (d *drawing) wire(l core.Link, from, to, h vec, wraps bool) {
	reach, middle := d.pitch-2*clearance, d.pitch/2
	path := []subpath{arrow(from, h, clearance, reach)}
	if wraps {
		reach = h.project(d.overhang)
		middle = clearance + h.project(vec{d.overhang.x/2 - 5, d.overhang.y - 14}) // clear of the arrow head
		path = []subpath{arrow(from, h, clearance, reach), arrow(to, h, -clearance-reach, reach)}
	}
	d.link(l, shape{kind: pathShape, class: "wire" + wideClass(d.torus, d.torus.LinkBandwidth(l)), path: path})
	if d.params.Values {
		d.wireValue(l, from.plus(h.times(middle)), h)
	}
}

// end writes beside the end of a link that goes over the end of a dimension, from a place on, which node it leads to.
func (d *drawing) end(node int, at, h vec) {
	name := core.JoinInts(d.torus.Coords(node), ",")
	at = at.plus(h.times(clearance + h.project(d.overhang)))
	switch h {
	case rightwards:
		d.text(at.x+4, at.y+4, "small muted", name)
	case downwards:
		d.text(at.x, at.y+12, "small muted mid", name)
	case vec{-1, 0}:
		d.text(at.x-4, at.y+4, "small muted end", name)
	default:
		d.text(at.x, at.y-5, "small muted mid", name)
	}
}

// wideLevels is how many widths links have by bandwidth: that of the smallest, and of up to 2, up to 4, and more times
// as much.
const wideLevels = 4

// bandwidths returns the bandwidths of a network, each once and ascending, and the dimensions that have them, if there
// are any.
func bandwidths(t *core.Torus) (values []int, dims map[int][]int) {
	dims = map[int][]int{}
	if !t.HasDimensions() {
		for l := range t.EachLink() {
			dims[t.LinkBandwidth(l)] = nil
		}
		return slices.Sorted(maps.Keys(dims)), dims
	}
	for j := range t.D() {
		dims[t.Bandwidth(j)] = append(dims[t.Bandwidth(j)], j)
	}
	return slices.Sorted(maps.Keys(dims)), dims
}

// wideClass returns, after a blank, the class of links of a bandwidth; "" where all links have the same.
func wideClass(t *core.Torus, bandwidth int) string {
	values, _ := bandwidths(t)
	if len(values) == 1 {
		return ""
	}
	level := 1
	for reach := values[0]; reach < bandwidth && level < wideLevels; reach *= 2 {
		level++
	}
	return fmt.Sprintf(" wide%d", level)
}

// arrow returns a line to the right of the middle, from start steps ahead of the node over a length, with half an
// arrow head on its outer side.
func arrow(at, h vec, start, length int) subpath {
	s := h.right()
	at = at.plus(h.times(start)).plus(s.times(linkOffset))
	return subpath{at.x, at.y, []vec{h.times(length), s.times(5).minus(h.times(7))}}
}

// wireValue writes the load of a link outside of a place on its middle; idle links have no value.
func (d *drawing) wireValue(l core.Link, at, h vec) {
	if d.scale.level(l, bands) == 0 {
		return
	}
	load := d.scale.text(l)
	switch h.right() {
	case vec{1, 0}:
		d.text(at.x+linkOffset+4, at.y+4, "value", load)
	case vec{-1, 0}:
		d.text(at.x-linkOffset-4, at.y+4, "value end", load)
	case vec{0, 1}:
		d.text(at.x, at.y+linkOffset+12, "value mid", load)
	default:
		d.text(at.x, at.y-linkOffset-5, "value mid", load)
	}
}

// loadClass returns the classes that give a link its colour and weight.
func (d *drawing) loadClass(l core.Link) string {
	level := d.scale.level(l, bands)
	switch {
	case level == 0:
		return "idle"
	case d.scale.atMax(l):
		return fmt.Sprintf("b%d top", level)
	default:
		return fmt.Sprintf("b%d", level)
	}
}

// marks writes the links that leave a node for other panels as triangles above and to the right of it, up for + and
// down for -. Without numbers there is a row for every dimension, with numbers one for every link.
func (d *drawing) marks(node, x, y int) {
	across := d.hiddenLinks(node)
	for i, l := range across {
		_, port := d.torus.LinkFrom(l)
		if d.params.Values {
			top := y - 22 - markStep*(len(across)-i)
			d.mark(l, port, x+9, top+2)
			if d.scale.level(l, bands) > 0 {
				d.text(x+19, top+10, "value", d.scale.text(l))
			}
			continue
		}
		column, row := port.Dim/markRows, port.Dim%markRows
		rows := min(d.rowDim-column*markRows, markRows)
		markX := x + 13 + 24*column
		if port.Dir == core.Minus {
			markX += markStep
		}
		d.mark(l, port, markX, y-10-markStep*(rows-row))
	}
}

// mark writes one triangle into the square of 8 whose corner is given.
func (d *drawing) mark(l core.Link, port core.Port, x, y int) {
	corners := subpath{x, y + 8, []vec{{4, -7}, {4, 7}}}
	if port.Dir == core.Minus {
		corners = subpath{x, y + 1, []vec{{4, 7}, {4, -7}}}
	}
	d.link(l, shape{kind: pathShape, class: "mark", path: []subpath{corners}, closed: true})
}

// link writes a link. Its shape has the class of its kind.
func (d *drawing) link(l core.Link, e shape) {
	e.class = "link " + e.class + " " + d.loadClass(l)
	e.title = linkName(d.torus, l) + ": " + d.scale.text(l)
	d.add(e)
}

const (
	swatch     = 20 // width of a band in the key
	ticks      = 4  // parts of E_max at whose ends the key names the loads
	tickLength = 10 // longer loads do not fit beside each other
)

// key writes the scale of loads and what the shapes mean, at the bottom.
func (d *drawing) key() {
	_, panels := d.size()
	y := border + headHeight + panels + 38
	d.text(border, y-8, "small muted", d.params.measured().what)
	d.swatches(border, y)
	y += 48
	d.symbols(border, y)
	if d.rowDim > 0 {
		line := "triangles: links to other panels, ▲ + and ▼ − along " + d.others()
		if d.rowDim > 1 {
			line += ", from top to bottom"
		}
		y += 26
		d.text(border, y, "small muted", line)
	}
	for _, key := range d.moreKeys() {
		y += keyLine
		key(border, y)
	}
}

const keyLine = 24 // height of a line of moreKeys

// moreKeys returns functions that write the lines of the key about bandwidths, shifts at ends, and fixed and forbidden
// nodes: an empty list for a plain torus without conditions.
func (d *drawing) moreKeys() (lines []func(x, y int)) {
	values, dims := bandwidths(d.torus)
	for _, b := range values {
		if len(values) == 1 {
			break
		}
		lines = append(lines, func(x, y int) {
			class := fmt.Sprintf("wire sample%s b%d", wideClass(d.torus, b), bands/2)
			d.line(class, []subpath{arrow(vec{x, y - 8}, rightwards, 0, 30)}, "")
			what := fmt.Sprintf("link of bandwidth %d", b)
			if dims[b] != nil {
				what += ", along dimension " + core.JoinInts(dims[b], ", ")
			}
			d.text(x+38, y+1, "small", what)
		})
	}
	for _, line := range d.shiftLines() {
		lines = append(lines, func(x, y int) { d.text(x, y+1, "small", line) })
	}
	if d.params.Fixed.Count()+d.params.Forbidden.Count() == 0 {
		return lines
	}
	return append(lines, func(x, y int) {
		if d.params.Fixed.Count() > 0 {
			d.rect("processor sample", x, y-12, 16, 16, 3, "")
			d.role(vec{x + 8, y - 4}, true, false, "")
			d.text(x+24, y+1, "small", "fixed "+d.params.noun())
			x += 134
		}
		if d.params.Forbidden.Count() > 0 {
			d.circle("node sample", x+8, y-4, 3.5, "")
			d.role(vec{x + 8, y - 4}, false, true, "")
			d.text(x+24, y+1, "small", "forbidden node")
		}
	})
}

// swatches writes a box for idle links and, if there is any load, one for every band, with exact loads under the
// edges.
func (d *drawing) swatches(x, y int) {
	d.rect("idle", x, y, swatch-4, 12, 0, "")
	if !d.params.measured().counts {
		d.text(x+(swatch-4)/2, y+27, "small mid", "0")
	}
	if d.scale.most.Sign() == 0 {
		return
	}
	start := x + swatch + 8
	for i := range bands {
		d.rect(fmt.Sprintf("swatch b%d", i+1), start+i*swatch, y, swatch, 12, 0, "")
	}
	if d.params.measured().counts {
		d.text(start+swatch/2, y+27, "small mid", "1")
		d.text(start+bands*swatch-swatch/2, y+27, "small mid", d.scale.part(1, 1))
		return
	}
	d.text(start+bands*swatch+8, y+10, "small", "E_max")
	for i := int64(1); i <= ticks; i++ {
		if label := d.scale.part(i, ticks); i == ticks || len(label) <= tickLength {
			d.text(start+int(i)*swatch*bands/ticks, y+27, "small mid", label)
		}
	}
}

// symbols writes one example of every shape with its meaning.
func (d *drawing) symbols(x, y int) {
	measure := d.params.measured()
	d.rect("processor sample", x, y-12, 16, 16, 3, "")
	d.text(x+24, y+1, "small", d.params.noun())
	d.circle("node sample", x+104, y-4, 3.5, "")
	d.text(x+114, y+1, "small", "other node")
	d.line("wire sample idle", []subpath{arrow(vec{x + 190, y - 8}, rightwards, 0, 30)}, "")
	d.text(x+228, y+1, "small", measure.idle)
	if d.scale.most.Sign() > 0 {
		top := fmt.Sprintf("wire sample b%d top", bands)
		d.line(top, []subpath{arrow(vec{x + 290, y - 8}, rightwards, 0, 30)}, "")
		d.text(x+328, y+1, "small", measure.most)
	}
}
