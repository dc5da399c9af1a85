package worst_test

import (
	"reflect"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective/worst"
	"leeway/results/answers"
	"leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/compose"
	"leeway/results/layout"
	"leeway/results/resultstest"
)

func judge(t *testing.T, d answers.Worst) check.Verdict {
	t.Helper()
	return documents.Document(t.Context(), coretest.Must(layout.Encode(d)), "", check.Options{})
}

// TestWorstCasesAreVerified: what the evaluator finds is valid, on every kind of network and routing, and no longer is
// with another load, another receiver, lower potentials, or a link left out.
func TestWorstCasesAreVerified(t *testing.T) {
	forged := map[string]int{}
	for i := range coretest.Cases(600, 100) {
		rng := coretest.Rng(378, i)
		torus := coretest.AnyNetwork(rng, 24)
		if i%7 == 1 {
			torus = coretest.Given(rng, 9)
		}
		r := coretest.Routing(rng, torus)
		if i%6 == 0 && torus.HasDimensions() {
			r = coretest.Table(rng, torus, !torus.Closed() || i%12 == 0)
		}
		if r.DependsOnPlacement() {
			continue
		}
		s := family.Draw(torus, rng.IntN(min(torus.N(), 9)+1), rng)
		if i%5 == 0 {
			s = coretest.Must(family.Parse(torus, "full"))
		}
		what := coretest.Instance{Torus: torus, Routing: r, Placement: s}.String()
		d := compose.NewWorst(r, s, coretest.Must(worst.NewFor(r, s)).Case(s.Nodes()))
		if v := judge(t, d); v.Verdict != check.Valid || v.ProofVerdict != check.Verified || len(v.Reasons) > 0 {
			t.Fatalf("%s: %s, proof %s: %v", what, v.Verdict, v.ProofVerdict, v.Reasons)
		}
		if d.WorstLoad == "0" {
			continue
		}
		refused := func(name, reason string, d answers.Worst) {
			t.Helper()
			v := judge(t, d)
			if v.Verdict != check.Wrong || !strings.Contains(strings.Join(v.Reasons, ";"), reason) {
				t.Fatalf("%s, %s: %s, %v", what, name, v.Verdict, v.Reasons)
			}
			forged[name]++
		}
		more := d
		more.WorstLoad = "1000000"
		refused("a larger load", "not 1000000", more)
		twice := d
		twice.Permutation = append([][2][]int{}, d.Permutation...)
		twice.Permutation[0][1] = twice.Permutation[len(twice.Permutation)-1][1]
		refused("a receiver twice", "every processor once", twice)
		fewer := d
		fewer.Potentials = d.Potentials[1:]
		refused("a link left out", "has potentials", fewer)
		for j, p := range d.Potentials {
			total := answers.Potential{Name: p.Name, Sends: make([]string, s.Size()), Receives: make([]string, s.Size())}
			for k := range total.Sends {
				total.Sends[k], total.Receives[k] = "0", "0"
			}
			if !reflect.DeepEqual(*d.WorstLink, p.Name) {
				continue
			}
			low := d
			low.Potentials = append([]answers.Potential{}, d.Potentials...)
			low.Potentials[j] = total
			refused("no potentials", "than their potentials", low)
		}
		less := d
		less.WorstLoad = "0"
		less.WorstLink = nil
		refused("a smaller load", "add up to", less)
	}
	if len(forged) != 5 {
		t.Errorf("forgeries: %v", forged)
	}
}

// TestUnreadable: what is no placement, no routing or no link is refused with its name.
func TestUnreadable(t *testing.T) {
	s := coretest.Must(family.Parse(core.MustTorus(4, 4), "linear"))
	r := coretest.Must(routing.Parse(s.Torus(), "odr"))
	good := compose.NewWorst(r, s, coretest.Must(worst.New(r)).Case(s.Nodes()))
	for reason, changes := range map[string]string{
		"unknown routing":    `routing="xyz"`,
		"size is 7":          "size=7",
		"no fraction":        `worst_load="-1"`,
		"depend on the":      `routing="avoid:tie=both"`,
		"dimension 9 lies":   `worst_link={"from":[0,0],"dim":9,"dir":"+"}`,
		"worst_link is null": "worst_link=null",
	} {
		d := resultstest.Changed(good, changes)
		if v := judge(t, d); v.Verdict == check.Valid || !strings.Contains(strings.Join(v.Reasons, ";"), reason) {
			t.Errorf("%s: %s, %v", reason, v.Verdict, v.Reasons)
		}
	}
}
