package learn

import (
	"cmp"
	"slices"

	"leeway/encode/steps"
)

// A lemma is how it follows that not all of its premises are true: from facts and from steps, each true under what is
// before it, until the last says that there is no answer.
type lemma struct {
	premises []literal
	facts    []int32 // changes of the first level
	steps    []step
	last     step // its literal means nothing
	used     bool
	number   steps.Lemma
}

// A step is a literal, with the clause or the form that gives it.
type step struct {
	literal literal
	why     reason
	spans   []int32 // of a form: those that it is taken with
}

// analyse returns the clause that a conflict teaches, with the level to which it is to be taken back, where all
// literals but the first are true. It takes back part of the level at hand.
func (s *solver) analyse(c reason) (*clause, int32) {
	proof := &lemma{}
	var kept []int32 // changes of lower levels that are needed
	open := 0        // changes of this level that are needed and not explained yet
	need := func(list []literal) {
		for _, l := range list {
			i := s.changeOf(l)
			if i < 0 {
				continue
			}
			s.bump(l)
			if s.trail[i].level == 0 {
				proof.facts = append(proof.facts, i)
				continue
			}
			if s.seen[i] == unseen {
				if s.trail[i].level == s.level() {
					open++
				} else {
					kept = append(kept, i)
				}
			}
			s.seen[i] = max(s.seen[i], l.at)
		}
	}
	list, spans := s.explain(c, nil)
	proof.last = step{why: c, spans: spans}
	need(list)
	var first literal
	for open > 0 {
		i := len(s.trail) - 1
		ch, at := s.trail[i], s.seen[i]
		if at == unseen {
			s.undo()
			continue
		}
		l := literal{ch.of, at}
		if open == 1 {
			first = l
			break
		}
		s.undo()
		open--
		list, spans := s.explain(ch.why, &l)
		if ch.why.kind != byRow {
			proof.steps = append(proof.steps, step{l, ch.why, spans})
		}
		need(list)
	}
	learned := &clause{proof: proof}
	if s.level() == 0 {
		slices.Reverse(proof.steps)
		s.keep(proof)
		return learned, 0
	}
	learned.literals = append(learned.literals, first)
	level, before := int32(0), int32(-1)
	kept = s.shorten(proof, first, kept)
	slices.Reverse(proof.steps)
	for _, i := range kept {
		ch := s.trail[i]
		learned.literals = append(learned.literals, literal{ch.of, s.seen[i]})
		if s.seen[i] = unseen; ch.level != before {
			learned.spread++
			before = ch.level
		}
		level = max(level, ch.level)
	}
	proof.premises = slices.Clone(learned.literals)
	s.keep(proof)
	return learned, level
}

// refuse returns the lemma that a literal that is false cannot be true with the decisions before.
func (s *solver) refuse(l literal) *lemma {
	proof := &lemma{premises: []literal{l}, last: step{why: reason{kind: byRow}}}
	need := func(list []literal) {
		for _, o := range list {
			switch i := s.changeOf(o); {
			case i < 0:
			case s.trail[i].level == 0:
				proof.facts = append(proof.facts, i)
			default:
				s.seen[i] = max(s.seen[i], o.at)
			}
		}
	}
	need([]literal{l.not()})
	for len(s.starts) > 0 && len(s.trail) > s.starts[0] {
		ch, at := s.trail[len(s.trail)-1], s.seen[len(s.trail)-1]
		s.undo()
		switch o := (literal{ch.of, at}); {
		case at == unseen:
		case ch.why.kind == decision:
			proof.premises = append(proof.premises, o)
		default:
			list, spans := s.explain(ch.why, &o)
			if ch.why.kind != byRow {
				proof.steps = append(proof.steps, step{o, ch.why, spans})
			}
			need(list)
		}
	}
	slices.Reverse(proof.steps)
	s.keep(proof)
	return proof
}

// shorten leaves out, of the changes of lower levels that a conflict needs, those that follow by their reason from the
// others and what the first level has. It returns the rest, the latest first.
func (s *solver) shorten(proof *lemma, first literal, kept []int32) (rest []int32) {
	slices.SortFunc(kept, func(a, b int32) int { return cmp.Compare(b, a) })
	copy(s.view, s.zero)
	for _, i := range kept {
		v := s.trail[i].of
		s.view[v] = max(s.view[v], s.seen[i])
	}
	for n, i := range kept {
		ch := s.trail[i]
		l := literal{ch.of, s.seen[i]}
		s.seen[i] = unseen
		if s.view[l.of] > l.at || l.of == first.of {
			continue // a later change says more
		}
		s.view[l.of] = s.zero[l.of]
		for _, j := range kept[n+1:] {
			if s.trail[j].of == l.of {
				s.view[l.of] = s.seen[j]
				break
			}
		}
		if ch.why.kind == decision || !s.follows(proof, l, ch.why) {
			s.view[l.of], s.seen[i] = l.at, l.at
			rest = append(rest, i)
		}
	}
	return rest
}

