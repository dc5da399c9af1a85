// Package steps writes proofs as streams of steps, in the format that docs/steps.md defines.
//
// The writer numbers what is defined and writes what it is told; whether the stream is a proof only a checker says.
package steps

import (
	"bufio"
	"encoding/binary"
	"io"

	"leeway/objective"
)

// Header is what every stream begins with.
const Header = "leeway steps 1\n"

// A Set, Element, Weighting, View or Lemma is the number of a thing that the question has or that was defined.
type (
	Set       int
	Element   int
	Weighting int
	View      int
	Lemma     int
)

// All is the set of all nodes, Identity the element that moves nothing.
const (
	All      Set     = 0
	Identity Element = 0
)

// Node returns the set of one node.
func Node(v int) Set { return Set(1 + v) }

// A LinkWeight is the number of a link with its weight.
type LinkWeight struct{ Link, Weight int }

// Evenly returns links, each with weight 1.
func Evenly[L ~int](links ...L) (weights []LinkWeight) {
	for _, l := range links {
		weights = append(weights, LinkWeight{Link: int(l), Weight: 1})
	}
	return weights
}

// A Premise is a bound on the count of a set: at least, or at most, a number.
type Premise struct {
	Set     Set
	AtLeast bool
	Number  int
}

// A Writer writes one stream. Errors of writing are kept for Flush; Steps and Bytes say how much was written.
type Writer struct {
	Steps, Bytes int64

	to                    *bufio.Writer
	sets, elements, lemma int
	weightings, views     map[string]int // their numbers, by the numbers that define them
	key                   []byte         // of the one at hand
	open                  int            // branches of lemmas that are not closed
	work                  *int64         // steps, with those of blank writers
	pay                   Payer
	cutting
}

// NewWriter returns a writer that has written the header. The question has a given number of sets of its own: all
// nodes, each node, and those of its radius and its client traffic.
func NewWriter(to io.Writer, sets int) *Writer {
	w := &Writer{to: bufio.NewWriter(to), sets: sets, elements: 1, weightings: map[string]int{}, views: map[string]int{},
		work: new(int64)}
	w.pay, _ = to.(Payer)
	w.to.WriteString(Header)
	w.Bytes = int64(len(Header))
	return w
}

// Sets returns how many sets a question has before any is defined: all nodes, each node, the nodes within a radius of
// each, and under client traffic what processors put on each link.
func Sets(p objective.Problem) int {
	t := p.Torus()
	count := 1 + t.N()
	if p.Radius > 0 {
		count += t.N()
	}
	if p.Traffic.Clients() {
		count += t.M()
	}
	return count
}

// Sets returns how many sets there are.
func (w *Writer) Sets() int { return w.sets }

// A Payer is where steps are written to that asks, for some bytes, whether they may be: also of drafts.
type Payer interface{ Pay(bytes int64) error }

// Draft returns a writer that forgets what it writes, with the same sets. Its steps count with those of w for Cut.Most,
// and it asks where w writes to, if that is a Payer.
func (w *Writer) Draft() *Writer {
	b := NewWriter(drafts{w.pay}, w.sets)
	b.work, b.cut.Most = w.work, w.cut.Most
	return b
}

type drafts struct{ to Payer }

func (d drafts) Pay(bytes int64) error {
	if d.to == nil {
		return nil
	}
	return d.to.Pay(bytes)
}

func (d drafts) Write(b []byte) (int, error) { return len(b), d.Pay(int64(len(b))) }

// Flush writes what is buffered and returns the first error of writing.
func (w *Writer) Flush() error { return w.to.Flush() }

// begin writes the code of a definition or step and its first numbers.
func (w *Writer) begin(code int, numbers ...int) {
	if w.before && w.open == 0 && code >= split {
		return
	}
	w.Steps++
	*w.work++
	w.put(code)
	w.put(numbers...)
}

func (w *Writer) put(numbers ...int) {
	var buffer [binary.MaxVarintLen64]byte
	for _, v := range numbers {
		n := binary.PutUvarint(buffer[:], uint64(v))
		w.to.Write(buffer[:n])
		w.Bytes += int64(n)
	}
}

// next returns the number that a count has reached, and counts on.
func next(count *int) int {
	*count++
	return *count - 1
}

// Set defines a set of nodes, ascending; a node that stands several times counts as often.
func (w *Writer) Set(nodes []int) Set {
	w.begin(1, len(nodes))
	w.put(nodes...)
	return Set(next(&w.sets))
}

