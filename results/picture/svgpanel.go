package picture

import (
	"fmt"

	"leeway/core"
)

var (
	rightwards = heading{1, 0}
	downwards  = heading{0, 1}
)

// panel writes one panel but for its nodes: coordinates, links, marks.
func (d *drawing) panel(panel int) {
	d.axes(panel)
	d.eachNode(panel, func(node, x, y int) {
		d.edge(node, d.colDim, x, y, rightwards)
		if d.rowDim >= 0 {
			d.edge(node, d.rowDim, x, y, downwards)
		}
		d.marks(node, x, y)
	})
}

// nodes writes the nodes of a panel, which lie on top of all links.
func (d *drawing) nodes(panel int) {
	processors := d.params.Placement.Set()
	d.eachNode(panel, func(node, x, y int) { d.node(node, x, y, processors.Has(node)) })
}

// eachNode calls visit with the nodes of a panel and where they lie.
func (d *drawing) eachNode(panel int, visit func(node, x, y int)) {
	for row := range d.rows {
		for col := range d.cols {
			visit(d.slicing.node(panel, row, col), d.left+col*d.pitch, d.top+row*d.pitch)
		}
	}
}

// axes writes the coordinates along both sides of a panel and what they are.
func (d *drawing) axes(panel int) {
	middle, bottom := d.left+(d.cols-1)*d.pitch/2, d.captions()
	if d.panels > 1 {
		d.text(middle, bottom-2*lineHeight-8, "mid", d.label(panel))
	}
	d.text(middle, bottom-lineHeight-6, "small muted mid", fmt.Sprintf("dimension %d →", d.colDim))
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
	d.turnedText(8, y, "small muted mid", fmt.Sprintf("← dimension %d", d.rowDim))
}

func (d *drawing) node(node, x, y int, processor bool) {
	kind, title := "node", ""
	if processor {
		kind = "processor"
	}
	if !d.params.Compact {
		title = kind + " " + coordinates(d.torus, node)
	}
	if processor {
		d.rect(kind, x-8, y-8, 16, 16, 3, title)
		return
	}
	d.circle(kind, x, y, 3.5, title)
}

// edge writes both links between a node and its next along dim, which lies in
// the direction of to. Each keeps to the right of the way it goes.
func (d *drawing) edge(node, dim, x, y int, to heading) {
	step, ok := d.step(node, dim)
	if !ok {
		return
	}
	nextX, nextY := x+to.x*d.pitch, y+to.y*d.pitch
	if step.wraps {
		nextX, nextY = x-to.x*d.pitch*(d.torus.Side(dim)-1), y-to.y*d.pitch*(d.torus.Side(dim)-1)
	}
	d.wire(step.out, x, y, nextX, nextY, to, step.wraps)
	d.wire(step.back, nextX, nextY, x, y, to.reverse(), step.wraps)
}

// wire writes one link from node to node: a line, or two overhangs at opposite
// borders where it goes around the torus.
func (d *drawing) wire(l core.Link, fromX, fromY, toX, toY int, h heading, wraps bool) {
	reach, middle := d.pitch-2*clear, d.pitch/2
	path := []subpath{arrow(fromX, fromY, h, clear, reach)}
	if wraps {
		reach = h.along(d.overhang)
		middle = clear + h.along(heading{d.overhang.x/2 - 5, d.overhang.y - 14}) // clear of the arrow head
		path = []subpath{arrow(fromX, fromY, h, clear, reach), arrow(toX, toY, h, -clear-reach, reach)}
	}
	d.link(l, shape{kind: pathShape, class: "wire", path: path})
	if d.params.Values {
		d.wireValue(l, fromX+h.x*middle, fromY+h.y*middle, h)
	}
}

// arrow returns a line to the right of the middle, from start steps
// ahead of the node over a length, with half an arrow head on its outer side.
func arrow(x, y int, h heading, start, length int) subpath {
	s := h.starboard()
	x, y = x+h.x*start+s.x*lane, y+h.y*start+s.y*lane
	return subpath{x, y, []heading{{h.x * length, h.y * length}, {-7*h.x + 5*s.x, -7*h.y + 5*s.y}}}
}

// wireValue writes the load of a link outside of a place on its middle; idle
// links get none.
func (d *drawing) wireValue(l core.Link, x, y int, h heading) {
	if d.scale.level(l, bands) == 0 {
		return
	}
	load := d.scale.text(l)
	switch h.starboard() {
	case heading{1, 0}:
		d.text(x+lane+4, y+4, "value", load)
	case heading{-1, 0}:
		d.text(x-lane-4, y+4, "value end", load)
	case heading{0, 1}:
		d.text(x, y+lane+12, "value mid", load)
	default:
		d.text(x, y-lane-5, "value mid", load)
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

func (d *drawing) loadTitle(l core.Link) string {
	return linkName(d.torus, l) + ": " + d.scale.text(l)
}

// marks writes the links that leave a node for other panels as triangles above
// and to the right of it, up for + and down for -. Without numbers there is a
// row for every dimension, with numbers one for every link.
func (d *drawing) marks(node, x, y int) {
	across := d.across(node)
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
	corners := subpath{x, y + 8, []heading{{4, -7}, {4, 7}}}
	if port.Dir == core.Minus {
		corners = subpath{x, y + 1, []heading{{4, 7}, {4, -7}}}
	}
	d.link(l, shape{kind: pathShape, class: "mark", path: []subpath{corners}, closed: true})
}
