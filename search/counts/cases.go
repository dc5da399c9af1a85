package counts

import (
	"leeway/core"
	"leeway/core/parallel"
	"leeway/encode/steps"
)

// tentatively proves something with what is known now, and forgets what it learns there.
func (r *refuter) tentatively(prove func() error) error {
	alive, moved := r.alive, len(r.moved)
	err := r.Tentatively(prove)
	for len(r.moved) > moved {
		w := r.moved[len(r.moved)-1]
		r.moved = r.moved[:len(r.moved)-1]
		w.element.at = w.at
	}
	r.alive = alive
	return err
}

// assume proves the branch with more known of the count of a set: closed at once, or by going on.
func (r *refuter) assume(s steps.Set, lo, hi int, prove func() error) error {
	return r.tentatively(func() error {
		if r.Bound(s, lo, hi); r.closed() {
			return nil
		}
		return r.to.Branch(prove)
	})
}

// chooseLine goes through the lines along the first dimension that may be the first with as many processors as some
// line must have.
func (r *refuter) chooseLine() error {
	d := r.dims[0]
	least := (r.size + len(d.lines) - 1) / len(d.lines)
	for _, l := range d.lines {
		if r.Hi[l.set] < least {
			continue
		}
		prove := func() error { return r.countLine(onLine{d, l}) }
		if r.Lo[l.set] >= least {
			return r.tentatively(prove)
		}
		r.to.Split(l.set, least)
		if err := r.assume(l.set, least, r.Hi[l.set], prove); err != nil {
			return err
		}
		if r.Bound(l.set, 0, least-1); r.Crossed {
			break
		}
	}
	r.to.Crossed()
	return nil
}

// countLine goes through the counts of a line, if it is a key, and its contents.
func (r *refuter) countLine(l onLine) error {
	r.known = append(r.known, l)
	defer func() { r.known = r.known[:len(r.known)-1] }()
	fill := func() error { return r.fill(l.line.nodes, r.count) }
	r.slab = -1
	if r.keys[0] != l.line.set {
		return fill()
	}
	return r.each(l.line.set, func() error {
		if r.cap(l.line.set) {
			return nil
		}
		return fill()
	})
}

// cap bounds the counts of sets that symmetry lets be no greater than that of the first key, which is known. It reports
// whether that closes the branch.
func (r *refuter) cap(key steps.Set) (closed bool) {
	most := r.Hi[key]
	var sets []steps.Set
	for _, l := range r.dims[0].lines {
		sets = append(sets, l.set)
	}
	for _, d := range r.dims {
		sets = append(sets, d.slabs...)
	}
	for _, s := range sets {
		if r.Hi[s] <= most {
			continue
		}
		var e *element
		crossed := false
		r.tentatively(func() error {
			r.Bound(s, most+1, r.Hi[s])
			e, crossed = r.greater(), r.Crossed
			return nil
		})
		if e == nil && !crossed {
			continue
		}
		if r.to.Split(s, most+1); crossed {
			r.to.Crossed()
		} else {
			r.to.Turn(r.number(e))
		}
		if r.Bound(s, 0, most); r.Crossed {
			r.to.Crossed()
			return true
		}
	}
	return false
}

// each goes through the counts of a set, from the least on.
func (r *refuter) each(s steps.Set, prove func() error) error {
	return r.tentatively(func() error {
		for r.Lo[s] < r.Hi[s] {
			v := r.Lo[s]
			r.to.SplitLow(s, v+1)
			if err := r.assume(s, v, v, prove); err != nil {
				return err
			}
			if r.Bound(s, v+1, r.Hi[s]); r.closed() {
				return nil
			}
		}
		return r.tentatively(prove)
	})
}

// fill goes through the ways to choose from some nodes.
func (r *refuter) fill(nodes []int, prove func() error) error {
	return r.tentatively(func() error {
		for i, v := range nodes {
			s := steps.Node(v)
			if r.Lo[s] == r.Hi[s] {
				continue
			}
			r.to.Split(s, 1)
			if err := r.assume(s, 1, 1, func() error { return r.fill(nodes[i+1:], prove) }); err != nil {
				return err
			}
			if r.Bound(s, 0, 0); r.closed() {
				return nil
			}
		}
		return prove()
	})
}

