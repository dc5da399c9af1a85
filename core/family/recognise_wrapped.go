package family

import (
	"encoding/binary"

	"leeway/core"
)

// wrappedClass looks for a residue class whose classes need not close around the
// sides, with a modulus up to the largest side.
//
// Coefficients are chosen one after the other. After the first i the residues of
// the first i coordinates are known up to what the others add. Two choices of
// these coordinates with equal residues must be continued alike by the others;
// a coefficient that breaks this is given up.
func wrappedClass(p core.Placement, period Lattice) (Residues, bool) {
	t := p.Torus()
	w := &wrapping{torus: t, period: period, alike: continuations(p), coefficients: make([]int, t.D())}
	largest := 0
	for j := range t.D() {
		largest = max(largest, t.Side(j))
	}
	for m := 2; m <= largest; m++ {
		w.modulus = m
		if in, ok := w.choose(0, []int{0}); ok {
			class := Residues{Coefficients: w.coefficients, Modulus: m}
			for r, id := range in {
				if id == 1 {
					class.Residues = append(class.Residues, r)
				}
			}
			return class, true
		}
	}
	return Residues{}, false
}

type wrapping struct {
	torus        *core.Torus
	period       Lattice
	modulus      int
	coefficients []int
	// alike numbers, by how many coordinates are chosen less one, the choices:
	// those with equal numbers are continued alike by the other coordinates.
	alike [][]int
}

// choose chooses coefficient j and those after it, given the residues of all
// choices of the coordinates before it. With the last one it returns which
// residues carry processors: 1, 0, or -1 for a residue that does not occur.
func (w *wrapping) choose(j int, residues []int) ([]int, bool) {
	if j == w.torus.D() {
		return w.meets(j-1, residues)
	}
	most := w.modulus
	if w.period.Contains(w.torus.Stride(j)) {
		most = 1 // the placement does not depend on this coordinate
	}
	k := w.torus.Side(j)
	next := make([]int, len(residues)*k)
	for c := range most {
		w.coefficients[j] = c
		for i, r := range residues {
			for x := range k {
				next[i*k+x] = (r + c*x) % w.modulus
			}
		}
		if _, ok := w.meets(j, next); !ok {
			continue
		}
		if in, ok := w.choose(j+1, next); ok {
			return in, true
		}
	}
	return nil, false
}

// meets reports whether choices of coordinates 0..j with equal residues are
// continued alike, and returns the number of the continuation by residue.
func (w *wrapping) meets(j int, residues []int) ([]int, bool) {
	number := make([]int, w.modulus)
	for r := range number {
		number[r] = -1
	}
	for i, r := range residues {
		switch id := w.alike[j][i]; number[r] {
		case -1:
			number[r] = id
		case id:
		default:
			return nil, false
		}
	}
	return number, true
}

// continuations numbers the choices of the first coordinates by their
// continuations; with all coordinates chosen, 1 stands for a processor.
func continuations(p core.Placement) [][]int {
	t := p.Torus()
	alike := make([][]int, t.D())
	last := make([]int, t.N())
	for _, v := range p.Nodes() {
		last[v] = 1
	}
	alike[t.D()-1] = last
	for j := t.D() - 2; j >= 0; j-- {
		k := t.Side(j + 1)
		alike[j] = make([]int, len(alike[j+1])/k)
		numbers := map[string]int{}
		for i := range alike[j] {
			var key []byte
			for _, id := range alike[j+1][i*k : (i+1)*k] {
				key = binary.AppendUvarint(key, uint64(id))
			}
			if _, ok := numbers[string(key)]; !ok {
				numbers[string(key)] = len(numbers)
			}
			alike[j][i] = numbers[string(key)]
		}
	}
	return alike
}
