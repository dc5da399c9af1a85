package opb

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"leeway/encode/dimacs"
)

// Write writes the rows in the OPB format of the pseudo-Boolean competitions,
// after the comments that name the nodes and the given ones, none of which may
// hold a line break. It returns the first error of the writer.
func Write(w io.Writer, comments []string, m *Model) error {
	buffer := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprintf(buffer, "* #variable= %d #constraint= %d\n", m.Vars(), m.rows)
	for _, c := range append(comments[:len(comments):len(comments)], dimacs.Names(m.problem.Torus(), "x")...) {
		fmt.Fprintf(buffer, "* %s\n", c)
	}
	var line []byte
	m.Rows(func(r Row) bool {
		line = line[:0]
		for _, t := range r.Terms {
			if t.Coef >= 0 {
				line = append(line, '+')
			}
			line = append(strconv.AppendInt(line, t.Coef, 10), " x"...)
			line = append(strconv.AppendInt(line, int64(t.Var), 10), ' ')
		}
		sign := ">= "
		if r.Equal {
			sign = "= "
		}
		line = strconv.AppendInt(append(line, sign...), r.Bound, 10)
		_, err := buffer.Write(append(line, " ;\n"...))
		return err == nil
	})
	return buffer.Flush()
}

// ReadAnswer reads the output of a solver of this format, as dimacs.ReadAnswer
// does with literals x7 and -x7.
func ReadAnswer(r io.Reader, m *Model) (dimacs.Answer, error) {
	return dimacs.ReadAnswer(r, m.Vars(), "x")
}
