package check_test

import (
	"context"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/check/census"
	"leeway/results/check/clients"
	"leeway/results/check/meter"
)

// clientRecord returns the record of a random placement under client traffic, with loads by the naive evaluator.
func clientRecord(t *testing.T, i int) results.Record {
	t.Helper()
	rng := coretest.Rng(1320, i)
	p := objective.Problem{Routing: coretest.Orders(rng, coretest.AnyNetwork(rng, 30))}
	traffic := objective.Traffic{Request: 1 + rng.IntN(3), Reply: 1 + rng.IntN(3)}
	if rng.IntN(2) == 0 {
		traffic.Replies = coretest.Orders(rng, p.Torus())
	}
	p = coretest.Must(p.WithTraffic(traffic))
	s := family.Draw(p.Torus(), 1+rng.IntN(p.Torus().N()), rng)
	load, _ := p.Naive(s).Max()
	values := results.Values{Routing: p.Routing, Demand: results.DemandOf(p), Placement: s, MaxLoad: load,
		Provenance: results.Provenance{Started: "2026-01-02T03:04:05Z"}}
	if text, ok := family.Baseline(p.Torus(), s.Size()); ok {
		base, _ := p.Naive(coretest.Must(family.Parse(p.Torus(), text))).Max()
		values.Baseline = &results.Baseline{Placement: text, MaxLoad: base.RatString()}
	}
	return coretest.Must(results.New(values))
}

// TestClientRecords: records of client traffic are valid, read back to the same problem, and wrong as soon as one part
// of the claim is changed.
func TestClientRecords(t *testing.T) {
	for i := range coretest.Cases(200, 50) {
		r := clientRecord(t, i)
		verdict := func(r results.Record) check.Verdict {
			return check.Document(context.Background(), coretest.Must(r.Encode()), "", check.Options{})
		}
		if v := verdict(r); v.Verdict != check.Valid {
			t.Fatalf("case %d: %v", i, v.Reasons)
		}
		p := coretest.Must(coretest.Must(results.ReadRecord(coretest.Must(r.Encode()))).Problem())
		if results.DemandOf(p) != r.Demand || p.Where() != r.Where() {
			t.Fatalf("case %d reads as %s", i, p)
		}
		for name, change := range map[string]func(*results.Record){
			"all to all":        func(r *results.Record) { r.Traffic, r.ReplyRouting, r.MeanDistance = "", "", "" },
			"without the hash":  func(r *results.Record) { r.Traffic = "clients:request=5:reply=5"; r.ClaimSHA256 = "" },
			"not canonical":     func(r *results.Record) { r.Traffic = "clients" },
			"all":               func(r *results.Record) { r.Traffic = "all" },
			"replies as usual":  func(r *results.Record) { r.ReplyRouting = r.Routing },
			"replies unknown":   func(r *results.Record) { r.ReplyRouting = "oder" },
			"replies by avoid":  func(r *results.Record) { r.ReplyRouting = "avoid:tie=both" },
			"distance":          func(r *results.Record) { r.MeanDistance += "1" },
			"then":              func(r *results.Record) { r.Then = "power" },
			"more":              func(r *results.Record) { r.Traffic = strings.Replace(r.Traffic, "reply=", "reply=1", 1) },
			"a bound":           func(r *results.Record) { r.LowerBound = r.MaxLoad },
			"optimal by degree": func(r *results.Record) { optimal(r, boundProof("degree", r.MaxLoad)) },
			"optimal by slices": func(r *results.Record) {
				zero, one := int64(0), 1
				optimal(r, &results.Proof{Kind: results.ProofCensus, Engine: "orderly", Below: r.MaxLoad, Split: &one, Nodes: &zero,
					Slices: []results.Slice{}})
			},
		} {
			if one := slices.Contains([]string{"all to all", "more"}, name); one && r.Size == 0 || r.MaxLoad == "0" {
				continue
			}
			if name == "a bound" || name == "optimal by degree" { // which may be true
				if r.Size == 0 || bound.OfProblem(p.At(r.Size)).Value.Cmp(rat(t, r.MaxLoad)) >= 0 {
					continue
				}
			}
			wrong := r
			change(&wrong)
			if name != "without the hash" {
				wrong.ClaimSHA256 = wrong.Hash()
			}
			if v := verdict(wrong); v.Verdict != check.Wrong {
				t.Errorf("case %d, %s: %s %v", i, name, v.Verdict, v.Reasons)
			}
		}
	}
}

// optimal claims that a record is optimal.
func optimal(r *results.Record, proof *results.Proof) {
	r.Status, r.LowerBound, r.Proof = results.StatusOptimal, r.MaxLoad, proof
}

