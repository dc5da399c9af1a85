package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"leeway/cmd/work"
	"leeway/core/coretest"
	"leeway/objective/texts"
	"leeway/results/atlas"
	"leeway/results/compose"
	"leeway/results/plan"
	"leeway/results/store"
)

// A killing is a plan that is killed again and again. The long form of the test has
// more problems and kills.
type killing struct {
	t             *testing.T
	program, plan string
	searches      []plan.Search
}

// newKilling writes a plan.
func newKilling(t *testing.T, text string) *killing {
	dir := linked(t)
	k := &killing{t: t, program: filepath.Join(dir, "leeway"), plan: filepath.Join(dir, "plan.yaml")}
	coretest.Try(os.WriteFile(k.plan, []byte(text), 0o644))
	k.searches = coretest.Must(plan.Read(context.Background(), k.plan, work.MethodNames()))
	return k
}

// searches is a plan of a given number of problems, none of which ends at once.
func searches(problems int) string {
	text := "defaults: {evaluations: 30000}\nproblems:\n"
	for i := range problems {
		text += fmt.Sprintf("  - {torus: %s, size: %d, routing: %s}\n",
			[]string{"6x6", "5x5x2", "7x7", "4x4x3"}[i%4], 9+i, []string{"odr", "udr:tie=both"}[i%2])
	}
	return text
}

// run runs the program and kills it after a time, 0: never, unless it ends first. It
// returns how long that took.
func (k *killing) run(after time.Duration, args ...string) time.Duration {
	k.t.Helper()
	started := time.Now()
	cmd := exec.Command(k.program, args...)
	if after == 0 {
		if out, err := cmd.CombinedOutput(); err != nil {
			k.t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return time.Since(started)
	}
	coretest.Try(cmd.Start())
	timer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() }) // it may have ended
	err := cmd.Wait()
	timer.Stop()
	if err != nil && cmd.ProcessState.ExitCode() >= 0 { // it was not killed
		k.t.Errorf("%v: %v", args, err)
	}
	return time.Since(started)
}

// search runs the plan with a store.
func (k *killing) search(after time.Duration, file string) time.Duration {
	return k.run(after, "search", "--known", "none", "--plan", k.plan, "--store", file)
}

// kept returns what a store holds of every search: the best record, apart from times and
// command line, and the null results. It must have no unfinished run.
func (k *killing) kept(file string) (list []string) {
	k.t.Helper()
	s := coretest.Must(store.Open(file))
	defer s.Close()
	if stopped, err := s.Unfinished(); err != nil || len(stopped) > 0 {
		k.t.Errorf("%s: unfinished %v, %v", file, stopped, err)
	}
	for _, j := range k.searches {
		p := compose.KeyOf(j.Problem)
		r, ok, err := s.Best(p)
		if err != nil || !ok {
			k.t.Fatalf("%s: no record of %s, %v", file, p, err)
		}
		nulls := coretest.Must(s.Nulls(p))
		text := fmt.Sprint(p, r.Nodes, r.MaxLoad, r.LowerBound, r.Status, r.FoundBy.Method, r.FoundBy.Evaluations)
		for _, n := range nulls {
			text += fmt.Sprint(" ", n.Method, n.Best, n.Evaluations)
		}
		list = append(list, text)
	}
	return list
}

func (k *killing) same(what, file string, want []string) {
	k.t.Helper()
	for i, got := range k.kept(file) {
		if got != want[i] {
			k.t.Errorf("%s:\n%s\nleft alone:\n%s", what, got, want[i])
		}
	}
}

// TestKilledPlan kills a plan with SIGKILL at random moments, resumes it, and compares
// what its store holds in the end with the store of a plan left alone.
func TestKilledPlan(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program many times")
	}
	problems, kills := 4, 8
	if coretest.Long() {
		problems, kills = 20, 30
	}
	k := newKilling(t, searches(problems))
	dir := t.TempDir()
	alone, killed := filepath.Join(dir, "alone"), filepath.Join(dir, "killed")
	took := k.search(0, alone)
	rng := rand.New(rand.NewPCG(1, 0))
	for i := range kills {
		after := 1 + time.Duration(rng.Int64N(int64(took)*3/int64(kills)))
		if _, err := os.Stat(killed); i%2 == 0 || err != nil { // it may have been killed before it began a store
			k.search(after, killed)
		} else {
			k.run(after, "resume", "--store", killed)
		}
	}
	if k.planned(killed) == len(k.searches) { // else it was always killed before it had begun
		k.run(0, "resume", "--store", killed)
	} else {
		k.search(0, killed)
	}
	k.same("killed", killed, k.kept(alone))
}

// planned returns how many searches a store knows, done or not.
func (k *killing) planned(file string) int {
	k.t.Helper()
	s := coretest.Must(store.Open(file))
	defer s.Close()
	left, errLeft := s.Unfinished()
	done, errDone := s.Ended()
	if errLeft != nil || errDone != nil {
		k.t.Fatal(errLeft, errDone)
	}
	return len(left) + len(done)
}

// TestKilledFill kills atlas fill with SIGKILL at random moments and goes on with the same
// command. In the end every cell is proved, with all its optima, as by a fill left alone,
// and nothing is wrong.
func TestKilledFill(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program many times")
	}
	k := newKilling(t, "defaults: {routing: [odr, \"udr:tie=both\"], evaluations: 100000}\n"+
		"problems:\n  - {torus: 3x4, size: 1..12}\n  - {torus: 4x4, size: 1..11}\n")
	dir := t.TempDir()
	fill := func(after time.Duration, file string) time.Duration {
		return k.run(after, "atlas", "fill", "--plan", k.plan, "--store", file, "--all", "1h", "-j", "1")
	}
	alone, killed := filepath.Join(dir, "alone"), filepath.Join(dir, "killed")
	took := fill(0, alone)
	rng := rand.New(rand.NewPCG(2, 0))
	for range 6 {
		fill(1+time.Duration(rng.Int64N(int64(took)/2)), killed)
	}
	fill(0, killed)
	k.run(0, "atlas", "verify", "--store", killed)
	want, got := k.proved(alone), k.proved(killed)
	if len(want) != len(k.searches) || !slices.Equal(want, got) {
		t.Errorf("killed:\n%q\nleft alone:\n%q", got, want)
	}
}

// proved returns what a store holds of the searches that it proves.
func (k *killing) proved(file string) (list []string) {
	k.t.Helper()
	view := coretest.Must(atlas.OpenStore(file))
	defer view.Close()
	for _, j := range k.searches {
		if c, ok := view.Cell(texts.KeyOf(j.Problem)); ok && c.Status == atlas.Optimal {
			list = append(list, fmt.Sprint(c.Key(), c.MaxLoad, c.Optima, c.Labelled))
		}
	}
	return list
}

// TestTwoProcesses lets two plans run on one store at once.
func TestTwoProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program")
	}
	k := newKilling(t, searches(3))
	dir := t.TempDir()
	alone, shared := filepath.Join(dir, "alone"), filepath.Join(dir, "shared")
	k.search(0, alone)
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() { k.search(time.Hour, shared) })
	}
	both.Wait()
	want, got := k.kept(alone), k.kept(shared)
	if !slices.Equal(want, got) {
		t.Errorf("together:\n%q\nalone:\n%q", got, want)
	}
}
