package schedules

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"leeway/objective/exchange"
	"leeway/results"
	"leeway/results/disk"
)

// write writes a schedule as JSON, one phase a line, each as soon as it is made. It fails with a *results.ReadError
// when the head could not be read again, with the error of a phase, or with that of the writer.
func write(w io.Writer, head exchange.Head, phases Phases) error {
	if err := headError(head); err != nil {
		return err
	}
	text, err := json.Marshal(document{Schema, head})
	if err != nil {
		return err
	}
	if len(text) > results.MaxFileBytes {
		return &results.ReadError{Problem: fmt.Sprintf("demand and matrix have more than the %d bytes that are read before "+
			"phases", results.MaxFileBytes)}
	}
	out := bufio.NewWriterSize(w, 1<<16)
	out.Write(bytes.TrimSuffix(text, []byte("}"))) // errors stick until Flush
	out.WriteString(`,"phases":[`)
	separator := "\n"
	var line []byte
	for phase, err := range phases {
		if err != nil {
			return err
		}
		line = appendPhase(append(line[:0], separator...), phase)
		if _, err := out.Write(line); err != nil {
			return err
		}
		separator = ",\n"
	}
	out.WriteString("\n]}\n")
	return out.Flush()
}

func appendPhase(text []byte, phase exchange.Phase) []byte {
	text = append(text, '[')
	for i, send := range phase {
		if i > 0 {
			text = append(text, ',')
		}
		text = appendNumber(append(text, `{"from":`...), send.From)
		text = appendNumber(append(text, `,"to":`...), send.To)
		if send.Axis >= 0 {
			text = appendNumber(append(text, `,"axis":`...), int32(send.Axis))
		}
		if send.Dir != 0 {
			text = append(text, `,"dir":"`+send.Dir.String()+`"`...)
		}
		if send.Path != nil {
			text = append(text, `,"path":[`...)
			for j, leg := range send.Path {
				text = appendPair(text, j, leg.Axis, leg.Links)
			}
			text = append(text, ']')
		}
		text = append(text, `,"blocks":[`...)
		for j, b := range send.Blocks {
			text = appendPair(text, j, b.From, b.To)
		}
		text = append(text, "]}"...)
	}
	return append(text, ']')
}

func appendNumber(text []byte, n int32) []byte { return strconv.AppendInt(text, int64(n), 10) }

// appendPair adds pair number i of a list.
func appendPair(text []byte, i int, a, b int32) []byte {
	if i > 0 {
		text = append(text, ',')
	}
	text = append(appendNumber(append(text, '['), a), ',')
	return append(appendNumber(text, b), ']')
}

// WriteFile writes a schedule into a file, all of it or nothing, with the errors of disk.WriteFile, in which an
// error of a phase is wrapped.
func WriteFile(path string, head exchange.Head, phases Phases) error {
	return disk.WriteWhole(path, func(w io.Writer) error { return write(w, head, phases) })
}
