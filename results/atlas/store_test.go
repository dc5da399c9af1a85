package atlas_test

import (
	"context"
	"math/big"
	"os"
	"strings"
	"sync"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/check"
	"leeway/results/compose"
	"leeway/results/disk"
	"leeway/results/resultstest"
	"leeway/results/store"
	"leeway/search/refuters"
)

// TestStoreCells: every cell says what its record says, and the families have what the naive evaluator gives.
func TestStoreCells(t *testing.T) {
	s, path := filled(t)
	a := view(t, path)
	cells, total := a.Cells(atlas.Filter{})
	count := 0
	for r, err := range s.All() {
		if err != nil {
			t.Fatal(err)
		}
		count++
		p := coretest.Must(compose.ProblemOf(r))
		c, ok := a.Cell(texts.KeyOf(p))
		if !ok || c.Fault != "" || c.MaxLoad != r.MaxLoad || c.Status != r.Status || c.LowerBound != r.LowerBound ||
			(c.Proof == nil) != (r.Proof == nil) || c.Method != r.FoundBy.Method {
			t.Errorf("%+v is not what the record says: %+v", c, r)
		}
		for _, f := range c.Families {
			named := coretest.Must(family.Parse(p.Torus(), f.Placement))
			most, _ := p.Naive(named).Max()
			if named.Size() != r.Size || !p.Admits(named) || most.RatString() != f.MaxLoad {
				t.Errorf("%s: family %+v has %s", c.Key(), f, most.RatString())
			}
		}
	}
	if count != total || len(cells) != total {
		t.Errorf("%d cells of %d records", total, count)
	}
	found, err := a.Verify(context.Background(), cells, 2, check.Options{Produce: refuters.Produce}, nil)
	if err != nil || len(found) != total {
		t.Fatalf("%d verdicts, %v", len(found), err)
	}
	for _, f := range found {
		if f.Verdict.Verdict != check.Valid || f.Status == atlas.Optimal && f.ProofVerdict != check.Verified {
			t.Errorf("%s: %+v", f.Key(), f.Verdict)
		}
	}
}

// TestForeignKeys: what a store has under keys that this program does not write, or does not treat, takes the place of
// no other cell.
func TestForeignKeys(t *testing.T) {
	for _, where := range []string{"4^2", "4x4:open=9", "4x4:bandwidth=1,1", "4x4:fixed=0,0:forbidden=0,0",
		"4x4:fixed=1,1+0,0", "4x4:traffic=clients:request=1", "4x4:later=1"} {
		s, path := newStore(t, "a.store")
		p := problem(t, "4x4", "udr:tie=both", 4)
		right := record(t, p.Routing, core.MustPlacement(p.Torus(), []int{0, 7, 10, 13}))
		add(t, s, record(t, p.Routing, core.MustPlacement(p.Torus(), []int{0, 1, 2, 3})))
		byHand(t, path, `UPDATE problems SET torus = ?`, where)
		add(t, s, right)
		a := view(t, path)
		if c, ok := a.Cell(texts.KeyOf(p)); !ok || c.Fault != "" || c.MaxLoad != right.MaxLoad {
			t.Errorf("beside %s: %+v", where, c)
		}
		if wrong, total := a.Cells(atlas.Filter{Text: "wrong"}); total != 1 || wrong[0].Torus != nil {
			t.Errorf("%s: %+v", where, wrong)
		}
	}
}

// TestBeats: the spaced placement on 8x8 beats the papers' multilinear one (facts of the design: 4 against 7).
func TestBeats(t *testing.T) {
	_, path := filled(t)
	c, ok := view(t, path).Cell(texts.Key{Torus: "8x8", Routing: "udr:tie=both", Size: 16})
	papers, known := c.Papers()
	if !ok || !known || papers.MaxLoad != "7" || c.MaxLoad != "4" || !c.Beats() {
		t.Errorf("%+v", c)
	}
}