// Sum says that a set is a sum of parts, each as often as times says, once for nil.
func (w *Writer) Sum(whole Set, parts []Set, times []int) {
	w.begin(2, int(whole), len(parts))
	for i, s := range parts {
		if times == nil {
			w.put(int(s), 1)
		} else {
			w.put(int(s), times[i])
		}
	}
}

// Keys says by which sets placements are compared first.
func (w *Writer) Keys(sets []Set) {
	w.begin(3, len(sets))
	for _, s := range sets {
		w.put(int(s))
	}
}

// Element defines a symmetry by the images of the nodes; turned has a bit for each dimension along which links are
// taken to the links back.
func (w *Writer) Element(turned uint, images []int) Element {
	w.begin(4, int(turned))
	w.put(images...)
	return Element(next(&w.elements))
}

// Product defines the element that is f after g.
func (w *Writer) Product(f, g Element) Element {
	w.begin(5, int(f), int(g))
	return Element(next(&w.elements))
}

// Weighting returns the number of weights of links, which it defines when they are first asked for.
func (w *Writer) Weighting(weights []LinkWeight) Weighting {
	w.key = binary.AppendUvarint(w.key[:0], uint64(len(weights)))
	for _, x := range weights {
		w.key = binary.AppendUvarint(binary.AppendUvarint(w.key, uint64(x.Link)), uint64(x.Weight))
	}
	return Weighting(w.defined(w.weightings, 6))
}

// View returns the number of the sets of processors of which a lower bound counts what they send, which it defines when
// it is first asked for.
func (w *Writer) View(outer, inner []Set) View {
	w.key = w.key[:0]
	for _, list := range [2][]Set{outer, inner} {
		w.key = binary.AppendUvarint(w.key, uint64(len(list)))
		for _, s := range list {
			w.key = binary.AppendUvarint(w.key, uint64(s))
		}
	}
	return View(w.defined(w.views, 7))
}

// defined returns the number of what the key defines, and writes the definition if it is not among those known.
func (w *Writer) defined(known map[string]int, code int) int {
	number, there := known[string(w.key)]
	if !there {
		number = len(known)
		known[string(w.key)] = number
		w.begin(code)
		w.to.Write(w.key)
		w.Bytes += int64(len(w.key))
	}
	return number
}

// split is the code of the first step: those before are definitions.
const split = 8

// Split asks for the proof of the branch with at least a number, then for that with less.
func (w *Writer) Split(s Set, number int) { w.fork(split, s, number) }

// SplitLow is Split in the other order.
func (w *Writer) SplitLow(s Set, number int) { w.fork(9, s, number) }

func (w *Writer) fork(code int, s Set, number int) {
	w.begin(code, int(s), number)
	if w.open > 0 {
		w.open++
	}
}

// close writes a step that closes a branch.
func (w *Writer) close(code int, numbers ...int) {
	w.begin(code, numbers...)
	if w.open > 0 {
		w.open--
	}
}

// Weigh closes a branch whose links, moved by an element, carry too much.
func (w *Writer) Weigh(x Weighting, g Element, v View) { w.close(10, int(x), int(g), int(v)) }

// Turn closes a branch whose placements an element takes to greater ones.
func (w *Writer) Turn(g Element) { w.close(11, int(g)) }

// Lemma begins the proof of a lemma, which may have others inside. After its last step Proved returns its number.
func (w *Writer) Lemma(premises []Premise) {
	w.open++
	w.begin(12, len(premises))
	for _, p := range premises {
		side := 0
		if p.AtLeast {
			side = 1
		}
		w.put(int(p.Set), side, p.Number)
	}
}

// Proved returns the number of the lemma whose proof is complete: it may be used from now on.
func (w *Writer) Proved() Lemma { return Lemma(next(&w.lemma)) }

// Use closes a branch that has the premises of a lemma, moved by an element.
func (w *Writer) Use(l Lemma, g Element) { w.close(13, int(l), int(g)) }

// Place closes a branch that is one placement, which is listed.
func (w *Writer) Place() { w.close(14) }

// Filter takes out the nodes that would overload a link.
func (w *Writer) Filter() { w.begin(15) }

// Crossed closes a branch whose bounds cross.
func (w *Writer) Crossed() { w.close(16) }

// Distance closes a branch whose nodes are together farther from their nearest processors than they may be.
func (w *Writer) Distance() { w.close(17) }
