package atlas

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Words are what a search finds cells by: of each word the positions of the cells that have it, ascending, in the order
// of Atlas.Cells without a filter. The words of a cell are
//
//   - of its network the sides, 4x4x4 and 4^3, one of torus, mesh and twisted, and each option: open=0,1 and open=0 and
//     open=1, bandwidth=2,1, twist=4;
//   - the parts of its routing and of that of replies, udr, tie=both, both, order=1,0; where nothing ties both rules;
//   - its size, n=16, which a number alone stands for;
//   - its traffic: all, or clients, request=1 and reply=4; its conditions: fixed, fixed=0,0, forbidden, radius=2;
//   - its value, e_max=21/2 and e_max=10.5, and its status: proved or open, and as in Cell (optimal, feasible, bounded,
//     wrong); beaten where it beats the papers;
//   - the kind, basis and engine of its proof, and the method that found its placement;
//   - how many optima there are up to symmetry, optima=3, where they are counted; the Invariants of its placement:
//     stabiliser=8, orbits=2, lattice=yes or lattice=no, covering=2 and packing=3;
//   - some that every cell has, so that a search may be written as a sentence: on, under, best, processors.
//
// The search of a static site, results/web/assets/search.js, reads these lists and does with them what Find does.
type Words map[string][]int

// common are the words that every cell has.
var common = []string{"on", "under", "with", "of", "and", "the", "best", "placement", "placements", "processor",
	"processors", "controller", "controllers", "cell", "cells"}

// wordsOf returns the words of a cell, some of them perhaps twice.
func wordsOf(where string, c *Cell) []string {
	words := append(slices.Clone(common), "n="+strconv.Itoa(c.Size), powers(c.Torus), c.Status, c.Method)
	for _, part := range strings.Split(where+":"+c.Routing+":"+c.Twin, ":") {
		words = append(words, part)
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			continue
		}
		if name != "open" { // which is a status
			words = append(words, name)
		}
		if value != "" && value[0] >= 'a' {
			words = append(words, value)
		}
		among := "+" // nodes
		if name == "open" {
			among = ","
		}
		for _, one := range strings.Split(value, among) {
			words = append(words, name+"="+one)
		}
	}
	switch {
	case strings.Contains(where, ":open="):
		words = append(words, "mesh")
	case strings.Contains(where, ":twist="):
		words = append(words, "twisted")
	default:
		words = append(words, "torus")
	}
	if c.Traffic == "" {
		words = append(words, "all")
	}
	if v, ok := fraction(c.MaxLoad); ok {
		words = append(words, "e_max="+c.MaxLoad)
		if digits, exact := v.FloatPrec(); exact {
			words = append(words, "e_max="+v.FloatString(digits))
		}
	}
	switch {
	case c.Status == Optimal:
		words = append(words, "proved")
	case c.Fault == "":
		words = append(words, "open")
	}
	if c.Beats() {
		words = append(words, "beaten")
	}
	if c.Optima > 0 {
		words = append(words, "optima="+strconv.Itoa(c.Optima))
	}
	if c.Proof != nil {
		words = append(words, c.Proof.Kind, c.Proof.Basis, c.Proof.Engine)
	}
	return split(strings.Join(words, " "))
}

// powers writes sides with equal neighbours as powers, 2^3x4.
func powers(sides []int) string {
	var parts []string
	for i := 0; i < len(sides); {
		same := 1
		for i+same < len(sides) && sides[i+same] == sides[i] {
			same++
		}
		part := strconv.Itoa(sides[i])
		if same > 1 {
			part += "^" + strconv.Itoa(same)
		}
		parts, i = append(parts, part), i+same
	}
	return strings.Join(parts, "x")
}

// split returns the words of a text: what stands between spaces and colons, its ASCII letters small, x for ×, and n=16
// for 16.
func split(text string) []string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '×':
			return 'x'
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		}
		return r
	}, text)
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n:", r) })
	for i, w := range words {
		if strings.Trim(w, "0123456789") == "" {
			words[i] = "n=" + w
		}
	}
	return words
}

// newWords returns the words of rows.
func newWords(rows []row) Words {
	w := Words{}
	var measure surveyor
	for i, r := range rows {
		for _, word := range append(wordsOf(r.key.Torus, r.cell()), measure.invariants(r.cell()).words()...) {
			if list := w[word]; len(list) == 0 || list[len(list)-1] != i {
				w[word] = append(list, i)
			}
		}
	}
	return w
}

// Find returns the positions of the cells that have every word of a text, ascending, and those words of the text that
// no cell has. A word of letters that no cell has stands for all that contain it, neigh for neighbour; n=8..16 for all
// from n=8 to n=16, where either end may be left out. A text without words finds nothing.
func (w Words) Find(text string) (cells []int, missing []string) {
	for i, word := range split(text) {
		list := w.having(word)
		if list == nil {
			missing = append(missing, word)
		}
		if i == 0 {
			cells = list
			continue
		}
		var both []int
		for _, at := range cells {
			if _, found := slices.BinarySearch(list, at); found {
				both = append(both, at)
			}
		}
		cells = both
	}
	return cells, missing
}

// having returns the cells that have a word, nil for none.
func (w Words) having(word string) (list []int) {
	list, ok := w[word]
	letters := strings.Trim(word, "abcdefghijklmnopqrstuvwxyz_-") == ""
	name, from, to, ranged := parseRange(word)
	if ok || !letters && !ranged {
		return list
	}
	for other, more := range w {
		value, named := strings.CutPrefix(other, name+"=")
		v, err := strconv.Atoi(value)
		if letters && strings.Contains(other, word) || ranged && named && err == nil && from <= v && v <= to {
			list = append(list, more...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// parseRange reads a word such as n=8..16, of which either number may be left out.
func parseRange(word string) (name string, from, to int, ok bool) {
	name, ends, _ := strings.Cut(word, "=")
	low, high, ok := strings.Cut(ends, "..")
	from, errLow := strconv.Atoi(cmp.Or(low, "0"))
	to, errHigh := strconv.Atoi(cmp.Or(high, strconv.Itoa(math.MaxInt)))
	return name, from, to, ok && low+high != "" && errLow == nil && errHigh == nil
}

// Words returns the words of the cells. They must not be changed.
func (a *Atlas) Words() Words { return a.now.Load().words() }
