package results

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/objective"
)

// ReadMatrix returns the traffic matrix that data spells, {"schema":"leeway/matrix/1","tasks":N,"demands":[[from,to,
// amount],...]}. Amounts are numbers or fractions, and are taken exactly. Errors are *ReadError and *core.InputError,
// which name the demand and what is expected.
func ReadMatrix(data []byte) (*objective.Matrix, error) {
	var d struct {
		Schema  string              `json:"schema"`
		Tasks   int                 `json:"tasks"`
		Demands [][]json.RawMessage `json:"demands"`
	}
	if err := Decode(data, objective.MatrixSchema, &d); err != nil {
		return nil, err
	}
	var list Demands
	for i, row := range d.Demands {
		words := make([]string, len(row))
		for j, word := range row {
			words[j] = strings.Trim(string(word), `"`)
		}
		if err := list.Add(words, fmt.Sprintf("demand %d", i+1)); err != nil {
			return nil, err
		}
	}
	return list.Matrix(d.Tasks)
}

// Demands are the demands of a matrix that is read.
type Demands struct {
	Most    int // the largest number of a task
	pairs   [][2]int
	amounts []*big.Rat
	places  []string
}

// Matrix returns the matrix with some tasks. Errors are those of objective.NewMatrix.
func (d *Demands) Matrix(tasks int) (*objective.Matrix, error) {
	return objective.NewMatrix(tasks, d.pairs, d.amounts, func(i int) string { return d.places[i] })
}

// maxDigits is how long an amount may be written.
const maxDigits = 40

// Add adds the demand of three words, which stand at a place that errors name, *core.InputError.
func (d *Demands) Add(words []string, place string) error {
	fail := func(format string, args ...any) error {
		return &core.InputError{Text: place, Problem: fmt.Sprintf(format, args...),
			Hint: "a demand is from,to,amount: two tasks, numbered from 0, and a number or fraction"}
	}
	if len(words) != 3 {
		return fail("there are %d values, not 3", len(words))
	}
	var pair [2]int
	for j, word := range words[:2] {
		task, err := strconv.Atoi(word)
		if err != nil || !core.Plain(word) || task >= objective.MaxTasks {
			return fail("%q is not the number of a task in 0..%d", Shorten(word), objective.MaxTasks-1)
		}
		pair[j] = task
		d.Most = max(d.Most, task)
	}
	amount, ok := new(big.Rat).SetString(words[2])
	if !ok || len(words[2]) > maxDigits || strings.ContainsAny(words[2], "eEpPxX_") {
		return fail("%q is not an amount", Shorten(words[2]))
	}
	d.pairs, d.amounts, d.places = append(d.pairs, pair), append(d.amounts, amount), append(d.places, place)
	return nil
}
