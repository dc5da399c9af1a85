package lanes

// This file has kernels over rows of whole words, the inner loops of what counts the loads of all links anew.

// A Product adds up, for rows of rings that lie side by side, the loads of the links of one direction: that of a link
// changes from place to place by the products of two numbers each of a vector and of a factor,
//
//	load[0] = sum over c of V[c] First[c]
//	load[c] = load[c-1] + V[c-1+At] FWindow[c-1+At] + VWindow[c-1+At] F[c-1+At]
//
// On a path, Open, nothing comes from before place 0: there the first link has what the second line says of c = 0 if At
// is 1, and nothing if At is 0.
//
// A vector has a row of numbers for every place, a factor one number for all of a row, unless Rowwise. They lie in an
// array, from where the fields say. All are below 2^31, and above -2^31.
type Product struct {
	Places, Row              int // how many places a ring has, and how many rings a row
	V, VWindow, VStep        int // VStep: from place to place
	F, FWindow, First, FStep int
	At                       int     // 0 or 1: which place is the one before the second link
	Rowwise                  bool    // factors have a row for every place too
	Open                     bool    // First is not used
	Add                      bool    // adds to the loads that are there
	Sum                      []int64 // scratch: a row
}

// Rows of at least a given number of rings are counted some places at a time: those of all places would not stay in the
// cache, and lie so that they push each other out.
const (
	long = 512
	tile = 8
)

// Count fills out with the loads of rings whose vectors and factors begin at the given indexes of numbers, a row for
// every place; rows are a step apart.
func (p *Product) Count(out []int64, step int, numbers []int64, vector, factor int) {
	firsts := p.Places
	clear(p.Sum[:p.Row])
	if p.Open {
		firsts = 0
		p.begin(numbers, vector, factor)
	}
	if p.Row < long {
		p.count(out, step, numbers, vector, factor, firsts, p.Places, true)
		return
	}
	for c := 0; c < firsts; c += tile {
		p.count(nil, 0, numbers, vector+c*p.VStep, factor+c*p.FStep, min(tile, p.Places-c), 0, false)
	}
	for c := 0; c < p.Places; c += tile {
		p.count(out[c*step:], step, numbers, vector+c*p.VStep, factor+c*p.FStep, 0, min(tile, p.Places-c),
			c+tile >= p.Places)
	}
}

// begin adds up the loads of the first link of a path.
func (p *Product) begin(numbers []int64, vector, factor int) {
	if p.At == 0 {
		return
	}
	sum := p.Sum[:p.Row]
	x, xw := numbers[p.V+vector:][:len(sum)], numbers[p.VWindow+vector:][:len(sum)]
	f, fw := numbers[p.F+factor:], numbers[p.FWindow+factor:]
	if !p.Rowwise {
		y, yw := f[0], fw[0]
		for i := range sum {
			sum[i] = x[i]*yw + xw[i]*y
		}
		return
	}
	y, yw := f[:len(sum)], fw[:len(sum)]
	for i := range sum {
		sum[i] = x[i]*yw[i] + xw[i]*y[i]
	}
}

// count adds what a given number of places bring to the first link to the sums, and then writes the sums to the links
// of this many places, bringing them up to date after each, but not after the last of all.
func (p *Product) count(out []int64, step int, numbers []int64, vector, factor, firsts, places int, last bool) {
	v, w := numbers[p.V+vector:], numbers[p.VWindow+vector:]
	f, fw, first := numbers[p.F+factor:], numbers[p.FWindow+factor:], numbers[p.First+factor:]
	if vectors != nil {
		end, to := max(firsts, places+p.At)-1, &p.Sum[0]
		if last {
			end = places - 1
		}
		if places > 0 {
			_, to = out[(places-1)*step+p.Row-1], &out[0] // all that is looked at is there
		}
		_, _ = v[end*p.VStep+p.Row-1], w[end*p.VStep+p.Row-1]
		end *= p.FStep
		if p.Rowwise {
			end += p.Row - 1
		}
		_, _, _ = f[end], fw[end], first[end]
		kernel := vectors.product
		if p.Rowwise {
			kernel = vectors.productRowwise
		}
		kernel(&p.Sum[0], to, &v[0], &w[0], &f[0], &fw[0], &first[0], step, p.VStep, p.FStep, p.At, firsts, places, p.Row,
			last, p.Add)
		return
	}
	sum := p.Sum[:p.Row]
	if p.Rowwise {
		p.countRowwise(sum, out, step, v, w, f, fw, first, firsts, places, last)
	} else {
		p.countPlain(sum, out, step, v, w, f, fw, first, firsts, places, last)
	}
}

