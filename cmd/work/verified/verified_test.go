package verified

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"leeway/cmd/work"
	"leeway/cmd/work/certificate"
	"leeway/core"
	"leeway/core/coretest"
	"leeway/encode/dimacs"
	"leeway/encode/lrat"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/export"
	"leeway/search/refute"
	"leeway/search/searchtest"
)

// alone is the question about one processor on 3x3: no load is below 0, and the formula is the empty clause.
func alone(t *testing.T) Question {
	t.Helper()
	k := texts.Key{Torus: "3x3", Routing: "odr:tie=plus", Size: 1}
	below := coretest.Must(results.ParseFraction("0"))
	return Question{Key: k, Below: below, Placement: core.MustPlacement(core.MustTorus(3, 3), []int{4}), Known: true}
}

// filling returns one that refutes the empty clause, and a count of its saves.
func filling(table *atlas.VerifiedTable) (*Filling, *int) {
	saves := new(int)
	refute := func(_ context.Context, f dimacs.Formula, w *lrat.Writer) error {
		w.Add(nil, []int64{f.Clauses()})
		return nil
	}
	f := &Filling{Table: table, Budget: time.Minute, Refute: refute,
		Checkers: []certificate.Checker{certificate.Own("test")},
		Save:     func() error { *saves++; return nil }}
	table.Begin(atlas.VerifiedRun{Checkers: []atlas.Checker{f.Checkers[0].Checker}})
	return f, saves
}

// TestFill: a cell that the checker accepts is verified and passed over the next time, unless the value differs or it
// is wanted again.
func TestFill(t *testing.T) {
	table := atlas.NewVerified()
	f, saves := filling(table)
	q := alone(t)
	if done, err := f.Fill(t.Context(), []Question{q, q}); done != 1 || *saves != 1 || err != nil {
		t.Fatalf("%d cells, %d saves, %v", done, *saves, err)
	}
	c, ok := table.Get(q.Key, false)
	sum := sha256.Sum256([]byte("2 0 1 0\n"))
	if !ok || c.Open != "" || c.Proof != hex.EncodeToString(sum[:]) || c.Bytes != 8 || len(c.By) != 1 || c.Clauses != 1 {
		t.Errorf("%+v", c)
	}
	f.Again = true
	if done, _ := f.Fill(t.Context(), []Question{q}); done != 1 {
		t.Error("what is wanted again is passed over")
	}
}

// TestFillRefuses: nothing is verified that a checker refuses or whose formula has a model, and no placement that does
// not have its value; a cell without a proof in time stays open until there is more time.
func TestFillRefuses(t *testing.T) {
	q := alone(t)
	var wrong *WrongError
	for name, change := range map[string]func(*Filling, *Question){
		"refused": func(f *Filling, _ *Question) {
			f.Checkers = append(f.Checkers, certificate.Checker{Checker: f.Checkers[0].Checker,
				Accepts: func(context.Context, certificate.Proof) (bool, error) { return false, nil }})
		},
		"no proof": func(f *Filling, _ *Question) {
			f.Refute = func(_ context.Context, _ dimacs.Formula, w *lrat.Writer) error {
				w.Add(nil, nil)
				return nil
			}
		},
		"a model": func(f *Filling, _ *Question) {
			f.Refute = func(context.Context, dimacs.Formula, *lrat.Writer) error { return lrat.ErrSatisfiable }
		},
		"value": func(_ *Filling, q *Question) { q.Below, _ = results.ParseFraction("1") },
	} {
		table := atlas.NewVerified()
		f, _ := filling(table)
		asked := q
		change(f, &asked)
		if _, err := f.Fill(t.Context(), []Question{asked}); !errors.As(err, &wrong) || len(table.All()) > 0 {
			t.Errorf("%s: %v, %d cells", name, err, len(table.All()))
		}
	}
	silent, other := atlas.NewVerified(), q
	f, _ := filling(silent)
	f.Checkers = append(f.Checkers, certificate.Checker{Checker: atlas.Checker{Name: "small"},
		Accepts: func(context.Context, certificate.Proof) (bool, error) {
			return false, errors.New("its memory was not enough")
		}})
	other.Routing = "odr:tie=both"
	if done, err := f.Fill(t.Context(), []Question{q, other}); done != 2 || err != nil {
		t.Errorf("a checker that cannot tell: %d cells, %v", done, err)
	}
	for _, c := range silent.All() {
		if c.Open != "small: its memory was not enough" || len(c.By) > 0 || c.Proof != "" {
			t.Errorf("a checker that cannot tell: %+v", c)
		}
	}
	table := atlas.NewVerified()
	f, _ = filling(table)
	f.Budget, f.Refute = time.Millisecond, func(ctx context.Context, _ dimacs.Formula, _ *lrat.Writer) error {
		<-ctx.Done()
		return ctx.Err()
	}
	for _, want := range []int{1, 0} {
		if done, err := f.Fill(t.Context(), []Question{q}); done != want || err != nil {
			t.Fatalf("%d cells, %v", done, err)
		}
	}
	if c, _ := table.Get(q.Key, false); c.Open == "" || len(c.By) > 0 || c.Proof != "" {
		t.Errorf("%+v", c)
	}
	stopped, cancel := context.WithCancel(t.Context())
	f.Again, f.Budget = true, time.Hour
	f.Refute = func(context.Context, dimacs.Formula, *lrat.Writer) error { cancel(); return context.Canceled }
	if done, err := f.Fill(stopped, []Question{q}); done != 0 || err != nil {
		t.Errorf("stopped: %d cells, %v", done, err)
	}
}

