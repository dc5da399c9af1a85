package lanes_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/objective/lanes"
)

// TestRows compares the kernels over rows with their definitions, as this processor has them and portable, with rows
// and places on both sides of what they take at once.
func TestRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	for i := range 4000 {
		most := 40
		if i%100 == 0 {
			most = 900
		}
		if d := checkRows(most, rng.Int64N); d != "" {
			t.Fatal(d)
		}
	}
}

// FuzzRows draws what TestRows compares from the fuzzer's bytes.
func FuzzRows(f *testing.F) {
	f.Add([]byte("rows and places"))
	f.Fuzz(func(t *testing.T, data []byte) {
		next := func(below int64) int64 {
			var word [8]byte
			data = data[copy(word[:], data):]
			return int64(binary.LittleEndian.Uint64(word[:]) % uint64(below))
		}
		if d := checkRows(30, next); d != "" {
			t.Fatal(d)
		}
	})
}

func checkRows(most int, next func(below int64) int64) string {
	for _, check := range []func(int, func(int64) int64) func() string{drawProduct, drawSlides, drawTransposed, drawMost} {
		run := check(most, next)
		if d := run(); d != "" {
			return d
		}
		d := ""
		lanes.Portable(func() { d = run() })
		if d != "" {
			return "portable: " + d
		}
	}
	return ""
}

// signed returns numbers below 2^31, many of them extreme or 0.
func signed(n int, next func(int64) int64) []int64 {
	list := make([]int64, n)
	for i := range list {
		switch next(5) {
		case 0:
		case 1:
			list[i] = 1<<31 - 1
		case 2:
			list[i] = 1 - 1<<31
		default:
			list[i] = next(1<<32-1) - (1<<31 - 1)
		}
	}
	return list
}

func drawProduct(most int, next func(int64) int64) func() string {
	up := func(n int) int { return int(next(int64(n))) }
	p := lanes.Product{Places: 1 + up(20), Row: 1 + up(most), At: up(2), Rowwise: next(2) == 0, Add: next(2) == 0,
		Open: next(4) == 0}
	p.VStep, p.FStep = p.Row+up(4), 1+up(4)
	if p.Rowwise {
		p.FStep += p.Row
	}
	p.Sum = make([]int64, p.Row)
	vector, factor, step := up(3), up(3), p.Row+up(3)
	v, f := vector+p.Places*p.VStep, factor+p.Places*p.FStep
	p.VWindow, p.F, p.FWindow, p.First = v, 2*v, 2*v+f, 2*v+2*f
	numbers := signed(2*v+3*f, next)
	before := signed(p.Places*step, next)
	want := slices.Clone(before)
	for i := range p.Row {
		of := func(place int) int { // where the factor of a ring is
			if p.Rowwise {
				return factor + place*p.FStep + i
			}
			return factor + place*p.FStep
		}
		load := int64(0)
		for c := range p.Places {
			if !p.Open {
				load += numbers[p.V+vector+c*p.VStep+i] * numbers[p.First+of(c)]
			}
		}
		for c := range p.Places {
			if c > 0 || p.Open && p.At == 1 {
				x := c - 1 + p.At
				load += numbers[p.V+vector+x*p.VStep+i]*numbers[p.FWindow+of(x)] +
					numbers[p.VWindow+vector+x*p.VStep+i]*numbers[p.F+of(x)]
			}
			if p.Add {
				want[c*step+i] += load
			} else {
				want[c*step+i] = load
			}
		}
	}
	return func() string {
		out := slices.Clone(before)
		p.Count(out, step, numbers, vector, factor)
		if !slices.Equal(out, want) {
			return fmt.Sprintf("Product %+v: %v, want %v", p, out, want)
		}
		return ""
	}
}

func drawSlides(most int, next func(int64) int64) func() string {
	up := func(n int) int { return int(next(int64(n))) }
	const rows = 5
	row := 1 + up(most)
	numbers, at := signed(rows*row, next), up(row)
	want, one := slices.Clone(numbers), slices.Clone(numbers)
	var moves [][4]int
	for range up(12) {
		m := [4]int{up(rows) * row, up(rows) * row, up(rows) * row, up(rows) * row}
		if n := len(moves); n > 0 && up(3) > 0 && slices.Max(moves[n-1][:])+2*row <= rows*row {
			for i, at := range moves[n-1] { // side by side
				m[i] = at + row
			}
		}
		moves = append(moves, m)
		for i := range row {
			want[m[0]+i] = want[m[1]+i] + want[m[2]+i] - want[m[3]+i]
		}
		one[m[0]+at] = one[m[1]+at] + one[m[2]+at] - one[m[3]+at]
	}
	return func() string {
		have, list := slices.Clone(numbers), new(lanes.Slides)
		for _, m := range moves {
			list.Add(m[0], m[1], m[2], m[3], row)
		}
		list.Run(have)
		if !slices.Equal(have, want) || list.Numbers() != row*len(moves) {
			return fmt.Sprintf("Slides %v of %d from %v: %v, want %v", moves, row, numbers, have, want)
		}
		copy(have, numbers)
		if list.RunAt(have, at); !slices.Equal(have, one) {
			return fmt.Sprintf("Slides %v at %d from %v: %v, want %v", moves, at, numbers, have, one)
		}
		return ""
	}
}

func drawTransposed(most int, next func(int64) int64) func() string {
	rows, columns := 1+int(next(int64(most))), 1+int(next(20))
	from := signed(rows*columns, next)
	return func() string {
		to := make([]int64, len(from))
		lanes.Transpose(to, from, rows, columns)
		for i := range rows {
			for j := range columns {
				if to[j*rows+i] != from[i*columns+j] {
					return fmt.Sprintf("Transpose of %d rows of %v: %v", rows, from, to)
				}
			}
		}
		return ""
	}
}

func drawMost(most int, next func(int64) int64) func() string {
	values := make([]int64, next(int64(most)))
	below := 1 + next(1<<62)
	if next(2) == 0 {
		below = 1 + below%4
	}
	for i := range values {
		values[i] = next(below)
	}
	largest, count := int64(-1), 0
	for _, v := range values {
		largest = max(largest, v)
	}
	for _, v := range values {
		if v == largest {
			count++
		}
	}
	return func() string {
		if m, n := lanes.Most(values); m != largest || n != count {
			return fmt.Sprintf("Most of %v: %d, %d times, want %d, %d times", values, m, n, largest, count)
		}
		return ""
	}
}