// countPlain is count with one factor for all of a row: four places of the first link in one pass, and then two links,
// so that a sum is read and written once for both.
func (p *Product) countPlain(sum, out []int64, step int, v, w, f, fw, first []int64, firsts, places int, last bool) {
	n, at := len(sum), 0
	c := 0
	for ; c+4 <= firsts; c += 4 {
		x0, x1 := v[c*p.VStep:][:n], v[(c+1)*p.VStep:][:n]
		x2, x3 := v[(c+2)*p.VStep:][:n], v[(c+3)*p.VStep:][:n]
		y0, y1, y2, y3 := first[at], first[at+p.FStep], first[at+2*p.FStep], first[at+3*p.FStep]
		for i := range sum {
			sum[i] += x0[i]*y0 + x1[i]*y1 + x2[i]*y2 + x3[i]*y3
		}
		at += 4 * p.FStep
	}
	for ; c < firsts; c++ {
		y := first[c*p.FStep]
		for i, x := range v[c*p.VStep:][:n] {
			sum[i] += x * y
		}
	}
	updates := places
	if last {
		updates--
	}
	for c = 0; c+2 <= updates; c += 2 {
		x0, w0 := v[(c+p.At)*p.VStep:][:n], w[(c+p.At)*p.VStep:][:n]
		x1, w1 := v[(c+p.At+1)*p.VStep:][:n], w[(c+p.At+1)*p.VStep:][:n]
		to0, to1 := out[c*step:][:n], out[(c+1)*step:][:n]
		at := (c + p.At) * p.FStep
		y0, yw0, y1, yw1 := f[at], fw[at], f[at+p.FStep], fw[at+p.FStep]
		if p.Add {
			for i, load := range sum {
				to0[i] += load
				load += x0[i]*yw0 + w0[i]*y0
				to1[i] += load
				sum[i] = load + x1[i]*yw1 + w1[i]*y1
			}
		} else {
			for i, load := range sum {
				to0[i] = load
				load += x0[i]*yw0 + w0[i]*y0
				to1[i] = load
				sum[i] = load + x1[i]*yw1 + w1[i]*y1
			}
		}
	}
	for ; c < places; c++ {
		p.write(out[c*step:], sum)
		if c < updates {
			at := (c + p.At) * p.FStep
			x, xw, y, yw := v[(c+p.At)*p.VStep:][:n], w[(c+p.At)*p.VStep:][:n], f[at], fw[at]
			for i := range sum {
				sum[i] += x[i]*yw + xw[i]*y
			}
		}
	}
}

// countRowwise is count with a row of factors for every place.
func (p *Product) countRowwise(sum, out []int64, step int, v, w, f, fw, first []int64, firsts, places int, last bool) {
	n := len(sum)
	c := 0
	for ; c+2 <= firsts; c += 2 {
		x0, x1 := v[c*p.VStep:][:n], v[(c+1)*p.VStep:][:n]
		y0, y1 := first[c*p.FStep:][:n], first[(c+1)*p.FStep:][:n]
		for i := range sum {
			sum[i] += x0[i]*y0[i] + x1[i]*y1[i]
		}
	}
	for ; c < firsts; c++ {
		y := first[c*p.FStep:][:n]
		for i, x := range v[c*p.VStep:][:n] {
			sum[i] += x * y[i]
		}
	}
	for c := range places {
		to := out[c*step:][:n]
		if last && c == places-1 {
			p.write(to, sum)
			return
		}
		x, xw := v[(c+p.At)*p.VStep:][:n], w[(c+p.At)*p.VStep:][:n]
		y, yw := f[(c+p.At)*p.FStep:][:n], fw[(c+p.At)*p.FStep:][:n]
		if p.Add {
			for i, load := range sum {
				to[i] += load
				sum[i] = load + x[i]*yw[i] + xw[i]*y[i]
			}
		} else {
			for i, load := range sum {
				to[i] = load
				sum[i] = load + x[i]*yw[i] + xw[i]*y[i]
			}
		}
	}
}

// write writes loads, or adds them.
func (p *Product) write(to, loads []int64) {
	if !p.Add {
		copy(to, loads)
		return
	}
	to = to[:len(loads)]
	for i, load := range loads {
		to[i] += load
	}
}

// Slides are rows of an array of numbers to be computed, one after the other, each from + in - out of other rows. The
// zero value has none.
type Slides struct {
	rows         []slide
	list         []int32 // the same for Run: to, from, in, out and row, one after the other, rows side by side as one
	end, numbers int
}

