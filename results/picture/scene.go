package picture

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// A scene is a picture as a list of shapes in integer coordinates. SVG and PNG are two ways to put the same scene
// down; classes say how shapes look, by the rules of the style sheet.
type scene struct {
	width, height int
	name, about   string
	networks      bool // with what shows bandwidths and roles of nodes: the style sheet has rules for it
	// dx and dy are added to the place of every shape that follows.
	dx, dy int
	shapes []shape
}

// A shapeKind tells shapes apart.
type shapeKind uint8

const (
	rectShape shapeKind = iota
	circleShape
	pathShape
	textShape
)

// element returns the name of the SVG element.
func (k shapeKind) element() string { return [...]string{"rect", "circle", "path", "text"}[k] }

// A shape is one element of a scene.
type shape struct {
	kind   shapeKind
	class  string
	x, y   int     // corner, centre, or where text is anchored
	w, h   int     // rect
	round  int     // rect: radius of its corners
	radius float64 // circle
	path   []subpath
	closed bool   // path
	text   string // text
	turned bool   // text: a quarter to the left
	title  string // "" for none
}

// A subpath is a line from a point by steps.
type subpath struct {
	x, y  int
	steps []vec
}

func (s *scene) add(e shape) {
	e.x, e.y = e.x+s.dx, e.y+s.dy
	for i := range e.path {
		e.path[i].x += s.dx
		e.path[i].y += s.dy
	}
	s.shapes = append(s.shapes, e)
}

func (s *scene) rect(class string, x, y, w, h, round int, title string) {
	s.add(shape{kind: rectShape, class: class, x: x, y: y, w: w, h: h, round: round, title: title})
}

func (s *scene) circle(class string, x, y int, radius float64, title string) {
	s.add(shape{kind: circleShape, class: class, x: x, y: y, radius: radius, title: title})
}

func (s *scene) line(class string, path []subpath, title string) {
	s.add(shape{kind: pathShape, class: class, path: path, title: title})
}

func (s *scene) area(class string, path []subpath, title string) {
	s.add(shape{kind: pathShape, class: class, path: path, closed: true, title: title})
}

func (s *scene) text(x, y int, class, text string) {
	s.add(shape{kind: textShape, class: class, x: x, y: y, text: text})
}

func (s *scene) turnedText(x, y int, class, text string) {
	s.add(shape{kind: textShape, class: class, x: x, y: y, text: text, turned: true})
}

// escaped returns text for element content or a quoted attribute; characters that XML cannot hold are replaced.
func escaped(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // a strings.Builder does not fail
	return b.String()
}

// svg returns the scene as one SVG document.
func (s *scene) svg() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="%s"`, rootClass)
	fmt.Fprintf(&b, ` width="%[1]d" height="%[2]d" viewBox="0 0 %[1]d %[2]d"`, s.width, s.height)
	fmt.Fprintf(&b, " role=\"img\" aria-label=\"%s\">\n", escaped(s.name))
	fmt.Fprintf(&b, "<title>%s</title>\n<desc>%s</desc>\n", escaped(s.name), escaped(s.about))
	fmt.Fprintf(&b, "<style>\n%s</style>\n", escaped(styleSheet(s.networks)))
	fmt.Fprintf(&b, "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n", s.width, s.height)
	for _, e := range s.shapes {
		e.svg(&b)
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// svg writes a shape as one element.
func (e shape) svg(b *strings.Builder) {
	fmt.Fprintf(b, "<%s class=\"%s\"", e.kind.element(), e.class)
	switch e.kind {
	case rectShape:
		fmt.Fprintf(b, " x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"", e.x, e.y, e.w, e.h)
		if e.round > 0 {
			fmt.Fprintf(b, " rx=\"%d\"", e.round)
		}
	case circleShape:
		fmt.Fprintf(b, " cx=\"%d\" cy=\"%d\" r=\"%g\"", e.x, e.y, e.radius)
	case pathShape:
		fmt.Fprintf(b, " d=\"%s\"", e.outline())
	case textShape:
		if e.turned {
			fmt.Fprintf(b, " transform=\"translate(%d %d) rotate(-90)\"", e.x, e.y)
		} else {
			fmt.Fprintf(b, " x=\"%d\" y=\"%d\"", e.x, e.y)
		}
	}
	switch {
	case e.kind == textShape:
		fmt.Fprintf(b, ">%s</text>\n", escaped(e.text))
	case e.title != "":
		fmt.Fprintf(b, "><title>%s</title></%s>\n", escaped(e.title), e.kind.element())
	default:
		b.WriteString("/>\n")
	}
}

// outline returns the path in the words of SVG.
func (e shape) outline() string {
	var b strings.Builder
	for _, part := range e.path {
		fmt.Fprintf(&b, "M%d %d", part.x, part.y)
		for _, step := range part.steps {
			fmt.Fprintf(&b, "l%d %d", step.x, step.y)
		}
		if e.closed {
			b.WriteByte('z')
		}
	}
	return b.String()
}
