package picture

import (
	"image/color"
	"math/big"

	"leeway/core"
	"leeway/objective"
)

// bands is the number of equal parts into which colours cut 0..E_max.
const bands = 16

// A scale places loads between 0 and E_max, exactly.
type scale struct {
	loads *objective.Loads
	most  *big.Rat // E_max
}

func newScale(l *objective.Loads) scale {
	most, _ := l.Max()
	return scale{loads: l, most: most}
}

// level returns 0 for an idle link and otherwise which of count equal parts of
// 0..E_max, from 1, the load lies in; a load between two parts belongs to the
// lower one.
func (s scale) level(l core.Link, count int64) int {
	load := s.loads.At(l)
	if load.Sign() == 0 {
		return 0
	}
	load.Mul(load, big.NewRat(count, 1)).Quo(load, s.most)
	up := new(big.Int).Add(load.Num(), load.Denom())
	up.Sub(up, big.NewInt(1))
	return int(up.Quo(up, load.Denom()).Int64())
}

// atMax reports whether the link carries E_max, and that is not 0.
func (s scale) atMax(l core.Link) bool {
	return s.most.Sign() > 0 && s.loads.At(l).Cmp(s.most) == 0
}

// text returns the exact load of a link.
func (s scale) text(l core.Link) string { return s.loads.At(l).RatString() }

// part returns i/of of E_max, exactly.
func (s scale) part(i, of int64) string {
	r := big.NewRat(i, of)
	return r.Mul(r, s.most).RatString()
}

// longest returns the length of the longest load text.
func (s scale) longest() int {
	most := 1
	for l := range s.loads.Torus().M() {
		most = max(most, len(s.text(core.Link(l))))
	}
	return most
}

// A ramp is a row of colours that gets steadily darker or steadily lighter, so
// that it can be read without telling hues apart.
type ramp [9][3]int

// onLight runs from pale to dark, onDark from dim to bright: on either
// background the heaviest links stand out most.
var (
	onLight = ramp{{251, 205, 150}, {252, 178, 112}, {247, 147, 88}, {237, 116, 80}, {220, 84, 84}, {190, 54, 97},
		{152, 38, 107}, {110, 28, 104}, {64, 16, 78}}
	onDark = ramp{{84, 48, 120}, {118, 52, 132}, {153, 60, 135}, {188, 70, 127}, {219, 86, 112}, {241, 115, 97}, {250,
		153, 99}, {252, 195, 128}, {253, 240, 178}}
)

// color returns the colour of band 1..bands.
func (r ramp) color(band int) color.NRGBA {
	at := (band - 1) * (len(r) - 1)
	i, rest := at/(bands-1), at%(bands-1)
	next := min(i+1, len(r)-1)
	var c [3]int
	for j := range c {
		c[j] = r[i][j] + (r[next][j]-r[i][j])*rest/(bands-1)
	}
	return color.NRGBA{uint8(c[0]), uint8(c[1]), uint8(c[2]), 255}
}
