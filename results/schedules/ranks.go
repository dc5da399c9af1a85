package schedules

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
	"leeway/results/disk"
)

// maxRanksBytes is the largest list of sends and receives that is written: it is held in memory.
const maxRanksBytes = 1 << 28

// A rankWriter follows where each rank, a node, keeps which block in its buffer, and writes down what moves. At the
// start slot i of a processor holds its block for the i-th processor, its own included; with a demand, a node has its
// blocks in the sequence of the demand. What a rank receives follows after what it has, so that no slot is used twice.
type rankWriter struct {
	out   bytes.Buffer
	nodes []int // that exchange
	slots map[holding][]int32
	next  []int32 // by node: the first slot never used
}

// A holding is a block at a node, which may have several that are alike.
type holding struct {
	exchange.Block
	node int32
}

func newRankWriter(head exchange.Head) (*rankWriter, error) {
	demand, err := head.Blocks()
	w := &rankWriter{nodes: demand.Nodes, slots: map[holding][]int32{}, next: make([]int32, head.Nodes())}
	for i, v := range demand.Nodes {
		for to, blocks := range demand.Receivers(v) {
			if demand.IsComplete() && int(w.next[v]) == i {
				w.keep(exchange.NewBlock(v, v), int32(v))
			}
			for range blocks {
				w.keep(exchange.NewBlock(v, to), int32(v))
			}
		}
		if demand.IsComplete() && int(w.next[v]) == i { // the last
			w.keep(exchange.NewBlock(v, v), int32(v))
		}
	}
	return w, err
}

// keep gives a block the next slot of a node.
func (w *rankWriter) keep(b exchange.Block, node int32) {
	w.slots[holding{b, node}] = append(w.slots[holding{b, node}], w.next[node])
	w.next[node]++
}

// line writes one send, receive or result of count slots from offset on.
func (w *rankWriter) line(rank int32, phase int, kind string, peer, offset, count int32) {
	fmt.Fprintf(&w.out, `{"rank":%d,"phase":%d,"kind":%q,"peer":%d,"offset":%d,"count":%d}`+"\n", rank, phase, kind,
		peer, offset, count)
}

// phase writes the sends of a phase, a line for each run of slots, in their sequence, and the receives.
func (w *rankWriter) phase(number int, sends exchange.Phase) {
	type sent struct {
		exchange.Block
		slot int32
	}
	moved := make([][]sent, len(sends))
	for i, s := range sends { // before any arrives
		for _, b := range s.Blocks {
			at := holding{b, s.From}
			moved[i] = append(moved[i], sent{b, w.slots[at][0]})
			if w.slots[at] = w.slots[at][1:]; len(w.slots[at]) == 0 {
				delete(w.slots, at)
			}
		}
	}
	for i, s := range sends {
		slices.SortFunc(moved[i], func(a, b sent) int { return cmp.Compare(a.slot, b.slot) })
		start := 0
		for j, b := range moved[i] {
			if end := j + 1; end == len(moved[i]) || moved[i][end].slot > b.slot+1 {
				w.line(s.From, number, "send", s.To, moved[i][start].slot, int32(end-start))
				start = end
			}
		}
		w.line(s.To, number, "recv", s.From, w.next[s.To], int32(len(moved[i])))
		for _, b := range moved[i] {
			w.keep(b.Block, s.To)
		}
	}
}

// WriteRanks writes what each rank sends and receives in each phase and where it finds the results, as JSON lines. A
// list that would be too large is an *core.InputError; other errors are those of the phases and of disk.WriteFile.
func WriteRanks(path string, head exchange.Head, phases Phases) error {
	w, err := newRankWriter(head)
	if err != nil {
		return err
	}
	number := 0
	for sends, err := range phases {
		if err != nil {
			return err
		}
		w.phase(number, sends)
		if w.out.Len() > maxRanksBytes {
			return &core.InputError{Text: path,
				Problem: fmt.Sprintf("the list has more than %d bytes, the most that is written", maxRanksBytes)}
		}
		number++
	}
	for _, to := range w.nodes {
		for _, from := range w.nodes {
			for _, slot := range w.slots[holding{exchange.NewBlock(from, to), int32(to)}] {
				w.line(int32(to), number, "result", int32(from), slot, 1)
			}
		}
	}
	return disk.WriteFile(path, w.out.Bytes())
}
