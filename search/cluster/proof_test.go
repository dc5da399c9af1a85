package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/search"
	"leeway/search/assign"
	"leeway/search/cluster/message"
	"leeway/search/cluster/queue"
	"leeway/search/cluster/queue/queuetest"
	"leeway/search/family"
	"leeway/search/local"
	"leeway/search/refuters"
	"leeway/search/searchtest"
)

// A tree stands for a proof: a slice has three below it until names are three numbers long, and its stream is right if
// it is its name.
type tree struct {
	mu     sync.Mutex
	open   [][]int
	out    map[string]bool
	proved map[string]int
	wrong  int // streams that were refused
	own    int // slices that the coordinator wrote
	found  []int
	done   func(proved int) // called with how many are proved; nil: nobody
}

func newTree() *tree {
	return &tree{open: [][]int{{}}, out: map[string]bool{}, proved: map[string]int{}}
}

// size is how many slices a tree has.
const size = 1 + 3 + 9 + 27

func (x *tree) settle(name []int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	key := fmt.Sprint(name)
	if !x.out[key] {
		return
	}
	delete(x.out, key)
	x.proved[key]++
	for i := 0; i < 3 && len(name) < 3; i++ {
		x.open = append(x.open, append(slices.Clone(name), i))
	}
	if x.done != nil {
		x.done(len(x.proved))
	}
}

// reopened returns the tree as a coordinator finds it that takes the place of one that was killed.
func (x *tree) reopened() *tree {
	x.mu.Lock()
	defer x.mu.Unlock()
	for key := range x.out {
		var name []int
		for _, n := range strings.Fields(strings.Trim(key, "[]")) {
			name = append(name, int(n[0]-'0'))
		}
		x.open = append(x.open, name)
	}
	x.out = map[string]bool{}
	return x
}

func (x *tree) shared() refuters.Shared {
	p := searchtest.Problem("4x4", "odr", 4)
	return refuters.Shared{Problem: p, Below: big.NewRat(3, 1), Refuter: "tree",
		Next: func() ([]int, bool) {
			x.mu.Lock()
			defer x.mu.Unlock()
			if len(x.open) == 0 || x.found != nil {
				return nil, false
			}
			name := x.open[0]
			x.open = x.open[1:]
			x.out[fmt.Sprint(name)] = true
			return name, true
		},
		Left: func() (open, out, proved int) {
			x.mu.Lock()
			defer x.mu.Unlock()
			if x.found != nil {
				return 0, 0, len(x.proved)
			}
			return len(x.open), len(x.out), len(x.proved)
		},
		Judge: func(_ context.Context, name []int, stream io.Reader) error {
			text, err := io.ReadAll(io.LimitReader(stream, 1<<20))
			if err == nil && string(text) != fmt.Sprint(name) {
				err = fmt.Errorf("%.20q is no proof of %v", text, name)
			}
			if err == nil {
				x.settle(name)
				return nil
			}
			x.mu.Lock()
			defer x.mu.Unlock()
			x.wrong++
			return err
		},
		Found: func(_ []int, s core.Placement) {
			x.mu.Lock()
			defer x.mu.Unlock()
			x.found = s.Nodes()
		},
		Own: func(_ context.Context, name []int) {
			x.mu.Lock()
			x.own++
			x.mu.Unlock()
			x.settle(name)
		}}
}

// complete fails unless every slice was proved, once.
func (x *tree) complete(t *testing.T, err error) {
	t.Helper()
	x.mu.Lock()
	defer x.mu.Unlock()
	if err != nil || len(x.proved) != size || x.found != nil {
		t.Fatalf("%d of %d slices, found %v, %v", len(x.proved), size, x.found, err)
	}
	for name, times := range x.proved {
		if times != 1 {
			t.Errorf("%s is proved %d times", name, times)
		}
	}
}

