package cluster

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"leeway/search"
	"leeway/search/census"
	"leeway/search/cluster/message"
	"leeway/search/cluster/queue"
	"leeway/search/cluster/queue/queuetest"
)

// A hostile worker has the token, and writes whatever it likes to a queue that lets it:
// that of an outside server without permissions.
type hostile struct {
	queue  *queuetest.Memory
	random *rand.Rand
	serial int
	heard  [][]byte // reports that it gave, to give them again
}

// key returns one that nobody has seen.
func (h *hostile) key() ed25519.PrivateKey {
	h.serial++
	seed := sha256.Sum256(fmt.Append(nil, "hostile", h.serial))
	return ed25519.NewKeyFromSeed(seed[:])
}

// give hands in reports, under a key of their own unless they have one.
func (h *hostile) give(ctx context.Context, r message.Report) error {
	r.Worker = fmt.Sprint("fresh-", h.serial)
	text := r.Signed(h.key()).Text()
	h.heard = append(h.heard, text)
	return h.queue.Submit(ctx, text)
}

// act does one thing out of many; it fails when the context ends.
func (h *hostile) act(ctx context.Context, q census.Question) error {
	junk := make([]byte, h.random.IntN(300))
	for i := range junk {
		junk[i] = byte(h.random.Uint32())
	}
	switch h.random.IntN(12) {
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
		return h.queue.Put(ctx, message.KeyBest, message.Encode(message.Incumbent{Nodes: firstNodes(q.Problem.Size),
			Value: "1/1000", Worker: "fresh"}), queue.Any)
	case 5:
		return h.queue.Put(ctx, message.KeyQuestion, junk, queue.Any)
	case 6:
		return h.queue.Say(ctx, message.Encode(message.Hello{Name: fmt.Sprintf("fresh-%d\x1b[2J", h.random.IntN(9)),
			Cores: 1 << 40, Running: -5, Rate: -1e308}))
	case 7:
		return h.queue.Say(ctx, message.Encode(message.Hello{Key: fmt.Sprint(h.random.IntN(50)), Name: "fresh",
			Cores: 1 << 40}))
	case 8:
		return h.forge(ctx, q)
	}
	d, err := h.queue.Take(ctx)
	if err != nil {
		return err
	}
	u, err := message.ParseUnit(d.Text)
	if err != nil {
		return err
	}
	if u.Census != nil {
		err = h.give(ctx, h.lie(u))
	} else {
		err = h.give(ctx, message.Report{Unit: u.ID(), Best: firstNodes(u.Size), Value: "1/7",
			Evaluations: message.MaxCount, Seconds: 1e-300, Refuted: true, Method: "local"})
	}
	if err != nil {
		return err
	}
	return d.Done(ctx)
}

// lie makes up what became of a unit of a census.
func (h *hostile) lie(u message.Unit) message.Report {
	r := message.Report{Unit: u.ID(), Done: u.Census.Count, Nodes: int64(h.random.IntN(5000)),
		Sum: fmt.Sprintf("%016x", h.random.Uint64()), Seconds: float64(h.random.IntN(2)) * 1e-9}
	switch h.random.IntN(9) {
	case 0:
		r.Nodes = 1 << 62
	case 1:
		r.Done += 1 + h.random.IntN(5)
	case 2:
		r.Done, r.Nodes, r.Found = 0, 0, firstNodes(u.Size)
	case 3:
		return message.Report{Unit: u.ID(), Deaths: 5}
	case 4:
		return message.Report{Unit: u.ID(), Refused: "\x1b[2Jno"}
	case 5:
		return message.Report{Unit: u.ID()}
	case 6:
		r.Found = []int{-1, 1 << 40}
	}
	return r
}

// forge writes lines to the ledger: junk, entries without a seal or with another one, old
// lines again, and a placement that is none.
func (h *hostile) forge(ctx context.Context, q census.Question) error {
	var lines [][]byte
	if err := h.queue.Ledger(ctx, func(line []byte) error { lines = append(lines, line); return nil }); err != nil {
		return err
	}
	for _, line := range lines {
		number, e, err := message.Unseal(testKey, "a test", line)
		if err != nil || e.Issue == nil || h.random.IntN(4) > 0 {
			continue
		}
		r := message.Report{Unit: e.Issue.ID(), Done: 1, Nodes: 1, Sum: "0000000000000001"}
		if e.Issue.Census != nil && h.random.IntN(2) == 0 {
			r = message.Report{Unit: e.Issue.ID(), Found: []int{-1, 1 << 40, 1 << 50}}
		}
		r = r.Checked()
		for _, forged := range [][]byte{
			message.Encode(message.Entry{Question: e.Question, Accept: &r}),
			message.Seal([]byte("another key"), "a test", number+1, message.Entry{Question: e.Question, Accept: &r}),
			message.Seal(testKey, "another job", number+1, message.Entry{Question: e.Question, Accept: &r}), line,
			bytes.Replace(line, []byte(`"number":`), []byte(`"number":9`), 1),
			[]byte(`{"question":"` + e.Question + `","void":"x"}`), {0xff}, nil,
		} {
			if err := h.queue.Append(ctx, forged); err != nil {
				return err
			}
		}
		break
	}
	return nil
}

