package store_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"leeway/core/coretest"
	"leeway/results/compose"
	"leeway/results/store"
)

// A child process runs this test binary with the path of a store, its number and
// the load it starts from in childVariable. Its writer adds record after record, each below
// the last, and a state with each, and says so on stdout once the store has both.
const childVariable = "LEEWAY_STORE_CHILD"

func TestMain(m *testing.M) {
	if text := os.Getenv(childVariable); text != "" {
		os.Exit(child(text))
	}
	os.Exit(m.Run())
}

// A child that is to be killed would write childCount records. Two writers share
// the loads of a round, one takes the odd ones.
const childCount = 100

func child(text string) int {
	var number, count int
	var start int64
	var path string
	if _, err := fmt.Sscanf(text, "%d %d %d %s", &number, &start, &count, &path); err != nil {
		return 3
	}
	t := childTB{}
	s, err := store.Open(path)
	if err != nil {
		fmt.Println("error", err)
		return 1
	}
	for i := range count {
		load := start - int64(2*i+number)
		_, err := s.AddRecord(record(t, problem(t, 6), big.NewRat(load, 7), nil, nil, uint64(load)))
		if err == nil {
			err = s.Checkpoint(aRun(t, 6, uint64(number)), json.RawMessage(fmt.Sprintf(`{"load": %d, "padding": "%s"}`, load,
				strings.Repeat("x", int(load%9000)))))
		}
		if err != nil {
			fmt.Println("error", err)
			return 1
		}
		fmt.Println(load)
	}
	return 0
}

// childTB lets helpers of tests run outside a test: whatever fails ends the child.
type childTB struct{ testing.TB }

func (childTB) Helper() {}

func (childTB) Fatal(args ...any) {
	fmt.Println(append([]any{"error"}, args...)...)
	os.Exit(1)
}

// start starts a child and returns its process and its lines.
func start(t *testing.T, path string, number int, from int64, count int) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %d %d %s", childVariable, number, from, count, path))
	out := coretest.Must(cmd.StdoutPipe())
	coretest.Try(cmd.Start())
	return cmd, bufio.NewScanner(out)
}

// acknowledged reads lines until there are count of them, or none any more, and
// returns the load of the last; 0 if there is none.
func acknowledged(t *testing.T, lines *bufio.Scanner, count int) (last int64) {
	t.Helper()
	for range count {
		if !lines.Scan() {
			break
		}
		load, err := strconv.ParseInt(lines.Text(), 10, 64)
		if err != nil {
			t.Errorf("a writer failed: %s", lines.Text())
			return last
		}
		last = load
	}
	return last
}

// TestKill kills one of two writers at random moments, lets the other go on for a
// little and kills it too: what a writer said that the store has is there, and the store is sound.
func TestKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	rng := rand.New(rand.NewPCG(3, 0))
	rounds := 10
	if testing.Short() {
		rounds = 2
	}
	var best int64
	from := int64(rounds)*2*childCount + 1
	for range rounds {
		var last [2]int64
		var lines [2]*bufio.Scanner
		var writers [2]*exec.Cmd
		for i := range writers {
			writers[i], lines[i] = start(t, path, i, from, childCount)
		}
		for i := range writers {
			last[i] = acknowledged(t, lines[i], rng.IntN(8))
			coretest.Try(writers[i].Process.Kill())
			if rest := acknowledged(t, lines[i], childCount); rest > 0 { // said before it died
				last[i] = rest
			}
			writers[i].Wait() // it was killed
		}
		for _, load := range last {
			if load > 0 && (best == 0 || load < best) {
				best = load
			}
		}
		survived(t, path, best, last)
		from -= 2 * childCount
	}
	if best == 0 {
		t.Error("no writer ever wrote")
	}
}

