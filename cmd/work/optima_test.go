package work

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/results/check"
	"leeway/results/layout"
	"leeway/search"
	"leeway/search/portfolio"
	"leeway/search/searchtest"
)

// TestListingKeepsToTheTime: what is proved when the time is over is a record, without the list.
func TestListingKeepsToTheTime(t *testing.T) {
	var remarks []string
	s := &Session{Version: Version, Workers: 1}
	task := Task{Problem: searchtest.Problem("4x4", "udr", 5), Proof: &Proof{Engine: EngineAuto}}
	proved := coretest.Must(s.Solve(t.Context(), task))
	task.Proof.All = true
	s.Remark = func(format string, args ...any) { remarks = append(remarks, fmt.Sprintf(format, args...)) }
	r := &run{Session: s, Task: task}
	answer, err := r.conclude(t.Context(), coretest.EndsAfter(0), *proved.Record, portfolio.Outcome{})
	if err != nil || answer.Record == nil || answer.Record.Optima != nil || answer.Record.Orbits != nil ||
		answer.Record.MaxLoad != proved.Record.MaxLoad || !strings.Contains(fmt.Sprint(remarks), "a longer --time") {
		t.Errorf("%+v, %v, %q", answer.Record, err, remarks)
	}
	answer, err = r.conclude(t.Context(), t.Context(), *proved.Record, portfolio.Outcome{})
	if err != nil || answer.Record.Optima == nil {
		t.Errorf("with time: %+v, %v", answer.Record, err)
	}
}

// TestListsThatCannotBeAreRefusedFirst: before any work, so that no value is lost.
func TestListsThatCannotBeAreRefusedFirst(t *testing.T) {
	clients := coretest.Must(searchtest.Problem("3x3:open=0,1", "odr", 2).WithTraffic(
		objective.Traffic{Request: 1, Reply: 1}))
	s := &Session{Workers: 1, Observer: Observer{Event: func(search.Event) { t.Error("work begins") }}}
	task := Task{Problem: clients, Proof: &Proof{Engine: EngineAuto, All: true}}
	err := s.All(t.Context(), []Task{task}, func(Task, Answer, error) error { return errors.New("it is worked on") })
	if input := (*core.InputError)(nil); !errors.As(err, &input) {
		t.Error(err)
	}
}

// TestListsAreWhole compares lists of optima with all placements, and has the checker refuse one without an orbit.
func TestListsAreWhole(t *testing.T) {
	inSteps := 0
	for i := range coretest.Cases(300, 40) {
		rng := coretest.Rng(12, i)
		p := searchtest.Conditioned(rng, 10)
		least := searchtest.Optimum(p)
		if least == nil || listable(p) != nil {
			continue
		}
		s := &Session{Version: Version, Workers: 1, Known: &Known{}}
		proof := &Proof{Engine: EngineAuto, All: true}
		answer, err := s.Solve(t.Context(), Task{Problem: p, Budget: Budget{Seed: 1}, Proof: proof})
		if err != nil || answer.Record == nil || answer.Record.Labelled == nil {
			t.Fatalf("case %d: %s: %+v, %v", i, p, answer, err)
		}
		r := *answer.Record
		if want := countOf(p, least); r.MaxLoad != least.RatString() || *r.Labelled != want {
			t.Fatalf("case %d: %s: %d with %s, want %d with %s", i, p, *r.Labelled, r.MaxLoad, want, least.RatString())
		}
		if v := verdictOf(t, coretest.Must(layout.Encode(r))); v.Verdict != check.Valid {
			t.Fatalf("case %d: %s: %s, %q", i, p, v.Verdict, v.Reasons)
		}
		if r.Proof.Placed == nil {
			continue
		}
		if inSteps++; *r.Orbits < 2 {
			continue
		}
		own, orbits := (*r.Optima)[1:], r.OptimaOrbits[1:]
		*r.Labelled -= r.OptimaOrbits[0].Size
		*r.Orbits--
		r.Optima, r.OptimaOrbits, r.Nodes = &own, orbits, own[0]
		r.ClaimSHA256 = r.Hash()
		if v := verdictOf(t, coretest.Must(layout.Encode(r))); v.Verdict != check.Wrong ||
			!strings.Contains(strings.Join(v.Reasons, "\n"), "orbits are counted here") {
			t.Errorf("case %d: %s without an orbit: %s, %q", i, p, v.Verdict, v.Reasons)
		}
	}
	if inSteps < 10 {
		t.Errorf("only %d lists are in steps", inSteps)
	}
}

// countOf returns how many placements that a problem admits have a value, by the definition.
func countOf(p objective.Problem, value *big.Rat) (count int64) {
	for _, most := range searchtest.Placements(p) {
		if most.Cmp(value) == 0 {
			count++
		}
	}
	return count
}
