package schedules

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
	"leeway/results"
)

// Formats names the forms in which schedules are written for other programs.
var Formats = []string{"steps-json", "msccl"}

// Export returns a function that writes a schedule in one of the Formats, which can be called once. It fails with a
// *core.InputError for a schedule that the format has no words for. What writes fails with a *results.ReadError for a
// block that is not where it is sent from, and with the errors of the phases and the writer.
func Export(format string, head exchange.Head, phases Phases) (func(io.Writer) error, error) {
	fail := func(problem, hint string) (func(io.Writer) error, error) {
		return nil, &core.InputError{Text: format, Problem: problem, Hint: hint}
	}
	_, err := head.Network()
	switch {
	case err != nil:
		return fail(err.Error(), "")
	case format == "steps-json" && !head.Model.InSteps():
		return fail("a send by wormhole routing uses several links", "--to msccl writes such schedules")
	case format == "steps-json":
		return func(w io.Writer) error { return writeSteps(w, head, phases) }, nil
	case head.Nodes() > maxRanks:
		return fail(fmt.Sprintf("the network has %d nodes; at most %d ranks are written", head.Nodes(), maxRanks), "")
	case head.Demand != nil:
		return fail("its collectives have one block for every two ranks, and this schedule has other demands",
			"leeway exchange --ranks writes lists for such schedules, --to steps-json the links of each step")
	case head.Participants != nil && len(head.Participants) < head.Nodes():
		return fail("in its collectives all ranks exchange, here some nodes only pass blocks on",
			"leeway exchange --ranks writes lists for such schedules, --to steps-json the links of each step")
	}
	return func(w io.Writer) error { return writeMSCCL(w, head, phases) }, nil
}

// writeSteps writes which block goes over which link in each step.
func writeSteps(w io.Writer, head exchange.Head, phases Phases) error {
	out := bufio.NewWriterSize(w, 1<<16)
	demand, err := head.Blocks()
	if err != nil {
		return &results.ReadError{Problem: err.Error()}
	}
	fmt.Fprintf(out, "{\"schema\":\"leeway/steps-json/1\",\"name\":%q,\"model\":%q,\"nodes\":%d,\"processors\":[%s],",
		head.Name, head.Model, head.Nodes(), core.JoinInts(demand.Nodes, ","))
	if head.Demand != nil {
		out.WriteString(`"demand":[`)
		for i, d := range head.Demand {
			fmt.Fprintf(out, "%s[%s]", ","[:min(i, 1)], core.JoinInts(d, ","))
		}
		out.WriteString("],")
	}
	out.WriteString(`"steps":[`)
	separator := "\n["
	var line []byte
	for phase, err := range phases {
		if err != nil {
			return err
		}
		line = append(line[:0], separator...)
		for i, s := range phase {
			if i > 0 {
				line = append(line, ',')
			}
			line = append(appendPair(append(line, `{"link":`...), 0, s.From, s.To), `,"block":`...)
			line = append(appendPair(line, 0, s.Blocks[0].From, s.Blocks[0].To), '}')
		}
		if _, err := out.Write(append(line, ']')); err != nil {
			return err
		}
		separator = ",\n["
	}
	out.WriteString("\n]}\n")
	return out.Flush()
}

// maxInstructions is the most sends and receives of an algorithm for MSCCL, which is held in memory as a whole.
const maxInstructions = 1 << 22

// maxRanks is the most ranks of an algorithm for MSCCL.
const maxRanks = 1 << 11

// An instruction is a step of a thread block: it sends or receives one block.
type instruction struct {
	from, to place
	waited   bool // an instruction of another thread block waits for this one, which receives
}

// A thread block of a rank serves one direction of one peer.
type threadBlock struct {
	peer int32
	send bool
	code []instruction
}

// A rankProgram is what a rank does.
type rankProgram struct {
	blocks  []threadBlock
	scratch int32 // blocks that it passes on
}

// blockOf returns the number of the thread block for a peer and a direction.
func (r *rankProgram) blockOf(peer int32, send bool) int32 {
	i := slices.IndexFunc(r.blocks, func(b threadBlock) bool { return b.peer == peer && b.send == send })
	if i < 0 {
		i = len(r.blocks)
		r.blocks = append(r.blocks, threadBlock{peer: peer, send: send})
	}
	return int32(i)
}

// A place is where a rank has a block, and which of its instructions received it: the thread block and the step, both
// -1 where none did.
type place struct {
	rank           int32
	buffer         byte // i, o or s: input, output, scratch
	offset         int32
	received, step int32
}

