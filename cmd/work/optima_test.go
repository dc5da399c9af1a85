package work

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
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
		answer.Record.MaxLoad != proved.Record.MaxLoad || !strings.Contains(fmt.Sprint(remarks), "more --time") {
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