// workerOptions returns what a worker of a test works with.
func workerOptions(name string) WorkerOptions {
	return WorkerOptions{Name: name, Host: "here", Program: "test", Cores: 1, Log: slog.New(slog.DiscardHandler),
		Write: func(_ context.Context, _ string, _ objective.Problem, _ *big.Rat, name []int, to io.Writer) error {
			_, err := fmt.Fprint(to, name)
			return err
		},
		Methods: func(names []string) ([]search.Method, error) {
			var list []search.Method
			for _, m := range []search.Method{family.Method{}, local.Method{}, assign.Method{}} {
				if slices.Contains(names, m.Name()) {
					list = append(list, m)
				}
			}
			if len(list) < len(names) {
				return nil, fmt.Errorf("unknown method in %q", names)
			}
			return list, nil
		}}
}

// A record of what a coordinator logs; it may be read at any time.
type record struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *record) has(words string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Contains(r.text.String(), words)
}

// logged returns a coordinator whose log can be read.
func logged(t *testing.T, q queue.Queue) (*Coordinator, *record) {
	t.Helper()
	r := &record{}
	c := coretest.Must(Open(t.Context(), q, Options{Program: "test", Job: "a test",
		Log:      slog.New(slog.NewTextHandler(r, nil)),
		UnitTime: time.Hour}))
	t.Cleanup(c.Close)
	return c, r
}

func open(t *testing.T, q queue.Queue) *Coordinator {
	t.Helper()
	c, _ := logged(t, q)
	return c
}

// startWorkers starts workers; they end with the test, or when stop is called.
func startWorkers(t *testing.T, q queue.Queue, list ...WorkerOptions) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for _, o := range list {
		all.Go(func() {
			if err := Work(ctx, q, o); err != nil && ctx.Err() == nil {
				t.Errorf("worker %s: %v", o.Name, err)
			}
		})
	}
	stop = func() { cancel(); all.Wait() }
	t.Cleanup(stop)
	return stop
}

// TestProof has three workers prove, whose units are delivered twice now and then.
func TestProof(t *testing.T) {
	for round := range 4 {
		memory, x := queuetest.NewMemory(), newTree()
		c := open(t, memory)
		stop := startWorkers(t, memory, workerOptions("one"), workerOptions("two"), workerOptions("three"))
		if x.done = func(proved int) { memory.Redeliver() }; round == 0 {
			x.done = nil
		}
		err := c.Prove(t.Context(), x.shared())
		stop()
		x.complete(t, err)
		if x.own > 0 && round == 0 {
			t.Errorf("the coordinator wrote %d slices", x.own)
		}
	}
}

// TestProofOverNats has workers of several connections.
func TestProofOverNats(t *testing.T) {
	s, x := queuetest.Serve(t, queue.Listen{}), newTree()
	c := open(t, queuetest.Dial(t, s, true))
	startWorkers(t, queuetest.Dial(t, s, true), workerOptions("one"))
	startWorkers(t, queuetest.Dial(t, s, false), workerOptions("two"))
	x.complete(t, c.Prove(t.Context(), x.shared()))
}

// A liar changes the reports that go through it.
type liar struct {
	queue.Queue
	lie func(r message.Report) [][]byte
}