// survived opens the store after the death of its writers and compares it with what they said.
func survived(t *testing.T, path string, best int64, last [2]int64) {
	t.Helper()
	s := coretest.Must(store.Open(path))
	defer s.Close()
	sound(t, s)
	r, ok, err := s.Best(compose.KeyOf(problem(t, 6)))
	if err != nil || best > 0 && !ok {
		t.Fatalf("best is %v, %v", ok, err)
	}
	if best > 0 && value(r.MaxLoad).Cmp(big.NewRat(best, 7)) > 0 {
		t.Errorf("best is %s, but %d/7 was said to be in the store", r.MaxLoad, best)
	}
	for number, load := range last {
		state, ok, err := s.Resume(aRun(t, 6, uint64(number)))
		var have struct{ Load int64 }
		if err != nil || ok && json.Unmarshal(state, &have) != nil {
			t.Errorf("the state of writer %d: %v", number, err)
		}
		if load > 0 && (!ok || have.Load > load) { // it may have come one further
			t.Errorf("the state of writer %d is %d, but %d was said to be in the store", number, have.Load, load)
		}
	}
	descends(t, s)
}

// descends fails the test unless every record is better than the one before, and the last is the best.
func descends(t *testing.T, s *store.Store) {
	t.Helper()
	p := compose.KeyOf(problem(t, 6))
	list := coretest.Must(s.Records(p))
	for i := 1; i < len(list); i++ {
		if value(list[i].MaxLoad).Cmp(value(list[i-1].MaxLoad)) >= 0 {
			t.Errorf("record %d has load %s, the one before %s", i, list[i].MaxLoad, list[i-1].MaxLoad)
		}
	}
	if r, ok, err := s.Best(p); err != nil || ok && r.ClaimSHA256 != list[len(list)-1].ClaimSHA256 {
		t.Errorf("best is %v, %v, not the last", r.MaxLoad, err)
	}
}

// TestTwoProcesses: two writers that start the store together and run to their ends.
func TestTwoProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	const from = 1000
	count := 100
	if testing.Short() {
		count = 20
	}
	var writers [2]*exec.Cmd
	var lines [2]*bufio.Scanner
	for i := range writers {
		writers[i], lines[i] = start(t, path, i, from, count)
	}
	for i := range writers {
		want := int64(from - 2*(count-1) - i)
		if last := acknowledged(t, lines[i], count+1); last != want {
			t.Errorf("writer %d ended with %d, want %d", i, last, want)
		}
		if err := writers[i].Wait(); err != nil {
			t.Errorf("writer %d: %v", i, err)
		}
	}
	s := open(t, path)
	sound(t, s)
	descends(t, s)
	want := big.NewRat(int64(from-2*count+1), 7)
	if r, _, err := s.Best(compose.KeyOf(problem(t, 6))); err != nil || value(r.MaxLoad).Cmp(want) != 0 {
		t.Errorf("best is %s, %v, want %s", r.MaxLoad, err, want)
	}
	if list, err := os.ReadDir(filepath.Dir(path)); err != nil || len(list) > 3 { // the store and its two helpers
		t.Errorf("the folder holds %v, %v", list, err)
	}
}

// TestManyWriters: several stores in one process on one file, each with several writers and readers.
func TestManyWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	const writers = 6
	count := 30
	if testing.Short() {
		count = 5
	}
	var group sync.WaitGroup
	for w := range writers {
		s := open(t, path)
		for range 2 { // the same twice: the second adds nothing
			group.Go(func() {
				for i := range count {
					load := int64(10000 - i*writers - w)
					if _, err := s.AddRecord(record(t, problem(t, 6), big.NewRat(load, 7), nil, nil, uint64(load))); err != nil {
						t.Error(err)
					}
					if _, _, err := s.Best(compose.KeyOf(problem(t, 6))); err != nil {
						t.Error(err)
					}
					if err := s.AddNull(compose.KeyOf(problem(t, 6)), store.Null{Method: "local", Seed: uint64(load)}); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	group.Wait()
	s := open(t, path)
	sound(t, s)
	descends(t, s)
	if nulls, err := s.Nulls(compose.KeyOf(problem(t, 6))); err != nil || len(nulls) != writers*count {
		t.Errorf("%d null results, %v, want %d", len(nulls), err, writers*count)
	}
}
