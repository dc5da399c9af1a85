package atlas_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/texts"
	"leeway/results/atlas"
)

// lines returns a file of an atlas with sizes 1..per of a ring under a given number of orders of one
// routing each, and its number of cells: what a large atlas looks like, quickly made.
func lines(t testing.TB, tori, per int) ([]byte, int) {
	t.Helper()
	var b strings.Builder
	ways := []string{"odr:tie=plus", "odr:tie=both", "udr:tie=plus", "udr:tie=both"}
	count := tori * per * len(ways)
	rng := rand.New(rand.NewPCG(1, 0))
	for i := range tori {
		torus := fmt.Sprintf("%dx%d", 8+i/20, 8+i%20)
		for _, way := range ways {
			p := problem(t, torus, way, 1)
			quick := fast.NewEvaluator(objective.Problem{Routing: p.Routing}) // the naive one would take minutes
			for n := 1; n <= per; n++ {
				random := family.Random(p.Torus(), n, rng.Uint64())
				most, _ := quick.Loads(random).Max()
				text := coretest.Must(json.Marshal(claim(t, p.Routing, random, most, new(big.Rat), nil)))
				fmt.Fprintf(&b, `{"torus":%q,"routing":%q,"size":%d,"families":[],"record":%s}`+"\n", torus, way, n, text)
			}
		}
	}
	return []byte(b.String()), count
}

// TestFilterAgainstTwin: what a filter picks is what reading its doc comment picks.
func TestFilterAgainstTwin(t *testing.T) {
	coretest.Alone(t)
	_, path := filled(t)
	a := view(t, path)
	all, total := a.Cells(atlas.Filter{})
	if total < 40 {
		t.Fatalf("only %d cells", total)
	}
	rng := rand.New(rand.NewPCG(3, 0))
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	rounds := 3000
	if testing.Short() {
		rounds = 500
	}
	for i := range rounds {
		f := atlas.Filter{Torus: pick("", "", "5x5", "2x3x4", "9x9", "3x4", "3x4:open=0,1", "5x5:fixed=0,0+1,2",
			"3x4:traffic=clients:request=1:reply=2",
			"4x4:open=0,1:traffic=clients:request=2:reply=1:reply-routing=odr:order=1,0:tie=both:fixed=0,0"),
			Routing: pick("", "", "udr:tie=both", "udr:tie=plus", "odr:tie=both"), From: rng.IntN(6), To: rng.IntN(12),
			Text:   pick("", "", "OPTIMAL", "steps orderly", "5", "<b>", "5x5:udr", "open=0", "mesh", "open", "beaten"),
			Offset: rng.IntN(3), Limit: rng.IntN(5)}
		if rng.IntN(4) == 0 {
			f.Gap = big.NewRat(int64(rng.IntN(5)), 2)
		}
		var want []texts.Key
		count := 0
		for _, c := range all {
			if !picks(f, c) {
				continue
			}
			if count++; count > f.Offset && (f.Limit == 0 || len(want) < f.Limit) {
				want = append(want, c.Key())
			}
		}
		have, n := a.Cells(f)
		var keys []texts.Key
		for _, c := range have {
			keys = append(keys, c.Key())
		}
		if n != count || fmt.Sprint(keys) != fmt.Sprint(want) {
			t.Fatalf("case %d, %+v: %v (%d), want %v (%d)", i, f, keys, n, want, count)
		}
	}
}

// picks is the slow twin of Filter.
func picks(f atlas.Filter, c atlas.Cell) bool {
	gap, ok := c.Gap()
	has := map[string]bool{"": true, "<b>": false, "OPTIMAL": c.Status == atlas.Optimal, "5": c.Size == 5,
		"steps orderly": c.Proof != nil && (c.Proof.Kind == "steps" || c.Proof.Basis == "steps") &&
			c.Proof.Engine == "orderly",
		"5x5:udr": slices.Equal(c.Torus, []int{5, 5}) && strings.HasPrefix(c.Routing, "udr:"),
		"open=0":  strings.Contains(c.Network+":", ":open=0:") || strings.Contains(c.Network, ":open=0,"),
		"mesh":    strings.Contains(c.Network, "open"), "open": c.Status != atlas.Optimal, "beaten": c.Beats()}
	where := strings.ReplaceAll(f.Torus, ":tie=both", ":tie=plus") // of replies, on meshes only
	return (where == "" || c.Key().Torus == where) &&
		(f.Routing == "" || c.Routing == f.Routing || c.Twin == f.Routing) &&
		c.Size >= f.From && (f.To == 0 || c.Size <= f.To) && has[f.Text] &&
		(f.Gap == nil || ok && gap.Cmp(f.Gap) >= 0)
}