func (l liar) Submit(ctx context.Context, text []byte) error {
	r, err := message.ParseReport(text)
	if err != nil {
		panic(err)
	}
	for _, t := range l.lie(r) {
		if err := l.Queue.Submit(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// endless is a stream that is far longer than it looks.
var endless = message.Compress(bytes.Repeat([]byte{1}, 1<<24))

// lies are wrong reports, with what the log says of them.
var lies = map[string]struct {
	log string
	lie func(r message.Report) [][]byte
}{
	"twice":   {"the unit is", func(r message.Report) [][]byte { return [][]byte{r.Text(), r.Text()} }},
	"no text": {"not a result", func(r message.Report) [][]byte { return [][]byte{{0xff, 0}, nil, r.Text()} }},
	"unknown": {"the unit is not known", func(r message.Report) [][]byte {
		return [][]byte{message.Report{Unit: "00112233445566778899aabbccddeeff", Stream: r.Stream}.Text(), r.Text()}
	}},
	"negative": {"not a result", func(r message.Report) [][]byte {
		return [][]byte{message.Report{Unit: r.Unit, Deaths: -1}.Text(), r.Text()}
	}},
	"another slice": {"is no proof of", changed(func(r *message.Report) {
		r.Stream = message.Compress([]byte("[2 2 2 2]"))
	})},
	"cut":           {"unexpected EOF", changed(func(r *message.Report) { r.Stream = r.Stream[:len(r.Stream)/2] })},
	"no stream":     {"corrupt input", changed(func(r *message.Report) { r.Stream = []byte{0xff, 0xff} })},
	"endless":       {"is no proof of", changed(func(r *message.Report) { r.Stream = endless })},
	"refused":       {"no time", changed(func(r *message.Report) { r.Stream, r.Refused = nil, "no time" })},
	"dead":          {"workers were lost", changed(func(r *message.Report) { r.Stream, r.Deaths = nil, 7 })},
	"no placement":  {"are not a placement of 4", changed(func(r *message.Report) { r.Found = []int{1, 2, 3} })},
	"no such nodes": {"result refused", changed(func(r *message.Report) { r.Found = []int{-1, 1 << 40, 2, 3} })},
	"a bad placement": {"its placement has E_max 3", changed(func(r *message.Report) {
		r.Found = []int{0, 1, 2, 3}
	})},
}

func changed(change func(*message.Report)) func(message.Report) [][]byte {
	return func(r message.Report) [][]byte {
		change(&r)
		return [][]byte{r.Text()}
	}
}

// TestLies has a worker alone that lies in one way: the proof is complete all the same, since the coordinator writes
// what nobody else does, and the log says what was refused.
func TestLies(t *testing.T) {
	for name, c := range lies {
		t.Run(name, func(t *testing.T) {
			memory, x := queuetest.NewMemory(), newTree()
			head, log := logged(t, memory)
			startWorkers(t, liar{memory, c.lie}, workerOptions("liar"))
			x.complete(t, head.Prove(t.Context(), x.shared()))
			if !log.has(c.log) {
				t.Errorf("the log lacks %q:\n%.2000s", c.log, log.text.String())
			}
		})
	}
}

// TestTrueFind has a worker meet a placement below the value, and one that posts it: both end the proof.
func TestTrueFind(t *testing.T) {
	good := []int{0, 5, 10, 15}
	for _, posted := range []bool{false, true} {
		memory, x := queuetest.NewMemory(), newTree()
		c := open(t, memory)
		p := x.shared().Problem
		s := core.MustPlacement(p.Torus(), good)
		value, _ := p.Naive(s).Max()
		if posted {
			coretest.Try(Post(t.Context(), memory, p, s, value, "somebody"))
		} else {
			o := workerOptions("one")
			o.Write = func(_ context.Context, _ string, _ objective.Problem, _ *big.Rat, name []int, to io.Writer) error {
				if len(name) == 2 {
					return fmt.Errorf("the engine says: %w", &refuters.PlacementError{Placement: s})
				}
				_, err := fmt.Fprint(to, name)
				return err
			}
			startWorkers(t, memory, o)
		}
		if err := c.Prove(t.Context(), x.shared()); err != nil || !slices.Equal(x.found, good) {
			t.Errorf("posted %t: found %v, %v", posted, x.found, err)
		}
	}
}

// TestWorkerLeaves stops a worker while it writes: what it had goes on elsewhere.
func TestWorkerLeaves(t *testing.T) {
	memory, x := queuetest.NewMemory(), newTree()
	c := open(t, memory)
	ctx, cancel := context.WithCancel(t.Context())
	o := workerOptions("leaving")
	o.Write = func(ctx context.Context, _ string, _ objective.Problem, _ *big.Rat, _ []int, _ io.Writer) error {
		cancel()
		<-ctx.Done()
		return ctx.Err()
	}
	gone := make(chan error)
	go func() { gone <- Work(ctx, memory, o) }()
	ended := make(chan error)
	go func() { ended <- c.Prove(t.Context(), x.shared()) }()
	if err := <-gone; err != nil {
		t.Error(err)
	}
	startWorkers(t, memory, workerOptions("staying"))
	x.complete(t, <-ended)
}

// A hostile worker has the token, and writes whatever it likes to a queue that lets it: that of an outside server
// without permissions.
type hostile struct {
	queue  *queuetest.Memory
	random *rand.Rand
	heard  [][]byte // reports that it gave, to give them again
}

// act does one thing out of many; it fails when the context ends.
func (h *hostile) act(ctx context.Context) error {
	junk := make([]byte, h.random.IntN(300))
	for i := range junk {
		junk[i] = byte(h.random.Uint32())
	}
	switch h.random.IntN(11) {
	case 0:
		return h.queue.Submit(ctx, junk)
	case 1:
		return h.queue.Submit(ctx, bytes.Repeat([]byte("{"), message.MaxText+1+h.random.IntN(1000)))
	case 2:
		if len(h.heard) > 0 {
			return h.queue.Submit(ctx, h.heard[h.random.IntN(len(h.heard))])
		}
		return nil
	case 3:
		return h.queue.Put(ctx, message.KeyBest, junk, queue.Any)
	case 4:
		return h.queue.Put(ctx, message.KeyBest, message.Encode(message.Incumbent{Nodes: core.Range(4), Value: "1/1000",
			Worker: "fresh"}), queue.Any)
	case 5:
		return h.queue.Put(ctx, message.KeyQuestion, junk, queue.Any)
	case 6:
		return h.queue.Say(ctx, message.Encode(message.Hello{Name: fmt.Sprintf("fresh-%d\x1b[2J", h.random.IntN(9)),
			Cores: 1 << 40, Running: -5, Rate: -1e308}))
	case 7:
		return h.queue.Append(ctx, junk)
	}
	d, err := h.queue.Take(ctx)
	if err != nil {
		return err
	}
	names := []string{"no stream", "another slice", "cut", "refused", "dead", "no placement", "a bad placement"}
	r := message.Report{Unit: message.IDOf(d.Text), Worker: "honest", Stream: message.Compress(d.Text), Value: "1/7",
		Method: "local", Evaluations: message.MaxCount, Seconds: 1e-300}
	if u, err := message.ParseUnit(d.Text); err == nil && u.Search != nil {
		r.Stream, r.Best = nil, core.Range(u.Size)
	}
	for _, text := range lies[names[h.random.IntN(len(names))]].lie(r) {
		h.heard = append(h.heard, text)
		if err := h.queue.Submit(ctx, text); err != nil {
			return err
		}
	}
	return d.Done(ctx)
}

// TestHostileWorker lets a hostile worker act beside an honest one, while the coordinator is stopped and started again.
func TestHostileWorker(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 12
	}
	for seed := range seeds {
		memory, x := queuetest.NewMemory(), newTree()
		h := &hostile{queue: memory, random: rand.New(rand.NewPCG(seed, 77))}
		ctx, stop := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() {
			for i := 0; i < 150 && h.act(ctx) == nil; i++ {
			}
		})
		all.Go(func() { _ = Work(ctx, memory, workerOptions("honest")) })
		for round := 0; ; round++ {
			c := open(t, memory)
			limited, cancel := context.WithCancel(t.Context())
			var told atomic.Int64
			x.done = func(int) {
				if told.Add(1) == 4 && round < 3 {
					cancel()
				}
			}
			err := c.Prove(limited, x.shared())
			ended := limited.Err() == nil
			cancel()
			c.Close()
			if ended {
				x.complete(t, err)
				break
			}
			if !errors.Is(err, context.Canceled) || !c.Stopped() {
				t.Fatal(err)
			}
			x = x.reopened()
		}
		stop()
		all.Wait()
	}
}
