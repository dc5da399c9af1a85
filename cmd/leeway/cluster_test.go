package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"leeway/cmd/work/coordinator"
	"leeway/core/coretest"
	"leeway/results"
	"leeway/search/cluster/queue"
)

// asProgram is the variable that makes the test's own binary the program.
const asProgram = "LEEWAY_TEST_AS_PROGRAM"

// program returns a process of the program that is not started yet.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self := coretest.Must(os.Executable())
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "GORACE=atexit_sleep_ms=0") // else it waits a second at its end
	cmd.Stderr = &bytes.Buffer{}
	return cmd
}

// start starts a process and has it killed at the end of the test.
func start(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := program(t, args...)
	coretest.Try(cmd.Start())
	t.Cleanup(func() { kill(cmd) })
	return cmd
}

// kill kills a process as kill -9 does.
func kill(cmd *exec.Cmd) {
	_ = cmd.Process.Kill() // it may have ended
	_ = cmd.Wait()
}

// freePort returns a port of this machine that nobody listens on.
func freePort(t *testing.T) int {
	t.Helper()
	l := coretest.Must(net.Listen("tcp", "127.0.0.1:0"))
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

// A trial is a proof under faults.
type trial struct {
	problem  []string
	pace     time.Duration // between two faults, at least
	patience string
	limit    time.Duration
}

// TestClusterSurvives proves with a coordinator and three workers. One worker after the
// other is killed and replaced, the coordinator is killed and started again twice, and
// the network of one worker is cut. The proof must be that of one process. Before
// every fault something must have been done since the last one, so that a slow
// machine ends too. In the long form the proof is longer and the faults are more.
func TestClusterSurvives(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	const short = "prove --torus 6x6 --size 25 --routing udr:tie=both --below 69/4 --engine orderly --json"
	tr := trial{problem: strings.Fields(short),
		pace: 50 * time.Millisecond, patience: "2s", limit: 10 * time.Minute}
	if coretest.Long() {
		tr = trial{problem: strings.Fields("prove --torus 8x8 --size 16 --routing odr --below 8 --engine orderly --json"),
			pace: 700 * time.Millisecond, patience: "3s", limit: 20 * time.Minute}
	}
	var alone bytes.Buffer
	if code := execute(t.Context(), append(tr.problem, "-j", "1"), nil, &alone, io.Discard); code != 0 {
		t.Fatal("exit status ", code)
	}
	together := tr.run(t)
	a, errA := results.ReadBelow(alone.Bytes())
	b, errB := results.ReadBelow(together)
	if errA != nil || errB != nil || a.Proof == nil || !reflect.DeepEqual(a.Proof, b.Proof) {
		t.Errorf("alone %+v\ntogether %+v: %v, %v", a.Proof, b.Proof, errA, errB)
	}
}

// run has the proof made under faults and returns what it prints.
func (tr trial) run(t *testing.T) []byte {
	t.Helper()
	port := freePort(t)
	address := fmt.Sprintf("127.0.0.1:%d", port)
	work := filepath.Join(t.TempDir(), "work")
	token := filepath.Join(t.TempDir(), "token") // the wire has a port of its own
	coretest.Try(os.WriteFile(token, []byte(testToken), 0o600))
	lead := append(tr.problem, "-j", "1", "--work", work, "--token-file", token, "--cluster",
		fmt.Sprintf("listen:%d", port), "--unit-time", "20ms", "--patience", tr.patience)
	net := newWire(t, address)
	urls := []string{"nats://" + address, "nats://" + address, "nats://" + net.listener.Addr().String()}
	var stdout bytes.Buffer
	coordinator := func() (*exec.Cmd, chan error) {
		cmd := program(t, lead...)
		stdout.Reset()
		cmd.Stdout = &stdout
		coretest.Try(cmd.Start())
		t.Cleanup(func() { _ = cmd.Process.Kill() })
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		return cmd, ended
	}
	cmd, ended := coordinator()
	for _, u := range urls {
		awaitServer(t, queue.Access{URLs: u, Token: testToken})
	}
	var workers []*exec.Cmd
	for _, u := range urls {
		workers = append(workers, start(t, "worker", "--join", u, "-j", "1", "--token-file", token))
	}
	faults := time.NewTicker(tr.pace)
	defer faults.Stop()
	limit := time.After(tr.limit)
	restarts, done := 0, int64(0)
	for step := 1; ; {
		select {
		case err := <-ended:
			if err != nil || restarts < 2 {
				t.Fatalf("after %d faults and %d restarts: %v\n%s", step-1, restarts, err, cmd.Stderr)
			}
			t.Logf("%d faults", step-1)
			return stdout.Bytes()
		case <-limit:
			t.Fatalf("not done after %s and %d faults\n%s", tr.limit, step-1, cmd.Stderr)
		case <-faults.C:
			info, err := os.Stat(work)
			if err != nil || info.Size() <= done {
				continue
			}
			done = info.Size()
		}
		switch {
		case step == 2 || step == 5:
			_ = cmd.Process.Kill()
			<-ended
			restarts++
			cmd, ended = coordinator()
		case step%8 == 3:
			net.cut()
		case step%8 == 6:
			net.mend()
		default:
			i := step % len(workers)
			kill(workers[i])
			workers[i] = start(t, "worker", "--join", urls[i], "-j", "1", "--token-file", token)
		}
		step++
	}
}

const testToken = "0123456789abcdef"

// awaitServer waits until somebody answers.
func awaitServer(t *testing.T, a queue.Access) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		if q, err := queue.Reach(a); err == nil {
			_, err = q.Ask(ctx)
			_ = q.Close()
			if err == nil {
				return
			}
		}
		select {
		case <-ctx.Done():
			t.Fatal("no coordinator at " + a.URLs)
		case <-tick.C:
		}
	}
}

