package main

import (
	"context"
	"fmt"
	"math/big"
	"sync"
	"time"

	"leeway/objective"
	"leeway/objective/bound"
	"leeway/results"
	"leeway/search"
	"leeway/search/portfolio"
)

// largest looks for the largest size within the load limit.
func (s *pursuit) largest(ctx context.Context) (results.Record, error) {
	r, b := s.job.Routing, s.budget()
	limited, cancel := b.limit(ctx)
	defer cancel()
	s.live.begin(fmt.Sprintf("Largest placement on %s under %s with E_max at most %s", s.job.Torus, r, s.job.MaxLoad), objective.Problem{}, nil, nil)
	tell := s.tellSizes()
	params := search.Params{Seed: b.seed, Evaluations: b.evaluations, Workers: b.workers,
		Observe: func(e search.Event) { tell(e); s.live.observe(e) }}
	found, err := portfolio.Largest(limited, named(s.job.Methods), params, portfolio.Sizing{Routing: r, Limit: s.job.MaxLoad.At, Recheck: s.recheck,
		Lower: func(n int) *big.Rat { return bound.Best(bound.PlainForSize(r, n)).Value }})
	if err != nil {
		return results.Record{}, err
	}
	p := objective.Problem{Routing: r, Size: found.Size}
	record, err := s.newRecord(limited, p, found.Result.Result, newLowerBound(ctx, p, nil, true), b, s.started)
	if err != nil {
		return record, err
	}
	limit := s.job.MaxLoad.String()
	record.LoadLimit, record.UpperBound = &limit, &found.UpperBound
	for _, e := range found.Excluded {
		larger := objective.Problem{Routing: r, Size: e.Size}
		if proof := censusProof(larger, e.Refutation); proof != nil {
			n := neighbour{routing: r, size: e.Size, below: e.Refutation.Below, proof: *proof}
			record.UpperProofs = append(record.UpperProofs, *n.proofOf(larger))
		}
	}
	return record, s.finish(ctx, record, found.State)
}

// tellSizes returns an observer that remarks every larger size that is found within
// the limit.
func (s *pursuit) tellSizes() func(search.Event) {
	var mu sync.Mutex
	largest := 1
	return func(e search.Event) {
		mu.Lock()
		defer mu.Unlock()
		if n := e.Best.Size(); n > largest && e.Value != nil && e.Value.Cmp(s.job.MaxLoad.At(n)) <= 0 {
			largest = n
			s.remark("%s  %d processors with E_max %s (%s)", time.Since(s.started).Round(time.Second), n, e.Value.RatString(), e.Method)
		}
	}
}
