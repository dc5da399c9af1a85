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
// start slot i of a processor holds its block for the i-th processor, its own included; nodes without a processor
// start with nothing. What a rank receives follows after what it has, so that no slot is used twice.
type rankWriter struct {
	out    bytes.Buffer
	number map[int32]int // of processors
	procs  []int32
	slot   []int32 // by processors from and to: where the holder of the block keeps it
	next   []int32 // by node: the first slot never used
}

func newRankWriter(head exchange.Head) *rankWriter {
	w := &rankWriter{number: map[int32]int{}, next: make([]int32, head.Nodes())}
	for v := range w.next {
		if head.Participants == nil || slices.Contains(head.Participants, v) {
			w.number[int32(v)] = len(w.procs)
			w.procs = append(w.procs, int32(v))
		}
	}
	for _, v := range w.procs {
		w.next[v] = int32(len(w.procs))
		for j := range w.procs {
			w.slot = append(w.slot, int32(j))
		}
	}
	return w
}

// slotOf returns where the slot of a block is kept.
func (w *rankWriter) slotOf(b exchange.Block) *int32 {
	return &w.slot[w.number[b.From]*len(w.procs)+w.number[b.To]]
}

// line writes one send, receive or result of count slots from offset on.
func (w *rankWriter) line(rank int32, phase int, kind string, peer, offset, count int32) {
	fmt.Fprintf(&w.out, `{"rank":%d,"phase":%d,"kind":%q,"peer":%d,"offset":%d,"count":%d}`+"\n", rank, phase, kind,
		peer, offset, count)
}

// send writes a send, a line for each run of slots, and its receive. Blocks go in the order of the slots.
func (w *rankWriter) send(phase int, s exchange.Send) {
	blocks := slices.Clone(s.Blocks)
	slices.SortFunc(blocks, func(a, b exchange.Block) int { return cmp.Compare(*w.slotOf(a), *w.slotOf(b)) })
	first, length := int32(0), int32(0)
	for _, b := range blocks {
		slot := *w.slotOf(b)
		if length > 0 && slot != first+length {
			w.line(s.From, phase, "send", s.To, first, length)
			length = 0
		}
		if length == 0 {
			first = slot
		}
		length++
	}
	w.line(s.From, phase, "send", s.To, first, length)
	w.line(s.To, phase, "recv", s.From, w.next[s.To], int32(len(blocks)))
	for _, b := range blocks {
		*w.slotOf(b) = w.next[s.To]
		w.next[s.To]++
	}
}

// WriteRanks writes what each rank sends and receives in each phase and where it finds the results, as JSON lines. A
// list that would be too large is an *core.InputError; other errors are those of the phases and of disk.WriteFile.
func WriteRanks(path string, head exchange.Head, phases Phases) error {
	w := newRankWriter(head)
	phase := 0
	for sends, err := range phases {
		if err != nil {
			return err
		}
		for _, send := range sends {
			w.send(phase, send)
		}
		if w.out.Len() > maxRanksBytes {
			return &core.InputError{Text: path,
				Problem: fmt.Sprintf("the list has more than %d bytes, the most that is written", maxRanksBytes)}
		}
		phase++
	}
	for _, to := range w.procs {
		for _, from := range w.procs {
			w.line(to, phase, "result", from, *w.slotOf(exchange.Block{From: from, To: to}), 1)
		}
	}
	return disk.WriteFile(path, w.out.Bytes())
}