// TestFillList: a list of all optima is verified beside the value, also where the optima are listed anew; one that has
// too few or another number is wrong. The placements are counted by taking all of them.
func TestFillList(t *testing.T) {
	q := Question{Key: texts.Key{Torus: "3x3", Routing: "udr:tie=plus", Size: 5}, Known: true}
	p := coretest.Must(q.Problem())
	optima, least := searchtest.Best(p)
	q.Below, q.Placement, q.Labelled = least, optima[0], int64(len(optima))
	table := atlas.NewVerified()
	f, saves := filling(table)
	f.Refute = refute.Refute
	value, listed := q, q
	value.Labelled = 0
	listed.Optima, _ = work.OptimaOf(t.Context(), p, q.Below)
	if done, err := f.Fill(t.Context(), []Question{value, q, listed}); done != 2 || *saves != 2 || err != nil {
		t.Fatalf("%d, %v", done, err)
	}
	c, _ := table.Get(q.Key, true)
	if all := table.All(); len(all) != 2 || all[0].Labelled != 0 || !reflect.DeepEqual(all[1], c) ||
		c.Labelled != q.Labelled || c.Open != "" {
		t.Fatalf("%+v", all)
	}
	var wrong *WrongError
	other, fewer := listed, listed
	other.Labelled++
	if _, err := f.Fill(t.Context(), []Question{other}); !errors.As(err, &wrong) {
		t.Errorf("%d of %d optima: %v", other.Labelled, q.Labelled, err)
	}
	orbits := coretest.Must(export.OrbitsOf(p, listed.Optima))
	if len(orbits) < 2 {
		t.Fatal("one orbit")
	}
	fewer.Optima, fewer.Labelled = listed.Optima[1:], q.Labelled-orbits[0].Size
	if _, err := f.Fill(t.Context(), []Question{fewer}); !errors.As(err, &wrong) {
		t.Errorf("a list without an orbit: %v", err)
	}
	if again, _ := table.Get(q.Key, true); !reflect.DeepEqual(again, c) {
		t.Errorf("%+v", again)
	}
}

