package kernel

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"
	"testing"

	"leeway/core/coretest"
)

// sliced has a writer write a slice.
func (w *writer) sliced(s Slice) *writer {
	w.c.slicing, w.c.slice = true, s
	return w
}

// leaving is prove with slices left open, one for so many branches.
func (w *writer) leaving(every, most int) bool {
	for !w.closes {
		switch {
		case w.steps > most:
			return false
		case w.c.branch.crossed:
			w.put(opCrossed)
		case w.c.root != nil && w.r.IntN(every) == 0:
			w.put(opSlice, 2, w.steps, len(w.c.left))
		case !w.closed(true) && !w.split():
			return false
		}
	}
	return true
}

// greatest returns the greatest of some placements by the keys of a checker, then by nodes.
func (c *checker) greatest(placements [][]int) []int {
	compare := func(p, q []int) int {
		for _, key := range c.keys {
			if d := countIn(c.sets[key], p) - countIn(c.sets[key], q); d != 0 {
				return int(d)
			}
		}
		return -slices.Compare(p, q) // of as many nodes, ascending
	}
	return slices.MaxFunc(placements, compare)
}

// countIn returns the count of a set in a placement, by the definition.
func countIn(set []term, nodes []int) (count int64) {
	for _, t := range set {
		if slices.Contains(nodes, t.of) {
			count += t.times
		}
	}
	return count
}

// holds reports whether a placement is in a slice.
func (c *checker) holds(s Slice, nodes []int) bool {
	return !slices.ContainsFunc(s.Bounds, func(b Bound) bool {
		n := countIn(c.sets[b.Set], nodes)
		return n < b.Lo || n > b.Hi
	})
}

// TestSlices: what a stream leaves open has the greatest of all answers, altered or not, and streams of all slices
// refute exactly what has none.
func TestSlices(t *testing.T) {
	coretest.Alone(t)
	all, altered := 0, 0
	for i := range coretest.Cases(1000, 120) {
		r := coretest.Rng(31, i)
		p, q := draw(r)
		values, placements := bruteForce(p)
		answered := limitFor(r, &q, values)
		w := newWriter(t, r, q, false).sliced(Slice{})
		if w.header(true); !w.leaving(3, 300) {
			continue
		}
		var answers [][]int
		for k, v := range values {
			if c := v.Cmp(q.Limit); c < 0 || c == 0 && q.AtMost {
				answers = append(answers, placements[k])
			}
		}
		// lost reports whether the greatest answer is in none of the slices.
		lost := func(left []Slice) bool {
			return answered && !slices.ContainsFunc(left, func(s Slice) bool { return w.c.holds(s, w.c.greatest(answers)) })
		}
		prepared := coretest.Must(Prepare(q, free))
		_, left, err := prepared.CheckSlice(Slice{}, bytes.NewReader(w.out.Bytes()), free)
		if err != nil || lost(left) {
			t.Fatalf("case %d: %s below %s: %v, left %v", i, p, q.Limit, err, left)
		}
		if _, err := Check(q, bytes.NewReader(w.out.Bytes()), false, free); err == nil && len(left) > 0 {
			t.Fatalf("case %d: %s below %s: with slices, it is accepted as a whole", i, p, q.Limit)
		}
		for range 10 {
			bad := alter(r, w.out.Bytes())
			// Other definitions of sets make other bounds; they may be of other things, but not of fewer placements.
			if _, left, err := prepared.CheckSlice(Slice{}, bytes.NewReader(bad), upTo(1<<26)); err == nil && len(left) > 0 &&
				left[0].Sets == w.c.slice.Sets && lost(left) {
				t.Fatalf("case %d: %s below %s: an altered stream leaves out an answer", i, p, q.Limit)
			}
			altered++
		}
		proved := true
		for _, s := range left {
			of := newWriter(t, r, q, false).sliced(s)
			of.header(true)
			done := of.prove(true, 20000)
			if proved = proved && done; !done {
				continue
			}
			_, more, err := prepared.CheckSlice(s, bytes.NewReader(of.out.Bytes()), free)
			if err != nil || len(more) > 0 {
				t.Fatalf("case %d: %s below %s: slice %v: %v", i, p, q.Limit, s, err)
			}
			if answered && w.c.holds(s, w.c.greatest(answers)) {
				t.Fatalf("case %d: %s below %s: a slice with an answer is refuted: %v", i, p, q.Limit, s)
			}
			other := newWriter(t, r, q, false).sliced(s)
			other.header(false)
			other.try(opCrossed)
			if len(s.Bounds) > 0 && (other.c.err == nil || !strings.Contains(other.c.err.Error(), "not those of the proof")) {
				t.Fatalf("case %d: with other keys a slice says %v", i, other.c.err)
			}
			all++
		}
		if proved == answered {
			t.Fatalf("case %d: %s below %s: proved %v, answered %v", i, p, q.Limit, proved, answered)
		}
	}
	t.Logf("%d slices, %d altered streams", all, altered)
}

// TestSliceInLemma: a lemma holds wherever it is used, a slice for the greatest of its orbit.
func TestSliceInLemma(t *testing.T) {
	r := coretest.Rng(32, 1)
	_, q := draw(r)
	q.Limit = big.NewRat(100, 1)
	w := newWriter(t, r, q, false).sliced(Slice{})
	w.put(opLemma, 1, nodeSet(0), 1, 1)
	if w.c.branch.crossed {
		t.Fatal("the lemma is about nothing")
	}
	if err := w.try(opSlice, 0); err == nil {
		t.Error("a slice within a lemma")
	}
}

// TestSideBySide: streams about one prepared question, side by side, get the verdicts that each gets alone, at the same
// cost, although what others have verified is not verified again.
func TestSideBySide(t *testing.T) {
	elements := 0
	for i := range coretest.Cases(400, 50) {
		r := coretest.Rng(37, i)
		p, q := draw(r)
		values, _ := bruteForce(p)
		limitFor(r, &q, values)
		w := newWriter(t, r, q, false)
		w.header(true)
		w.prove(true, 2000)
		elements += len(w.c.elements) - 1
		streams := [][]byte{w.out.Bytes(), w.out.Bytes()}
		for range 6 {
			streams = append(streams, alter(r, streams[0]))
		}
		said := func(p *Prepared, stream []byte) string {
			spent, limit := int64(0), upTo(1<<26)
			_, left, err := p.CheckSlice(Slice{}, bytes.NewReader(stream), func(steps int64) error {
				spent += steps
				return limit(steps)
			})
			return fmt.Sprint(spent, left, err)
		}
		shared, have := coretest.Must(Prepare(q, free)), make([]string, len(streams))
		var all sync.WaitGroup
		for k, stream := range streams {
			all.Go(func() { have[k] = said(shared, stream) })
		}
		all.Wait()
		for k, stream := range streams {
			if want := said(coretest.Must(Prepare(q, free)), stream); have[k] != want {
				t.Fatalf("case %d: %s: stream %d gets %s beside others, %s alone", i, p, k, have[k], want)
			}
		}
	}
	if elements == 0 {
		t.Error("no stream has an element")
	}
}
