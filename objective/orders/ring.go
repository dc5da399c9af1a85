package orders

import (
	"slices"

	"leeway/core"
	"leeway/core/routing"
)

// A ringRule says which pairs go the + and the - way around a ring of length k, in units that make a whole pair full.
// On an open dimension there is only one way.
type ringRule struct {
	s, k    int
	open    bool
	full    int64 // weight of a pair at a distance below k/2
	tiePlus int64 // weight of a pair at distance exactly k/2, the + way
	tieMin  int64 // the same, the - way
}

// newRingRule returns the rule for dimension s of the torus of a routing. With
// halves, a whole pair has weight 2 so that a tie can be split.
func newRingRule(r *routing.Orders, s int, halves bool) ringRule {
	k, both := r.Torus().Side(s), r.Tie() == routing.TieBoth
	rule := ringRule{s: s, k: k, open: r.Torus().Open(s), full: 1}
	if halves {
		rule.full = 2
	}
	switch {
	case k == 2 || k%2 == 0 && !both:
		rule.tiePlus = rule.full
	case k%2 == 0:
		rule.tiePlus, rule.tieMin = rule.full/2, rule.full/2
	}
	return rule
}

// directions returns those that have links.
func (r ringRule) directions() []core.Dir {
	if r.k == 2 {
		return []core.Dir{core.Plus}
	}
	return []core.Dir{core.Plus, core.Minus}
}

// mirrored reports whether both links between two nodes carry the same, as they do where all that pairs add to one the
// pairs back add to the other.
func (r ringRule) mirrored(terms []term) bool {
	oneWay := func(t term) bool { return !t.both && t.before != t.after }
	return (r.open || r.tiePlus == r.tieMin) && !slices.ContainsFunc(terms, oneWay)
}

// reaches returns how far pairs go in a direction, and with what weight: where ties are shared, one half of
// the weight goes as far as they do and the other less far.
func (r ringRule) reaches(dir core.Dir) (list []int, unit int64) {
	tie, near := r.tiePlus, (r.k-1)/2
	if dir == core.Minus {
		tie = r.tieMin
	}
	switch {
	case r.open:
		return []int{r.k - 1}, r.full
	case tie == 0:
		return []int{near}, r.full
	case tie == r.full:
		return []int{near + 1}, r.full
	default:
		return []int{near, near + 1}, tie
	}
}

// A side says whether pairs start in an array or end in it.
type side int

const (
	starts side = iota
	ends
	startsAndEnds
)

// A span is the places at distances near to far from one, with a sign.
type span struct{ near, far, sign int }

// spans returns which places around one are counted when the load changes there: for an array in which pairs end
// where those go that start at the place, for one in which they start where those come from that end there, which are
// taken off, and the other way round for the - direction. Where pairs both start and end, ties cancel.
func (r ringRule) spans(dir core.Dir, side side) [2]span {
	reaches, _ := r.reaches(dir)
	if side == startsAndEnds {
		reach := (r.k - 1) / 2
		if r.open {
			reach = r.k - 1
		}
		return [2]span{{1, reach, 1}, {-reach, -1, -1}}
	}
	var spans [2]span
	for i, reach := range reaches {
		if (side == ends) == (dir == core.Plus) {
			spans[i] = span{1, reach, 1}
		} else {
			spans[i] = span{-reach, -1, -1}
		}
	}
	return spans
}

// addWindow appends the sums of spans of lines around every place.
func (c *Counter) addWindow(to int, l *lines, rule ringRule, spans [2]span) {
	row := func(place int) int {
		if rule.open && (place < 0 || place >= rule.k) {
			return c.zero
		}
		return l.at + core.Mod(place, rule.k)*l.row
	}
	var in, out []int // what is around the first place
	for _, span := range spans {
		for i := span.near; span.sign != 0 && i <= span.far; i++ {
			if span.sign > 0 {
				in = append(in, row(i))
			} else {
				out = append(out, row(i))
			}
		}
	}
	next := func(rows *[]int) (first int) {
		if len(*rows) == 0 {
			return c.zero
		}
		first, *rows = (*rows)[0], (*rows)[1:]
		return first
	}
	c.slide(to, next(&in), next(&in), next(&out), l.row)
	for len(in)+len(out) > 0 {
		c.slide(to, to, next(&in), next(&out), l.row)
	}
	for place := 1; place < rule.k; place++ {
		from := to
		to += l.row
		for _, span := range spans {
			if span.sign == 0 {
				continue
			}
			in, out := row(place+span.far), row(place-1+span.near)
			if span.sign < 0 {
				in, out = out, in
			}
			c.slide(to, from, in, out, l.row)
			from = to
		}
	}
}

// addFirst appends what a unit at each place of a ring, of what starts or ends there, puts on the link that leaves
// place 0 in a direction, together with some lines: what starts x places before the link meets what ends up to reach-x
// beyond, and what ends y places beyond it what starts up to reach-y before.
func (c *Counter) addFirst(to int, l *lines, rule ringRule, dir core.Dir, unit side) {
	row := func(of, place int) int { return of + core.Mod(int(dir)*place, rule.k)*l.row }
	begun := map[int]bool{} // rows of to with something in them: no others are ever written
	sum := c.zero           // the row with what has been added up
	add := func(place, next int) {
		at, from := row(to, place), sum
		if sum = at; begun[at] {
			sum = c.sum
		}
		if c.slide(sum, from, row(l.at, next), c.zero, l.row); begun[at] {
			c.add(at, sum, l.row)
		}
		begun[at] = true
	}
	reaches, _ := rule.reaches(dir)
	for _, reach := range reaches {
		if sum = c.zero; unit != ends {
			for x := reach - 1; x >= 0; x-- {
				add(-x, reach-x)
			}
		}
		if sum = c.zero; unit != starts {
			for y := reach; y >= 1; y-- {
				add(y, y-reach)
			}
		}
	}
}
