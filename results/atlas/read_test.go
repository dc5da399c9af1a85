package atlas

import (
	"bytes"

	"leeway/results"
)

// Read returns the atlas that files of lines spell together, as Encode writes them. A line that cannot be read, or is
// about the cell of another, refuses the whole, with a *results.ReadError; one that says what is not so becomes a cell
// with a fault.
func Read(files ...[]byte) (*Atlas, error) {
	var lines []line
	for _, data := range files {
		for text := range bytes.Lines(data) {
			var l line
			if err := strictly(text, &l); err != nil {
				return nil, &results.ReadError{Line: len(lines) + 1, Column: 1, Problem: "no line of an atlas: " + err.Error()}
			}
			lines = append(lines, l)
		}
	}
	return admitted(lines)
}
