package cluster

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"leeway/search/census"
	"leeway/search/cluster/message"
)

func sampleUnits() []message.Unit {
	c := message.Unit{Schema: message.UnitSchema, Torus: "8x8", Routing: "odr:tie=plus", Size: 15,
		Census: &message.Range{Below: "13/2", Engine: "margin", Prefixes: 100, From: 3, Count: 7}, Issue: 12}
	s := message.Unit{Schema: message.UnitSchema, Torus: "3x3", Routing: "udr:tie=both", Size: 2,
		Search: &message.Search{Number: 4, Seed: 1<<64 - 1, Methods: []string{"local"}, Exact: []string{"census"},
			Evaluations: 5000, Starts: [][]int{{0, 4}}, Goal: "1/2"}}
	return []message.Unit{c, s}
}

// fixed is a plan of prefixes without a tree.
type fixed [][]int

func (p fixed) Split() int            { return 1 }
func (p fixed) Prefixes() [][]int     { return p }
func (p fixed) Walker() census.Walker { return nil }

// TestUnitsCoverEachPrefixOnce cuts, finishes, gives back, voids and hands out again at random, and sees after every
// step that each prefix is in one place, and at the end that each was counted once.
func TestUnitsCoverEachPrefixOnce(t *testing.T) {
	rounds, most := 60, 900
	if testing.Short() {
		rounds, most = 10, 300
	}
	for seed := range rounds {
		random := rand.New(rand.NewPCG(uint64(seed), 8))
		plan := make(fixed, 1+random.IntN(most))
		for i := range plan {
			plan[i] = []int{i}
		}
		b := newProgress(census.Cut(plan), make([]bool, len(census.Cut(plan))))
		b.play(t, random, seed)
		for i, s := range b.slices {
			want := uint64(0)
			for v := s.From(); v < s.From()+s.Prefixes; v++ {
				want += weightOf(v)
			}
			if !b.done[i] || s.Nodes != int64(s.Prefixes) || s.Sum != want {
				t.Fatalf("seed %d: slice %d: %+v, done %t, want sum %d", seed, i, s, b.done[i], want)
			}
		}
	}
}

// weightOf is a number of its own for every prefix.
func weightOf(prefix int) uint64 { return census.Hash(7, prefix) }

// play makes random moves until everything is done.
func (b *progress) play(t *testing.T, random *rand.Rand, seed int) {
	id := 0
	name := func() string { id++; return string(rune('a'+id%26)) + strings.Repeat("x", id/26) }
	for step := 0; !b.over(); step++ {
		switch move := random.IntN(20); {
		case move < 8:
			if s := b.next(1 + random.IntN(9)); s.count > 0 && !b.issue(name(), s, true, zero) {
				t.Fatalf("seed %d: %v is not free", seed, s)
			}
		case move == 8:
			if list := b.outstanding(); len(list) > 0 {
				b.issue(name(), list[random.IntN(len(list))].span, false, zero)
			}
		case move == 9 && step < 400:
			b.void()
		default:
			list := b.outstanding()
			if len(list) == 0 {
				break
			}
			p := list[random.IntN(len(list))]
			done, sum := random.IntN(p.count+1), uint64(0)
			for v := p.from; v < p.from+done; v++ {
				sum += weightOf(v)
			}
			b.finish(p, done, int64(done), sum, []string{"", "x", "y"}[random.IntN(3)])
			if _, err := b.open(p.ids[0]); err != errDuplicate {
				t.Fatalf("seed %d: a unit that is done can be done again: %v", seed, err)
			}
		}
		b.check(t, seed)
	}
}

// check sees that free, out and done ranges hold each prefix once, those of slices that were done before apart.
func (b *progress) check(t *testing.T, seed int) {
	t.Helper()
	total := b.slices[len(b.slices)-1].From() + b.slices[len(b.slices)-1].Prefixes
	held := make([]int, total)
	mark := func(s span) {
		for v := s.from; v < s.end(); v++ {
			held[v]++
		}
	}
	for _, s := range b.free {
		mark(s)
		if b.sliceOf(s) < 0 {
			t.Fatalf("seed %d: %v crosses slices", seed, s)
		}
	}
	for _, p := range b.batches {
		mark(p.span)
	}
	for v, n := range held {
		if n != 1 {
			t.Fatalf("seed %d: prefix %d is held %d times", seed, v, n)
		}
	}
}

// TestProgressReplayed brings a second progress to where a first one is, at any point.
func TestProgressReplayed(t *testing.T) {
	p, err := message.Unit{Torus: "3x3", Routing: "odr:tie=plus", Size: 2}.Problem()
	if err != nil {
		t.Fatal(err)
	}
	rounds := uint64(100)
	if testing.Short() {
		rounds = 15
	}
	for seed := range rounds {
		random := rand.New(rand.NewPCG(seed, 9))
		plan := make(fixed, 1+random.IntN(600))
		for i := range plan {
			plan[i] = []int{i}
		}
		cut := census.Cut(plan)
		b := newProgress(cut, make([]bool, len(cut)))
		base := message.Unit{Schema: message.UnitSchema, Torus: "3x3", Routing: "odr:tie=plus", Size: 2,
			Census: &message.Range{Below: "1", Engine: "plain", Prefixes: len(plan)}}
		var entries []message.Entry
		for range random.IntN(300) {
			if s := b.next(1 + random.IntN(5)); s.count > 0 {
				u, c := base, *base.Census
				c.From, c.Count, u.Issue = s.from, s.count, int64(len(entries))
				u.Census = &c
				b.issue(u.ID(), s, true, zero)
				entries = append(entries, message.Entry{Issue: &u})
			}
			if list := b.outstanding(); len(list) > 0 && random.IntN(2) == 0 {
				picked, onWord := list[random.IntN(len(list))], random.IntN(2) == 0
				r := message.Report{Unit: picked.ids[0], Key: string(rune('a' + random.IntN(3))),
					Done: random.IntN(picked.count + 1), Sum: "0000000000000001"}
				b.settle(picked, r, onWord, p)
				entries = append(entries, message.Entry{Accept: &r, OnWord: onWord})
			}
			if random.IntN(50) == 0 {
				b.void()
				entries = append(entries, message.Entry{Void: "b"})
			}
		}
		again := newProgress(census.Cut(plan), make([]bool, len(cut)))
		again.replay(entries, p, zero)
		again.check(t, int(seed))
		if !reflect.DeepEqual(again.slices, b.slices) || !reflect.DeepEqual(again.done, b.done) ||
			!reflect.DeepEqual([]span(again.free), []span(b.free)) && len(b.free) > 0 || len(again.out) != len(b.out) {
			t.Fatalf("seed %d: replayed %+v, not %+v", seed, again.count(), b.count())
		}
	}
}

var zero time.Time
