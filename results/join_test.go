package results_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"leeway/core/coretest"
	"leeway/results"
	"leeway/results/check"
)

// TestJoined: joined slices are ranges of the slices in their order with the same prefixes, nodes and sum modulo
// 2^64, and joining in two steps is joining in one.
func TestJoined(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	for range 3000 {
		var p results.Proof
		for i := range rng.IntN(12) {
			p.Slices = append(p.Slices, results.Slice{First: []int{i}, Prefixes: 1 + rng.IntN(5),
				Nodes: rng.Int64N(100) * rng.Int64N(2), Sum: fmt.Sprintf("%016x", rng.Uint64())})
		}
		most := 1 + rng.IntN(4)
		j := p.Joined(most)
		if len(j.Slices) > most || len(p.Slices) <= most && !reflect.DeepEqual(j.Slices, p.Slices) {
			t.Fatalf("%d slices became %d, at most %d", len(p.Slices), len(j.Slices), most)
		}
		var have, want [2]uint64
		at := 0
		for _, s := range j.Slices {
			if !reflect.DeepEqual(s.First, p.Slices[at].First) {
				t.Fatalf("%+v does not start where %+v ends", j, p)
			}
			for left := s.Prefixes; left > 0; at++ {
				left -= p.Slices[at].Prefixes
			}
			have[0] += uint64(s.Nodes)
			have[1] += sum(t, s)
		}
		for _, s := range p.Slices {
			want[0] += uint64(s.Nodes)
			want[1] += sum(t, s)
		}
		if at != len(p.Slices) || have != want || !reflect.DeepEqual(j.Joined(1), p.Joined(1)) {
			t.Fatalf("%+v became %+v", p, j)
		}
	}
	if (*results.Proof)(nil).Joined(1) != nil {
		t.Error("no proof became one")
	}
	odd := &results.Proof{Slices: []results.Slice{{Sum: "x"}, {Sum: "y"}}}
	if odd.Joined(1) != odd {
		t.Error("sums that are none were added")
	}
}

func sum(t *testing.T, s results.Slice) uint64 {
	var v uint64
	if _, err := fmt.Sscanf(s.Sum, "%x", &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestJoinedVerifies: the checker goes along with joined slices of every tree, and still tells a wrong count.
func TestJoinedVerifies(t *testing.T) {
	coretest.Alone(t)
	joined := 0
	for _, name := range []string{"5x5-10-monotone", "5x5-9-margin", "5x5-9-orderly", "5x5x5-25-levels"} {
		data, err := os.ReadFile(filepath.Join("check/testdata/valid", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := results.ReadRecord(data)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Proof.Slices) > 1 {
			joined++
		}
		for most := 1; most <= 3; most++ {
			r.Proof = r.Proof.Joined(most)
			if v := verdict(t, r); v.ProofVerdict != check.Verified {
				t.Errorf("%s, %d slices: %+v", name, most, v)
			}
		}
		off := *r.Proof
		off.Slices = append([]results.Slice(nil), off.Slices...)
		off.Slices[0].Nodes++
		*off.Nodes++
		r.Proof = &off
		if v := verdict(t, r); v.ProofVerdict != check.Wrong {
			t.Errorf("%s with a node too many: %+v", name, v)
		}
	}
	if joined < 2 {
		t.Errorf("only %d proofs had slices to join", joined)
	}
}

func verdict(t *testing.T, r results.Record) check.Verdict {
	text, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return check.Document(context.Background(), text, "", check.Options{})
}
