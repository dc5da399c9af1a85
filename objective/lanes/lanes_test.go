package lanes_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/objective/lanes"
)

// vectors are what the kernels are given, as plain numbers, with the same packed. They are
// in range: a is up to most, b up to a limit, and so on, see draw.
type vectors struct {
	l          lanes.Layout
	limit      int64
	load, a, b []int64
	times      int
}

// draw makes vectors of n numbers for a layout from a source of numbers. All sums that
// the kernels are promised fit: a load within the limit, and a and b that stay within
// what the layout leaves above it.
func draw(l lanes.Layout, n int, next func(below int64) int64) vectors {
	v := vectors{l: l, limit: next(l.Max()/2 + 1)}
	v.times = int(next(4))
	some := func(most int64) []int64 {
		list := make([]int64, n)
		for i := range list {
			list[i] = next(most + 1)
			if next(4) == 0 { // equal and extreme ones
				list[i] = most
			}
		}
		return list
	}
	v.load = some(v.limit)
	v.a = some((v.limit + 1) / 2)
	v.b = some((v.limit + 2) / 4)
	return v
}

func (v vectors) pack(list []int64) []uint64 {
	return v.l.Pack(len(list), func(i int) int64 { return list[i] })
}

func (v vectors) unpack(words []uint64) []int64 {
	list := make([]int64, len(v.load))
	for i := range list {
		list[i] = v.l.Get(words, v.l.Place(i))
	}
	return list
}

func each(n int, of func(i int) int64) []int64 {
	list := make([]int64, n)
	for i := range list {
		list[i] = of(i)
	}
	return list
}

// check compares every kernel with plain numbers, as this processor has it and as it is defined, and returns what
// differs, "" if nothing does.
func (v vectors) check() string {
	d := v.compare()
	lanes.Portable(func() {
		if of := v.compare(); of != "" {
			d += "portable: " + of
		}
	})
	return d
}

func (v vectors) compare() string {
	n := len(v.load)
	load, a, b := v.pack(v.load), v.pack(v.a), v.pack(v.b)
	out := make([]uint64, len(a))
	differs := func(name string, got, want []int64) string {
		if slices.Equal(got, want) {
			return ""
		}
		return fmt.Sprintf("%s: %v, want %v, of %+v", name, got, want, v)
	}
	for i, at := range v.l.Places(n) {
		if v.l.Get(load, at) != v.load[i] {
			return fmt.Sprintf("lane %d of %+v holds %d", i, v, v.l.Get(load, at))
		}
	}

	lanes.AddScaled(out, a, v.times, b)
	scaled := each(n, func(i int) int64 { return v.a[i] + int64(v.times)*v.b[i] })
	if d := differs("AddScaled", v.unpack(out), scaled); d != "" {
		return d
	}
	lanes.AddScaled(out, out, -v.times, b)
	if d := differs("AddScaled back", v.unpack(out), v.a); d != "" {
		return d
	}
	to := slices.Clone(load)
	lanes.AddDifference(to, a, b)
	for i := range to {
		if to[i] != load[i]+a[i]-b[i] {
			return fmt.Sprintf("AddDifference of %+v: word %d is %x", v, i, to[i])
		}
	}
	v.l.Lower(out, load, a)
	if d := differs("Lower", v.unpack(out), each(n, func(i int) int64 { return min(v.load[i], v.a[i]) })); d != "" {
		return d
	}

	small := func(list []int64) []int32 {
		out := make([]int32, n)
		for i, x := range list {
			out[i] = int32(x & (1<<29 - 1))
		}
		return out
	}
	x, y, z, limit, excess := small(v.load), small(v.a), small(v.b), int32(v.limit&(1<<29-1)), int64(0)
	for i := range x {
		excess += max(int64(x[i])-int64(y[i])+int64(z[i])-int64(limit), 0)
	}
	if got := lanes.Excess(x, y, z, limit); got != excess {
		return fmt.Sprintf("Excess of %+v: %d, want %d", v, got, excess)
	}

	covers := slices.Min(each(n, func(i int) int64 { return v.load[i] - v.a[i] })) >= 0
	if v.l.Covers(load, a) != covers {
		return fmt.Sprintf("Covers of %+v is not %v", v, covers)
	}
	return v.checkMaxima(load, a, b, out)
}

// checkMaxima compares the maxima, and single lanes that change.
func (v vectors) checkMaxima(load, a, b, after []uint64) string {
	n := len(v.load)
	padding := len(load)*v.l.Per - n
	most := func(list []int64) (int64, int) {
		top, count := slices.Max(list), 0
		for _, x := range list {
			if x == top {
				count++
			}
		}
		if top == 0 {
			count += padding
		}
		return top, count
	}
	top, count := most(v.load)
	if x, c := v.l.Peak(load); x != top || c != count {
		return fmt.Sprintf("Peak of %+v: %d in %d lanes, want %d in %d", v, x, c, top, count)
	}
	// after = (load + a) - a + b - b/2 stays within 0 and the limit's room
	half := each(n, func(i int) int64 { return v.b[i] / 2 })
	full := v.pack(each(n, func(i int) int64 { return v.load[i] + v.a[i] }))
	want := each(n, func(i int) int64 { return v.load[i] + v.b[i] - half[i] })
	top, count = most(want)
	x, c := v.l.Exchange(after, full, a, b, v.pack(half))
	if x != top || c != count || !slices.Equal(v.unpack(after), want) {
		return fmt.Sprintf("Exchange of %+v: %d in %d lanes, %v, want %d in %d, %v", v, x, c, v.unpack(after), top,
			count, want)
	}
	for i, at := range v.l.Places(n) {
		lanes.Add(after, at, v.a[i])
		lanes.Add(after, at, half[i]-v.b[i])
		if got := v.l.Get(after, at); got != v.load[i]+v.a[i] {
			return fmt.Sprintf("Add in %+v: lane %d holds %d", v, i, got)
		}
	}
	return ""
}

// TestKernels compares the kernels with plain slices of numbers, at every width, and with
// numbers of words on both sides of what vectors take at once.
func TestKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for width := uint(4); width <= 63; width++ {
		l := lanes.New(width)
		for range 300 {
			if d := draw(l, 1+rng.IntN(10*l.Per), rng.Int64N).check(); d != "" {
				t.Fatal(d)
			}
		}
	}
}

// TestFor checks that lanes are the narrowest for a number.
func TestFor(t *testing.T) {
	for _, most := range []int64{0, 1, 2, 3, 4, 127, 128, 1<<31 - 1, 1 << 31, 1 << 61, 1<<62 - 1} {
		l := lanes.Narrowest(most)
		if l.Max() < most || l.Width > 1 && lanes.New(l.Width-1).Max() >= most {
			t.Errorf("lanes for %d have %d bits", most, l.Width)
		}
	}
}

// FuzzKernels draws the vectors from the fuzzer's bytes.
func FuzzKernels(f *testing.F) {
	f.Add(uint8(5), uint8(40), []byte("loads"))
	f.Add(uint8(16), uint8(9), []byte{255, 255, 255, 255, 255, 255, 255, 255, 0, 1})
	f.Fuzz(func(t *testing.T, width, n uint8, data []byte) {
		l := lanes.New(uint(4 + width%60))
		next := func(below int64) int64 {
			var word [8]byte
			data = data[copy(word[:], data):]
			return int64(binary.LittleEndian.Uint64(word[:]) % uint64(below))
		}
		if d := draw(l, 1+int(n), next).check(); d != "" {
			t.Fatal(d)
		}
	})
}
