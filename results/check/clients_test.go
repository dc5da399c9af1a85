package check_test

import (
	"context"
	"encoding/json"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/lowerbound"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/answers"
	"leeway/results/check"
	"leeway/results/compose"
	"leeway/results/layout"
	"leeway/results/resultstest"
	"leeway/search/searchtest"
)

// clientRecord returns the record of a random placement under client traffic, with loads by the naive evaluator.
func clientRecord(t *testing.T, i int) results.Record {
	t.Helper()
	rng := coretest.Rng(1320, i)
	p := objective.Problem{Routing: coretest.Orders(rng, coretest.AnyNetwork(rng, 14))}
	traffic := objective.Traffic{Request: 1 + rng.IntN(3), Reply: 1 + rng.IntN(3)}
	if rng.IntN(2) == 0 {
		traffic.Replies = coretest.Orders(rng, p.Torus())
	}
	p = coretest.Must(p.WithTraffic(traffic))
	s := family.Draw(p.Torus(), 1+rng.IntN(p.Torus().N()), rng)
	load, _ := p.Naive(s).Max()
	values := compose.Values{Routing: p.Routing, Setting: compose.SettingOf(p), Placement: s, MaxLoad: load,
		Provenance: results.Provenance{Started: "2026-01-02T03:04:05Z"}}
	if text, ok := family.Baseline(p.Torus(), s.Size()); ok {
		base, _ := p.Naive(coretest.Must(family.Parse(p.Torus(), text))).Max()
		values.Baseline = &results.Baseline{Placement: text, MaxLoad: base.RatString()}
	}
	return coretest.Must(compose.New(values))
}

// TestClientRecords: records of client traffic are valid, read back to the same problem, and wrong as soon as one part
// of the claim is changed.
func TestClientRecords(t *testing.T) {
	coretest.Alone(t)
	for i := range coretest.Cases(200, 20) {
		r := clientRecord(t, i)
		verdict := func(r results.Record) check.Verdict {
			return produced(t, coretest.Must(layout.Encode(r)))
		}
		if v := verdict(r); v.Verdict != check.Valid {
			t.Fatalf("case %d: %v", i, v.Reasons)
		}
		p := coretest.Must(compose.ProblemOf(coretest.Must(results.ReadRecord(coretest.Must(layout.Encode(r))))))
		if !reflect.DeepEqual(compose.SettingOf(p), r.Setting) || p.Where() != r.Where() {
			t.Fatalf("case %d reads as %s", i, p)
		}
		most := strconv.Quote(r.MaxLoad)
		optimal := func(kind string) []string {
			return []string{`status="optimal"`, "lower_bound=" + most,
				`proof={"kind":"` + kind + `","engine":"","below":` + most + "}"}
		}
		for name, changes := range map[string][]string{
			"all to all":       {"-traffic", "-reply_routing", "-mean_distance"},
			"without the hash": {`traffic="clients:request=5:reply=5"`, `claim_sha256=""`},
			"not canonical":    {`traffic="clients"`},
			"all":              {`traffic="all"`},
			"replies as usual": {"reply_routing=" + strconv.Quote(r.Routing)},
			"replies unknown":  {`reply_routing="oder"`},
			"replies by avoid": {`reply_routing="avoid:tie=both"`},
			"distance":         {"mean_distance=" + strconv.Quote(r.MeanDistance+"1")},
			"then":             {`then="power"`},
			"more":             {"traffic=" + strconv.Quote(strings.Replace(r.Traffic, "reply=", "reply=1", 1))},
			"a bound":          {"lower_bound=" + most},
			"optimal by bound": optimal("bound"),
			"optimal by steps": optimal("steps"),
		} {
			if one := slices.Contains([]string{"all to all", "more"}, name); one && r.Size == 0 || r.MaxLoad == "0" {
				continue
			}
			if _, least := leastOf(p.WithSize(r.Size)); least.Cmp(rat(r.MaxLoad)) == 0 &&
				slices.Contains([]string{"a bound", "optimal by bound", "optimal by steps"}, name) {
				continue // it is true
			}
			if v := produced(t, resultstest.Forged(r, changes...)); v.Verdict != check.Wrong {
				t.Errorf("case %d, %s: %s %v", i, name, v.Verdict, v.Reasons)
			}
		}
	}
}

