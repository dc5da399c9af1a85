package work_test

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"leeway/cmd/work"
	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/layout"
	"leeway/results/resultstest"
)

// TestAssignedRecords: records of assignments are valid, with their proofs, and no change of them is.
func TestAssignedRecords(t *testing.T) {
	judge := func(r results.Record) check.Verdict {
		return documents.Document(context.Background(), coretest.Must(layout.Encode(r)), "", check.Options{Workers: 1})
	}
	kinds := map[string]int{}
	for i := range coretest.Cases(24, 12) {
		rng := coretest.Rng(3530, i)
		torus := core.MustTorus(3, 2+rng.IntN(2))
		k := 2 + rng.IntN(5)
		var pairs [][2]int
		var amounts []*big.Rat
		for from := range k {
			for to := range k {
				if from != to && rng.IntN(2) == 0 {
					pairs = append(pairs, [2]int{from, to})
					amounts = append(amounts, big.NewRat(int64(1+rng.IntN(5)), int64(1+rng.IntN(2))))
				}
			}
		}
		pairs, amounts = append(pairs, [2]int{k, 0}), append(amounts, big.NewRat(2, 1))
		m := coretest.Must(objective.NewMatrix(k+1, pairs, amounts, func(int) string { return "" }))
		p := coretest.Must(objective.Problem{Routing: routing.NewUDR(torus, routing.TieBoth)}.WithTraffic(
			objective.Traffic{Matrix: m, PerNode: 1 + rng.IntN(3)/2*1 + k/6}))
		if rng.IntN(3) == 0 {
			p.Pinned = []objective.Pin{{Task: 0, Node: 1}}
		}
		s := &work.Session{Version: "test", Workers: 1}
		task := work.Task{Problem: p, Budget: work.Budget{Seed: 1, Evaluations: 40000}}
		if i%4 > 0 {
			task.Proof = &work.Proof{Engine: work.EngineAuto}
		}
		answer := coretest.Must(s.Solve(t.Context(), task))
		r := *answer.Record
		if v := judge(r); v.Verdict != check.Valid || (r.Proof != nil) != (v.ProofVerdict == check.Verified) {
			t.Fatalf("case %d: %v\n%s", i, v, coretest.Must(layout.Encode(r)))
		}
		if r.Proof != nil {
			kinds[r.Proof.Kind]++
		}
		back := coretest.Must(results.ReadRecord(coretest.Must(layout.Encode(r))))
		read := coretest.Must(back.Setting.Apply(objective.Problem{Routing: p.Routing}))
		if read.Where() != p.Where() || back.Where() != p.Where() {
			t.Errorf("%s reads as %s, %s", p.Where(), read.Where(), back.Where())
		}
		first, second := r.Assignment[0][1], r.Assignment[1][1]
		for name, changes := range map[string]string{
			"load":     `max_load="1/7"`,
			"bound":    `lower_bound="` + r.MaxLoad + `"; status="feasible"; proof=null`,
			"hash":     `matrix_sha256="` + strings.Repeat("0", 64) + `"`,
			"matrix":   "-matrix",
			"task":     "-assignment.0",
			"twice":    "assignment.1.0=0",
			"node":     fmt.Sprintf("assignment.0.1=%d", torus.N()),
			"nodes":    "-nodes.0",
			"traffic":  `traffic="clients:request=1:reply=1"`,
			"no task":  "-assignment",
			"crowded":  fmt.Sprintf("-per_node; assignment.0.1=%d", second),
			"per node": "per_node=-1",
			"fixed":    fmt.Sprintf("fixed_tasks=[[0,%d]]", (first+1)%torus.N()),
		} {
			if v := judge(resultstest.Changed(r, changes)); v.Verdict == check.Valid {
				t.Errorf("case %d: %s is not noticed", i, name)
			}
		}
		if r.Proof == nil || r.Proof.Kind != results.ProofAssignments {
			continue
		}
		// A value above the least one is not optimal, though all else is right.
		var list []int
		for task := range m.Tasks {
			list = append(list, (r.Assignment[task][1]*5+task)%torus.N())
		}
		worse := coretest.Must(p.Place(list))
		if p.Refusal(worse) != "" {
			continue
		}
		e := coretest.Must(work.Evaluate(t.Context(), p, worse, false, false))
		if e.MaxLoad == r.MaxLoad {
			continue
		}
		wrong := r
		wrong.Assignment, wrong.Nodes, wrong.Size = e.Assignment, e.Nodes, e.Size
		wrong.MaxLoad, wrong.LowerBound = e.MaxLoad, e.MaxLoad
		wrong.Proof = &results.Proof{Kind: results.ProofAssignments, Engine: "assign", Below: e.MaxLoad}
		wrong.ClaimSHA256 = wrong.Hash()
		if v := judge(wrong); v.Verdict == check.Valid || v.ProofVerdict == check.Verified {
			t.Errorf("case %d: %s is optimal, and so is %s", i, e.MaxLoad, r.MaxLoad)
		}
	}
	if kinds[results.ProofAssignments] < 3 {
		t.Errorf("proofs: %v", kinds)
	}
}