// TestClientCensus: a full count of client traffic is a proof, unless the count or the value is another. The optima are
// those of a brute force in a separate program.
func TestClientCensus(t *testing.T) {
	for _, c := range []struct {
		where, routed, nodes, load string
		count                      int64
	}{
		{"4x4:open=0,1:traffic=clients:request=1:reply=1", "odr:tie=both", "", "10", 120},
		{"4x4:traffic=clients:request=1:reply=4", "udr:tie=both", "", "61/4", 15},
		{"4x4:traffic=clients:request=1:reply=1:reply-routing=odr:order=1,0:tie=both", "odr:tie=both", "", "6", 15},
	} {
		p := coretest.Must(objective.ParseProblem(c.where, c.routed, 2))
		want := rat(t, c.load)
		var s core.Placement
		for a := range 16 {
			for b := range a {
				q := core.MustPlacement(p.Torus(), []int{a, b})
				if load, _ := p.Naive(q).Max(); load.Cmp(want) == 0 {
					s = q
				}
			}
		}
		if s.Size() != 2 {
			t.Fatalf("%s: no placement with E_max %s", p, c.load)
		}
		r := coretest.Must(results.New(results.Values{Routing: p.Routing, Demand: results.DemandOf(p), Placement: s,
			MaxLoad: want, LowerBound: want, Proof: censusProof(c.count, c.load),
			Provenance: results.Provenance{Started: "2026-01-02T03:04:05Z"}}))
		check3 := func(what, verdict, proof string) {
			t.Helper()
			if v := check.Record(coretest.Must(r.Encode())); v.Verdict != verdict || v.ProofVerdict != proof {
				t.Errorf("%s, %s: %s, proof %s %v", p, what, v.Verdict, v.ProofVerdict, v.Reasons)
			}
		}
		check3("right", check.Valid, check.Verified)
		*r.Proof.Count++
		check3("count", check.Wrong, check.Wrong)
		*r.Proof.Count--
		more := new(big.Rat).Add(want, big.NewRat(1, 1)).RatString()
		r.Proof.Below = more
		check3("below", check.Wrong, check.Wrong)
		d := results.NewBelow(p, rat(t, more))
		d.Infeasible(*r.Proof)
		v := check.Document(context.Background(), coretest.Must(results.Encode(d)), "", check.Options{})
		if v.Verdict != check.Wrong {
			t.Errorf("%s: nothing is below %s: %v", p, more, v)
		}
	}
}

// TestClientTree: a walk of the tree clients is a proof; with another value, count, sum, engine, traffic or condition
// it is none. The optimum is that of a program for integer programming.
func TestClientTree(t *testing.T) {
	coretest.Alone(t)
	for _, c := range []struct{ where, routed, nodes, load string }{
		{"8x8:traffic=clients:request=1:reply=1", "odr:tie=both", "spaced:t=2", "44"},
		{"6x4:open=1:bandwidth=1,2:traffic=clients:request=1:reply=2", "udr:tie=both", "", ""},
	} {
		p := coretest.Must(objective.ParseProblem(c.where, c.routed, 16))
		s, value := core.Placement{}, new(big.Rat)
		if c.nodes != "" {
			s, value = coretest.Must(family.Parse(p.Torus(), c.nodes)), rat(t, c.load)
		} else {
			p = coretest.Must(p.At(7).WithNodes(nil, []int{0, 14}))
			s, value = leastOf(p)
		}
		split, none := 0, int64(0)
		walked := coretest.Must(clients.New(meter.Unlimited(t.Context()), p, p.Size,
			census.Conditions{Fixed: p.Fixed, Forbidden: p.Forbidden}, value, "clients", split))
		proof := &results.Proof{Kind: results.ProofCensus, Engine: "clients", Below: value.RatString(), Split: &split,
			Nodes: &none, Slices: []results.Slice{}}
		for i, prefix := range walked.Prefixes() {
			met := walked.Run(meter.Unlimited(t.Context()), i, i+1, 1<<40)
			*proof.Nodes += met.Nodes
			proof.Slices = append(proof.Slices, results.Slice{First: prefix, Prefixes: 1, Nodes: met.Nodes,
				Sum: fmt.Sprintf("%016x", met.Sum)})
		}
		values := results.Values{Routing: p.Routing, Demand: results.DemandOf(p), Conditions: results.ConditionsOf(p),
			Placement: s, MaxLoad: value, LowerBound: value, Proof: proof,
			Provenance: results.Provenance{Started: "2026-01-02T03:04:05Z"}}
		if text, ok := family.Baseline(p.Torus(), p.Size); ok {
			base, _ := p.Naive(coretest.Must(family.Parse(p.Torus(), text))).Max()
			values.Baseline = &results.Baseline{Placement: text, MaxLoad: base.RatString()}
		}
		right := coretest.Must(results.New(values))
		if v := check.Record(coretest.Must(right.Encode())); v.Verdict != check.Valid || v.ProofVerdict != check.Verified {
			t.Errorf("%s: %s, proof %s %v", p, v.Verdict, v.ProofVerdict, v.Reasons)
		}
		for name, change := range map[string]func(r *results.Record, p *results.Proof){
			"another engine": func(_ *results.Record, p *results.Proof) { p.Engine = "margin" },
			"a split":        func(_ *results.Record, p *results.Proof) { one := 1; p.Split = &one },
			"more nodes":     func(_ *results.Record, p *results.Proof) { more := *p.Nodes + 1; p.Nodes = &more },
			"one slice more": func(_ *results.Record, p *results.Proof) {
				p.Slices = append(p.Slices, results.Slice{First: []int{9, 9}, Prefixes: 1, Sum: "0000000000000000"})
			},
			"more replies":  func(r *results.Record, _ *results.Proof) { r.Traffic = "clients:request=1:reply=7" },
			"other replies": func(r *results.Record, _ *results.Proof) { r.ReplyRouting = "odr:order=1,0:tie=both" },
			"all to all":    func(r *results.Record, _ *results.Proof) { r.Traffic, r.MeanDistance = "", "" },
			"a condition":   func(r *results.Record, _ *results.Proof) { r.Forbidden = r.Nodes[:1] },
			"a higher value": func(r *results.Record, p *results.Proof) {
				more := new(big.Rat).Add(value, big.NewRat(1, 1)).RatString()
				p.Below, r.MaxLoad, r.LowerBound = more, more, more
			},
			"a slice less": func(_ *results.Record, p *results.Proof) {
				if len(p.Slices) > 0 {
					p.Slices = p.Slices[1:]
				} else {
					p.Slices = nil
				}
			},
		} {
			wrong, forged := right, *proof
			forged.Slices = slices.Clone(proof.Slices)
			wrong.Proof = &forged
			change(&wrong, &forged)
			wrong.ClaimSHA256 = wrong.Hash()
			if v := check.Record(coretest.Must(wrong.Encode())); v.Verdict == check.Valid {
				t.Errorf("%s, %s: valid", p, name)
			}
		}
	}
}

