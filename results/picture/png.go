package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"slices"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"leeway/core"
)

// maxPixels bounds the size of PNG pictures, which are held in memory whole.
const maxPixels = 1 << 26

// png returns the scene as pixels; errors as of PNG.
func (s *scene) png() ([]byte, error) {
	scale := 2
	if 4*s.width*s.height > maxPixels {
		scale = 1
	}
	if s.width*s.height > maxPixels {
		return nil, core.Invalid(s.name, "a picture of %d x %d pixels is too large for PNG",
			s.width, s.height).Hinted("SVG has no such limit")
	}
	r := raster{image.NewRGBA(image.Rect(0, 0, scale*s.width, scale*s.height)), float64(scale), map[bool]*sfnt.Font{}}
	for bold, data := range map[bool][]byte{false: goregular.TTF, true: gobold.TTF} {
		f, err := sfnt.Parse(data)
		if err != nil {
			return nil, err
		}
		r.fonts[bold] = f
	}
	look := looks(colourRules(lightRules, true))
	paper := look(shape{kind: rectShape, class: "paper"}).fill
	draw.Draw(r.image, r.image.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src)
	for _, e := range s.shapes {
		if err := r.paint(e, look(e)); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	err := png.Encode(&b, r.image)
	return b.Bytes(), err
}

// A raster is an image that shapes are put into, anti-aliased. Lengths and places are those of the scene.
type raster struct {
	image *image.RGBA
	scale float64             // pixels for each unit of the scene
	fonts map[bool]*sfnt.Font // by whether they are bold
}

// A vertex is a point of an outline.
type vertex struct{ x, y float64 }

// paint puts down a shape: its fill and on it its stroke, for text the other way round.
func (r raster) paint(e shape, l look) error {
	if e.kind == textShape {
		outlines, err := r.letters(e, l)
		for _, outline := range outlines {
			r.stroke(l, outline, true)
		}
		r.fill(l.fill, outlines...)
		return err
	}
	for _, outline := range e.outlines() {
		r.fill(l.fill, outline)
		r.stroke(l, outline, e.closed || e.kind != pathShape)
	}
	return nil
}

// outlines returns the outlines of a shape other than text, one for each subpath.
func (e shape) outlines() [][]vertex {
	x, y := float64(e.x), float64(e.y)
	switch e.kind {
	case rectShape:
		return [][]vertex{roundRect(x, y, float64(e.w), float64(e.h), float64(e.round))}
	case circleShape:
		return [][]vertex{disc(vertex{x, y}, e.radius)}
	}
	var list [][]vertex
	for _, part := range e.path {
		at := vec{part.x, part.y}
		outline := []vertex{at.vertex()}
		for _, step := range part.steps {
			at = at.plus(step)
			outline = append(outline, at.vertex())
		}
		list = append(list, outline)
	}
	return list
}

func (a vec) vertex() vertex { return vertex{float64(a.x), float64(a.y)} }

// letters returns the outlines of text where it is anchored.
func (r raster) letters(e shape, l look) ([][]vertex, error) {
	const em = 1024 // units that glyphs are asked for in, each of 64 parts
	unit, f, width := l.size/em/64, r.fonts[l.bold], fixed.Int26_6(0)
	var b sfnt.Buffer
	var segments []sfnt.Segment // of all glyphs, from the left end of the text
	for _, char := range e.text {
		glyph, err := f.GlyphIndex(&b, char)
		if err != nil {
			return nil, err
		}
		loaded, err := f.LoadGlyph(&b, glyph, fixed.I(em), nil)
		if err != nil {
			return nil, err
		}
		for _, s := range loaded {
			for i := range s.Args {
				s.Args[i].X += width
			}
			segments = append(segments, s)
		}
		advance, err := f.GlyphAdvance(&b, glyph, fixed.I(em), font.HintingNone)
		if err != nil {
			return nil, err
		}
		width += advance
	}
	back := map[string]float64{"middle": .5, "end": 1}[l.anchor] * float64(width)
	place := func(p fixed.Point26_6) vertex {
		along, across := (float64(p.X)-back)*unit, float64(p.Y)*unit
		if e.turned { // it runs upwards
			return vertex{float64(e.x) + across, float64(e.y) - along}
		}
		return vertex{float64(e.x) + along, float64(e.y) + across}
	}
	var outlines [][]vertex
	for _, s := range segments {
		if s.Op == sfnt.SegmentOpMoveTo {
			outlines = append(outlines, []vertex{place(s.Args[0])})
			continue
		}
		outline := &outlines[len(outlines)-1]
		if s.Op == sfnt.SegmentOpLineTo {
			*outline = append(*outline, place(s.Args[0]))
		} else { // the fonts have no other curves than these
			*outline = append(*outline, bend((*outline)[len(*outline)-1], place(s.Args[0]), place(s.Args[1]), 4)...)
		}
	}
	return outlines, nil
}

// bend returns points of the arc of a parabola from a to c whose tangents meet in b, the last of them c.
func bend(a, b, c vertex, parts int) []vertex {
	list := make([]vertex, parts)
	for i := range list {
		t := float64(i+1) / float64(parts)
		inA, inB, inC := (1-t)*(1-t), 2*t*(1-t), t*t
		list[i] = vertex{inA*a.x + inB*b.x + inC*c.x, inA*a.y + inB*b.y + inC*c.y}
	}
	return list
}

// roundRect returns the outline of a rectangle with round corners.
func roundRect(x, y, w, h, round float64) []vertex {
	var list []vertex
	for i, at := range []vertex{{x + w - round, y + h - round}, {x + round, y + h - round}, {x + round, y + round},
		{x + w - round, y + round}} {
		for j := range 5 {
			sin, cos := math.Sincos(math.Pi / 2 * (float64(i) + float64(j)/4))
			list = append(list, vertex{at.x + round*cos, at.y + round*sin})
		}
	}
	return list
}

// disc returns the outline of a circle.
func disc(at vertex, radius float64) []vertex {
	list := make([]vertex, 24)
	for i := range list {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(len(list)))
		list[i] = vertex{at.x + radius*cos, at.y + radius*sin}
	}
	return list
}

