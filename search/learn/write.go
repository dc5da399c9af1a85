package learn

import (
	"slices"

	"leeway/encode/steps"
)

// write writes the lemmas that the cases need, and the cases.
func (r *refuter) write() {
	for i := len(r.lemmas) - 1; i >= 0; i-- {
		if l := r.lemmas[i]; l.used {
			r.mark(l)
		}
	}
	for _, l := range r.lemmas {
		if l.used {
			r.lemma(r.to, l)
			l.number = r.to.Proved()
		}
	}
	for _, write := range r.script {
		write(r.to)
	}
}

func (r *refuter) mark(l *lemma) {
	use := func(st step) {
		if st.why.kind == byClause {
			r.clauses[st.why.number].proof.used = true
		}
	}
	for _, f := range r.given(l.facts) {
		r.facts[f].lemma.used = true
	}
	for _, st := range l.steps {
		use(st)
	}
	use(l.last)
}

// given lists the facts with lemmas from which others follow.
func (r *refuter) given(facts []int32) (list []int32) {
	seen := map[int32]bool{}
	var visit func(i int32)
	visit = func(i int32) {
		if seen[i] {
			return
		}
		seen[i] = true
		f := r.facts[i]
		if f.lemma != nil {
			list = append(list, i)
			return
		}
		for _, j := range f.from {
			visit(j)
		}
	}
	for _, i := range facts {
		visit(i)
	}
	slices.Sort(list)
	return list
}

// lemma writes a lemma.
func (r *refuter) lemma(to *steps.Writer, l *lemma) {
	var premises []steps.Premise
	for _, p := range l.premises {
		set, number := steps.Set(p.of/2), int(p.at)
		if p.of&1 != 0 {
			number = -number
		}
		premises = append(premises, steps.Premise{Set: set, AtLeast: p.of&1 == 0, Number: number})
	}
	to.Lemma(premises)
	r.proof(to, l)
}

func (r *refuter) proof(to *steps.Writer, l *lemma) {
	for _, i := range r.given(l.facts) {
		c := r.trail[i]
		split(to, literal{c.of, c.to})
		to.Use(r.facts[i].lemma.number, steps.Identity)
	}
	for _, st := range l.steps {
		split(to, st.literal)
		r.close(to, st)
	}
	r.close(to, l.last)
}

// split asks for a proof of the contrary of a literal.
func split(to *steps.Writer, l literal) {
	if l.of&1 == 0 {
		to.SplitLow(steps.Set(l.of/2), int(l.at))
	} else {
		to.Split(steps.Set(l.of/2), 1-int(l.at))
	}
}

func (r *refuter) close(to *steps.Writer, st step) {
	switch st.why.kind {
	case byRow:
		to.Crossed()
	case byClause:
		to.Use(r.clauses[st.why.number].proof.number, steps.Identity)
	case byForm:
		f := &r.forms[st.why.number]
		var outer, inner []steps.Set
		for _, s := range f.outer {
			outer = append(outer, steps.Set(s))
		}
		for _, i := range st.spans {
			inner = append(inner, steps.Set(f.spans[i].set))
		}
		to.Weigh(to.Weighting(steps.Evenly(f.link)), steps.Identity, to.View(outer, inner))
	}
}
