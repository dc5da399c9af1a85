package dimacs

import (
	"bufio"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/encode/cnf"
	"leeway/objective"
)

// A Formula can be written as often as needed, always the same clauses in the
// same sequence; an *encode.Formula is one.
type Formula interface {
	Vars() int                 // the number of variables
	Clauses() int64            // the number of clauses
	Write(sink cnf.Sink) error // stops at the first error of the sink
}

// Names returns the comments that say which variable stands for which node:
// "leeway var ID node c0,c1,...", one for every node in the order of their
// numbers. ID is the prefix with 1 + the number of the node.
func Names(t *core.Torus, prefix string) []string {
	list := make([]string, t.N())
	for v := range list {
		coords := make([]string, t.D())
		for j, c := range t.Coords(v) {
			coords[j] = strconv.Itoa(c)
		}
		list[v] = fmt.Sprintf("leeway var %s%d node %s", prefix, v+1, strings.Join(coords, ","))
	}
	return list
}

// Write writes a formula in DIMACS CNF after the given comments, none of which
// may hold a line break. It returns the first error of the writer or the
// formula. Cost O(literals).
func Write(w io.Writer, comments []string, f Formula) error {
	buffer := bufio.NewWriterSize(w, 1<<16)
	for _, c := range comments {
		fmt.Fprintf(buffer, "c %s\n", c)
	}
	fmt.Fprintf(buffer, "p cnf %d %d\n", f.Vars(), f.Clauses())
	if err := f.Write(&clauseWriter{w: buffer}); err != nil {
		return err
	}
	return buffer.Flush()
}

type clauseWriter struct {
	w    *bufio.Writer
	line []byte
}

// Add implements cnf.Sink.
func (c *clauseWriter) Add(clause []int) error {
	c.line = c.line[:0]
	for _, l := range clause {
		c.line = append(strconv.AppendInt(c.line, int64(l), 10), ' ')
	}
	_, err := c.w.Write(append(c.line, '0', '\n'))
	return err
}

// Limit returns the largest load under below: the largest multiple of 1/D that
// is smaller, D being the denominator of the problem, which must have one. It is
// below 0 when below is 0 or less.
func Limit(p objective.Problem, below *big.Rat) *big.Rat {
	return objective.MultipleBelow(below, p.Denominator())
}
