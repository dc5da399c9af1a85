package veripb

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// A Version is that of the text form.
type Version string

// The versions of the text form: V1 does not name the constraints that a step follows from, so that checking it takes
// longer.
const (
	V1 Version = "1.1"
	V2 Version = "2.0"
	V3 Version = "3.0"
)

// Write writes the proof in a version of the text form. It fails with ErrUnfinished if no constraint that cannot hold
// was added, with ErrTooLarge, or as the writer does.
func (p *Proof) Write(w io.Writer, version Version) error {
	if p.err != nil {
		return p.err
	}
	if p.end == 0 {
		return ErrUnfinished
	}
	last := p.uses()
	out := &text{w: bufio.NewWriterSize(w, 1<<16), version: version, number: make([]int, len(p.rows))}
	for i := range p.inputs + 1 {
		out.number[i] = i
	}
	fmt.Fprintf(out.w, "pseudo-Boolean proof version %s\n", version)
	out.put("f " + strconv.Itoa(p.inputs))
	next := p.inputs
	var drop []ID
	for i := range p.steps {
		id := ID(p.inputs + 1 + i)
		if id > p.end || last[id] == 0 {
			continue
		}
		next++
		out.number[id] = next
		out.step(&p.steps[i], p.rows[id])
		drop = drop[:0]
		p.steps[i].names(func(n ID) {
			if int(n) > p.inputs && last[n] == id {
				last[n] = -1
				drop = append(drop, n)
			}
		})
		out.deletion(drop)
	}
	if version == V1 {
		out.put("c " + strconv.Itoa(next))
	} else {
		out.put("output NONE")
		out.put("conclusion UNSAT : " + strconv.Itoa(next))
		out.put("end pseudo-Boolean proof")
	}
	return out.w.Flush()
}

// uses returns, by constraint, the last step that names it, 0 if the end does not need it.
func (p *Proof) uses() []ID {
	last := make([]ID, len(p.rows))
	last[p.end] = p.end
	for id := p.end; int(id) > p.inputs; id-- {
		if last[id] != 0 {
			p.steps[int(id)-p.inputs-1].names(func(n ID) {
				if last[n] == 0 {
					last[n] = id
				}
			})
		}
	}
	return last
}

// text writes steps.
type text struct {
	w       *bufio.Writer
	version Version
	number  []int // by ID: what it is written as
	line    []byte
}

// put writes a line.
func (t *text) put(line string) {
	t.line = append(t.line[:0], line...)
	t.end()
}

// end ends a line.
func (t *text) end() {
	if t.version == V3 {
		t.line = append(t.line, " ;"...)
	}
	t.line = append(t.line, '\n')
	t.w.Write(t.line)
}

func (t *text) step(s *step, r Row) {
	switch s.kind {
	case sumStep:
		t.line = append(t.line[:0], "pol"...)
		t.sum(s.ops)
	case followsStep:
		t.line = append(t.line[:0], "rup"...)
		t.row(r)
		if t.version == V1 {
			break
		}
		t.line = append(t.line, " ~"...)
		for _, h := range s.hints {
			t.line = append(t.line, ' ')
			t.line = strconv.AppendInt(t.line, int64(t.number[h]), 10)
		}
	case defineStep:
		t.line = append(t.line[:0], "red"...)
		t.row(r)
		t.line = append(t.line, " x"...)
		t.line = strconv.AppendInt(t.line, int64(s.witness.variable()), 10)
		value := " -> 1"
		if s.witness < 0 {
			value = " -> 0"
		}
		t.line = append(t.line, value...)
	}
	t.end()
}

func (t *text) sum(ops []op) {
	for i, o := range ops {
		t.line = append(t.line, ' ')
		switch o.kind {
		case '+':
			t.line = strconv.AppendInt(t.line, int64(t.number[o.arg]), 10)
		case 'x':
			t.line = appendLiteral(t.line, Literal(o.arg))
		case 'd':
			t.line = append(strconv.AppendInt(t.line, o.by, 10), " d"...)
		case 'w':
			t.line = append(appendLiteral(t.line, Literal(o.arg)), " w"...)
		default:
			t.line = append(t.line, o.kind)
		}
		if o.kind == '+' || o.kind == 'x' {
			if o.by != 1 {
				t.line = append(t.line, ' ')
				t.line = append(strconv.AppendInt(t.line, o.by, 10), " *"...)
			}
			if i > 0 {
				t.line = append(t.line, " +"...)
			}
		}
	}
}

func appendLiteral(line []byte, l Literal) []byte {
	if l < 0 {
		line = append(line, '~')
	}
	return strconv.AppendInt(append(line, 'x'), int64(l.variable()), 10)
}

func (t *text) row(r Row) {
	for _, term := range r.Terms {
		t.line = append(t.line, ' ')
		t.line = appendLiteral(append(strconv.AppendInt(t.line, term.Coef, 10), ' '), term.Literal)
	}
	t.line = append(t.line, " >= "...)
	between := " ;"
	if t.version == V3 {
		between = " :"
	}
	t.line = append(strconv.AppendInt(t.line, r.Degree, 10), between...)
}

func (t *text) deletion(ids []ID) {
	if len(ids) == 0 {
		return
	}
	t.line = append(t.line[:0], "del id"...)
	for _, id := range ids {
		t.line = append(t.line, ' ')
		t.line = strconv.AppendInt(t.line, int64(t.number[id]), 10)
	}
	t.end()
}