// fill paints what some outlines enclose, with holes where they turn against each other.
func (r raster) fill(c color.NRGBA, outlines ...[]vertex) {
	var box image.Rectangle
	for _, v := range slices.Concat(outlines...) {
		x, y := int(math.Floor(r.scale*v.x)), int(math.Floor(r.scale*v.y))
		box = box.Union(image.Rect(x, y, x+2, y+2))
	}
	if c.A == 0 || box.Empty() {
		return
	}
	z := vector.NewRasterizer(box.Dx(), box.Dy())
	for _, outline := range outlines {
		for i, v := range outline {
			x, y := float32(r.scale*v.x-float64(box.Min.X)), float32(r.scale*v.y-float64(box.Min.Y))
			if i == 0 {
				z.MoveTo(x, y)
			} else {
				z.LineTo(x, y)
			}
		}
		z.ClosePath()
	}
	z.Draw(r.image, box, image.NewUniform(c), image.Point{})
}

// stroke paints a line along an outline, with round joints and ends.
func (r raster) stroke(l look, line []vertex, closed bool) {
	if l.stroke.A == 0 || l.width == 0 {
		return
	}
	if closed {
		line = append(slices.Clip(line), line[0])
	}
	pieces := [][]vertex{line}
	if l.dash != nil {
		pieces = dashed(line, l.dash)
	}
	var parts [][]vertex // which all turn the same way
	for _, piece := range pieces {
		for i, v := range piece {
			parts = append(parts, disc(v, l.width/2))
			if i > 0 && v != piece[i-1] {
				parts = append(parts, bar(piece[i-1], v, l.width/2))
			}
		}
	}
	r.fill(l.stroke, parts...)
}

// bar returns the outline of a segment of a thick line, turning as disc does. Its ends differ.
func bar(a, b vertex, half float64) []vertex {
	scale := half / math.Hypot(b.x-a.x, b.y-a.y)
	nx, ny := -(b.y-a.y)*scale, (b.x-a.x)*scale
	return []vertex{{a.x - nx, a.y - ny}, {b.x - nx, b.y - ny}, {b.x + nx, b.y + ny}, {a.x + nx, a.y + ny}}
}

// dashed cuts a line into the segments that are painted; the lengths of dash are on and off by turns.
func dashed(line []vertex, dash []float64) [][]vertex {
	var pieces [][]vertex
	turn, left := 0, dash[0]
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		length := math.Hypot(b.x-a.x, b.y-a.y)
		at := func(gone float64) vertex {
			return vertex{a.x + (b.x-a.x)*gone/length, a.y + (b.y-a.y)*gone/length}
		}
		for gone := 0.0; gone < length; {
			step := min(left, length-gone)
			if turn%2 == 0 {
				pieces = append(pieces, []vertex{at(gone), at(gone + step)})
			}
			gone += step
			if left -= step; left <= 0 {
				turn++
				left = dash[turn%len(dash)]
			}
		}
	}
	return pieces
}
