package learn

// A form says that a link carries at most a limit of what rows, each of some processors of the line of the link, send
// and receive over it: with every span of slabs what the row has, times what the span has, times what one of each
// exchange at least. Spans that do not overlap count together.
type form struct {
	link      int
	most      int64
	rows      []formRow
	spans     []span
	ending    [][]int32 // by slab: the spans of which it is the last
	beginning [][]int32 // by slab: those of which it is the first
	outer     []int     // sets, of the view under which this is a lower bound
}

type formRow struct {
	set  int
	sent []int64 // by span
}

// A span is slabs one after the other.
type span struct{ set, from, end int }

// A room is where forms are drawn.
type room struct {
	by           []int64 // by span: what one processor there exchanges with all rows
	ahead, after []int64 // by slab: what spans before it, and from it on, count together
	chosen       []int32 // by slab: the span that ends with it, -1: none
}

func (r *room) fit(f *form) {
	r.by = make([]int64, max(len(r.by), len(f.spans)))
	n := max(len(r.ahead), len(f.ending)+1)
	r.ahead, r.after, r.chosen = make([]int64, n), make([]int64, n), make([]int32, n)
}

// weigh sets what a processor of each span exchanges with all rows.
func (r *room) weigh(f *form, at []int32) {
	by := r.by[:len(f.spans)]
	clear(by)
	for _, row := range f.rows {
		if has := int64(at[2*row.set]); has > 0 {
			add(by, has, row.sent)
		}
	}
}

func add(by []int64, times int64, sent []int64) {
	for i, amount := range sent {
		by[i] += times * amount
	}
}

// count returns what a span counts.
func (r *room) count(f *form, at []int32, i int32) int64 {
	return r.by[i] * int64(at[2*f.spans[i].set])
}

// least returns what the link carries at least.
func (r *room) least(f *form, at []int32) int64 {
	for x, list := range f.ending {
		r.ahead[x+1], r.chosen[x] = r.ahead[x], -1
		for _, i := range list {
			if sum := r.ahead[f.spans[i].from] + r.count(f, at, i); sum > r.ahead[x+1] {
				r.ahead[x+1], r.chosen[x] = sum, i
			}
		}
	}
	return r.ahead[len(f.ending)]
}

// drawForm bounds spans and rows.
func (s *solver) drawForm(number int32) reason {
	f, r, why := &s.forms[number], &s.draws, reason{byForm, number}
	r.weigh(f, s.at)
	if r.least(f, s.at) > f.most {
		return why
	}
	r.after[len(f.beginning)] = 0
	for x := len(f.beginning) - 1; x >= 0; x-- {
		r.after[x] = r.after[x+1]
		for _, i := range f.beginning[x] {
			r.after[x] = max(r.after[x], r.after[f.spans[i].end]+r.count(f, s.at, i))
		}
	}
	for i, p := range f.spans {
		most := int64(-s.at[2*p.set+1])
		if by := r.by[i]; by > 0 && most > int64(s.at[2*p.set]) {
			if room := f.most - r.ahead[p.from] - r.after[p.end]; by*most > room {
				s.raise(literal{bound(2*p.set + 1), -int32(room / by)}, why)
			}
		}
	}
	by := r.by[:len(f.spans)]
	for _, row := range f.rows {
		at, most := s.at[2*row.set], -s.at[2*row.set+1]
		more := most - at // that do not make too much
		for add(by, int64(more), row.sent); more > 0 && r.least(f, s.at) > f.most; more-- {
			add(by, -1, row.sent)
		}
		if at+more < most {
			s.raise(literal{bound(2*row.set + 1), -at - more}, why)
		}
		add(by, -int64(more), row.sent)
	}
	return reason{}
}

// explainForm is explain for a form.
func (s *solver) explainForm(f *form, l *literal) (list []literal, spans []int32) {
	if l != nil {
		target := l.of.other()
		was := s.at[target]
		s.at[target] = 1 - l.at
		defer func() { s.at[target] = was }()
	}
	r := &s.explains
	r.weigh(f, s.at)
	spare := r.least(f, s.at) - f.most - 1
	if spare < 0 {
		panic("learn: a form does not say what was drawn from it")
	}
	spans = r.taken(f)
	return s.weaken(f, l, spans, spare), spans
}

// taken lists the spans that count in what least returned last.
func (r *room) taken(f *form) (spans []int32) {
	for x := len(f.ending) - 1; x >= 0; x-- {
		if i := r.chosen[x]; i >= 0 {
			spans = append(spans, i)
			x = f.spans[i].from
		}
	}
	return spans
}

// weaken returns what rows and some spans need to have so that a form says too much of a link, less than they have if
// there is some to spare. Of what makes a literal the contrary is taken as it is.
func (s *solver) weaken(f *form, l *literal, spans []int32, spare int64) (list []literal) {
	var terms []term // the times of a row are its number, of a span -1 less its number
	now := map[int32]int64{}
	for i, r := range f.rows {
		terms = append(terms, term{int32(2 * r.set), int64(i)})
	}
	for _, i := range spans {
		terms = append(terms, term{int32(2 * f.spans[i].set), -1 - int64(i)})
	}
	for _, t := range terms {
		now[t.of] = int64(s.at[t.of])
	}
	for _, t := range terms {
		if l != nil && bound(t.of) == l.of.other() {
			continue
		}
		by := int64(0) // what one less makes
		if t.times >= 0 {
			for _, i := range spans {
				by += f.rows[t.times].sent[i] * now[int32(2*f.spans[i].set)]
			}
		} else {
			for _, r := range f.rows {
				by += r.sent[-1-t.times] * now[int32(2*r.set)]
			}
		}
		least := int64(s.root[t.of])
		fall := now[t.of] - least
		if by > 0 {
			fall = min(fall, spare/by)
		}
		spare -= fall * by
		if now[t.of] -= fall; now[t.of] > least {
			list = append(list, literal{bound(t.of), int32(now[t.of])})
		}
	}
	return list
}
