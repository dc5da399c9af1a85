package cluster

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"leeway/search"
	"leeway/search/census"
	"leeway/search/cluster/message"
	"leeway/search/cluster/queue"
	"leeway/search/cluster/queue/queuetest"
	"leeway/search/portfolio"
)

// A liar changes the reports that go through it.
type liar struct {
	queue.Queue
	lie func(ctx context.Context, text []byte) [][]byte
}

func (l liar) Submit(ctx context.Context, text []byte) error {
	for _, t := range l.lie(ctx, text) {
		if err := l.Queue.Submit(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// TestLies has an honest worker beside one that lies in one way; the answer must be
// that of one machine, and the log must say what was refused.
func TestLies(t *testing.T) {
	changed := func(change func(*message.Report)) func(context.Context, []byte) [][]byte {
		return func(_ context.Context, text []byte) [][]byte {
			r, err := message.ParseReport(text)
			if err != nil {
				panic(err)
			}
			change(&r)
			return [][]byte{forged(r)}
		}
	}
	for _, c := range []struct {
		name, log string
		lie       func(context.Context, []byte) [][]byte
	}{
		{"twice", "the unit is done", func(_ context.Context, b []byte) [][]byte { return [][]byte{b, b} }},
		{"unknown", "the unit is not known", func(_ context.Context, b []byte) [][]byte {
			return [][]byte{message.Report{Unit: "00112233445566778899aabbccddeeff", Done: 1, Sum: "0000000000000001",
				Nodes: 5}.Text(), b}
		}},
		{"damaged", "its checksum is wrong", func(_ context.Context, b []byte) [][]byte {
			return [][]byte{bytes.Replace(bytes.Clone(b), []byte(`"seconds":`), []byte(`"seconds":1`), 1), b}
		}},
		{"no text", "not a result", func(_ context.Context, b []byte) [][]byte { return [][]byte{{0xff, 0}, nil, b} }},
		{"nodes", "its counts are wrong", changed(func(r *message.Report) { r.Nodes++ })},
		{"sum", "its counts are wrong", changed(func(r *message.Report) { r.Sum = "0123456789abcdef" })},
		{"too many", "prefixes of", changed(func(r *message.Report) { r.Done += 1000 })},
		{"placement", "is not below", changed(func(r *message.Report) { r.Done, r.Nodes, r.Found = 0, 0, firstNodes(6) })},
		{"no placement", "its placement is none", changed(func(r *message.Report) {
			r.Done, r.Nodes, r.Found = 0, 0,
				[]int{3, 3}
		})},
	} {
		t.Run(c.name, func(t *testing.T) {
			memory := queuetest.NewMemory()
			q := questions(t)[2] // 4x5, 6 processors: none
			coordinator, log := logged(t, memory)
			lied := make(chan bool, 1000)
			wrong := liar{memory, func(ctx context.Context, b []byte) [][]byte { lied <- true; return c.lie(ctx, b) }}
			stop := startWorkers(t, wrong, workerOptions("liar"))
			q.Cluster = coordinator
			ended := make(chan bool)
			go func() {
				defer close(ended)
				reply, err := census.Decide(t.Context(), q)
				same(t, q, reply, err)
			}()
			<-lied
			startWorkers(t, memory, workerOptions("honest"))
			<-ended
			stop()
			if !log.has(c.log) || coordinator.Status().Refused == 0 {
				t.Errorf("the log does not say %q:\n%s", c.log, log.text.String())
			}
		})
	}
}

// TestLiarIsSentAway has a worker whose counts are wrong find out, and another one finish.
func TestLiarIsSentAway(t *testing.T) {
	memory := queuetest.NewMemory()
	q := questions(t)[2]
	q.Cluster = open(t, memory)
	wrong := liar{memory, func(_ context.Context, text []byte) [][]byte {
		r, err := message.ParseReport(text)
		if err != nil {
			panic(err)
		}
		r.Nodes++
		return [][]byte{forged(r)}
	}}
	ended := make(chan bool)
	go func() {
		defer close(ended)
		reply, err := census.Decide(t.Context(), q)
		same(t, q, reply, err)
	}()
	var ban *BanError
	if err := Work(t.Context(), wrong, workerOptions("liar")); !errors.As(err, &ban) || ban.Name != "liar" {
		t.Errorf("got %v", err)
	}
	startWorkers(t, memory, workerOptions("honest"))
	<-ended
}

// TestUnitsThatVanish has a worker take all the units that are out and hand nothing in;
// they must be handed out again to another one.
func TestUnitsThatVanish(t *testing.T) {
	q := questions(t)[2]
	for name, run := range map[string]func(*Coordinator){
		"proof": func(c *Coordinator) {
			q.Cluster = c
			reply, err := census.Decide(t.Context(), q)
			same(t, q, reply, err)
		},
		"search": func(c *Coordinator) {
			r, err := c.Search(t.Context(), portfolio.Portfolio{Methods: []string{"local"}},
				search.Params{Problem: q.Problem, Seed: 1,
					Evaluations: 20_000})
			if err != nil || r.Evaluations != 20_000 {
				t.Errorf("%+v, %v", r, err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			memory := queuetest.NewMemory()
			c, log := logged(t, memory)
			lost := make(chan bool, 1000)
			thief := liar{memory, func(context.Context, []byte) [][]byte { lost <- true; return nil }}
			stop := startWorkers(t, thief, workerOptions("thief"))
			ended := make(chan bool)
			go func() {
				defer close(ended)
				run(c)
			}()
			for range 4 { // all that are out while nothing comes back
				<-lost
			}
			stop()
			startWorkers(t, memory, workerOptions("honest"))
			<-ended
			if !log.has("unit handed out again") {
				t.Error("it ended without the lost units")
			}
		})
	}
}
