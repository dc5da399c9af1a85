package elaborate

import (
	"bufio"
	"fmt"
	"io"
)

// A scanner reads the steps of a DRAT proof in text.
type scanner struct {
	r     *bufio.Reader
	line  int
	start int // line on which the last step starts
}

func newScanner(r io.Reader) scanner { return scanner{r: bufio.NewReaderSize(r, 1<<18), line: 1} }

func (s *scanner) fail(format string, args ...any) error {
	return &ProofError{Line: s.line, Problem: fmt.Sprintf(format, args...)}
}

// step appends the literals of the next step to list. more is false at the end of the proof.
func (s *scanner) step(list []int) (literals []int, deletes, more bool, err error) {
	for first := true; ; {
		b, err := s.r.ReadByte()
		switch {
		case err == io.EOF && first:
			return list, false, false, nil
		case err == io.EOF:
			return list, false, false, s.fail("the proof ends before the 0 that closes a step")
		case err != nil:
			return list, false, false, err
		case b == '\n':
			s.line++
			continue
		case b == ' ' || b == '\t' || b == '\r':
			continue
		case b == 'd' && first:
			first, deletes, s.start = false, true, s.line
			continue
		case b == 'c' && first:
			if _, err := s.r.ReadSlice('\n'); err != nil && err != io.EOF && err != bufio.ErrBufferFull {
				return list, false, false, err
			}
			s.line++
			continue
		}
		if first {
			s.start = s.line
		}
		number, err := s.number(b)
		if err != nil {
			return list, false, false, err
		}
		if number == 0 {
			return list, deletes, true, nil
		}
		first = false
		list = append(list, number)
	}
}

// number reads a number from its first character on.
func (s *scanner) number(b byte) (int, error) {
	sign, digits, value := 1, 0, 0
	if b == '-' {
		sign, b = -1, '0'
		digits = -1
	}
	for b >= '0' && b <= '9' {
		digits++
		if value = 10*value + int(b-'0'); value >= 1<<30 {
			return 0, s.fail("a number is too large")
		}
		next, err := s.r.ReadByte()
		if err == io.EOF {
			next = ' '
		} else if err != nil {
			return 0, err
		}
		b = next
	}
	switch b {
	case '\n':
		s.line++
	case ' ', '\t', '\r':
	default:
		return 0, s.fail("%q is no part of a proof in text", b)
	}
	if digits < 1 {
		return 0, s.fail("a minus sign without a number")
	}
	return sign * value, nil
}

// A table finds clauses by their literals.
type table struct {
	heads []int32 // by the end of a key, a power of two: the clause added last with it, counted from 1
	next  []int32 // by clause: the one before with the same end
	keys  []uint64
}

// key returns a number that does not depend on the sequence of the literals.
func key(literals []literal) uint64 {
	sum := uint64(len(literals))
	for _, l := range literals {
		x := (uint64(l) + 1) * 0x9e3779b97f4a7c15
		x ^= x >> 29
		sum += x * 0xbf58476d1ce4e5b9
	}
	return sum ^ sum>>32
}

// add takes clause c, the next one.
func (t *table) add(literals []literal, c int32) {
	t.keys, t.next = append(t.keys, key(literals)), append(t.next, 0)
	if len(t.keys) > len(t.heads) {
		t.heads = make([]int32, max(1<<10, 2*len(t.heads)))
		for i := range t.keys {
			t.link(int32(i))
		}
		return
	}
	t.link(c)
}

func (t *table) link(c int32) {
	head := &t.heads[t.keys[c]&uint64(len(t.heads)-1)]
	t.next[c], *head = *head, c+1
}

// find returns a clause that is there with exactly these literals, distinct ones just marked by p, -1 if there is none.
func (t *table) find(literals []literal, p *propagator) int32 {
	k := key(literals)
	for c := t.heads[k&uint64(len(t.heads)-1)] - 1; c >= 0; c = t.next[c] - 1 {
		if t.keys[c] != k || p.dead[c] {
			continue
		}
		list := p.literals(c)
		same := len(list) == len(literals)
		for _, l := range list {
			same = same && p.marks[l] == p.round
		}
		if same {
			return c
		}
	}
	return -1
}