// A slide is where a row goes, where those that it is made of begin, and how long it is.
type slide struct{ to, from, in, out, row int32 }

// Numbers returns how many numbers the rows have.
func (s *Slides) Numbers() int { return s.numbers }

// Add appends a row of a given length, given where it and those that it is made of begin.
func (s *Slides) Add(to, from, in, out, row int) {
	next := slide{int32(to), int32(from), int32(in), int32(out), int32(row)}
	if n := len(s.list); n > 0 && s.continues(next) {
		s.list[n-1] += next.row
	} else {
		s.list = append(s.list, next.to, next.from, next.in, next.out, next.row)
	}
	s.rows = append(s.rows, next)
	s.end, s.numbers = max(s.end, max(to, from, in, out)+row), s.numbers+row
}

// continues reports whether a row, and all that it is made of, lie behind those before it, which Run then computes in
// one, number by number in ascending order, or blocks of numbers that none of the same block are made of.
func (s *Slides) continues(next slide) bool {
	last := s.rows[len(s.rows)-1]
	return next.row == last.row && (vectors == nil || next.row >= stride) && next.to == last.to+last.row &&
		next.from == last.from+last.row && next.in == last.in+last.row && next.out == last.out+last.row
}

// Run computes the rows.
func (s *Slides) Run(numbers []int64) {
	numbers = numbers[:s.end]
	if vectors != nil && s.end > 0 {
		vectors.slides(&numbers[0], s.list)
		return
	}
	for l := s.list; len(l) > 0; l = l[5:] {
		row := l[4]
		if row == 1 {
			numbers[l[0]] = numbers[l[1]] + numbers[l[2]] - numbers[l[3]]
			continue
		}
		to, from, in, out := numbers[l[0]:][:row], numbers[l[1]:][:row], numbers[l[2]:][:row], numbers[l[3]:][:row]
		from, in, out = from[:len(to)], in[:len(to)], out[:len(to)] // no checks of bounds below
		i := 0
		for ; i < len(to)-3; i += 4 {
			to[i] = from[i] + in[i] - out[i]
			to[i+1] = from[i+1] + in[i+1] - out[i+1]
			to[i+2] = from[i+2] + in[i+2] - out[i+2]
			to[i+3] = from[i+3] + in[i+3] - out[i+3]
		}
		for ; i < len(to); i++ {
			to[i] = from[i] + in[i] - out[i]
		}
	}
}

// RunAt computes one number of every row, the one at the given index.
func (s *Slides) RunAt(numbers []int64, at int) {
	numbers = numbers[at:]
	for _, r := range s.rows {
		numbers[r.to] = numbers[r.from] + numbers[r.in] - numbers[r.out]
	}
}

// Transpose writes the columns of a matrix of a given number of rows to to, one after the other.
func Transpose(to, from []int64, rows, columns int) {
	to, from = to[:rows*columns], from[:rows*columns]
	r, c := 0, 0
	if vectors != nil && rows >= stride && columns >= stride {
		r, c = rows&^(stride-1), columns&^(stride-1)
		vectors.transpose(&to[0], &from[0], rows, columns)
	}
	if vectors == nil {
		for ; r+8 <= rows; r += 8 { // a whole line of to at a time
			at := from[r*columns:]
			a0, a1, a2, a3 := at[:columns], at[columns:][:columns], at[2*columns:][:columns], at[3*columns:][:columns]
			at = at[4*columns:]
			a4, a5, a6, a7 := at[:columns], at[columns:][:columns], at[2*columns:][:columns], at[3*columns:][:columns]
			for j := range a0 {
				line := to[j*rows+r:][:8]
				line[0], line[1], line[2], line[3] = a0[j], a1[j], a2[j], a3[j]
				line[4], line[5], line[6], line[7] = a4[j], a5[j], a6[j], a7[j]
			}
		}
		c = columns
	}
	for i := range rows {
		first := 0
		if i < r {
			first = c
		}
		for j := first; j < columns; j++ {
			to[j*rows+i] = from[i*columns+j]
		}
	}
}

// Most returns the largest of some numbers that are not negative, -1 for an empty list, and how often it occurs.
func Most(values []int64) (most int64, count int) {
	most = -1
	if vectors != nil && len(values) >= 2*stride {
		n := len(values) &^ (2*stride - 1)
		most, count = vectors.most(values[:n])
		values = values[n:]
	}
	for _, v := range values {
		if v > most {
			most, count = v, 0
		}
		if v == most {
			count++
		}
	}
	return most, count
}
