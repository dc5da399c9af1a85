package picture

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

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

// label paints text where it is anchored, on a halo of the background if its look
// asks for one.
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
