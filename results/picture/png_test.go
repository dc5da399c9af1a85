package picture_test

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/results/picture"
)

// pixels draws and reads the image back.
func pixels(t *testing.T, draw func(*bytes.Buffer) error) image.Image {
	t.Helper()
	var b bytes.Buffer
	coretest.Try(draw(&b))
	return coretest.Must(png.Decode(&b))
}

// pixel returns the colour of a point of the SVG.
func pixel(img image.Image, x, y int) color.NRGBA {
	return color.NRGBAModel.Convert(img.At(2*x, 2*y)).(color.NRGBA)
}

// TestPNGShowsWhatSVGShows takes the places of nodes and links from the SVG and looks there for their colours.
func TestPNGShowsWhatSVGShows(t *testing.T) {
	paper, processor, node, most, zero := rgb(0xffffff), rgb(0x0a6c8f), rgb(0xa3abb9), rgb(0x40104e), rgb(0xdbe0e8)
	for _, dims := range []string{"5x6", "4", "2x3"} {
		p := params(dims, "random:n=2:seed=3", "odr")
		root := parse(t, p)
		img := pixels(t, func(b *bytes.Buffer) error { return picture.PNG(b, p) })
		if root.Width == "" || img.Bounds().Dx() < 2*440 || pixel(img, 1, 1) != paper {
			t.Fatalf("%v: width %d for %s, corner %v", dims, img.Bounds().Dx(), root.Width, pixel(img, 1, 1))
		}
		for _, e := range root.all("processor") {
			if got := pixel(img, e.X+8, e.Y+8); got != processor {
				t.Errorf("%v: %s has colour %v", dims, e.title(), got)
			}
		}
		for _, e := range root.all("node") {
			if got := pixel(img, e.CX, e.CY); got != node {
				t.Errorf("%v: %s has colour %v", dims, e.title(), got)
			}
		}
		for _, e := range root.all("link") {
			line := lines(t, e.Data)[0]
			x, y := (line[0].x+line[1].x)/2, (line[0].y+line[1].y)/2
			want := zero
			if e.has("top") {
				want = most
			}
			if got := pixel(img, x, y); (e.has("top") || e.has("idle")) && got != want {
				t.Errorf("%v: %s has colour %v at %d,%d, want %v", dims, e.title(), got, x, y, want)
			}
		}
	}
}

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 255}
}

func TestPNGOfEveryShape(t *testing.T) {
	shapes := []string{"2x2x2", "3x4x2", "3x3x3x3"}
	if testing.Short() {
		shapes = shapes[:1]
	}
	for _, dims := range shapes {
		for _, values := range []bool{false, true} {
			p := params(dims, "random:n=3:seed=2", "udr:tie=both")
			p.Values = values
			pixels(t, func(b *bytes.Buffer) error { return picture.PNG(b, p) })
		}
	}
}

func TestPNGRefusesTooManyPixels(t *testing.T) {
	p := params("4096", "nodes:0+5", "odr")
	p.Values = true
	var b bytes.Buffer
	err := picture.PNG(&b, p)
	var input *core.InputError
	if !errors.As(err, &input) || b.Len() > 0 {
		t.Errorf("error %v, %d bytes", err, b.Len())
	}
}
