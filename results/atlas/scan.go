package atlas

import (
	"encoding/json"
	"strconv"
	"strings"

	"leeway/results"
)

// readLine reads a line of a file. The program's own, which Encode wrote, are scanned, which takes a fifth of the time;
// what is not as plain as these is left to encoding/json.
func readLine(text string, own bool) (l line, err error) {
	if own {
		s := scanner{text: text}
		s.line(&l)
		if s.take('\n'); !s.bad && s.at == len(text) {
			return l, nil
		}
	}
	l = line{}
	err = json.Unmarshal([]byte(text), &l)
	return l, err
}

// A scanner reads JSON without blanks, escapes and nulls.
type scanner struct {
	text string
	at   int
	bad  bool // there was something else
}

// take passes over a character if it is the next.
func (s *scanner) take(c byte) bool {
	ok := !s.bad && s.at < len(s.text) && s.text[s.at] == c
	if ok {
		s.at++
	}
	return ok
}

// need passes over a character, which must be the next.
func (s *scanner) need(c byte) { s.bad = !s.take(c) }

// word reads a text.
func (s *scanner) word() string {
	s.need('"')
	if s.bad {
		return ""
	}
	length := strings.IndexByte(s.text[s.at:], '"')
	if length < 0 || strings.IndexByte(s.text[s.at:s.at+length], '\\') >= 0 {
		s.bad = true
		return ""
	}
	word := s.text[s.at : s.at+length]
	s.at += length + 1
	return word
}

// number reads what may be a number.
func (s *scanner) number() string {
	from := s.at
	for s.at < len(s.text) && strings.IndexByte("0123456789.eE+-", s.text[s.at]) >= 0 {
		s.at++
	}
	return s.text[from:s.at]
}

// whole reads a whole number.
func (s *scanner) whole() int64 {
	v, err := strconv.ParseInt(s.number(), 10, 64)
	s.bad = s.bad || err != nil
	return v
}

// object reads an object; field reads the value of the field of a name.
func (s *scanner) object(field func(name string)) {
	s.need('{')
	for more := !s.take('}'); more && !s.bad; {
		name := s.word()
		s.need(':')
		field(name)
		if more = s.take(','); !more {
			s.need('}')
		}
	}
}

// list reads a list, item one of its items.
func (s *scanner) list(item func()) {
	s.need('[')
	for more := !s.take(']'); more && !s.bad; {
		item()
		if more = s.take(','); !more {
			s.need(']')
		}
	}
}

// other has encoding/json read an object into a value.
func (s *scanner) other(into any) {
	from, depth := s.at, 0
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if s.at++; depth == 0 {
			break
		}
	}
	s.bad = s.bad || json.Unmarshal([]byte(s.text[from:s.at]), into) != nil
}

func (s *scanner) line(l *line) {
	s.object(func(name string) {
		switch name {
		case "torus":
			l.Torus = s.word()
		case "routing":
			l.Routing = s.word()
		case "size":
			l.Size = int(s.whole())
		case "max_load":
			l.MaxLoad = s.word()
		case "nodes":
			l.Nodes = s.word()
		case "lower_bound":
			l.LowerBound = s.word()
		case "bound_reason":
			l.BoundReason = s.word()
		case "proof":
			l.Proof = s.proof()
		case "bound_proof":
			l.BoundProof = s.proof()
		case "found_by":
			s.foundBy(&l.FoundBy)
		case "started":
			l.Started = s.word()
		case "run":
			l.Origin = int(s.whole())
		case "then":
			l.Then = s.word()
		case "solver_claim":
			l.SolverClaim = new(results.SolverClaim)
			s.other(l.SolverClaim)
		case "symmetry_claim":
			l.SymmetryClaim = new(results.SymmetryClaim)
			s.other(l.SymmetryClaim)
		case "optima":
			s.list(func() { l.Optima = append(l.Optima, s.word()) })
		case "orbits":
			l.Orbits = new(int(s.whole()))
		case "labelled":
			l.Labelled = new(s.whole())
		case "nulls":
			s.list(func() { l.Nulls = append(l.Nulls, s.null()) })
		case "families":
			s.list(func() {
				s.need('[')
				name := s.word()
				s.need(',')
				l.Families = append(l.Families, [2]string{name, s.word()})
				s.need(']')
			})
		default:
			s.bad = true
		}
	})
}

func (s *scanner) proof() *results.Proof {
	p := new(results.Proof)
	s.object(func(name string) {
		switch name {
		case "kind":
			p.Kind = s.word()
		case "engine":
			p.Engine = s.word()
		case "below":
			p.Below = s.word()
		case "bound":
			p.Bound = s.word()
		case "value":
			p.Value = s.word()
		case "count":
			p.Count = new(s.whole())
		case "split":
			p.Split = new(int(s.whole()))
		case "nodes":
			p.Nodes = new(s.whole())
		case "slices":
			p.Slices = []results.Slice{}
			s.list(func() { p.Slices = append(p.Slices, s.slice()) })
		case "basis":
			p.Basis = s.word()
		case "size":
			p.Size = new(int(s.whole()))
		case "routing":
			p.Routing = s.word()
		default:
			s.bad = true
		}
	})
	return p
}

func (s *scanner) slice() (slice results.Slice) {
	s.object(func(name string) {
		switch name {
		case "first":
			slice.First = []int{}
			s.list(func() { slice.First = append(slice.First, int(s.whole())) })
		case "prefixes":
			slice.Prefixes = int(s.whole())
		case "nodes":
			slice.Nodes = s.whole()
		case "sum":
			slice.Sum = s.word()
		default:
			s.bad = true
		}
	})
	return slice
}

func (s *scanner) foundBy(by *results.FoundBy) {
	s.object(func(name string) {
		var err error
		switch name {
		case "method":
			by.Method = s.word()
		case "engine":
			by.Engine = s.word()
		case "seed":
			by.Seed, err = strconv.ParseUint(s.number(), 10, 64)
		case "evaluations":
			by.Evaluations = s.whole()
		case "seconds":
			by.Seconds, err = strconv.ParseFloat(s.number(), 64)
		default:
			s.bad = true
		}
		s.bad = s.bad || err != nil
	})
}

func (s *scanner) null() (n null) {
	s.object(func(name string) {
		var err error
		switch name {
		case "goal":
			n.Goal = s.word()
		case "method":
			n.Method = s.word()
		case "seed":
			n.Seed, err = strconv.ParseUint(s.number(), 10, 64)
		case "budget":
			n.Budget = new(results.Budget)
			s.other(n.Budget)
		case "evaluations":
			n.Evaluations = s.whole()
		case "best":
			n.Best = s.word()
		case "added":
			n.Added = s.word()
		default:
			s.bad = true
		}
		s.bad = s.bad || err != nil
	})
	return n
}