// TestTori: the summaries add up to the cells.
func TestTori(t *testing.T) {
	_, path := filled(t)
	a := view(t, path)
	places := map[string]bool{}
	for _, s := range a.Tori() {
		if places[s.Where()] {
			t.Errorf("%s is repeated", s.Where())
		}
		places[s.Where()] = true
		cells, _ := a.Cells(atlas.Filter{Torus: s.Where()})
		var proved, open, beaten, inRoutings int
		for _, c := range cells {
			if c.Status == atlas.Optimal {
				proved++
			} else {
				open++
			}
			if c.Beats() {
				beaten++
			}
		}
		for _, r := range s.Routings {
			inRoutings += r.Cells
		}
		if s.Cells != len(cells) || inRoutings != s.Cells || s.Proved != proved || s.Open != open || s.Beaten != beaten ||
			s.Faults != 0 {
			t.Errorf("%+v, counted %d %d %d %d", s, len(cells), proved, open, beaten)
		}
	}
}

// TestTwins: where nothing ties a cell is found under either rule, of the routing and of replies, elsewhere not.
func TestTwins(t *testing.T) {
	s, path := newStore(t, "a.store")
	for _, torus := range []string{"5x5", "2x2x2", "4x5", "2x3", "4x4:open=0,1", "4x5:open=0", "4x4:open=0"} {
		p := problem(t, torus, "udr", 2)
		add(t, s, record(t, p.Routing, family.Random(p.Torus(), 2, 1)))
	}
	const replies = ":traffic=clients:request=1:reply=1:reply-routing=odr:order=1,0:tie="
	sizes := map[string]int{}
	for _, torus := range []string{"4x4:open=0,1", "5x5", "4x4"} {
		r := randomRecord(t, problem(t, torus+replies+"plus", "odr", 2), rand.New(rand.NewPCG(1, 0)))
		sizes[torus] = r.Size
		add(t, s, r)
	}
	a := view(t, path)
	for torus, want := range map[string]bool{"4x4:open=0,1": true, "5x5": true, "4x4": false} {
		for _, way := range []string{"odr:tie=plus", "odr:tie=both"} {
			where := torus + replies + "both"
			if _, ok := a.Cell(texts.Key{Torus: where, Routing: way, Size: sizes[torus]}); ok != want {
				t.Errorf("%s under %s: %v", where, way, ok)
			}
			if _, n := a.Cells(atlas.Filter{Torus: where, Routing: way}); (n == 1) != want {
				t.Errorf("%s under %s: %d cells", where, way, n)
			}
		}
	}
	for torus, want := range map[string]bool{"5x5": true, "5^2": true, "2x2x2": true, "4x5": false, "2x3": true,
		"4x4:open=1,0": true, "4x5:open=0": true, "4x4:open=0": false, "4x4": false} {
		c, ok := a.Cell(texts.Key{Torus: torus, Routing: "udr:tie=both", Size: 2})
		if ok != want || ok && c.Twin != "udr:tie=both" {
			t.Errorf("%s: %v %+v", torus, ok, c)
		}
	}
	if _, ok := a.Cell(texts.Key{Torus: "<b>", Routing: "udr", Size: -1}); ok {
		t.Error("a cell without a torus")
	}
}

// BenchmarkLarge times an atlas of about 100 000 cells: reading and looking things up.
func BenchmarkLarge(b *testing.B) {
	data, count := lines(b, 416, 60)
	a := coretest.Must(atlas.Read(data))
	cells, _ := a.Cells(atlas.Filter{})
	b.Run(fmt.Sprintf("read-%d", count), func(b *testing.B) {
		for b.Loop() {
			coretest.Must(atlas.Read(data))
		}
	})
	b.Run("tori", func(b *testing.B) {
		for b.Loop() {
			a.Tori()
		}
	})
	b.Run("cell", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			a.Cell(cells[i%len(cells)].Key())
		}
	})
	b.Run("detail", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if _, _, err := a.Detail(cells[i%len(cells)].Key()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("page", func(b *testing.B) {
		for b.Loop() {
			a.Cells(atlas.Filter{Text: "udr n=16 feasible", Limit: 50})
		}
	})
	b.Run("torus", func(b *testing.B) {
		for b.Loop() {
			a.Cells(atlas.Filter{Torus: "8x8"})
		}
	})
}