// follows reports whether a literal follows by its reason from what is in view, and puts that into the proof.
func (s *solver) follows(proof *lemma, l literal, why reason) bool {
	target := l.of.other()
	was := s.view[target]
	s.view[target] = max(was, 1-l.at)
	defer func() { s.view[target] = was }()
	var used []bound
	var spans []int32
	switch why.kind {
	case byClause:
		for _, o := range s.clauses[why.number].literals[1:] {
			if s.view[o.of] < o.at {
				return false
			}
			used = append(used, o.of)
		}
	case byForm:
		return false // would make few clauses shorter, and most proofs longer
	case byRow:
		r := &s.rows[why.number]
		sum := int64(0)
		for _, t := range r.terms {
			sum += t.times * int64(s.view[t.of])
			used = append(used, bound(t.of))
		}
		if sum <= r.most {
			return false
		}
	}
	for _, v := range used {
		if v != target && s.view[v] == s.zero[v] && s.zero[v] > s.root[v] {
			proof.facts = append(proof.facts, s.changeOf(literal{v, s.zero[v]}))
		}
	}
	if why.kind != byRow {
		proof.steps = append(proof.steps, step{l, why, spans})
	}
	return true
}

// keep lists a lemma with those before.
func (s *solver) keep(l *lemma) {
	slices.Sort(l.facts)
	l.facts = slices.Compact(l.facts)
	s.lemmas = append(s.lemmas, l)
	s.held += int64(200 + 16*len(l.premises) + 4*len(l.facts))
	for _, st := range l.steps {
		s.held += int64(48 + 4*len(st.spans))
	}
}

// changeOf returns the change that made a literal true, -1 if it was so before all.
func (s *solver) changeOf(l literal) int32 {
	i := s.last[l.of]
	for i >= 0 && s.trail[i].from >= l.at {
		i = s.trail[i].before
	}
	if i >= 0 && s.trail[i].to < l.at {
		panic("learn: a literal is not true")
	}
	return i
}

func (s *solver) bump(l literal) {
	if l.of&1 != 0 {
		l = l.not()
	}
	i := s.number(l)
	s.activity[i] += s.weight
	s.order.Raised(i)
}

// note records how a change of the first level follows.
func (s *solver) note(number int32, l literal, why reason) {
	list, spans := s.explain(why, &l)
	var from []int32
	for _, o := range list {
		if i := s.changeOf(o); i >= 0 {
			from = append(from, i)
		}
	}
	f := fact{from: from}
	switch {
	case why.kind == byClause && len(s.clauses[why.number].literals) == 1:
		f.lemma = s.clauses[why.number].proof
	case why.kind != byRow:
		f.lemma = &lemma{premises: []literal{l.not()}, facts: from, last: step{why: why, spans: spans}}
		s.keep(f.lemma)
	}
	s.facts[number] = f
}

// explain returns literals that are true and from which a literal follows by its reason, or a conflict for nil, and the
// spans that a form is taken with. The literal's own change must be taken back.
func (s *solver) explain(why reason, l *literal) (list []literal, spans []int32) {
	switch why.kind {
	case byClause:
		list = s.clauses[why.number].literals
		if l != nil {
			list = list[1:]
		}
		return list, nil
	case byForm:
		return s.explainForm(&s.forms[why.number], l)
	}
	r := &s.rows[why.number]
	spare := s.sums[why.number] - r.most - 1
	target := bound(-1)
	if l != nil {
		target = l.of.other()
		spare += r.times(target) * int64(1-l.at-s.at[target])
	}
	for _, t := range r.terms {
		at := s.at[t.of]
		if bound(t.of) == target || at == s.root[t.of] {
			continue
		}
		if by := min(spare/t.times, int64(at-s.root[t.of])); by > 0 {
			spare -= by * t.times
			at -= int32(by)
		}
		if at > s.root[t.of] {
			list = append(list, literal{bound(t.of), at})
		}
	}
	return list, nil
}

// times returns how often a row has a bound.
func (r *row) times(v bound) int64 {
	for _, t := range r.terms {
		if bound(t.of) == v {
			return t.times
		}
	}
	return 0
}
