package picture

import (
	"fmt"
	"io"
	"strings"
)

// SVG writes the placement and its loads as one SVG document. Errors are
// *core.InputError for parameters that cannot be drawn, otherwise those of w;
// nothing is written unless the whole document is ready. Cost O(M).
//
// Every link is one element of class "link" and every node one of class "node"
// or "processor", each with a title: "(0,1) -> (0,2): 5/2", "processor (0,1)". A compact
// picture has one element of class "link" for every load, with that as its title. Its
// data-links are the numbers of its links, for each of which its path has a line; nodes
// stand in the order of their numbers.
func SVG(w io.Writer, p Params) error {
	if err := p.check(); err != nil {
		return err
	}
	_, err := w.Write(newDrawing(p).svg(p.Theme, p.Embedded))
	return err
}

// A drawing is a scene of a placement in the making.
type drawing struct {
	scene
	params Params
	scale  scale
	geometry
	panelsX int // where the first panel begins
	bundles []bundle
}

const (
	headHeight = 58 // title and facts
	keyHeight  = 104
)

// newDrawing returns the whole scene.
func newDrawing(p Params) *drawing {
	d := &drawing{params: p, scale: newScale(p.Loads)}
	textLength := 0
	if p.Values {
		textLength = d.scale.longest()
	}
	d.geometry = newGeometry(newSlicing(p.Placement.Torus()), textLength)
	width, height := d.geometry.size()
	inner := max(width, minInner, letter*len(d.factLine()))
	d.panelsX = border + (inner-width)/2
	d.width, d.height = inner+2*border, headHeight+height+keyHeight+2*border
	if d.rowDim > 0 {
		d.height += lineHeight + 8 // for the line about marks
	}
	d.name, d.about = d.title(), d.description()
	d.document()
	return d
}

func (d *drawing) factLine() string { return strings.Join(d.params.facts(), " · ") }

func (d *drawing) document() {
	d.head()
	for panel := range d.panels {
		d.moveTo(panel)
		d.panel(panel)
	}
	d.dx, d.dy = 0, 0
	d.unbundle()
	for panel := range d.panels {
		d.moveTo(panel)
		d.nodes(panel)
	}
	d.dx, d.dy = 0, 0
	d.key()
}

// moveTo makes shapes that follow part of a panel.
func (d *drawing) moveTo(panel int) {
	x, y := d.origin(panel)
	d.dx, d.dy = d.panelsX+x, border+headHeight+y
}

// title returns the title, or what the picture shows where it has none.
func (d *drawing) title() string {
	if d.params.Title != "" {
		return d.params.Title
	}
	return fmt.Sprintf("%d processors on the torus %s", d.params.Placement.Size(), d.torus)
}

func (d *drawing) description() string {
	t := d.torus
	text := fmt.Sprintf("Placement of %d processors on the %d nodes of the torus %s with the load of its %d directed "+
		"links", d.params.Placement.Size(), t.N(), t, t.M())
	if d.params.Routing != "" {
		text += " under the routing " + d.params.Routing
	}
	most, links := d.scale.loads.Max()
	return text + fmt.Sprintf(". The largest load, E_max, is %s, on %d links.", most.RatString(), links)
}

func (d *drawing) head() {
	d.text(border, border+16, "title", clipped(d.name, (d.width-2*border)/10, "…"))
	d.text(border, border+40, "muted", d.factLine())
}