// TestHostileWorker lets a hostile worker act beside an honest one, while the coordinator is
// stopped and started again: the answer is that of one machine, in every variant.
func TestHostileWorker(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 12
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			list := questions(t)
			q := list[2*(int(seed)%(len(list)/2))] // nothing is below
			asked := q
			memory, log := queuetest.NewMemory(), &sliceLog{}
			h := &hostile{queue: memory, random: rand.New(rand.NewPCG(seed, 77))}
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			var all sync.WaitGroup
			defer all.Wait()
			defer stop()
			all.Go(func() {
				for range 150 {
					if h.act(ctx, asked) != nil {
						return
					}
				}
			})
			all.Go(func() {
				if err := Work(ctx, memory, workerOptions("honest")); err != nil && ctx.Err() == nil {
					t.Error(err)
				}
			})
			q.Log = log
			for round := 0; ; round++ {
				c, err := Open(t.Context(), memory, Options{Program: "test", Job: "a test", Log: slog.New(slog.DiscardHandler),
					UnitTime: time.Microsecond,
					Confirm:  byPlan,
					Key:      testKey, Patience: time.Hour, Confirmers: 2, Own: true})
				if err != nil {
					t.Fatal(err)
				}
				limited, cancel := context.WithCancel(t.Context())
				told := 0
				q.Cluster, q.Observe = c, func(census.Progress) {
					if told++; told == 4 && round < 3 {
						cancel()
					}
				}
				reply, err := census.Decide(limited, q)
				ended := limited.Err() == nil
				cancel()
				c.Close()
				if !ended {
					continue
				}
				q.Observe, q.Log = nil, nil
				same(t, q, reply, err)
				break
			}
		})
	}
}

// TestHostileSearcher has a search beside a hostile worker: what it returns has the value
// that it says, and a proof only where there is one.
func TestHostileSearcher(t *testing.T) {
	seeds := uint64(16)
	if testing.Short() {
		seeds = 4
	}
	q := questions(t)[2]
	for seed := range seeds {
		memory := queuetest.NewMemory()
		c := open(t, memory)
		h := &hostile{queue: memory, random: rand.New(rand.NewPCG(seed, 78))}
		ctx, stop := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() {
			for range 60 {
				if h.act(ctx, q) != nil {
					return
				}
			}
		})
		all.Go(func() { _ = Work(ctx, memory, workerOptions("honest")) })
		r, err := c.Search(t.Context(), testPortfolio, search.Params{Problem: q.Problem, Seed: seed, Evaluations: 60_000})
		stop()
		all.Wait()
		if err != nil || r.Value == nil {
			t.Fatal(seed, r, err)
		}
		if v, _ := q.Problem.Naive(r.Best).Max(); v.Cmp(r.Value) != 0 || r.Value.Cmp(q.Below) < 0 {
			t.Errorf("seed %d: E_max %s, not %s", seed, v.RatString(), r.Value.RatString())
		}
		if r.Refutation != nil {
			same(t, census.Question{Problem: q.Problem, Below: r.Value, Engines: testPortfolio.Engines, Workers: 1},
				census.Reply{Refutation: r.Refutation}, nil)
		}
	}
}

// TestFreshNamesGainNothing invents reports under new names, and waits with a sample until
// some worker is off probation: none of a new name is believed.
func TestFreshNamesGainNothing(t *testing.T) {
	c := open(t, queuetest.NewMemory())
	c.options.Sample, c.smallNodes = 1<<62, -1
	w := &censusRun{question: question{Coordinator: c}}
	for i := range 1000 {
		key := fmt.Sprint("fresh-", i)
		if w.believed(message.Report{Unit: fmt.Sprintf("%032x", i), Key: key, Nodes: 1 << 20, Done: 1}) {
			t.Fatal(key, " is believed")
		}
	}
	known := message.Report{Unit: fmt.Sprintf("%032x", 1), Key: "known", Nodes: 1 << 20, Done: 1}
	c.right["known"] = probation
	if !w.believed(known) {
		t.Error("who was right is never believed")
	}
	c.ban("somebody else")
	if w.believed(known) {
		t.Error("somebody lied, and workers are still believed")
	}
}