// compileRanks returns the programs of all ranks. Blocks that are passed on have a slot of their own in the scratch
// buffer, so that no instruction waits for a slot to be free.
func compileRanks(head exchange.Head, phases Phases) ([]rankProgram, error) {
	wrong := func(format string, args ...any) error {
		return &results.ReadError{Problem: fmt.Sprintf(format, args...)}
	}
	nodes := int32(head.Nodes())
	ranks := make([]rankProgram, nodes)
	at := make([]place, int(nodes)*int(nodes)) // by block
	for from := range nodes {
		for to := range nodes {
			at[from*nodes+to] = place{from, 'i', to, -1, -1}
		}
	}
	count, number := 0, 0
	var moved []place
	for phase, err := range phases {
		if err != nil {
			return nil, err
		}
		moved = moved[:0]
		for _, s := range phase {
			if min(s.From, s.To) < 0 || max(s.From, s.To) >= nodes {
				return nil, wrong("phase %d: there is no link from %d to %d", number, s.From, s.To)
			}
			for _, b := range s.Blocks {
				if min(b.From, b.To) < 0 || max(b.From, b.To) >= nodes || at[b.From*nodes+b.To].rank != s.From {
					return nil, wrong("phase %d: the block %d,%d is not at node %d", number, b.From, b.To, s.From)
				}
				from := at[b.From*nodes+b.To]
				to := ranks[s.To].receive(from, s.To, b)
				ranks[s.From].send(from, to)
				moved = append(moved, to)
			}
			if count += 2 * len(s.Blocks); count > maxInstructions {
				return nil, &core.InputError{Text: "msccl",
					Problem: fmt.Sprintf("there are more than %d sends and receives, the most that are written", maxInstructions)}
			}
		}
		i := 0
		for _, s := range phase {
			for _, b := range s.Blocks {
				at[b.From*nodes+b.To] = moved[i]
				i++
			}
		}
		number++
	}
	return ranks, nil
}

// receive adds an instruction of a rank, whose number is given, to receive a block from a place, and returns where the
// block is then.
func (r *rankProgram) receive(from place, rank int32, b exchange.Block) place {
	to := place{rank: rank, buffer: 'o', offset: b.From, received: r.blockOf(from.rank, false)}
	if b.To != rank {
		to.buffer, to.offset = 's', r.scratch
		r.scratch++
	}
	code := &r.blocks[to.received].code
	to.step = int32(len(*code))
	*code = append(*code, instruction{from: from, to: to})
	return to
}

// send adds an instruction of a rank to send a block from a place, after it was received there.
func (r *rankProgram) send(from, to place) {
	if from.received >= 0 {
		r.blocks[from.received].code[from.step].waited = true
	}
	t := r.blockOf(to.rank, true)
	r.blocks[t].code = append(r.blocks[t].code, instruction{from: from, to: to})
}

// writeMSCCL writes the schedule as an algorithm for alltoall in the XML of MSCCL: for every rank a thread block for
// each direction of each peer, whose instructions come in the sequence of the steps; a send waits for the receive that
// brought its block. The last thread block copies the block of the rank for itself.
func writeMSCCL(w io.Writer, head exchange.Head, phases Phases) error {
	ranks, err := compileRanks(head, phases)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	n := len(ranks)
	fmt.Fprintf(out, "<algo name=%q proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"%d\" ngpus=\"%d\" "+
		"coll=\"alltoall\" inplace=\"0\" outofplace=\"1\" minBytes=\"0\" maxBytes=\"0\">\n", head.Name, n, n)
	for v, r := range ranks {
		fmt.Fprintf(out, "  <gpu id=\"%d\" i_chunks=\"%d\" o_chunks=\"%d\" s_chunks=\"%d\">\n", v, n, n, r.scratch)
		for i, t := range r.blocks {
			if t.send {
				fmt.Fprintf(out, "    <tb id=\"%d\" send=\"%d\" recv=\"-1\" chan=\"0\">\n", i, t.peer)
			} else {
				fmt.Fprintf(out, "    <tb id=\"%d\" send=\"-1\" recv=\"%d\" chan=\"0\">\n", i, t.peer)
			}
			for step, c := range t.code {
				c.write(out, step, t.send)
			}
			fmt.Fprintf(out, "    </tb>\n")
		}
		fmt.Fprintf(out, "    <tb id=\"%d\" send=\"-1\" recv=\"-1\" chan=\"0\">\n      <step s=\"0\" type=\"cpy\" "+
			"srcbuf=\"i\" srcoff=\"%d\" dstbuf=\"o\" dstoff=\"%d\" cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n"+
			"    </tb>\n  </gpu>\n", len(r.blocks), v, v)
	}
	fmt.Fprintf(out, "</algo>\n")
	return out.Flush()
}

// write writes an instruction as a step of its thread block.
func (c instruction) write(out io.Writer, step int, send bool) {
	kind, depid, deps, waited := "r", int32(-1), int32(-1), 0
	if c.waited {
		waited = 1
	}
	if send {
		kind, depid, deps = "s", c.from.received, c.from.step
	}
	fmt.Fprintf(out, "      <step s=\"%d\" type=%q srcbuf=\"%c\" srcoff=\"%d\" dstbuf=\"%c\" dstoff=\"%d\" cnt=\"1\" "+
		"depid=\"%d\" deps=\"%d\" hasdep=\"%d\"/>\n", step, kind, c.from.buffer, c.from.offset, c.to.buffer,
		c.to.offset, depid, deps, waited)
}
