package cluster

import (
	"context"
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/objective"
	"leeway/search/census"
	"leeway/search/cluster/queue"
	"leeway/search/cluster/queue/queuetest"
	"leeway/search/searchtest"
)

// empty is an engine whose tree has a node for each prefix and nothing else.
type empty struct{ prefixes int }

func (e empty) Name() string                     { return "empty" }
func (e empty) Supports(objective.Problem) error { return nil }
func (e empty) Plan(context.Context, objective.Problem, *big.Rat, int) (census.Plan, error) {
	plan := make(fixed, e.prefixes)
	for i := range plan {
		plan[i] = []int{i}
	}
	return &emptyPlan{plan}, nil
}

type emptyPlan struct{ fixed }

func (p *emptyPlan) Walker() census.Walker { return p }
func (p *emptyPlan) Walk(i int, poll func(int64) bool) census.Tally {
	poll(1)
	return census.Tally{Nodes: 1, Sum: census.Hash(0, i), Found: core.Placement{}}
}

// BenchmarkUnits puts empty units through a queue, one prefix each: coordinator and two
// workers in one process, by TCP. An operation is one unit.
func BenchmarkUnits(b *testing.B) {
	s := queuetest.Serve(b, queue.Listen{})
	e := empty{prefixes: b.N}
	t := workerOptions("bench")
	c, err := Open(b.Context(), queuetest.Dial(b, s, true), Options{Program: "test", Job: "bench", Log: t.Log,
		UnitTime: 1, Confirm: byPlan})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan error)
	t.Engines, t.Cores, t.Vouch, t.Planned = []census.Engine{e}, 2, c.Vouch, c.Planned
	worker := queuetest.Dial(b, s, false)
	go func() { ended <- Work(ctx, worker, t) }()
	b.ResetTimer()
	reply, err := census.Decide(b.Context(), census.Question{Problem: searchtest.Problem("4x4", "odr", 4),
		Below:   big.NewRat(1, 1),
		Engines: slices.Clone(t.Engines), Workers: 1, Cluster: c})
	b.StopTimer()
	if err != nil || reply.Refutation == nil || reply.Refutation.Count != int64(b.N) {
		b.Fatal(reply, err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "units/s")
	cancel()
	<-ended
}