// TestNobodySpeaksForAnother has somebody give reports in the name of an honest worker: it is not banned for them.
func TestNobodySpeaksForAnother(t *testing.T) {
	memory := queuetest.NewMemory()
	q := questions(t)[2]
	c, log := logged(t, memory)
	q.Cluster = c
	framer := liar{memory, func(_ context.Context, text []byte) [][]byte {
		r, err := message.ParseReport(text)
		if err != nil {
			panic(err)
		}
		r.Worker, r.Key, r.Nodes = "honest", fmt.Sprintf("%x", []byte(keyOf("honest").Public().(ed25519.PublicKey))),
			r.Nodes+1
		return [][]byte{r.Text(), text}
	}}
	startWorkers(t, framer, workerOptions("framer"))
	reply, err := census.Decide(t.Context(), q)
	same(t, q, reply, err)
	if !log.has("its signature is wrong") || log.has("not trusted any more") {
		t.Errorf("%s", log.text.String())
	}
}

// TestConfirmedBySomebodyElse has the walks of Confirm replace what workers count, and its error end the proof.
func TestConfirmedBySomebodyElse(t *testing.T) {
	q := questions(t)[2]
	confirmed := 0
	for _, fails := range []bool{false, true} {
		memory := queuetest.NewMemory()
		c := open(t, memory)
		c.options.Confirm = func(_ context.Context, tree census.Tree) (Rewalk, error) {
			if fails {
				return nil, errors.New("no such tree")
			}
			plain, err := byPlan(t.Context(), tree)
			return func(ctx context.Context, from, to int) (census.Tally, error) {
				confirmed++
				return plain(ctx, from, to)
			}, err
		}
		startWorkers(t, memory, workerOptions("one"))
		q.Cluster = c
		reply, err := census.Decide(t.Context(), q)
		if fails {
			if err == nil || !strings.Contains(err.Error(), "cannot be confirmed: no such tree") || reply.Refutation != nil {
				t.Errorf("%+v, %v", reply, err)
			}
			continue
		}
		same(t, q, reply, err)
		if confirmed == 0 {
			t.Error("nothing was confirmed")
		}
	}
}

// TestForgedLedger has entries in the ledger that say of a whole slice what is not so. Only
// with the seal of the coordinator, in its place, is an entry believed.
func TestForgedLedger(t *testing.T) {
	q := questions(t)[2]
	first, u := firstSlice(t, q)
	lie := message.Report{Unit: u.ID(), Done: first.Prefixes, Nodes: 1 << 40, Sum: "0000000000000001"}
	lie = lie.Checked()
	e := message.Entry{Question: u.Question(), Accept: &lie}
	none := message.Report{Unit: u.ID(), Found: []int{-1, 1 << 40}}
	none = none.Checked()
	before := message.Seal(testKey, "a test", 7, e) // of a number that others have used since
	for i, c := range []struct {
		line     []byte
		believed bool
	}{
		{message.Seal(testKey, "a test", 9, e), true}, // so that the others show something
		{message.Encode(e), false}, {message.Seal([]byte("another"), "a test", 9, e), false},
		{message.Seal(testKey, "another job", 9, e), false}, {before, false},
		{bytes.Replace(before, []byte(`"number":7`), []byte(`"number":9`), 1), false},
		{bytes.Replace(message.Seal(testKey, "a test", 9, e), []byte(`"nodes":1`), []byte(`"nodes":2`), 1), false},
		{message.Seal(testKey, "a test", 9, message.Entry{Question: u.Question(), Accept: &none}), false},
		{[]byte("junk"), false}, {nil, false}, {bytes.Repeat([]byte("["), 1<<21), false},
	} {
		memory := queuetest.NewMemory()
		for _, line := range [][]byte{message.Seal(testKey, "a test", 8, message.Entry{Question: u.Question(), Issue: &u}),
			c.line} {
			if err := memory.Append(t.Context(), line); err != nil {
				t.Fatal(err)
			}
		}
		asked := q
		asked.Cluster = open(t, memory)
		stop := startWorkers(t, memory, workerOptions("honest"))
		reply, err := census.Decide(t.Context(), asked)
		stop()
		if err != nil || reply.Refutation == nil {
			t.Fatal(i, reply, err)
		}
		if believed := reply.Refutation.Count >= 1<<40; believed != c.believed {
			t.Errorf("%d: believed %t", i, believed)
		}
		if !c.believed {
			same(t, q, reply, err)
		}
	}
}

