package picture

import (
	"fmt"
	"io"

	"leeway/objective/exchange"
)

// Sizes of the picture of a phase.
const (
	phaseCell   = 84
	phaseNode   = 15
	phaseHead   = 100
	phaseMargin = 32 // around the nodes, where arrows leave and come back
)

// PhaseSVG writes a phase as one SVG document: nodes with the blocks that wait there, and
// an arrow for every send, with its blocks. Nodes and arrows have titles. An arrow around
// a ring leaves at one border and comes back at the other. Errors are those of w.
func PhaseSVG(w io.Writer, p PhaseParams) error {
	_, err := w.Write(newPhaseDrawing(p).svg(p.Theme, false))
	return err
}

// PhasePNG writes the picture that PhaseSVG writes as pixels; the theme Auto is light.
// Errors as of PhaseSVG, and *core.InputError for a picture of too many pixels.
func PhasePNG(w io.Writer, p PhaseParams) error {
	return newPhaseDrawing(p).writePNG(w, p.Theme)
}

// A phaseDrawing is a scene of a phase in the making.
type phaseDrawing struct {
	scene
	PhaseParams
}

// newPhaseDrawing returns the whole scene.
func newPhaseDrawing(p PhaseParams) *phaseDrawing {
	d := &phaseDrawing{PhaseParams: p}
	about := []string{d.network(), d.traffic(), "Blue: processor, grey: router; in it the blocks that wait there for " +
		"others.", "Below it its number. On an arrow the block it takes, from>to, or how many: ×3."}
	inner := d.columns() * phaseCell
	for _, line := range about {
		inner = max(inner, letter*len(line))
	}
	d.width = inner + 2*(border+phaseMargin)
	d.height = len(d.Held)/d.columns()*phaseCell + phaseHead + 2*(border+phaseMargin)
	d.scene.name, d.about = d.PhaseParams.name(), d.facts()
	d.text(border, border+16, "title", clipped(d.scene.name, (d.width-2*border)/10, "…"))
	for i, line := range about {
		class := "muted"
		if i > 1 {
			class = "muted small"
		}
		d.text(border, border+38+lineHeight*i, class, line)
	}
	d.dx, d.dy = border+phaseMargin+(inner-d.columns()*phaseCell)/2, border+phaseMargin+phaseHead
	d.grid()
	for _, s := range p.Phase {
		d.send(s)
	}
	d.nodes()
	return d
}

// at returns where a node lies.
func (d *phaseDrawing) at(v int) point {
	return point{v%d.columns()*phaseCell + phaseCell/2, v/d.columns()*phaseCell + phaseCell/2}
}

// grid writes the links of the last two axes, faintly, as far as they join neighbours in
// the picture; a ring goes on beyond its ends.
func (d *phaseDrawing) grid() {
	var lines []subpath
	for axis := max(0, len(d.Head.Axes)-2); axis < len(d.Head.Axes); axis++ {
		kind := d.Head.Axes[axis].Kind
		if kind != exchange.Ring && kind != exchange.Path {
			continue
		}
		last := d.Head.Axes[axis].Nodes - 1
		for v := range d.Held {
			from, way := d.at(v), d.heading(axis)
			switch c := d.coordinate(v, axis); {
			case c < last:
				lines = append(lines, subpath{from.x, from.y, []heading{{way.x * phaseCell, way.y * phaseCell}}})
			case kind == exchange.Ring && last > 1:
				in := d.at(v-last*d.stride(axis)).plus(way, -phaseOverhang)
				end := []heading{{way.x * phaseOverhang, way.y * phaseOverhang}}
				lines = append(lines, subpath{from.x, from.y, end}, subpath{in.x, in.y, end})
			}
		}
	}
	if len(lines) > 0 {
		d.line("grid", lines, "")
	}
}

// nodes writes the nodes with what waits there, and their numbers.
func (d *phaseDrawing) nodes() {
	processors := d.processors()
	for v, held := range d.Held {
		at := d.at(v)
		class, text := "node", "router"
		if processors[v] {
			class, text = "processor", "processor"
		}
		d.circle(class, at.x, at.y, phaseNode, fmt.Sprintf("%s %d, %d blocks wait", text, v, held))
		d.text(at.x, at.y+4, "small mid in-"+class, fmt.Sprint(held))
		d.text(at.x+phaseNode-1, at.y+phaseNode+8, "value muted", fmt.Sprint(v))
	}
}