// TestWrongRecords: what is wrong in a store is shown as wrong and never as a value, and other cells do not suffer.
func TestWrongRecords(t *testing.T) {
	good := problem(t, "4x4", "udr:tie=both", 4)
	linear := core.MustPlacement(good.Torus(), []int{0, 7, 10, 13})
	lie := func(changes string) string {
		return string(resultstest.Forged(record(t, good.Routing, linear), changes))
	}
	tests := map[string]struct{ text, want string }{
		"load":       {lie(`max_load="1/2"`), "recomputed it is 3/4"},
		"hash":       {lie(`max_load="1/2"; stale`), "claim_sha256"},
		"node":       {lie("nodes.1=[1,2]"), "recomputed"},
		"outside":    {lie("nodes.3=[3,9]"), "nodes"},
		"unsorted":   {lie("nodes.0=[1,3]; nodes.1=[0,0]"), "not sorted"},
		"size":       {lie("size=5"), "the record is about 4x4 udr:tie=both n=5"},
		"torus":      {lie("torus=[4,8]"), "the record is about 4x8"},
		"proof gone": {lie(`status="optimal"`), "status"},
		"proof of another value": {lie(`status="optimal"; lower_bound="3/4"; ` +
			`proof={"kind":"bound","engine":"","below":"1/2"}`),
			"the proof is not about max_load 3/4"},
		"bound":      {lie(`lower_bound="1"`), "lower_bound 1 is above"},
		"hostile":    {`{"schema":"leeway/record/1","torus":["<script>"]}`, "cannot be read"},
		"not JSON":   {"<script>alert(1)</script>", "cannot be read"},
		"no routing": {lie(`routing="best"`), "the record is about"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s, path := newStore(t, "a.store")
			add(t, s, record(t, good.Routing, linear))
			other := problem(t, "3x3", "odr", 2)
			add(t, s, record(t, other.Routing, core.MustPlacement(other.Torus(), []int{0, 4})))
			byHand(t, path, `UPDATE records SET json = ? WHERE id = 1`, test.text)
			a := view(t, path)
			c, ok := a.Cell(texts.KeyOf(good))
			if !ok || c.Status != atlas.Wrong || !strings.Contains(c.Fault, test.want) || c.MaxLoad != "" ||
				c.LowerBound != "" || c.Proof != nil || c.Beats() {
				t.Errorf("%+v", c)
			}
			if d, ok, err := a.Detail(c.Key()); !ok || err != nil || d.Record != nil || len(d.Bounds) > 0 || len(d.History) > 0 {
				t.Errorf("%+v %v", d, err)
			}
			if _, total := a.Cells(atlas.Filter{Text: "wrong"}); total != 1 {
				t.Errorf("%d cells are wrong", total)
			}
			if list := a.Tori(); len(list) != 2 || list[0].Faults+list[1].Faults != 1 ||
				list[0].Open+list[0].Proved+list[1].Open+list[1].Proved != 1 {
				t.Errorf("%+v", list)
			}
			into, _ := newStore(t, "into.store")
			taken := 1
			if test.want == "cannot be read" || strings.HasPrefix(test.want, "the proof is not about") {
				taken = 2 // the bound, or the proof, that came with it stands for itself
			}
			if m := merge(t, into, path); len(m.Taken) != taken || len(m.Faults) != 1 {
				t.Errorf("merged %+v", m)
			}
		})
	}
}

// TestVerifyLooksThroughTheStore: a cell is wrong if any of its records is not what the store says of it.
func TestVerifyLooksThroughTheStore(t *testing.T) {
	s, path := newStore(t, "a.store")
	good, other := problem(t, "4x4", "udr:tie=both", 4), problem(t, "3x3", "odr", 2)
	for _, nodes := range [][]int{{0, 1, 2, 3}, {0, 7, 10, 13}} { // the second is better
		add(t, s, record(t, good.Routing, core.MustPlacement(good.Torus(), nodes)))
	}
	add(t, s, record(t, other.Routing, core.MustPlacement(other.Torus(), []int{0, 4})))
	verdicts := func() map[texts.Key]string {
		a := view(t, path)
		cells, _ := a.Cells(atlas.Filter{})
		found, err := a.Verify(context.Background(), cells, 1, check.Options{Produce: refuters.Produce}, nil)
		if err != nil || len(found) != 2 {
			t.Fatal(found, err)
		}
		list := map[texts.Key]string{}
		for _, f := range found {
			list[f.Key()] = f.Verdict.Verdict + strings.Join(f.Reasons, "; ")
		}
		return list
	}
	if list := verdicts(); list[texts.KeyOf(good)] != check.Valid || list[texts.KeyOf(other)] != check.Valid {
		t.Errorf("%v", list)
	}
	byHand(t, path, `UPDATE records SET numerator = '1', denominator = '9' WHERE id = 1`)
	if list := verdicts(); !strings.HasPrefix(list[texts.KeyOf(good)], check.Wrong) ||
		!strings.Contains(list[texts.KeyOf(good)], "not what its row says") || list[texts.KeyOf(other)] != check.Valid {
		t.Errorf("%v", list)
	}
}

