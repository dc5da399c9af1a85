package schedules

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective/exchange"
)

// shuttles is an exchange on a ring of n nodes by all-port: every node passes all that it has on to both sides.
func shuttles(n int) exchange.Schedule {
	head := exchange.Head{Name: "shuttles", Model: exchange.AllPort,
		Axes: []exchange.Axis{{Kind: exchange.Ring, Nodes: n}}}
	phases := func(yield func(exchange.Phase) bool) {
		for d := 1; d <= n/2; d++ {
			for k := range d {
				var phase exchange.Phase
				for v := range n {
					phase = append(phase, exchange.Send{From: int32((v + k) % n), To: int32((v + k + 1) % n),
						Blocks: []exchange.Block{exchange.NewBlock(v, (v+d)%n)}})
					if 2*d < n {
						phase = append(phase, exchange.Send{
							From: int32((v - k + n) % n), To: int32((v - k - 1 + n) % n),
							Blocks: []exchange.Block{exchange.NewBlock(v, (v-d+n)%n)}})
					}
				}
				if !yield(phase) {
					return
				}
			}
		}
	}
	return exchange.Schedule{Head: head, Phases: phases}
}

// hops is an exchange of n nodes in which random nodes pass blocks on, in phases of several blocks.
func hops(n int, rng *rand.Rand) exchange.Schedule {
	var phases []exchange.Phase
	for s := range n {
		for d := range n {
			for at := s; s != d && at != d; {
				to := rng.IntN(n)
				if to == at || to != d && rng.IntN(2) == 0 {
					continue
				}
				phases = append(phases, exchange.Phase{{From: int32(at), To: int32(to), Axis: -1,
					Blocks: []exchange.Block{exchange.NewBlock(s, d)}}})
				at = to
			}
		}
	}
	head := exchange.Head{Name: "hops", Model: exchange.StoreAndForward,
		Axes: []exchange.Axis{{Kind: exchange.Complete, Nodes: n}}}
	return exchange.Schedule{Head: head, Phases: func(yield func(exchange.Phase) bool) {
		for _, p := range phases {
			if !yield(p) {
				return
			}
		}
	}}
}

// An algo is what MSCCL reads.
type algo struct {
	Ranks []struct {
		Scratch int `xml:"s_chunks,attr"`
		Blocks  []struct {
			Send  int `xml:"send,attr"`
			Recv  int `xml:"recv,attr"`
			Steps []struct {
				Type    string `xml:"type,attr"`
				From    string `xml:"srcbuf,attr"`
				FromOff int    `xml:"srcoff,attr"`
				To      string `xml:"dstbuf,attr"`
				ToOff   int    `xml:"dstoff,attr"`
				Block   int    `xml:"depid,attr"`
				Step    int    `xml:"deps,attr"`
				Waited  int    `xml:"hasdep,attr"`
			} `xml:"step"`
		} `xml:"tb"`
	} `xml:"gpu"`
}

// run runs an algorithm: thread blocks of all ranks in random sequence, each as far as messages and the step that it
// waits for let it. It returns the outputs of all ranks.
func (a algo) run(n int, rng *rand.Rand) ([][]string, error) {
	type thread struct{ rank, block, next int }
	var threads []thread
	buffers := make([]map[string][]string, n)
	done := make([][]int, n)
	messages := map[[2]int][]string{}
	for v, r := range a.Ranks {
		buffers[v] = map[string][]string{"i": make([]string, n), "o": make([]string, n), "s": make([]string, r.Scratch)}
		for d := range n {
			buffers[v]["i"][d] = fmt.Sprint(v, ">", d)
		}
		done[v] = make([]int, len(r.Blocks))
		for b := range r.Blocks {
			threads = append(threads, thread{v, b, 0})
		}
	}
	for moved := true; moved; {
		moved = false
		for _, i := range rng.Perm(len(threads)) {
			t := &threads[i]
			tb := a.Ranks[t.rank].Blocks[t.block]
			if t.next == len(tb.Steps) {
				continue
			}
			s := tb.Steps[t.next]
			if s.Block >= 0 {
				if a.Ranks[t.rank].Blocks[s.Block].Steps[s.Step].Waited == 0 {
					return nil, errors.New("a step waits for one that does not say so")
				}
				if done[t.rank][s.Block] <= s.Step {
					continue
				}
			}
			link := [2]int{tb.Recv, t.rank}
			switch s.Type {
			case "cpy":
				buffers[t.rank][s.To][s.ToOff] = buffers[t.rank][s.From][s.FromOff]
			case "s":
				message := buffers[t.rank][s.From][s.FromOff]
				if message == "" {
					return nil, errors.New("an empty slot is sent")
				}
				link = [2]int{t.rank, tb.Send}
				messages[link] = append(messages[link], message)
			case "r":
				if len(messages[link]) == 0 {
					continue
				}
				if buffers[t.rank][s.To][s.ToOff] != "" {
					return nil, errors.New("a slot is used twice")
				}
				buffers[t.rank][s.To][s.ToOff] = messages[link][0]
				messages[link] = messages[link][1:]
			}
			t.next++
			done[t.rank][t.block]++
			moved = true
		}
	}
	var outputs [][]string
	for _, b := range buffers {
		outputs = append(outputs, b["o"])
	}
	return outputs, nil
}