// leastOf returns the best placement of a problem by trying all, and its E_max.
func leastOf(p objective.Problem) (best core.Placement, value *big.Rat) {
	evaluator := p.Evaluator()
	for set := range uint64(1) << p.Torus().N() {
		if bits.OnesCount64(set) != p.Size || !p.AdmitsSet(core.Set{set}) {
			continue
		}
		s := core.MustPlacement(p.Torus(), core.Set{set}.Nodes())
		if v, _ := evaluator.Loads(s).Max(); value == nil || v.Cmp(value) < 0 {
			best, value = s, v
		}
	}
	return best, value
}

// TestClientBounds: lists of bounds of client traffic are valid, for a size and for a placement, and wrong as soon as a
// value, a witness or the traffic is another.
func TestClientBounds(t *testing.T) {
	coretest.Alone(t)
	for i := range coretest.Cases(150, 40) {
		rng := coretest.Rng(1330, i)
		torus := coretest.AnyNetwork(rng, 16)
		p := objective.Problem{Routing: coretest.Orders(rng, torus), Size: 1 + rng.IntN(torus.N())}
		p = coretest.Must(p.WithTraffic(objective.Traffic{Request: 1 + rng.IntN(3), Reply: 1 + rng.IntN(3)}))
		list := coretest.Must(bound.ForProblem(context.Background(), p))
		d := results.NewBounds(p.Routing, p.Size, nil, list, bound.Best(list))
		if i%2 == 1 {
			s := family.Draw(torus, p.Size, rng)
			list = bound.ForPlacementOfClients(context.Background(), p, s)
			d = results.NewBounds(p.Routing, p.Size, &s, list, bound.Best(list))
		}
		d.Demand = results.DemandOf(p)
		verdict := func(d results.Bounds) check.Verdict {
			return check.Document(context.Background(), coretest.Must(results.Encode(d)), "", check.Options{})
		}
		if v := verdict(d); v.Verdict != check.Valid {
			t.Fatalf("case %d, %s: %v", i, p, v.Reasons)
		}
		if bound.Best(list).Value.Sign() == 0 {
			continue
		}
		wrong := d
		wrong.Traffic = "clients:request=7:reply=9"
		if v := verdict(wrong); v.Verdict != check.Wrong {
			t.Errorf("case %d, %s: more messages are %s", i, p, v.Verdict)
		}
		for j, b := range d.Bounds {
			for name, change := range map[string]func(b *results.Bound){
				"value":    func(b *results.Bound) { b.Value = rat(t, b.Value).Add(rat(t, b.Value), big.NewRat(1, 7)).RatString() },
				"distance": func(b *results.Bound) { b.Witness.Distance += "1" },
				"links":    func(b *results.Bound) { b.Witness.Links++ },
				"weights": func(b *results.Bound) {
					b.Witness.Weights = slices.Clone(b.Witness.Weights)
					if len(b.Witness.Weights) > 0 {
						b.Witness.Weights[0].Weight = "-1"
					} else {
						b.Witness.Weights = []objective.LinkWeight{{From: make([]int, torus.D()), Dir: "+", Weight: "1"}}
					}
				},
				"set": func(b *results.Bound) { b.Witness.Set = append(slices.Clone(b.Witness.Set), torus.Coords(0)) },
			} {
				if b.Value == "0" {
					continue
				}
				wrong := d
				wrong.Bounds = slices.Clone(d.Bounds)
				change(&wrong.Bounds[j])
				if v := verdict(wrong); v.Verdict != check.Wrong {
					t.Errorf("case %d, %s: %s with another %s is %s", i, p, b.Name, name, v.Verdict)
				}
			}
		}
	}
}
