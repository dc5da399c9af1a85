package cluster

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"leeway/search/census"
)

func sampleUnits() []Unit {
	c := Unit{Schema: UnitSchema, Torus: "8x8", Routing: "odr:tie=plus", Size: 15, Census: &Census{Below: "13/2", Engine: "margin", Prefixes: 100, From: 3, Count: 7}, Issue: 12}
	s := Unit{Schema: UnitSchema, Torus: "3x3", Routing: "udr:tie=both", Size: 2,
		Search: &Search{Number: 4, Seed: 1<<64 - 1, Methods: []string{"local"}, Exact: []string{"census"}, Evaluations: 5000, Starts: [][]int{{0, 4}}, Goal: "1/2"}}
	return []Unit{c, s}
}

func TestUnitText(t *testing.T) {
	for _, u := range sampleUnits() {
		back, err := ParseUnit(u.Text())
		if err != nil || !reflect.DeepEqual(u, back) {
			t.Errorf("%s: %+v, %v", u.Text(), back, err)
		}
	}
	c, s := sampleUnits()[0], sampleUnits()[1]
	other := c
	other.Issue++
	if c.ID() == other.ID() || c.Question() != other.Question() || c.Question() == s.Question() {
		t.Error("IDs tell issues apart, questions do not")
	}
}

// TestUnitRefused changes one thing after the other.
func TestUnitRefused(t *testing.T) {
	texts := []string{string(sampleUnits()[0].Text()), string(sampleUnits()[1].Text())}
	for _, c := range []struct {
		text     int
		old, new string
	}{
		{0, `unit/1`, `unit/2`}, {0, `"8x8"`, `"08x8"`}, {0, `"8x8"`, `"8^2"`}, {0, `:tie=plus`, ``}, {0, `"size":15`, `"size":65`}, {0, `"size":15`, `"size":0`},
		{0, `13/2`, `26/4`}, {0, `13/2`, `x`}, {0, `"from":3`, `"from":-1`}, {0, `"from":3`, `"from":94`}, {0, `"count":7`, `"count":0`}, {0, `"count":7`, `"count":9223372036854775807`},
		{0, `"issue":12`, `"issue":-1`}, {0, `"issue":12`, `"issue":12,"more":1`}, {0, `"issue":12}`, `"issue":12}{}`}, {0, `{"schema"`, ` {"schema"`},
		{1, `"local"`, ``}, {1, `[0,4]`, `[0]`}, {1, `[0,4]`, `[0,9]`}, {1, `[0,4]`, `[0,0]`}, {1, `5000`, `0`}, {1, `"goal":"1/2"`, `"goal":"1/0"`}, {1, `"search"`, `"census"`},
	} {
		text := strings.Replace(texts[c.text], c.old, c.new, 1)
		if text == texts[c.text] {
			t.Fatalf("%s does not occur", c.old)
		}
		if u, err := ParseUnit([]byte(text)); err == nil {
			t.Errorf("%s is read as %+v", text, u)
		}
	}
}

func FuzzParseUnit(f *testing.F) {
	for _, u := range sampleUnits() {
		f.Add(u.Text())
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if u, err := ParseUnit(text); err == nil && !bytes.Equal(u.Text(), text) {
			t.Errorf("%s becomes %s", text, u.Text())
		}
	})
}

func FuzzParseResult(f *testing.F) {
	f.Add(Result{Unit: "ab", Worker: "w", Done: 3, Nodes: 9, Sum: "00000000000000ff", Seconds: 0.5}.Text())
	f.Add(Result{Unit: "ab", Worker: "w", Best: []int{0, 1}, Value: "5/2", Method: "local", Refuted: true}.Text())
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := ParseResult(text)
		if err != nil {
			return
		}
		if back, err := ParseResult(r.Text()); err != nil || !reflect.DeepEqual(back, r) {
			t.Errorf("%s becomes %+v, %v", text, back, err)
		}
	})
}

// TestResultChecksum changes every byte of a result.
func TestResultChecksum(t *testing.T) {
	r := Result{Unit: "0123", Worker: "w", Done: 3, Nodes: 9, Sum: "00000000000000ff"}
	text := r.Text()
	for i := range text {
		wrong := bytes.Clone(text)
		wrong[i] ^= 1
		if got, err := ParseResult(wrong); err == nil {
			t.Errorf("%s is read as %+v", wrong, got)
		}
	}
	var loose map[string]any
	if err := json.Unmarshal(text, &loose); err != nil || len(loose["check"].(string)) != 32 {
		t.Error(loose, err)
	}
}

// fixed is a plan of prefixes without a tree.
type fixed [][]int

func (p fixed) Split() int            { return 1 }
func (p fixed) Prefixes() [][]int     { return p }
func (p fixed) Walker() census.Walker { return nil }

// TestUnitsCoverEachPrefixOnce cuts, finishes, gives back, voids and hands out again
// at random, and sees after every step that each prefix is in one place, and at the
// end that each was counted once.
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
		b := newBoard(census.Cut(plan), make([]bool, len(census.Cut(plan))))
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
func (b *board) play(t *testing.T, random *rand.Rand, seed int) {
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
			if _, err := b.open(p.issues[0]); err != duplicate {
				t.Fatalf("seed %d: a unit that is done can be done again: %v", seed, err)
			}
		}
		b.check(t, seed)
	}
}

// check sees that free, out and done ranges hold each prefix once, those of slices
// that were done before apart.
func (b *board) check(t *testing.T, seed int) {
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
	for _, p := range b.pieces {
		mark(p.span)
	}
	for v, n := range held {
		if n != 1 {
			t.Fatalf("seed %d: prefix %d is held %d times", seed, v, n)
		}
	}
}

// TestBoardReplayed brings a second board to where a first one is, at any point.
func TestBoardReplayed(t *testing.T) {
	p, err := Unit{Torus: "3x3", Routing: "odr:tie=plus", Size: 2}.Problem()
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
		b := newBoard(cut, make([]bool, len(cut)))
		base := Unit{Schema: UnitSchema, Torus: "3x3", Routing: "odr:tie=plus", Size: 2, Census: &Census{Below: "1", Engine: "plain", Prefixes: len(plan)}}
		var entries []entry
		for range random.IntN(300) {
			if s := b.next(1 + random.IntN(5)); s.count > 0 {
				u, c := base, *base.Census
				c.From, c.Count, u.Issue = s.from, s.count, int64(len(entries))
				u.Census = &c
				b.issue(u.ID(), s, true, zero)
				entries = append(entries, entry{Issue: &u})
			}
			if list := b.outstanding(); len(list) > 0 && random.IntN(2) == 0 {
				piece, onWord := list[random.IntN(len(list))], random.IntN(2) == 0
				r := Result{Unit: piece.issues[0], Key: string(rune('a' + random.IntN(3))), Done: random.IntN(piece.count + 1), Sum: "0000000000000001"}
				b.settle(piece, r, onWord, p)
				entries = append(entries, entry{Accept: &r, OnWord: onWord})
			}
			if random.IntN(50) == 0 {
				b.void()
				entries = append(entries, entry{Void: "b"})
			}
		}
		again := newBoard(census.Cut(plan), make([]bool, len(cut)))
		again.replay(entries, p, zero)
		again.check(t, int(seed))
		if !reflect.DeepEqual(again.slices, b.slices) || !reflect.DeepEqual(again.done, b.done) || !reflect.DeepEqual([]span(again.free), []span(b.free)) && len(b.free) > 0 || len(again.outs) != len(b.outs) {
			t.Fatalf("seed %d: replayed %+v, not %+v", seed, again.count(), b.count())
		}
	}
}

var zero time.Time