// count goes through the counts of the slabs of the dimension at hand from the next one on, then of the other
// dimensions, then through the nodes.
func (r *refuter) count() error {
	if err := r.stop(); err != nil || r.wanted != nil {
		return err
	}
	at, slab := r.at, r.slab
	defer func() { r.at, r.slab = at, slab }()
	return r.tentatively(r.countOn)
}

func (r *refuter) countOn() error {
	at, slab := r.at, r.slab
	if (r.deep && slab >= 0 || slab == at.k-1) && r.narrow(at) {
		return nil
	}
	if r.deep && slab >= 0 && !r.supposed {
		if closed, err := r.narrowSlabs(at); closed || err != nil {
			return err
		}
	}
	if slab == at.k-1 {
		return r.nextDimension()
	}
	r.slab++
	if s := at.slabs[slab+1]; r.Lo[s] < r.Hi[s] {
		return r.each(s, r.count)
	}
	if r.slab == at.k-1 && r.closed() {
		return nil
	}
	return r.count()
}

// nextDimension goes on when all slabs of a dimension are counted.
func (r *refuter) nextDimension() error {
	if r.supposed {
		return errOpen
	}
	i := 0
	for r.dims[i] != r.at {
		i++
	}
	if i++; i == len(r.dims) {
		r.placing = true
		defer func() { r.placing = false }()
		return r.place()
	}
	d := r.dims[i]
	r.at, r.slab = d, -1
	best := d.lines[0]
	for _, l := range d.lines {
		if r.Lo[l.set] > r.Lo[best.set] {
			best = l
		}
	}
	if r.Lo[best.set] < r.Hi[best.set] {
		return r.count()
	}
	r.known = append(r.known, onLine{d, best})
	defer func() { r.known = r.known[:len(r.known)-1] }()
	return r.fill(best.nodes, r.count)
}

// place goes through the nodes, line by line, when all counts are known.
func (r *refuter) place() error {
	if err := r.stop(); err != nil {
		return err
	}
	if r.starved() {
		return nil
	}
	l := r.choose()
	if l.line == nil {
		var nodes []int
		for v := range r.torus.N() {
			if r.Lo[steps.Node(v)] > 0 {
				nodes = append(nodes, v)
			}
		}
		if r.closed() {
			return nil
		}
		s := core.MustPlacement(r.torus, nodes)
		if r.near.Excess(s) != "" {
			r.to.Distance()
			return nil
		}
		return &PlacementError{s}
	}
	r.known = append(r.known, l)
	defer func() { r.known = r.known[:len(r.known)-1] }()
	return r.fill(l.line.nodes, r.place)
}

// choose returns the line to be filled next, no line if all nodes are known: in their order while symmetries are left,
// then one with the fewest choices.
func (r *refuter) choose() (best onLine) {
	least := 1 << 30
	for _, d := range r.dims {
		for _, l := range d.lines {
			free, have := 0, 0
			for _, v := range l.nodes {
				if s := steps.Node(v); r.Lo[s] > 0 {
					have++
				} else if r.Hi[s] > 0 {
					free++
				}
			}
			if free == 0 {
				continue
			}
			if r.alive > 0 {
				return onLine{d, l}
			}
			choices := free * free
			if l.set >= 0 {
				choices = free * (1 + min(r.Lo[l.set]-have, free-r.Lo[l.set]+have))
			}
			if choices < least {
				best, least = onLine{d, l}, choices
			}
		}
	}
	return best
}

// stop returns what ends the proof early, if anything does.
func (r *refuter) stop() error {
	if r.visits--; r.visits == 0 {
		return errOpen
	}
	if r.most > 0 && r.to.Steps > r.most {
		return errMost
	}
	parallel.Pause()
	return r.ctx.Err()
}
