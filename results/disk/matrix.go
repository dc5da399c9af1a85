package disk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"leeway/core"
	"leeway/objective"
	"leeway/results"
)

// ReadMatrixFile returns the traffic matrix in a file; see ReadMatrix. Errors name the file.
func ReadMatrixFile(ctx context.Context, path string) (*objective.Matrix, error) {
	data, err := ReadFile(ctx, path)
	if err != nil {
		return nil, err
	}
	m, err := ReadMatrix(data)
	if input := (*core.InputError)(nil); errors.As(err, &input) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, results.InFile(err, path)
}

// MaxMatrixBytes is how long the canonical text of a matrix may be, which records hold.
const MaxMatrixBytes = 1 << 20

// ReadMatrix returns the traffic matrix that data spells: JSON as results.ReadMatrix reads it, lines from,to,amount
// with or without this header, or a traffic table of Noxim, "from to amount ..." with comments after %. In the last two
// forms there are as many tasks as the largest number says. Errors are *results.ReadError and *core.InputError, which
// name the line and what is expected.
func ReadMatrix(data []byte) (m *objective.Matrix, err error) {
	if bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")) {
		m, err = results.ReadMatrix(data)
	} else {
		m, err = readDemands(string(data))
	}
	if err != nil {
		return nil, err
	}
	if n := len(m.Text()); n > MaxMatrixBytes {
		return nil, &results.ReadError{Problem: fmt.Sprintf("the matrix takes %d bytes, more than the %d that a record holds",
			n, MaxMatrixBytes), Hint: "leave small demands out, or round the amounts"}
	}
	return m, nil
}

// readDemands reads the forms with a line for each demand.
func readDemands(text string) (*objective.Matrix, error) {
	var list results.Demands
	found := false
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "%")
		commas := strings.Contains(line, ",")
		words := strings.Fields(strings.ReplaceAll(line, ",", " "))
		switch {
		case len(words) == 0 || !found && strings.EqualFold(strings.Join(words, ","), "from,to,amount"):
			continue
		case !commas && len(words) > 3: // Noxim: what follows says when, and how often again
			words = words[:3]
		}
		if err := list.Add(words, fmt.Sprintf("line %d", i+1)); err != nil {
			return nil, err
		}
		found = true
	}
	if !found {
		return nil, &results.ReadError{Problem: "there is no demand", Hint: "write lines from,to,amount"}
	}
	return list.Matrix(list.Most + 1)
}