// TestTokenOfThisUser has a coordinator without flags about tokens: workers of its user
// find what it left, nobody else gets in, and nothing stays behind.
func TestTokenOfThisUser(t *testing.T) {
	home, other := t.TempDir(), t.TempDir()
	for _, name := range []string{"XDG_CONFIG_HOME", "TMPDIR"} {
		t.Setenv(name, home)
	}
	port := freePort(t)
	url := fmt.Sprintf("nats://127.0.0.1:%d", port)
	lead := program(t, "prove", "--torus", "8x8", "--size", "9", "--routing", "odr", "--engine", "orderly", "--json",
		"-j", "0", "--cluster", fmt.Sprintf("listen:%d", port))
	var stdout bytes.Buffer
	lead.Stdout = &stdout
	coretest.Try(lead.Start())
	t.Cleanup(func() { _ = lead.Process.Kill() })
	awaitServer(t, queue.Access{URLs: url, TokenOf: func() string { return coordinator.FoundToken(url) }})
	found := 0
	if err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".token" {
			return err
		}
		found++
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if found != 1 {
		t.Errorf("%d tokens", found)
	}
	stranger := program(t, "cluster", "status", "--join", url)
	stranger.Env = append(stranger.Env, "XDG_CONFIG_HOME="+other, "TMPDIR="+other)
	var exit *exec.ExitError
	if err := stranger.Run(); !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Errorf("another user gets %v\n%s", err, stranger.Stderr)
	}
	start(t, "worker", "--join", url, "-j", "1")
	if err := lead.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, lead.Stderr)
	}
	if r, err := results.ReadRecord(stdout.Bytes()); err != nil || r.Proof == nil {
		t.Error(r, err)
	}
	if coordinator.FoundToken(url) != "" {
		t.Error("the token stays behind")
	}
}