// TestQuestions: the cells asked about are proved ones of two dimensions, with the value of the atlas, smallest first.
func TestQuestions(t *testing.T) {
	view := coretest.Must(atlas.Shipped())
	list := coretest.Must(Questions(view, atlas.Filter{Torus: "4x4"}, 16, 16, false))
	most := 0
	for _, q := range list {
		cell, _ := view.Cell(q.Key)
		if cell.Status != atlas.Optimal || q.Below.RatString() != cell.MaxLoad || q.Size < most {
			t.Errorf("%s below %s: %+v", q.Key, q.Below.RatString(), cell)
		}
		most = q.Size
	}
	if len(list) != 64 {
		t.Errorf("%d proved cells of 4x4 under odr and udr", len(list))
	}
	for _, q := range coretest.Must(Questions(view, atlas.Filter{To: 5}, 0, 16, true)) {
		cell, _ := view.Cell(q.Key)
		if fmt.Sprint(q.Labelled) != cell.Labelled || q.Optima != nil && len(q.Optima) != cell.Optima {
			t.Errorf("%s: %d optima, %d up to symmetry: %+v", q.Key, q.Labelled, len(q.Optima), cell)
		}
	}
}

// TestRemadeCells makes formulas of the shipped table again, and, where the solver of their run is there in the same
// version, the proofs: the hashes are those of the table.
func TestRemadeCells(t *testing.T) {
	table, view := coretest.Must(atlas.ShippedVerified()), coretest.Must(atlas.Shipped())
	all := table.All()
	if len(all) == 0 {
		t.Skip("the table is empty")
	}
	refute, name, err := certificate.BySolver("cadical")
	if err != nil {
		t.Log("no solver: proofs are not made again")
	}
	proofs := 0
	for i := 0; i < len(all); i += max(1, len(all)/coretest.Cases(40, 12)) {
		c := all[i]
		if c.Open != "" || c.Clauses > 200_000 {
			continue
		}
		p, below := coretest.Must(c.Problem()), coretest.Must(results.ParseFraction(c.Below))
		hash := sha256.New()
		f := work.Formula{Problem: p, Below: below, Format: "dimacs", BreakSymmetry: c.Symmetry}
		var formula dimacs.Formula
		write := coretest.Must(f.Writer(t.Context()))
		if c.Labelled > 0 {
			asked := coretest.Must(Questions(view, atlas.Filter{Torus: c.Torus, Routing: c.Routing, From: c.Size, To: c.Size},
				0, 0, true))
			if len(asked) != 1 {
				t.Fatalf("%d lists of %s", len(asked), c.Key)
			}
			rest := coretest.Must(restOf(t.Context(), p, asked[0]))
			formula, write = rest, rest.WriteFile
		} else {
			formula = coretest.Must(f.Clauses(t.Context()))
		}
		coretest.Try(write(hash))
		if got := hex.EncodeToString(hash.Sum(nil)); got != c.Formula {
			t.Errorf("%s: the formula has the hash %s, the table %s", c.Key, got, c.Formula)
		}
		if err != nil || name != table.Run(c).Refuter || c.Bytes > 1<<18 {
			continue
		}
		proofs++
		hash.Reset()
		steps := lrat.NewWriter(hash, formula.Clauses())
		err := errors.Join(refute(t.Context(), formula, steps), steps.Close())
		if got := hex.EncodeToString(hash.Sum(nil)); err != nil || got != c.Proof {
			t.Errorf("%s: the proof has the hash %s, %v, the table %s", c.Key, got, err, c.Proof)
		}
	}
	t.Logf("%d proofs made again", proofs)
}

// TestTwoRuns: what another run writes to the table between two cells is kept, as is what this run wrote before it.
func TestTwoRuns(t *testing.T) {
	path, hash := filepath.Join(t.TempDir(), "table.jsonl"), strings.Repeat("0a", 32)
	var files [2]*File
	for i := range files {
		files[i] = coretest.Must(Open(t.Context(), path))
		files[i].Begin(atlas.VerifiedRun{Checkers: []atlas.Checker{{Name: "mine"}}})
	}
	for size := 2; size < 8; size++ {
		f := files[size%2]
		err := f.Put(atlas.Verified{Key: texts.Key{Torus: "4x4", Routing: "odr:tie=both", Size: size}, Below: "3",
			Formula: hash, Proof: hash, By: []string{"mine"}})
		if err == nil {
			err = f.Save(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if f, err := Open(t.Context(), path); err != nil || len(f.All()) != 6 {
		t.Errorf("%v, %d of 6 cells", err, len(f.All()))
	}
}
