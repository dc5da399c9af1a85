package disk

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results"
)

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
	if err == nil {
		err = m.Fits()
	}
	return m, err
}

// readDemands reads the forms with a line for each demand.
func readDemands(text string) (*objective.Matrix, error) {
	var list objective.Demands
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

// MatrixIn is ReadMatrix for a file, which errors name.
func MatrixIn(name string, data []byte) (*objective.Matrix, error) {
	m, err := ReadMatrix(data)
	if input := (*core.InputError)(nil); errors.As(err, &input) {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return m, results.InFile(err, name)
}

// ReadTraffic returns the traffic that a text says on a network: a matrix in a file for "@name", which open reads, a
// pattern for "pattern:name", else what objective.ParseTraffic reads.
func ReadTraffic(t *core.Torus, text string, open func(name string) ([]byte, error)) (r objective.Traffic, err error) {
	name, isFile := strings.CutPrefix(text, "@")
	switch {
	case isFile:
		data, err := open(name)
		if err != nil {
			return r, results.InFile(err, name)
		}
		r.Matrix, err = MatrixIn(name, data)
		return r, err
	case strings.HasPrefix(text, texts.PatternPrefix):
		r.Matrix, err = texts.ParsePattern(t, text)
		return r, err
	}
	return objective.ParseTraffic(text)
}