// TestWorkerWaits starts a worker before its coordinator, has it work on two jobs, one after the other,
// and ends it as Ctrl-C does: it says what it waits for, and that is not an error. One that waits for its first
// coordinator ends as well.
func TestWorkerWaits(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	url := fmt.Sprintf("nats://127.0.0.1:%d", freePort(t))
	worker := func() (*exec.Cmd, func(text string)) {
		cmd := program(t, "worker", "--join", url, "-j", "1")
		out, in, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stderr = in
		coretest.Try(cmd.Start())
		_ = in.Close()
		limit := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() }) // it may have ended
		t.Cleanup(func() { limit.Stop(); kill(cmd) })
		lines := bufio.NewScanner(out)
		return cmd, func(text string) { // waits until the worker has said it
			t.Helper()
			var said []string
			for lines.Scan() {
				if said = append(said, lines.Text()); strings.Contains(lines.Text(), text) {
					return
				}
			}
			t.Fatalf("the worker never says %q:\n%s", text, strings.Join(said, "\n"))
		}
	}
	interrupt := func(cmd *exec.Cmd) {
		t.Helper()
		coretest.Try(cmd.Process.Signal(os.Interrupt))
		if err := cmd.Wait(); err != nil {
			t.Errorf("a worker that was stopped: %v", err)
		}
	}
	early, says := worker()
	says("waiting for the coordinator")
	interrupt(early)

	steady, says := worker()
	says("waiting for the coordinator")
	for _, size := range []string{"9", "7"} {
		lead := program(t, "prove", "--torus", "8x8", "--size", size, "--routing", "odr", "--engine", "orderly", "--json",
			"-j", "0",
			"--cluster", "listen:"+strings.TrimPrefix(url, "nats://"))
		if err := lead.Run(); err != nil {
			t.Fatalf("size %s: %v\n%s", size, err, lead.Stderr)
		}
		says("working")
		says("waiting")
	}
	interrupt(steady)
}

// TestClusterOfClients proves and searches under client traffic with a coordinator that does no unit itself and a
// worker of another process: the proof is that of one process, and of the placements with the E_max found that of
// least distance is asked for after the units.
func TestClusterOfClients(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	url := fmt.Sprintf("nats://127.0.0.1:%d", freePort(t))
	start(t, "worker", "--join", url, "-j", "1")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	record := func(alone bool, line string) results.Record {
		t.Helper()
		file := filepath.Join(t.TempDir(), "r.json")
		args := append(strings.Fields(line), "--json", "--out", file)
		var stdout bytes.Buffer
		if alone {
			if code := execute(ctx, append(args, "-j", "1"), nil, &stdout, io.Discard); code != 0 {
				t.Fatal("exit status ", code)
			}
		} else {
			lead := program(t, append(args, "-j", "0", "--cluster", "listen:"+strings.TrimPrefix(url, "nats://"))...)
			lead.Stdout = &stdout
			coretest.Try(lead.Start())
			defer context.AfterFunc(ctx, func() { _ = lead.Process.Kill() })()
			if err := lead.Wait(); err != nil {
				t.Fatalf("%s: %v\n%s", line, err, lead.Stderr)
			}
		}
		r := coretest.Must(results.ReadRecord(stdout.Bytes()))
		if code := execute(ctx, []string{"check", file}, nil, io.Discard, io.Discard); code != 0 {
			t.Errorf("%s: check ends with %d", line, code)
		}
		r.Command, r.Started, r.FoundBy.Seconds, r.FoundBy.Evaluations = nil, "", 0, 0
		return r
	}
	const proof = "prove --mesh 7x7 --size 9 --routing xy --reply-routing xy --traffic clients:reply=2 --engine counts " +
		"--fixed 0,0 --forbidden 6,6"
	alone, together := record(true, proof), record(false, proof)
	if !reflect.DeepEqual(alone, together) || alone.Proof == nil || alone.Traffic == "" {
		t.Errorf("alone %+v\ntogether %+v", alone, together)
	}
	const near = "search --mesh 4x4 --size 5 --routing xy:tie=both --traffic clients --reply-routing yx:tie=both " +
		"--methods local --evaluations 40000 --then distance"
	if r := record(false, near); r.MaxLoad != "16" || r.MeanDistance != "56/25" || r.Then != results.ThenDistance {
		t.Errorf("%+v", r)
	}
}

// TestSearchTogether searches as a cluster of one.
func TestSearchTogether(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.json")
	var stdout bytes.Buffer
	if code := execute(t.Context(),
		strings.Fields(fmt.Sprintf("search --torus 5x5 --size 11 --routing odr --evaluations 30000 -j 1 --json "+
			"--out %s --cluster listen:%d", file, freePort(t))),
		nil, &stdout, io.Discard); code != 0 {
		t.Fatal("exit status ", code)
	}
	stdout.Reset()
	if code := execute(t.Context(), []string{"check", file}, nil, &stdout, io.Discard); code != 0 ||
		!strings.Contains(stdout.String(), "valid") {
		t.Errorf("status %d: %s", code, stdout.String())
	}
}