// TestOnWordAreWalkedAgain has slices from an earlier run that counted on the word of workers:
// with a sample they stay, else they are walked again.
func TestOnWordAreWalkedAgain(t *testing.T) {
	q := questions(t)[2]
	for _, sample := range []int{0, 1 << 62} {
		log := &sliceLog{}
		first, _ := firstSlice(t, q)
		first.Nodes, first.Sum, first.OnWord = 1<<40, 1, true
		log.list = []search.Slice{first.Slice}
		memory := queuetest.NewMemory()
		c := open(t, memory)
		c.options.Sample = sample
		asked := q
		asked.Cluster, asked.Log = c, log
		stop := startWorkers(t, memory, workerOptions("honest"))
		reply, err := census.Decide(t.Context(), asked)
		stop()
		if sample == 0 {
			same(t, q, reply, err)
		} else if err != nil || reply.Refutation == nil || !reply.Refutation.Slices[0].OnWord ||
			reply.Refutation.Count < 1<<40 {
			t.Errorf("%+v, %v", reply, err)
		}
	}
}

// TestJunkIsTakenAway has the stream of reports full of junk: the coordinator takes it away, so that
// workers can hand in reports.
func TestJunkIsTakenAway(t *testing.T) {
	s := queuetest.Serve(t, queue.Listen{})
	lead := queuetest.Dial(t, s, true)
	flood, err := nats.Connect("nats://"+s.Addr(), nats.Token(s.Token()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(flood.Close)
	junk := make([]byte, message.MaxText)
	for range 130 { // twice what there is room for
		if err := flood.Publish("leeway.result", junk); err != nil {
			t.Fatal(err)
		}
	}
	if err := flood.Flush(); err != nil {
		t.Fatal(err)
	}
	q := questions(t)[2]
	c, log := logged(t, lead)
	startWorkers(t, queuetest.Dial(t, s, false), workerOptions("one"))
	q.Cluster = c
	reply, err := census.Decide(t.Context(), q)
	same(t, q, reply, err)
	if !log.has("not a result") {
		t.Error("the junk was not told of")
	}
}

// TestFullQueue has an outside server whose stream of units has no room: the coordinator says so.
func TestFullQueue(t *testing.T) {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(),
		NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(30 * time.Second) {
		t.Fatal("the server did not start")
	}
	lead, err := queue.Dial(t.Context(), queue.Access{URLs: s.ClientURL(), Lead: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lead.Close() })
	conn, err := nats.Connect(s.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := js.Stream(t.Context(), "leeway-units")
	if err != nil {
		t.Fatal(err)
	}
	config := stream.CachedInfo().Config
	config.MaxBytes = 100
	if _, err := js.UpdateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	q := questions(t)[2]
	q.Cluster = open(t, lead)
	var full *queue.FullError
	reply, err := census.Decide(t.Context(), q)
	if !errors.As(err, &full) || full.Stream != "leeway-units" || reply.Refutation != nil {
		t.Errorf("%+v, %v", reply, err)
	}
}

// TestForeignJob has a job in the queue that another key signed, or none: on a server of its
// own the coordinator does not mind, on another it does.
func TestForeignJob(t *testing.T) {
	for _, own := range []bool{true, false} {
		for _, key := range [][]byte{testKey, []byte("another")} {
			memory := queuetest.NewMemory()
			if err := memory.Put(t.Context(), message.KeyJob, message.Encode(message.Job{Protocol: message.Protocol,
				Program: "test", Job: "another"}.Sealed(key)), queue.Any); err != nil {
				t.Fatal(err)
			}
			_, err := Open(t.Context(), memory, Options{Program: "test", Job: "a test", Log: slog.New(slog.DiscardHandler),
				Key: testKey, Own: own})
			var job *JobError
			if refused := errors.As(err, &job); refused != (!own || string(key) == string(testKey)) {
				t.Errorf("own %t, key %s: %v", own, key, err)
			}
		}
	}
}

// The parsers of everything that comes from the server.

func FuzzLedger(f *testing.F) {
	u := sampleUnits()[0]
	f.Add(message.Seal(testKey, "a test", 3, message.Entry{Question: u.Question(), Issue: &u}),
		[]byte(`{"question":"x","void":"y"}`))
	f.Fuzz(func(t *testing.T, line, text []byte) {
		// What has the seal may still be anything: it was fuzzed after the seal was made.
		sealedText := message.Encode(map[string]any{"number": 4, "entry": json.RawMessage(compact(text)),
			"mac": message.MAC(testKey, "ledger 4 of a test", compact(text))})
		for _, l := range [][]byte{line, sealedText} {
			_, e, err := message.Unseal(testKey, "a test", l)
			if err != nil {
				continue
			}
			p, err := u.Problem()
			if err != nil {
				t.Fatal(err)
			}
			plan := make(fixed, 100)
			for i := range plan {
				plan[i] = []int{i}
			}
			cut := census.Cut(plan)
			b := newProgress(cut, make([]bool, len(cut)))
			b.replay([]message.Entry{{Issue: &u}, e, e}, p, zero)
			b.answer()
			r := newSchedule(1, nil, nil)
			if e.Issue != nil && e.Issue.Search != nil {
				_ = r.issue(*e.Issue, zero) // an error or not, no panic
			}
		}
	})
}

// compact returns a text as JSON without spaces, or as a string where it is none.
func compact(text []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil || b.Len() == 0 {
		return message.Encode(string(text))
	}
	return message.Encode(json.RawMessage(b.Bytes()))
}

func FuzzFacts(f *testing.F) {
	f.Add([]byte(`{"nodes":[0,4],"value":"1/2","worker":"w"}`))
	f.Add(message.Encode(message.Question{ID: "x", Last: 3, Banned: []string{"y"}}))
	f.Add(message.Encode(message.Job{Protocol: 1, Program: "p", Job: "j"}))
	f.Add(message.Encode(message.Hello{Key: "k", Name: "n", Host: "h", Cores: 3}))
	f.Add(message.Encode(message.Status{Job: "j", Workers: []message.Worker{{Name: "w"}}}))
	p, err := sampleUnits()[1].Problem()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, s, v, err := message.ParseIncumbent(p, text); err == nil && len(text) > 0 {
			if true, _ := p.Naive(s).Max(); v.Cmp(true) != 0 {
				t.Errorf("%s has E_max %s, not %s", text, true, v)
			}
		}
		w := &worker{running: map[*runningUnit]bool{}, end: func(error) {}}
		w.setQuestion(queue.Fact{Value: text, Revision: 1}, queue.Any)
		c := &Coordinator{workers: map[string]*workerState{}, banned: map[string]bool{}, log: slog.New(slog.DiscardHandler)}
		c.hear(text)
		cores, _ := c.capacity()
		if s, err := message.ParseStatus(c.answer()); err != nil || cores > message.MaxCores || len(s.Workers) > 1 {
			t.Errorf("%s becomes %+v, %v", text, s, err)
		}
		if s, err := message.ParseStatus(text); err == nil {
			if _, err := message.ParseStatus(message.Encode(s)); err != nil {
				t.Error(err)
			}
		}
		memory := queuetest.NewMemory()
		if err := memory.Put(t.Context(), message.KeyJob, text, queue.Any); err != nil {
			t.Fatal(err)
		}
		var job *JobError
		if c, err := Open(t.Context(), memory, Options{Program: "test", Job: "j",
			Log: slog.New(slog.DiscardHandler)}); err == nil {
			c.Close()
		} else if !errors.As(err, &job) {
			t.Error(err)
		}
	})
}

// FuzzPlan has a worker do what any unit that it reads says.
func FuzzPlan(f *testing.F) {
	f.Add("odr:tie=plus", "13/2", "margin", 4, 100, 3, 7)
	f.Add("udr:tie=both", "1", "orderly", 4, 3, 0, 3)
	f.Fuzz(func(t *testing.T, routing, below, engine string, size, prefixes, from, count int) {
		u := message.Unit{Schema: message.UnitSchema, Torus: "3x3", Routing: routing, Size: size,
			Census: &message.Range{Below: below, Engine: engine, Prefixes: prefixes, From: from, Count: count}}
		u, err := message.ParseUnit(u.Text())
		if err != nil {
			return
		}
		w := &worker{WorkerOptions: workerOptions("w"), plans: &plans{engines: engines}}
		if r := w.walk(t.Context(), u); r.Refused == "" && r.Done > count {
			t.Errorf("%+v of %+v", r, u.Census)
		}
	})
}
