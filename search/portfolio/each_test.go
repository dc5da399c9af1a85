package portfolio_test

import (
	"encoding/json"
	"testing"

	"leeway/core/coretest"
	"leeway/objective"
	"leeway/search"
	"leeway/search/portfolio"
	"leeway/search/refuters"
	"leeway/search/sat"
	"leeway/search/searchtest"
	"leeway/search/searchtest/exhaustive"
)

// every lists all methods, those of all() among them.
func every() []search.Method {
	var race refuters.Race
	list := append(all(), exhaustive.Method{}, sat.New())
	for _, r := range refuters.Deciding(refuters.All()) {
		m := refuters.Method{Refuter: r}
		list, race.Methods = append(list, m), append(race.Methods, m)
	}
	return append(list, race)
}

// TestEveryMethodResumed stops each method alone after every epoch: resumed it ends as
// if it had been left alone, on each of the problems that it can treat.
func TestEveryMethodResumed(t *testing.T) {
	for _, m := range every() {
		epochs := 0
		for _, problem := range []objective.Problem{searchtest.Problem("4x5", "odr", 7),
			searchtest.Problem("3x3x2", "udr:tie=both", 6)} {
			if m.Supports(problem) != nil {
				continue
			}
			p := search.Params{Problem: problem, Seed: 6, Evaluations: 12_000, Workers: 2}
			want := history(t, p, nil, m)
			epochs += len(want) - 1
			for i, checkpoint := range want[:len(want)-1] {
				var s portfolio.State
				coretest.Try(json.Unmarshal([]byte(checkpoint), &s))
				same(t, m.Name()+" on "+problem.String(), history(t, p, &s, m), want[i+1:])
			}
		}
		if epochs == 0 {
			t.Errorf("%s: not one epoch", m.Name())
		}
	}
}
