package cluster

import (
	"bufio"
	"container/heap"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"leeway/objective"
	"leeway/search"
	"leeway/search/census"
	"leeway/search/local"
	"leeway/search/orderly"
	"leeway/search/portfolio"
	"leeway/search/searchtest"
)

// timesFile holds the seconds that each prefix took of the tree orderly of --torus 8x8
// --size 15 --routing odr below its optimum, one a line. LEEWAY_TIMES=1 measures them again.
const timesFile = "testdata/prefix-seconds.txt"

func TestMeasurePrefixes(t *testing.T) {
	if os.Getenv("LEEWAY_TIMES") == "" {
		t.Skip("LEEWAY_TIMES=1 measures")
	}
	p := searchtest.Problem("8x8", "odr", 15)
	methods := []search.Method{search.Limited{Method: local.Method{}, Evaluations: 200_000},
		census.Method{Engines: []census.Engine{orderly.Engine{}}}}
	out, err := portfolio.Run(t.Context(), methods, search.Params{Problem: p, Workers: 1, Seed: 1},
		portfolio.Options{InTurn: true})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := orderly.Engine{}.Plan(t.Context(), objective.Problem(p), out.Value, 1)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(timesFile)
	if err != nil {
		t.Fatal(err)
	}
	w := plan.Walker()
	for i := range plan.Prefixes() {
		began := time.Now()
		w.Walk(i, func(int64) bool { return true })
		if _, err := fmt.Fprintf(file, "%.6f\n", time.Since(began).Seconds()); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// readTimes returns the measured seconds.
func readTimes(t *testing.T) (list []float64) {
	t.Helper()
	file, err := os.Open(timesFile)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		v, err := strconv.ParseFloat(lines.Text(), 64)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

// A model is a cluster whose workers take no real time.
type model struct {
	workers int
	serial  float64 // seconds of the coordinator for each unit, one after the other
	each    float64 // seconds of the worker for each unit besides the walk
	plan    float64 // seconds until a worker has its plan
	target  float64 // seconds of a unit
	longest float64 // after which it is given back
}

// arrivals are the times at which workers are free.
type arrivals []float64

func (a arrivals) Len() int           { return len(a) }
func (a arrivals) Less(i, j int) bool { return a[i] < a[j] }
func (a arrivals) Swap(i, j int)      { a[i], a[j] = a[j], a[i] }
func (a *arrivals) Push(v any)        { *a = append(*a, v.(float64)) }
func (a *arrivals) Pop() any {
	last := (*a)[len(*a)-1]
	*a = (*a)[:len(*a)-1]
	return last
}

// run walks prefixes of the given seconds and returns how long that takes, how much of the workers' time was walking,
// and how many units there were. Units are cut by the pace of the real coordinator.
func (m model) run(prefixes []float64) (makespan, efficiency float64, units int) {
	free := make(arrivals, m.workers)
	for i := range free {
		free[i] = m.plan
	}
	heap.Init(&free)
	p := pace{target: time.Duration(m.target * float64(time.Second))}
	coordinator, work := 0.0, 0.0
	for at := 0; at < len(prefixes); units++ {
		start := max(heap.Pop(&free).(float64), coordinator)
		coordinator = max(coordinator, start) + m.serial
		seconds, n := 0.0, min(p.prefixes(), len(prefixes)-at)
		done := 0
		for ; done < n && (done == 0 || seconds <= m.longest); done++ {
			seconds += prefixes[at+done]
		}
		at += done
		p.took(done, seconds)
		work += seconds
		end := start + m.serial + m.each + seconds
		makespan = max(makespan, end)
		heap.Push(&free, end)
	}
	return makespan, work / (makespan * float64(m.workers)), units
}

// TestScaling simulates clusters of 10 to 10 000 workers; -v prints the table of docs/scaling.md.
func TestScaling(t *testing.T) {
	measured := readTimes(t)
	mean := 0.0
	for _, s := range measured {
		mean += s / float64(len(measured))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, w := range []struct {
		name     string
		prefixes int
		hours    float64 // of one core, altogether
	}{{"the tree as measured, made 1000 times as deep", len(measured), 0}, {"50 000 prefixes, 200 core hours", 50_000,
		200}, {"1 000 000 prefixes, 5000 core hours", 1_000_000, 5000}} {
		if testing.Short() && w.prefixes > 100_000 {
			continue
		}
		list := make([]float64, w.prefixes)
		for i := range list {
			if w.hours == 0 {
				list[i] = 1000 * measured[i]
			} else {
				list[i] = measured[random.IntN(len(measured))] / mean * w.hours * 3600 / float64(w.prefixes)
			}
		}
		t.Logf("%s: mean %.1f s", w.name, sum(list)/float64(len(list)))
		last := 2.0
		for _, workers := range []int{10, 100, 1000, 10_000} {
			m := model{workers: workers, serial: 0.0006, each: 0.0006, plan: 2, target: 20, longest: 60}
			makespan, efficiency, units := m.run(list)
			t.Logf("%6d workers: %8d units, %9.0f s, efficiency %.1f %%", workers, units, makespan, 100*efficiency)
			if efficiency <= 0 || efficiency > last+0.01 || efficiency > 1 {
				t.Errorf("efficiency %f after %f", efficiency, last)
			}
			last = efficiency
		}
	}
}

func sum(list []float64) (s float64) {
	for _, v := range list {
		s += v
	}
	return s
}

// TestModelMeetsArithmetic compares the model with what follows by hand.
func TestModelMeetsArithmetic(t *testing.T) {
	m := model{workers: 4, serial: 0, each: 1, plan: 10, target: 1e-6, longest: 60}
	list := make([]float64, 8)
	for i := range list {
		list[i] = 3
	}
	// Two rounds of 1+3 seconds after 10, of which 6 are walking.
	if makespan, efficiency, units := m.run(list); makespan != 18 || units != 8 || efficiency != 24.0/(18*4) {
		t.Errorf("%f s, efficiency %f, %d units", makespan, efficiency, units)
	}
}