// TestBoundBesides: a bound above the record's own counts, and with a proof that meets the load the cell is optimal.
func TestBoundBesides(t *testing.T) {
	census := coretest.Must(disk.ReadRecordFile(t.Context(), validRecords+"4x4-4-steps.json"))
	p := problem(t, "4x4", census.Routing, 4)
	plain := census
	plain.Status, plain.Proof, plain.LowerBound, plain.BoundReason = results.StatusFeasible, nil, "0", "degree"
	s, path := newStore(t, "a.store")
	add(t, s, plain)
	value, _ := new(big.Rat).SetString(census.MaxLoad)
	if err := s.AddBound(compose.KeyOf(p), store.Bound{Value: value, Reason: "steps: none is below",
		Proof: census.Proof}); err != nil {
		t.Fatal(err)
	}
	a := view(t, path)
	c, _ := a.Cell(texts.KeyOf(p))
	if c.Status != atlas.Optimal || c.LowerBound != census.MaxLoad || c.Proof == nil {
		t.Errorf("%+v", c)
	}
	found, err := a.Verify(context.Background(), []atlas.Cell{c}, 1, check.Options{Produce: refuters.Produce}, nil)
	if err != nil || found[0].ProofVerdict != check.Verified {
		t.Errorf("%+v %v", found, err)
	}
	into, other := newStore(t, "b.store")
	if m := merge(t, into, path); len(m.Faults) > 0 || len(m.Taken) != 1 {
		t.Errorf("%+v", m)
	}
	if c, _ := view(t, other).Cell(c.Key()); c.Status != atlas.Optimal {
		t.Errorf("after merging: %+v", c)
	}
}

// TestRefresh: what others write shows after Refresh, while readers go on.
func TestRefresh(t *testing.T) {
	s, path := newStore(t, "a.store")
	a := view(t, path)
	p := problem(t, "5x5", "udr", 5)
	var readers sync.WaitGroup
	stop := make(chan struct{})
	readers.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				a.Tori()
				a.Cells(atlas.Filter{Torus: "5x5"})
			}
		}
	})
	last := ""
	for seed := range uint64(40) {
		add(t, s, record(t, p.Routing, family.Random(p.Torus(), 5, seed)))
		coretest.Try(a.Refresh())
		best, _, err := s.Best(compose.KeyOf(p))
		if err != nil {
			t.Fatal(err)
		}
		if c, ok := a.Cell(texts.KeyOf(p)); !ok || c.MaxLoad != best.MaxLoad {
			t.Fatalf("seed %d: %+v, the store has %s", seed, c, best.MaxLoad)
		}
		last = best.MaxLoad
	}
	close(stop)
	readers.Wait()
	d, ok, err := a.Detail(texts.Key{Torus: "5^2", Routing: "udr:tie=both", Size: 5})
	if !ok || err != nil || len(d.History) < 2 || d.History[len(d.History)-1].MaxLoad != last || d.Twin != "udr:tie=both" {
		t.Errorf("%+v %v", d, err)
	}
}

// TestOpenRefuses: what is not a store is refused with its name, and no file is made.
func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	text := dir + "/text"
	coretest.Try(os.WriteFile(text, []byte("not a store\n"), 0o644))
	_, newer := newStore(t, "newer.store")
	byHand(t, newer, "PRAGMA user_version = 2")
	for path, want := range map[string]string{dir + "/none": "there is no such file", dir: "this is a folder",
		text: "not a store", newer: `"leeway/store/2"`} {
		a, err := atlas.OpenStore(path)
		if err == nil {
			a.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := os.Stat(dir + "/none"); err == nil {
		t.Error("a store was made")
	}
}
