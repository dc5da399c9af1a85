//go:build unix

package peers_test

import (
	"context"
	"fmt"
	"math/big"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"leeway/objective"
	"leeway/search/searchtest"
)

// The measures of the comparison: the median over a given number of seeds of the processor time to the target (the
// larger of the two in the middle), each run stopped at the limit. No more seeds are run where the first few all missed
// the target, or so many that the median must be the limit.
const (
	seeds    = 10
	firstFew = 3
	limit    = 20 * time.Second
)

var targets = []struct {
	torus, routing string
	n              int
	value          *big.Rat
}{
	{"7x7", "udr:tie=both", 14, big.NewRat(4, 1)},
	{"6x6x6", "udr:tie=both", 36, big.NewRat(13, 2)},
	{"10x10", "odr", 20, big.NewRat(10, 1)},
}

// BenchmarkToTarget reports for every target and runner the median of the user CPU seconds, the least, how many seeds
// were run and how many of them missed the target within the limit.
func BenchmarkToTarget(b *testing.B) {
	for _, c := range targets {
		p := searchtest.Problem(c.torus, c.routing, c.n)
		for _, r := range runners {
			b.Run(fmt.Sprintf("%s_n=%d_%s/%s", c.torus, c.n, c.routing, r.name), func(b *testing.B) {
				for b.Loop() {
					var times []float64
					missed, ran := 0, 0
					for ran < seeds && (missed < firstFew || missed < ran) && missed < seeds-seeds/2 {
						ran++
						took, reached := measure(b, r.run, p, c.value, uint64(ran))
						times = append(times, took.Seconds())
						if !reached {
							missed++
						}
					}
					for len(times) < seeds {
						times = append(times, limit.Seconds())
					}
					slices.Sort(times)
					b.ReportMetric(times[seeds/2], "median-s")
					b.ReportMetric(times[0], "least-s")
					b.ReportMetric(float64(ran), "ran")
					b.ReportMetric(float64(missed), "missed")
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// measure runs once and returns the processor time, at most the limit, and whether
// the target was reached by the naive evaluator.
func measure(b *testing.B, run runner, p objective.Problem, goal *big.Rat, seed uint64) (time.Duration, bool) {
	runtime.GC()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	start := userTime(b)
	go func() {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for ctx.Err() == nil {
			<-tick.C
			if userTime(b)-start >= limit {
				cancel()
			}
		}
	}()
	best, err := run(ctx, p, goal, seed)
	took := userTime(b) - start
	if err != nil {
		b.Fatal(err)
	}
	if value, _ := objective.Naive(p.Routing, best).Max(); value.Cmp(goal) > 0 {
		return limit, false
	}
	return min(took, limit), true
}

// userTime returns the user CPU time of this process.
func userTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Error(err)
	}
	return time.Duration(usage.Utime.Nano())
}