// TestMSCCL runs algorithms in random sequences.
func TestMSCCL(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 36))
	for range coretest.Cases(200, 20) {
		n := 2 + rng.IntN(7)
		s := shuttles(n)
		if rng.IntN(2) == 0 {
			s = hops(n, rng)
		}
		var out bytes.Buffer
		write := coretest.Must(Export("msccl", s.Head, WithContext(context.Background(), s.Phases)))
		var a algo
		coretest.Try(errors.Join(write(&out), xml.Unmarshal(out.Bytes(), &a)))
		outputs := coretest.Must(a.run(n, rng))
		for d := range n {
			for v := range n {
				if outputs[d][v] != fmt.Sprint(v, ">", d) {
					t.Fatalf("%s of %d: rank %d has %q from %d", s.Head.Name, n, d, outputs[d][v], v)
				}
			}
		}
	}
}

// TestStepsJSON: the steps of a ring of 5 come back.
func TestStepsJSON(t *testing.T) {
	s := shuttles(5)
	var out bytes.Buffer
	write := coretest.Must(Export("steps-json", s.Head, WithContext(context.Background(), s.Phases)))
	var read struct {
		Schema     string
		Nodes      int
		Processors []int32
		Steps      [][]struct{ Link, Block [2]int32 }
	}
	coretest.Try(errors.Join(write(&out), json.Unmarshal(out.Bytes(), &read)))
	if read.Schema != "leeway/steps-json/1" || read.Nodes != 5 || len(read.Processors) != 5 {
		t.Errorf("%+v", read)
	}
	next, stop := iter.Pull(s.Phases)
	defer stop()
	for i, step := range read.Steps {
		phase, ok := next()
		if !ok || len(phase) != len(step) {
			t.Fatalf("step %d: %v, want %v", i, step, phase)
		}
		for j, send := range phase {
			if step[j].Link != [2]int32{send.From, send.To} ||
				step[j].Block != [2]int32{send.Blocks[0].From, send.Blocks[0].To} {
				t.Fatalf("step %d: %v, want %v", i, step[j], send)
			}
		}
	}
	if _, ok := next(); ok {
		t.Error("steps are missing")
	}
}

// TestExportErrors: schedules that a format has no words for, and one that moves a block which is elsewhere.
func TestExportErrors(t *testing.T) {
	var input *core.InputError
	s := shuttles(4)
	s.Head.Participants = []int{0, 1}
	if _, err := Export("msccl", s.Head, nil); !errors.As(err, &input) {
		t.Error(err)
	}
	s.Head.Model = exchange.Wormhole
	if _, err := Export("steps-json", s.Head, nil); !errors.As(err, &input) {
		t.Error(err)
	}
	late := func(yield func(exchange.Phase, error) bool) {
		yield(exchange.Phase{{From: 1, To: 2, Blocks: []exchange.Block{exchange.NewBlock(0, 2)}}}, nil)
	}
	write := coretest.Must(Export("msccl", shuttles(4).Head, late))
	if err := write(&bytes.Buffer{}); err == nil {
		t.Error("a block that is elsewhere")
	}
}
