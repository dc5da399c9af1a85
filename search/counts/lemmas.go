package counts

import (
	"errors"
	"slices"

	"leeway/encode/steps"
)

// A width is the most processors that a set has room for under premises, and the lemma that says so, if it is written.
type width struct {
	most    int
	lemma   steps.Lemma
	written bool
}

// A kin is a set of which an element is the image: the first such, so that one lemma holds for both.
type kin struct {
	number int
	by     *element // nil: the set itself
}

// relate notes of which lines along a dimension an element takes one to another with every slab across it, and of which
// slabs of a dimension it does so with those of a second one.
func (r *refuter) relate(e *element) {
	t := r.torus
	for o, other := range r.dims {
		fixed := true
		for v, w := range e.images {
			if fixed = t.Coord(v, other.s) == t.Coord(w, other.s); !fixed {
				break
			}
		}
		if !fixed {
			continue
		}
		for _, l := range other.lines {
			to := other.of[e.images[l.nodes[0]]]
			off := func(v int) bool { return other.of[e.images[v]] != to } // as on twisted tori
			if l.number < to.like.number && !slices.ContainsFunc(l.nodes, off) {
				to.like = kin{l.number, e}
			}
		}
		for _, d := range r.dims {
			takes, whole := make([]int, d.k), d != other
			for v, w := range e.images {
				x, to := t.Coord(v, d.s), t.Coord(w, d.s)
				if v < t.Stride(d.s)*d.k && v%t.Stride(d.s) == 0 {
					takes[x] = to
				}
				if whole = whole && takes[x] == to; !whole {
					break
				}
			}
			for x, to := range takes {
				if whole && x < d.like[o][to].number {
					d.like[o][to] = kin{x, e}
				}
			}
		}
	}
}

// narrow bounds the counts of the lines along a dimension by what they have room for under the counts of the slabs that
// are counted, and of the others together. It reports whether that closes the branch.
func (r *refuter) narrow(d *dimension) (closed bool) {
	if len(d.lines) == 1 {
		return false
	}
	last := r.last(d)
	var premises []steps.Premise
	key := []byte{byte(d.s), byte(last)}
	for _, s := range d.parts[last] {
		premises = append(premises, steps.Premise{Set: s, AtLeast: true, Number: r.Lo[s]})
		key = append(key, byte(r.Lo[s]), byte(r.Lo[s]>>8))
	}
	for _, l := range d.lines {
		if r.Hi[l.set] == 0 {
			continue
		}
		like := d.lines[l.like.number]
		w := r.widthOf(d, like, string(key), premises)
		if r.Hi[l.set] <= w.most {
			continue
		}
		if !w.written {
			r.suppose(premises, like.set, w.most+1, func() error { r.bar(d, like); return nil })
			w.lemma, w.written = r.to.Proved(), true
		}
		if r.limit(l.set, w, l.like.by) {
			return true
		}
	}
	return false
}

// limit bounds the count of a set by a lemma that an element takes to it, and reports whether that closes the branch.
func (r *refuter) limit(s steps.Set, w *width, by *element) (closed bool) {
	e := steps.Identity
	r.to.Split(s, w.most+1)
	if by != nil {
		e = r.number(by)
	}
	r.to.Use(w.lemma, e)
	if r.Bound(s, 0, w.most); r.Crossed {
		r.to.Crossed()
	}
	return r.Crossed
}

// widthOf returns how many processors a line has room for under premises, that a key has.
func (r *refuter) widthOf(d *dimension, l *line, key string, premises []steps.Premise) *width {
	key += string(rune(l.number))
	w := r.widths[key]
	if w != nil {
		return w
	}
	w = &width{}
	r.widths[key] = w
	r.Suppose(&r.root, premises, func() error {
		for w.most = min(len(l.nodes), r.Hi[l.set]); w.most > 0; w.most-- {
			m := r.Mark()
			r.Bound(l.set, w.most, r.Hi[l.set])
			fits := !r.Crossed && r.room(d, l)
			if r.Back(m); fits {
				break
			}
		}
		return nil
	})
	return w
}

// suppose writes a lemma: that there are no placements with premises and at least a given number of processors in a
// set.
func (r *refuter) suppose(premises []steps.Premise, s steps.Set, least int, prove func() error) error {
	premises = append(slices.Clip(premises), steps.Premise{Set: s, AtLeast: true, Number: least})
	r.to.Lemma(premises)
	return r.Suppose(&r.root, premises, prove)
}

// mostVisits is how many cases may be looked at to find out whether one set has room: with two dimensions, with more.
var mostVisits = [2]int{1 << 8, 1 << 10}

// errOpen says that a case is not closed by counts of the slabs of one dimension.
var errOpen = errors.New("counts: a case is left open")

// narrowSlabs bounds the counts of the slabs of a dimension by the largest count that a slab of another dimension can
// have: under all counts of that one, lines are too narrow for more. It reports whether that closes the branch.
func (r *refuter) narrowSlabs(d *dimension) (closed bool, err error) {
	for i, o := range r.dims {
		if i <= slices.Index(r.dims, d) || o.k == 1 || d.k == 1 {
			continue
		}
		most := 0
		for _, s := range o.slabs {
			most = max(most, r.Hi[s])
		}
		for x, s := range d.slabs {
			if r.Hi[s] == 0 {
				continue
			}
			like := d.like[i][x]
			w, err := r.roomOf(d.slabs[like.number], o, most)
			if err != nil {
				return false, err
			}
			if r.Hi[s] > w.most && r.limit(s, w, like.by) {
				return true, nil
			}
		}
	}
	return false, nil
}

// newScout returns a refuter of the branch at hand that writes nothing, at most a number of steps, 0: any number.
func (r *refuter) newScout(most int64) *refuter {
	scout := *r
	scout.widths, scout.numbers = map[string]*width{}, map[*element]steps.Element{}
	scout.to, scout.most = r.to.Draft(), most
	return &scout
}

// roomOf returns how many processors a set can have where no slab of a dimension has more than a number, as far as the
// counts of the slabs of that dimension tell.
func (r *refuter) roomOf(s steps.Set, d *dimension, most int) (w *width, err error) {
	key := string([]rune{-1, rune(d.s), rune(s), rune(most)})
	if w = r.widths[key]; w != nil {
		return w, nil
	}
	var premises []steps.Premise
	for _, o := range d.slabs {
		premises = append(premises, steps.Premise{Set: o, Number: most})
	}
	if r.scout == nil {
		r.scout = r.newScout(0)
	}
	w = &width{}
	for w.most = r.root.Hi[s]; w.most > 0; w.most-- {
		if r.scout.visits = mostVisits[min(len(r.dims)-2, 1)]; r.scout.full(d, premises, s, w.most) != nil {
			break
		}
	}
	r.widths[key] = w
	if w.most < r.root.Hi[s] {
		err = r.full(d, premises, s, w.most+1)
		w.lemma, w.written = r.to.Proved(), true
	}
	return w, err
}

// full writes the lemma that a set has fewer than a given number of processors under premises, by cases of the counts
// of the slabs of a dimension. The error is errOpen where these do not tell, and what ends the proof.
func (r *refuter) full(d *dimension, premises []steps.Premise, s steps.Set, least int) error {
	known, supposed, at, slab := r.known, r.supposed, r.at, r.slab
	defer func() { r.known, r.supposed, r.at, r.slab = known, supposed, at, slab }()
	r.known, r.supposed, r.at, r.slab = nil, true, d, -1
	return r.suppose(premises, s, least, r.count)
}