// TestClientSteps: steps about client traffic are a proof; with another value, engine, traffic or condition the same
// record is wrong unless brute force says that it is right. The optima are those of brute force in a separate
// program, or of a program for integer programming.
func TestClientSteps(t *testing.T) {
	coretest.Alone(t)
	const cornered = "6x4:open=1:bandwidth=1,2:traffic=clients:request=1:reply=2:fixed=0,0:forbidden=3,2"
	for _, c := range []struct {
		where, routed, nodes, load string
		size                       int
	}{
		{"4x4:open=0,1:traffic=clients:request=1:reply=1", "odr:tie=both", "", "10", 2},
		{"4x4:traffic=clients:request=1:reply=4", "udr:tie=both", "", "61/4", 2},
		{"4x4:traffic=clients:request=1:reply=1:reply-routing=odr:order=1,0:tie=both", "odr:tie=both", "", "6", 2},
		{"8x8:traffic=clients:request=1:reply=1", "odr:tie=both", "spaced:t=2", "44", 16},
		{cornered, "udr:tie=both", "", "", 4},
	} {
		p := coretest.Must(texts.ParseProblem(c.where, c.routed, c.size))
		var s core.Placement
		var value *big.Rat
		if c.nodes != "" {
			s, value = coretest.Must(family.Parse(p.Torus(), c.nodes)), rat(c.load)
		} else if s, value = leastOf(p); c.load != "" && value.RatString() != c.load {
			t.Fatalf("%s: the least is %s, not %s", p, value.RatString(), c.load)
		}
		values := compose.Values{Routing: p.Routing, Setting: compose.SettingOf(p),
			Placement: s, MaxLoad: value, LowerBound: value, Proof: stepsProof(value.RatString()),
			Provenance: results.Provenance{Started: "2026-01-02T03:04:05Z"}}
		if text, ok := family.Baseline(p.Torus(), p.Size); ok {
			if named := coretest.Must(family.Parse(p.Torus(), text)); p.Admits(named) {
				base, _ := p.Naive(named).Max()
				values.Baseline = &results.Baseline{Placement: text, MaxLoad: base.RatString()}
			}
		}
		right := coretest.Must(compose.New(values))
		if v := produced(t, coretest.Must(layout.Encode(right))); v.Verdict != check.Valid ||
			v.ProofVerdict != check.Verified {
			t.Errorf("%s: %s, proof %s %v", p, v.Verdict, v.ProofVerdict, v.Reasons)
		}
		if c.nodes != "" {
			continue // what is wrong with it takes long
		}
		more := new(big.Rat).Add(value, big.NewRat(1, 1))
		d := compose.NewBelow(p, more)
		d.Infeasible(*stepsProof(more.RatString()))
		if v := produced(t, coretest.Must(layout.Encode(d))); v.Verdict != check.Wrong || v.ProofVerdict != check.Wrong {
			t.Errorf("%s: nothing is below %s: %v", p, more.RatString(), v)
		}
		higher := "=" + strconv.Quote(more.RatString())
		for name, changes := range map[string][]string{
			"another engine": {`proof.engine="margin"`},
			"more replies":   {`traffic="clients:request=1:reply=7"`},
			"other replies":  {`reply_routing="odr:order=0,1:tie=plus"`},
			"all to all":     {"-traffic", "-mean_distance"},
			"a condition":    {"forbidden=" + string(coretest.Must(json.Marshal(right.Nodes[:1])))},
			"a value":        {"proof.below" + higher},
			"a higher value": {"proof.below" + higher, "max_load" + higher, "lower_bound" + higher},
		} {
			if v := produced(t, resultstest.Forged(right, changes...)); v.Verdict == check.Valid {
				t.Errorf("%s, %s: valid", p, name)
			}
		}
	}
}

// leastOf returns one of the best placements of a problem by trying all, and its E_max.
func leastOf(p objective.Problem) (best core.Placement, value *big.Rat) {
	list, value := searchtest.Best(p)
	if value != nil {
		best = list[0]
	}
	return best, value
}

// TestClientBounds: lists of bounds of client traffic are valid, for a size and for a placement; a list with another
// value or traffic is wrong unless brute force says that it holds.
func TestClientBounds(t *testing.T) {
	coretest.Alone(t)
	lies := 0
	for i := range coretest.Cases(150, 40) {
		rng := coretest.Rng(1330, i)
		torus := coretest.AnyNetwork(rng, 12)
		p := objective.Problem{Routing: coretest.Orders(rng, torus), Size: 1 + rng.IntN(torus.N())}
		p = coretest.Must(p.WithTraffic(objective.Traffic{Request: 2 + rng.IntN(3), Reply: 2 + rng.IntN(3)}))
		list := coretest.Must(bound.ProblemBounds(context.Background(), p))
		d := compose.NewBounds(p.Routing, p.Size, nil, list, bound.Best(list))
		truth := func(p objective.Problem) *big.Rat { _, least := leastOf(p); return least }
		if i%2 == 1 {
			s := family.Draw(torus, p.Size, rng)
			list = bound.ClientPlacementBounds(context.Background(), p, s)
			d = compose.NewBounds(p.Routing, p.Size, &s, list, bound.Best(list))
			truth = func(p objective.Problem) *big.Rat { most, _ := p.Naive(s).Max(); return most }
		}
		d.Setting = compose.SettingOf(p)
		judge := func(what string, d answers.Bounds, p objective.Problem) {
			t.Helper()
			right := rat(d.Best).Cmp(truth(p)) <= 0
			if v := produced(t, coretest.Must(layout.Encode(d))); (v.Verdict == check.Valid) != right ||
				v.Verdict != check.Valid && v.Verdict != check.Wrong {
				t.Errorf("case %d, %s, %s: best %s, least %s: %s %v", i, p, what, d.Best, truth(p).RatString(), v.Verdict,
					v.Reasons)
			}
			if !right {
				lies++
			}
		}
		judge("as it is", d, p)
		fewer := coretest.Must(p.WithTraffic(objective.Traffic{Request: 1, Reply: 1}))
		wrong := d
		wrong.Setting = compose.SettingOf(fewer)
		judge("with fewer messages", wrong, fewer)
		for j, b := range d.Bounds {
			wrong := d
			wrong.Bounds = slices.Clone(d.Bounds)
			wrong.Bounds[j] = answers.Bound{Name: b.Name, Value: new(big.Rat).Add(truth(p), big.NewRat(1, 7)).RatString()}
			wrong.Best, wrong.Reason = wrong.Bounds[j].Value, b.Name
			if b.Name == lowerbound.Granularity {
				continue // it has another reason
			}
			judge("with a larger "+b.Name, wrong, p)
		}
	}
	if lies < 40 {
		t.Errorf("only %d lists became false", lies)
	}
}
