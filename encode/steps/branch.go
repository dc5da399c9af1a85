package steps

import "slices"

// A Branch is what an engine knows of the counts of sets: between which numbers each lies. It draws less from sums than
// a checker does, which has the sum of nodes of every set.
type Branch struct {
	Lo, Hi    []int
	Crossed   bool
	CrossedAt Set // of which they cross

	sums   []sum
	within [][]int // by set: the sums in which it stands
	queue  []int
	queued []bool
	trail  []change
	looked int // how many of them have been looked at
}

// A sum says that the count of a set is that of its parts, each times a number.
type sum struct {
	whole Set
	parts []Set
	times []int // nil: each once
}

// A change is the bounds that a set had.
type change struct {
	set    Set
	lo, hi int
}

// Add adds a set that counts at most a number.
func (b *Branch) Add(most int) {
	b.Lo, b.Hi, b.within = append(b.Lo, 0), append(b.Hi, most), append(b.within, nil)
}

// Sum adds a sum of parts, each as often as times says, once for nil.
func (b *Branch) Sum(whole Set, parts []Set, times []int) {
	i := len(b.sums)
	b.sums, b.queued, b.queue = append(b.sums, sum{whole, parts, times}), append(b.queued, true), append(b.queue, i)
	b.within[whole] = append(b.within[whole], i)
	for _, p := range parts {
		b.within[p] = append(b.within[p], i)
	}
}

// Bound takes in that a count lies between two numbers, and what sums imply of it.
func (b *Branch) Bound(s Set, lo, hi int) {
	b.tighten(s, lo, hi)
	for len(b.queue) > 0 {
		i := b.queue[len(b.queue)-1]
		b.queue = b.queue[:len(b.queue)-1]
		if b.queued[i] = false; !b.Crossed {
			b.draw(&b.sums[i])
		}
	}
}

func (b *Branch) tighten(s Set, lo, hi int) {
	lo, hi = max(lo, b.Lo[s]), min(hi, b.Hi[s])
	if lo == b.Lo[s] && hi == b.Hi[s] {
		return
	}
	b.trail = append(b.trail, change{s, b.Lo[s], b.Hi[s]})
	b.Lo[s], b.Hi[s] = lo, hi
	if lo > hi {
		b.Crossed, b.CrossedAt = true, s
	}
	for _, i := range b.within[s] {
		if !b.queued[i] {
			b.queued[i] = true
			b.queue = append(b.queue, i)
		}
	}
}

// draw takes in what a sum implies.
func (b *Branch) draw(s *sum) {
	if s.times != nil {
		b.drawWeighted(s)
		return
	}
	lo, hi := 0, 0
	for _, p := range s.parts {
		lo, hi = lo+b.Lo[p], hi+b.Hi[p]
	}
	b.tighten(s.whole, lo, hi)
	above, below := b.Hi[s.whole]-lo, hi-b.Lo[s.whole]
	for _, p := range s.parts {
		if b.Crossed {
			return
		}
		if b.Hi[p]-b.Lo[p] > min(above, below) {
			b.tighten(p, b.Hi[p]-below, b.Lo[p]+above)
		}
	}
}

// drawWeighted is draw for parts that count several times.
func (b *Branch) drawWeighted(s *sum) {
	lo, hi := 0, 0
	for i, p := range s.parts {
		lo, hi = lo+s.times[i]*b.Lo[p], hi+s.times[i]*b.Hi[p]
	}
	b.tighten(s.whole, lo, hi)
	above, below := b.Hi[s.whole]-lo, hi-b.Lo[s.whole]
	for i, p := range s.parts {
		if b.Crossed {
			return
		}
		b.tighten(p, b.Hi[p]-below/s.times[i], b.Lo[p]+above/s.times[i])
	}
}

// Declare adds a sum as Sum does and has a writer say it.
func (b *Branch) Declare(to *Writer, whole Set, parts []Set, times []int) {
	b.Sum(whole, parts, times)
	to.Sum(whole, parts, times)
}

// Tentatively proves something with what is known now, and forgets what is learnt there.
func (b *Branch) Tentatively(prove func() error) error {
	m := b.Mark()
	defer b.Back(m)
	return prove()
}

// Suppose proves something with the premises of a lemma and what a root knows instead of what the branch does.
func (b *Branch) Suppose(root *Branch, premises []Premise, prove func() error) error {
	outer := *b
	*b = root.Clone()
	defer func() { *b = outer }()
	for _, p := range premises {
		if p.AtLeast {
			b.Bound(p.Set, p.Number, b.Hi[p.Set])
		} else {
			b.Bound(p.Set, b.Lo[p.Set], p.Number)
		}
	}
	return prove()
}

// Changed returns a set whose bounds have changed, one after the other of those that it has not returned yet.
func (b *Branch) Changed() (s Set, ok bool) {
	if ok = b.looked < len(b.trail); ok {
		s = b.trail[b.looked].set
		b.looked++
	}
	return s, ok
}

// A Mark is where a branch can be taken back to.
type Mark struct {
	changes int
	crossed bool
}

// Mark returns where the branch is now.
func (b *Branch) Mark() Mark { return Mark{len(b.trail), b.Crossed} }

// Back takes the branch back.
func (b *Branch) Back(to Mark) {
	for len(b.trail) > to.changes {
		c := b.trail[len(b.trail)-1]
		b.trail = b.trail[:len(b.trail)-1]
		b.Lo[c.set], b.Hi[c.set] = c.lo, c.hi
	}
	b.Crossed, b.looked = to.crossed, min(b.looked, len(b.trail))
}

// Clone returns a branch with the same sums that goes its own way.
func (b *Branch) Clone() Branch {
	c := *b
	c.Lo, c.Hi, c.trail, c.queue = slices.Clone(b.Lo), slices.Clone(b.Hi), nil, nil
	c.queued = make([]bool, len(b.queued))
	return c
}
