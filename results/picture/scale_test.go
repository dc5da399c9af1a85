package picture

import (
	"fmt"
	"math"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
)

// TestLevelsAreExact checks every level against its definition: level i of count holds the loads above (i-1)/count
// and up to i/count of E_max.
func TestLevelsAreExact(t *testing.T) {
	for i := range 100 {
		in := coretest.Random(coretest.Rng(13, i), 30)
		loads := objective.Naive(in.Routing, in.Placement)
		s := newScale(loads)
		most, _ := loads.Max()
		for l := range in.Torus.M() {
			load := loads.Load(core.Link(l))
			for _, count := range []int64{8, 9, 16} {
				level := int64(s.level(core.Link(l), count))
				// Compare count*load with level*E_max and (level-1)*E_max in integers: load = a/b, E_max = c/d.
				a, b, c, d := load.Num().Int64(), load.Denom().Int64(), most.Num().Int64(), most.Denom().Int64()
				switch {
				case level == 0 && a != 0, level > count, level < 0,
					level > 0 && (count*a*d > level*c*b || count*a*d <= (level-1)*c*b):
					t.Fatalf("%s: load %s of E_max %s has level %d of %d", in, load.RatString(), most.RatString(), level, count)
				}
			}
		}
	}
}

// TestBandsAreSequential checks that the colours of the bands get steadily lighter or darker, so that they read without
// hues. Luma weights are those of ITU-R BT.601, times 1000.
func TestBandsAreSequential(t *testing.T) {
	for rules, sign := range map[string]int{lightRules: -1, darkRules: 1} {
		look := looks(colourRules(rules, true))
		luma := func(band int) int {
			c := look(shape{kind: rectShape, class: fmt.Sprintf("swatch b%d", band)}).fill
			return 299*int(c.R) + 587*int(c.G) + 114*int(c.B)
		}
		for band := 2; band <= bands; band++ {
			if sign*(luma(band)-luma(band-1)) < 3500 {
				t.Errorf("sign %d: bands %d and %d are too close: %d, %d", sign, band-1, band, luma(band-1), luma(band))
			}
		}
	}
}

// TestLetters: the outlines of text lie where the font library's own face draws it, as it is anchored and turned.
func TestLetters(t *testing.T) {
	parsed := coretest.Must(sfnt.Parse(goregular.TTF))
	face := coretest.Must(opentype.NewFace(parsed, &opentype.FaceOptions{Size: 40, DPI: 72}))
	r := raster{scale: 1, fonts: map[bool]*sfnt.Font{false: parsed}}
	for _, text := range []string{"(0,1)", "E_max = 5/2", "← Ag"} {
		box, width := font.BoundString(face, text)
		for anchor, part := range map[string]float64{"": 0, "middle": .5, "end": 1} {
			for _, turned := range []bool{false, true} {
				e := shape{kind: textShape, x: 100, y: 300, text: text, turned: turned}
				outlines := coretest.Must(r.letters(e, look{size: 40, anchor: anchor}))
				low, high := vertex{math.Inf(1), math.Inf(1)}, vertex{math.Inf(-1), math.Inf(-1)}
				for _, outline := range outlines {
					for _, v := range outline {
						x, y := v.x-100, v.y-300
						if turned {
							x, y = -y, x
						}
						low, high = vertex{min(low.x, x), min(low.y, y)}, vertex{max(high.x, x), max(high.y, y)}
					}
				}
				back := part * float64(width) / 64
				for _, pair := range [][2]float64{{low.x, float64(box.Min.X)/64 - back}, {high.x, float64(box.Max.X)/64 - back},
					{low.y, float64(box.Min.Y) / 64}, {high.y, float64(box.Max.Y) / 64}} {
					if math.Abs(pair[0]-pair[1]) > 1.5 {
						t.Errorf("%q, anchor %q, turned %v: %v to %v, want %v", text, anchor, turned, low, high, box)
					}
				}
			}
		}
	}
}
