package picture

import (
	"math"
	"strings"

	"leeway/core"
)

// Networks from lists of links have no coordinates: their nodes lie on a circle, in the order of their numbers.

// maxCircleNodes is the most nodes on a circle that are drawn.
const maxCircleNodes = 512

// Lengths on a circle, in pixels.
const (
	leastRadius = 150
	circlePitch = 40 // between nodes
	parallelGap = 6  // between links of the same two nodes
)

// newCircle lays out a network without dimensions.
func newCircle(t *core.Torus) geometry {
	longest := 0
	for v := range t.N() {
		longest = max(longest, len(t.NodeText(v)))
	}
	g := geometry{slicing: newSlicing(t), pitch: max(leastRadius, t.N()*circlePitch*10/63), perRow: 1}
	g.left = g.pitch + 2*clearance + letter*longest
	g.top, g.panelW, g.panelH = g.left, 2*g.left, 2*g.left
	return g
}

// onCircle returns where a node lies on a circle a number of pixels outside that of the nodes, the first one on top.
func (g geometry) onCircle(node, outside int) vec {
	sin, cos := math.Sincos(2 * math.Pi * float64(node) / float64(g.torus.N()))
	radius := float64(g.pitch + outside)
	return vec{g.left + int(math.Round(radius*sin)), g.top - int(math.Round(radius*cos))}
}

// chords writes the links between nodes on a circle, each to the right of the way it goes, and the names of the nodes.
func (d *drawing) chords() {
	parallel := map[[2]int]int{}
	for l := range d.torus.EachLink() {
		u, v := d.torus.LinkEnds(l)
		from, way := d.onCircle(u, 0), d.onCircle(v, 0).minus(d.onCircle(u, 0))
		x, y := float64(way.x), float64(way.y)
		length := math.Hypot(x, y)
		step := func(ahead, aside float64) vec { // along the way and to its right
			return vec{int(math.Round((x*ahead - y*aside) / length)), int(math.Round((y*ahead + x*aside) / length))}
		}
		aside := float64(linkOffset + parallelGap*parallel[[2]int{u, v}])
		parallel[[2]int{u, v}]++
		start := from.plus(step(clearance, aside))
		d.link(l, shape{kind: pathShape, class: "wire" + wideClass(d.torus, d.torus.LinkBandwidth(l)),
			path: []subpath{{start.x, start.y, []vec{step(length-2*clearance, 0), step(-7, 5)}}}})
		if at := start.plus(step(length/3, 8)); d.params.Values && d.scale.level(l, bands) > 0 {
			d.text(at.x, at.y+4, "value mid", d.scale.text(l))
		}
	}
	for v := range d.torus.N() {
		at, class := d.onCircle(v, 16), "small muted mid"
		switch middle := d.left; {
		case at.x > middle+20:
			class = "small muted"
		case at.x < middle-20:
			class = "small muted end"
		}
		d.text(at.x, at.y+4, class, d.torus.NodeText(v))
	}
}

// listing returns a line for every node of a network without dimensions, with the links that leave it and their loads.
func (s *textDrawing) listing() string {
	var b strings.Builder
	for v := range s.torus.N() {
		sign, _ := s.sign(v)
		items := []string{sign + " " + s.torus.NodeText(v)}
		for l := range s.torus.LinksFrom(v) {
			if s.scale.level(l, levelCount) == 0 {
				continue
			}
			_, to := s.torus.LinkEnds(l)
			load := s.scale.text(l)
			if s.scale.atMax(l) {
				load += "*"
			}
			items = append(items, s.glyphs.right+s.torus.NodeText(to)+" "+load)
		}
		b.WriteString(s.wrapped(items, "   "))
	}
	return b.String()
}
