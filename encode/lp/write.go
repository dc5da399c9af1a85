// Package lp writes the linear constraints of package opb in the LP format of
// CPLEX, which linear and integer programming solvers read. All variables are
// binary and there is nothing to optimise: any solution is a placement.
package lp

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"leeway/encode/dimacs"
	"leeway/encode/opb"
)

// perLine is how many terms or names stand on a line: readers of the format may
// cut lines off after 255 characters, and a term takes at most 29.
const perLine = 8

// Write writes the rows of a model, which are numbered r1, r2, ..., after the
// comments that name the nodes and the given ones, none of which may hold a line
// break. It returns the first error of the writer.
func Write(w io.Writer, comments []string, m *opb.Model) error {
	buffer := bufio.NewWriterSize(w, 1<<16)
	for _, c := range append(comments[:len(comments):len(comments)], dimacs.Names(m.Problem().Torus(), "x")...) {
		fmt.Fprintf(buffer, "\\ %s\n", c)
	}
	fmt.Fprint(buffer, "Minimize\n obj: 0 x1\nSubject To\n")
	number := 0
	var text []byte
	m.Rows(func(r opb.Row) bool {
		number++
		text = appendRow(text[:0], number, r)
		_, err := buffer.Write(text)
		return err == nil
	})
	fmt.Fprint(buffer, "Binaries\n")
	for v := 1; v <= m.Vars(); v++ {
		fmt.Fprintf(buffer, " x%d", v)
		if v%perLine == 0 || v == m.Vars() {
			fmt.Fprint(buffer, "\n")
		}
	}
	fmt.Fprint(buffer, "End\n")
	return buffer.Flush()
}

func appendRow(text []byte, number int, r opb.Row) []byte {
	text = append(strconv.AppendInt(append(text, " r"...), int64(number), 10), ':')
	for i, t := range r.Terms {
		if i > 0 && i%perLine == 0 {
			text = append(text, "\n "...)
		}
		sign, size := " + ", t.Coef
		if size < 0 {
			sign, size = " - ", -size
		}
		text = append(strconv.AppendInt(append(text, sign...), size, 10), " x"...)
		text = strconv.AppendInt(text, int64(t.Var), 10)
	}
	if r.Equal {
		text = append(text, " = "...)
	} else {
		text = append(text, " >= "...)
	}
	return append(strconv.AppendInt(text, r.Bound, 10), '\n')
}
