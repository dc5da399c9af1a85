package picture

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// SVG writes the placement and its loads as one SVG document. Errors are
// *core.InputError for parameters that cannot be drawn, otherwise those of w;
// nothing is written unless the whole document is ready. Cost O(M).
//
// Every link is one element of class "link" and every node one of class "node"
// or "processor", each with a title: "(0,1) -> (0,2): 5/2", "processor (0,1)".
func SVG(w io.Writer, p Params) error {
	if err := p.check(); err != nil {
		return err
	}
	d := newDrawing(p)
	d.document()
	_, err := w.Write(d.Bytes())
	return err
}

// A drawing is an SVG document being written.
type drawing struct {
	bytes.Buffer
	params Params
	scale  scale
	geometry
	width, height int
	panelsX       int // where the first panel begins
}

const (
	headHeight = 58 // title and facts
	keyHeight  = 104
)

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
		d.height += line + 8 // for the line about marks
	}
	return d
}

func (d *drawing) factLine() string { return strings.Join(d.params.facts(), " · ") }

// escaped returns text for element content or a quoted attribute; characters
// that XML cannot hold are replaced.
func escaped(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // a strings.Builder does not fail
	return b.String()
}

func (d *drawing) document() {
	fmt.Fprintf(d, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"%[1]s\" width=\"%[2]d\" height=\"%[3]d\" viewBox=\"0 0 %[2]d %[3]d\" role=\"img\" aria-label=\"%[4]s\">\n",
		rootClass(d.params.Theme), d.width, d.height, escaped(d.name()))
	fmt.Fprintf(d, "<title>%s</title>\n<desc>%s</desc>\n", escaped(d.name()), escaped(d.description()))
	fmt.Fprintf(d, "<style>\n%s</style>\n", escaped(styleSheet(d.params.Theme)))
	fmt.Fprintf(d, "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n", d.width, d.height)
	d.head()
	for panel := range d.panels {
		x, y := d.origin(panel)
		fmt.Fprintf(d, "<g transform=\"translate(%d %d)\">\n", d.panelsX+x, border+headHeight+y)
		d.panel(panel)
		d.WriteString("</g>\n")
	}
	d.key()
	d.WriteString("</svg>\n")
}

// name returns the title, or what the picture shows where it has none.
func (d *drawing) name() string {
	if d.params.Title != "" {
		return d.params.Title
	}
	return fmt.Sprintf("%d processors on the torus %s", d.params.Placement.Size(), d.torus)
}

func (d *drawing) description() string {
	t := d.torus
	text := fmt.Sprintf("Placement of %d processors on the %d nodes of the torus %s with the load of its %d directed links", d.params.Placement.Size(), t.N(), t, t.M())
	if d.params.Routing != "" {
		text += " under the routing " + d.params.Routing
	}
	most, links := d.scale.loads.Max()
	return text + fmt.Sprintf(". The largest load, E_max, is %s, on %d links.", most.RatString(), links)
}

func (d *drawing) head() {
	d.text(border, border+16, "title", clipped(d.name(), (d.width-2*border)/10, "…"))
	d.text(border, border+40, "muted", d.factLine())
}

// text writes a line of text.
func (d *drawing) text(x, y int, class, text string) {
	fmt.Fprintf(d, "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n", class, x, y, escaped(text))
}
