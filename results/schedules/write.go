package schedules

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strconv"

	"leeway/objective/exchange"
	"leeway/results"
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
		text = strconv.AppendInt(append(text, `{"from":`...), int64(send.From), 10)
		text = strconv.AppendInt(append(text, `,"to":`...), int64(send.To), 10)
		if send.Axis >= 0 {
			text = strconv.AppendInt(append(text, `,"axis":`...), int64(send.Axis), 10)
		}
		if send.Dir != 0 {
			text = append(text, `,"dir":"`+send.Dir.String()+`"`...)
		}
		text = append(appendPath(text, send.Path), `,"blocks":[`...)
		for j, b := range send.Blocks {
			if j > 0 {
				text = append(text, ',')
			}
			text = strconv.AppendInt(append(text, '['), int64(b.From), 10)
			text = append(strconv.AppendInt(append(text, ','), int64(b.To), 10), ']')
		}
		text = append(text, "]}"...)
	}
	return append(text, ']')
}

// appendPath adds the path of a send that turns.
func appendPath(text []byte, path []exchange.Leg) []byte {
	if path == nil {
		return text
	}
	text = append(text, `,"path":[`...)
	for i, leg := range path {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(append(text, '['), int64(leg.Axis), 10)
		text = append(strconv.AppendInt(append(text, ','), int64(leg.Links), 10), ']')
	}
	return append(text, ']')
}

// WriteFile writes a schedule into a file, all of it or nothing, with the errors of results.WriteFile, in which an
// error of a phase is wrapped.
func WriteFile(path string, head exchange.Head, phases Phases) error {
	return results.WriteWhole(path, func(w io.Writer) error { return write(w, head, phases) })
}
