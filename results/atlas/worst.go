package atlas

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"leeway/objective/texts"
	"leeway/results"
)

// A WorstCase is what a cell has under the worst permutation of its processors: loads as fractions.
type WorstCase struct {
	set      string // the placement that the values are of, see packNodes
	Load     string // of the placement of the cell
	Valiant  string `json:",omitempty"` // the same under val; "" where it was not computed
	Least    string `json:",omitempty"` // the least of all placements; "" where not all were looked at
	Lightest string `json:",omitempty"` // the least of those with E_max as small as that of the cell; likewise
	Best     string `json:",omitempty"` // nodes of a placement with Least, where that of the cell has more
}

// worstHeads are the columns of a file of worst cases.
var worstHeads = []string{"torus", "routing", "size", "nodes", "worst", "val", "least", "lightest", "best"}

// WorstCases are worst cases by cell.
type WorstCases map[texts.Key]WorstCase

// ReadWorst reads a file that Encode wrote. Errors are *results.ReadError.
func ReadWorst(data []byte) (WorstCases, error) {
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil || len(rows) == 0 || !slices.Equal(rows[0], worstHeads) {
		return nil, &results.ReadError{Problem: fmt.Sprintf("not a file of worst cases, whose columns are %v",
			worstHeads)}
	}
	list := WorstCases{}
	for i, r := range rows[1:] {
		size, err := strconv.Atoi(r[2])
		for at, text := range r[4:8] {
			if at == 0 || text != "" {
				_, wrong := results.ParseFraction(text)
				err = cmp.Or(err, wrong)
			}
		}
		if err != nil {
			return nil, &results.ReadError{Line: i + 2, Problem: err.Error()}
		}
		list[texts.Key{Torus: r[0], Routing: r[1], Size: size}] = WorstCase{r[3], r[4], r[5], r[6], r[7], r[8]}
	}
	return list, nil
}

// Get returns the worst case of a cell; ok is false where none is known of its placement.
func (l WorstCases) Get(c Cell) (w WorstCase, ok bool) {
	w, ok = l[c.Key()]
	return w, ok && w.set == c.set && c.set != ""
}

// Put takes the worst case of a cell, whose placement it is of.
func (l WorstCases) Put(c Cell, w WorstCase) {
	w.set = c.set
	l[c.Key()] = w
}

// Encode returns the file with the worst cases of some cells, in their order: CSV, the first line with the columns.
func (l WorstCases) Encode(cells []Cell) []byte {
	var out bytes.Buffer
	rows := csv.NewWriter(&out)
	rows.Write(worstHeads) // errors are those of the buffer, which has none
	for _, c := range cells {
		if w, ok := l.Get(c); ok {
			rows.Write([]string{c.Where(), c.Routing, strconv.Itoa(c.Size), w.set, w.Load, w.Valiant, w.Least,
				w.Lightest, w.Best})
		}
	}
	rows.Flush()
	return out.Bytes()
}

// shippedWorst are the worst cases that make worst computed.
//
//go:embed worst.csv
var shippedWorst []byte

// ShippedWorst returns the worst cases that are part of the program.
var ShippedWorst = sync.OnceValues(func() (WorstCases, error) { return ReadWorst(shippedWorst) })
