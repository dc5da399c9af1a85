package results

import (
	"encoding/json"
	"fmt"
	"strings"

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
	var list objective.Demands
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
