package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"leeway/core"
)

// maxPixels bounds the size of PNG pictures, which are held in memory whole.
const maxPixels = 1 << 26

// PNG writes the picture that SVG writes as pixels, two by two for each unit of the SVG; the theme Auto is light.
// Errors as of SVG, and *core.InputError for a picture of too many pixels.
func PNG(w io.Writer, p Params) error {
	if err := p.check(); err != nil {
		return err
	}
	return newDrawing(p).writePNG(w, p.Theme)
}

// writePNG writes a scene as pixels.
func (s *scene) writePNG(w io.Writer, theme Theme) error {
	scale := 2
	if 4*s.width*s.height > maxPixels {
		scale = 1
	}
	if s.width*s.height > maxPixels {
		return &core.InputError{Text: s.name, Problem: fmt.Sprintf("a picture of %d x %d pixels is too large for PNG",
			s.width, s.height), Hint: "SVG has no such limit"}
	}
	colors := paletteOf(theme)
	r := &raster{image: image.NewRGBA(image.Rect(0, 0, scale*s.width, scale*s.height)), scale: float64(scale),
		faces: map[typeface]font.Face{}}
	draw.Draw(r.image, r.image.Bounds(), image.NewUniform(colors.background), image.Point{}, draw.Src)
	look := looks(colors)
	for _, e := range s.shapes {
		if err := r.shape(e, look(e)); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, r.image); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// A raster is an image that shapes are put into, anti-aliased.
type raster struct {
	image *image.RGBA
	scale float64
	faces map[typeface]font.Face
}

// A vertex is a point in pixels.
type vertex struct{ x, y float64 }

func (r *raster) shape(e shape, l look) error {
	switch e.kind {
	case textShape:
		return r.label(e, l)
	case rectShape:
		outline := r.roundRect(e)
		r.fill(l.fill, outline)
		r.stroke(l, outline, true)
	case circleShape:
		outline := disc(vertex{r.scale * float64(e.x), r.scale * float64(e.y)}, r.scale*e.radius)
		r.fill(l.fill, outline)
		r.stroke(l, outline, true)
	case pathShape:
		for _, part := range e.path {
			outline := r.points(part)
			if e.curved {
				outline = r.arc(part)
			}
			if len(outline) > 2 {
				r.fill(l.fill, outline)
			}
			r.stroke(l, outline, e.closed)
		}
	}
	return nil
}

// points returns the corners of a subpath.
func (r *raster) points(p subpath) []vertex {
	x, y := p.x, p.y
	list := []vertex{{r.scale * float64(x), r.scale * float64(y)}}
	for _, step := range p.steps {
		x, y = x+step.x, y+step.y
		list = append(list, vertex{r.scale * float64(x), r.scale * float64(y)})
	}
	return list
}

// arc returns enough points of a curved subpath for it to look smooth.
func (r *raster) arc(p subpath) []vertex {
	const parts = 16
	list := make([]vertex, parts+1)
	for i := range list {
		t := float64(i) / parts
		toMeet, toEnd := 2*t*(1-t), t*t
		list[i] = vertex{r.scale * (float64(p.x) + toMeet*float64(p.steps[0].x) + toEnd*float64(p.steps[1].x)),
			r.scale * (float64(p.y) + toMeet*float64(p.steps[0].y) + toEnd*float64(p.steps[1].y))}
	}
	return list
}

// roundRect returns the outline of a rect.
func (r *raster) roundRect(e shape) []vertex {
	x, y, w, h, round := r.scale*float64(e.x), r.scale*float64(e.y), r.scale*float64(e.w), r.scale*float64(e.h),
		r.scale*float64(e.round)
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

// fill paints the union of some outlines, which must all turn the same way.
func (r *raster) fill(c color.NRGBA, outlines ...[]vertex) {
	if c.A == 0 {
		return
	}
	low, high := vertex{math.Inf(1), math.Inf(1)}, vertex{math.Inf(-1), math.Inf(-1)}
	for _, outline := range outlines {
		for _, v := range outline {
			low, high = vertex{min(low.x, v.x), min(low.y, v.y)}, vertex{max(high.x, v.x), max(high.y, v.y)}
		}
	}
	box := image.Rect(int(math.Floor(low.x)), int(math.Floor(low.y)), int(math.Ceil(high.x))+1, int(math.Ceil(high.y))+1)
	z := vector.NewRasterizer(box.Dx(), box.Dy())
	for _, outline := range outlines {
		for i, v := range outline {
			x, y := float32(v.x-float64(box.Min.X)), float32(v.y-float64(box.Min.Y))
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
func (r *raster) stroke(l look, line []vertex, closed bool) {
	if l.stroke.A == 0 || l.width == 0 {
		return
	}
	if closed {
		line = append(line[:len(line):len(line)], line[0])
	}
	half := r.scale * l.width / 2
	var parts [][]vertex
	for _, piece := range dashed(line, l.dash, r.scale) {
		for i, v := range piece {
			parts = append(parts, disc(v, half))
			if i > 0 {
				parts = append(parts, bar(piece[i-1], v, half))
			}
		}
	}
	if len(parts) > 0 {
		r.fill(l.stroke, parts...)
	}
}

// bar returns the outline of a segment of a thick line, turning as disc does.
func bar(a, b vertex, half float64) []vertex {
	length := math.Hypot(b.x-a.x, b.y-a.y)
	if length == 0 {
		return disc(a, half)
	}
	nx, ny := -(b.y-a.y)/length*half, (b.x-a.x)/length*half
	return []vertex{{a.x - nx, a.y - ny}, {b.x - nx, b.y - ny}, {b.x + nx, b.y + ny}, {a.x + nx, a.y + ny}}
}

// dashed cuts a line into the pieces that are painted.
func dashed(line []vertex, dash []float64, scale float64) [][]vertex {
	if len(dash) == 0 {
		return [][]vertex{line}
	}
	pieces, at, left := [][]vertex{{line[0]}}, 0, scale*dash[0]
	for i := 1; i < len(line); i++ {
		from := line[i-1]
		for length := math.Hypot(line[i].x-from.x, line[i].y-from.y); length > 0; length = math.Hypot(line[i].x-from.x,
			line[i].y-from.y) {
			step := min(left, length)
			from = vertex{from.x + (line[i].x-from.x)*step/length, from.y + (line[i].y-from.y)*step/length}
			if at%2 == 0 {
				pieces[len(pieces)-1] = append(pieces[len(pieces)-1], from)
			}
			if left -= step; left <= 0 {
				at++
				left = scale * dash[at%len(dash)]
				if at%2 == 0 {
					pieces = append(pieces, []vertex{from})
				}
			}
			if step == length {
				break
			}
		}
	}
	return pieces
}

// A typeface is a font of a weight at a size.
type typeface struct {
	bold bool
	size float64
}

// face returns the Go font in a weight and size; each is made once for a picture.
func (r *raster) face(f typeface) (font.Face, error) {
	if have, ok := r.faces[f]; ok {
		return have, nil
	}
	data := goregular.TTF
	if f.bold {
		data = gobold.TTF
	}
	parsed, err := opentype.Parse(data)
	if err != nil {
		return nil, err
	}
	made, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: f.size, DPI: 72, Hinting: font.HintingNone})
	r.faces[f] = made
	return made, err
}

// label paints text where it is anchored, on a halo of the background if its look asks for one.
func (r *raster) label(e shape, l look) error {
	f, err := r.face(typeface{l.bold, l.size * r.scale})
	if err != nil {
		return err
	}
	width := font.MeasureString(f, e.text)
	back := fixed.Int26_6(0)
	switch l.anchor {
	case "middle":
		back = width / 2
	case "end":
		back = width
	}
	x, y := int(r.scale)*e.x, int(r.scale)*e.y
	if e.turned {
		r.turnedLabel(f, e.text, l.fill, x, y, back)
		return nil
	}
	at := fixed.Point26_6{X: fixed.I(x) - back, Y: fixed.I(y)}
	if l.halo {
		for i := range 8 {
			sin, cos := math.Sincos(math.Pi / 4 * float64(i))
			reach := 64 * r.scale * l.width / 2
			r.write(r.image, f, e.text, l.stroke, at.Add(fixed.Point26_6{X: fixed.Int26_6(reach * cos),
				Y: fixed.Int26_6(reach * sin)}))
		}
	}
	r.write(r.image, f, e.text, l.fill, at)
	return nil
}

func (r *raster) write(to draw.Image, f font.Face, text string, c color.NRGBA, at fixed.Point26_6) {
	d := font.Drawer{Dst: to, Src: image.NewUniform(c), Face: f, Dot: at}
	d.DrawString(text)
}

// turnedLabel paints text that runs upwards.
func (r *raster) turnedLabel(f font.Face, text string, c color.NRGBA, x, y int, back fixed.Int26_6) {
	m := f.Metrics()
	ascent := m.Ascent.Ceil()
	flat := image.NewAlpha(image.Rect(0, 0, font.MeasureString(f, text).Ceil()+1, ascent+m.Descent.Ceil()))
	r.write(flat, f, text, color.NRGBA{A: 255}, fixed.P(0, ascent))
	turned := image.NewAlpha(image.Rect(0, 0, flat.Rect.Dy(), flat.Rect.Dx()))
	for v := range flat.Rect.Dy() {
		for u := range flat.Rect.Dx() {
			turned.SetAlpha(v, flat.Rect.Dx()-1-u, flat.AlphaAt(u, v))
		}
	}
	corner := image.Pt(x-ascent, y+back.Ceil()-flat.Rect.Dx())
	draw.DrawMask(r.image, turned.Rect.Add(corner), image.NewUniform(c), image.Point{}, turned, image.Point{}, draw.Over)
}
