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
	slices.Reverse(proof.steps)
	slices.SortFunc(kept, func(a, b int32) int { return cmp.Compare(b, a) })
	level, before := int32(0), int32(-1)
	for _, i := range kept {
		ch, at := s.trail[i], s.seen[i]
		s.seen[i] = unseen
		if slices.ContainsFunc(learned.literals, func(l literal) bool { return l.of == ch.of }) {
			continue // a later change says more
		}
		if learned.literals = append(learned.literals, literal{ch.of, at}); ch.level != before {
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
