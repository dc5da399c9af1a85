package pseudo

import (
	"bufio"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"

	"leeway/objective"
)

// A Proof is a question with a proof that it has no answer, read as steps.
type Proof struct {
	formula *formula
	stream  *stream
}

// Read reads the proof, as steps, that no placement of a problem has E_max below a value. Errors are those of Supports,
// and those of a stream that cannot be read or has steps without a translation, which name the step; whether the steps
// are a proof is for a checker to say. Memory is some 100 bytes for a step.
func Read(p objective.Problem, below *big.Rat, from io.Reader) (*Proof, error) {
	f, err := newFormula(p, below)
	if err != nil {
		return nil, err
	}
	s, err := f.read(from)
	if err != nil {
		return nil, err
	}
	return &Proof{f, s}, nil
}

// WriteFormula writes the question in OPB, after some comments, none of which may hold a line break.
func (p *Proof) WriteFormula(to io.Writer, comments []string) error {
	return p.formula.write(to, comments)
}

// Write writes the refutation of the formula in VeriPB's format 3. Errors are those of writing, and of steps that do
// not show what they should, which name the step. Its size is some 10 bytes for each pair of nodes that a step weighs.
func (p *Proof) Write(to io.Writer) error {
	f, s := *p.formula, p.stream
	t := &translator{formula: &f, stream: s, to: bufio.NewWriter(to), literals: map[string]literal{},
		proved: map[string]conclusion{}, turned: map[string]string{}, weights: map[int]*weights{},
		net: make([]int64, f.n*f.n)}
	for _, set := range s.sets {
		t.plain = append(t.plain, !slices.ContainsFunc(set.times, func(n int64) bool { return n != 1 }))
	}
	t.within = make([][]int, len(s.sets))
	for i, sum := range s.sums {
		t.within[sum.whole] = append(t.within[sum.whole], i)
		for _, part := range sum.parts {
			t.within[part.set] = append(t.within[part.set], i)
		}
	}
	fmt.Fprintf(t.to, "pseudo-Boolean proof version 3.0\nf %d ;\n", len(f.rows))
	if s.turns {
		t.order()
	}
	end, err := t.newBranch(s.elements[0]).prove(s.proof)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.to, "pol %s ;\noutput NONE ;\nconclusion UNSAT : -1 ;\nend pseudo-Boolean proof ;\n", end.ref)
	return t.to.Flush()
}

// A translator writes a proof.
type translator struct {
	*formula
	*stream
	to       *bufio.Writer
	plain    []bool // by set: every node counts once
	within   [][]int
	literals map[string]literal
	proved   map[string]conclusion // lemmas by their numbers and how they are moved
	turned   map[string]string     // by the images of the nodes: the row that no placement is less than its image
	digits   []*big.Int            // of keys, then nodes, in the order of placements
	weights  map[int]*weights

	labels int // that were ever used
	spare  []int
	net    []int64 // 0, by u*n+v, between sums
	failed error   // of writing
}

// A literal is a variable for "at least t of a set", or its negation, with the rows that say that it implies that, and
// is implied.
type literal struct {
	variable int
	negated  bool
	up, down string
}

// says returns the row by which the literal implies what it stands for.
func (l literal) says() string {
	if l.negated {
		return l.down
	}
	return l.up
}

// implied returns the row by which what it stands for implies the literal.
func (l literal) implied() string {
	if l.negated {
		return l.up
	}
	return l.down
}

// A conclusion is a clause of negations of decisions.
type conclusion struct {
	ref   string
	rests big.Int
}

// label returns a name for a row that is not in use.
func (t *translator) label() string {
	if last := len(t.spare) - 1; last >= 0 {
		number := t.spare[last]
		t.spare = t.spare[:last]
		return "@a" + strconv.FormatInt(int64(number), 36)
	}
	t.labels++
	return "@a" + strconv.FormatInt(int64(t.labels-1), 36)
}

// write writes a sum as a new row and returns its name.
func (t *translator) write(p *rpn) string {
	name := t.label()
	_, t.failed = fmt.Fprintf(t.to, "%s pol %s;\n", name, p.text)
	return name
}

// forget deletes a row.
func (t *translator) forget(name string) {
	fmt.Fprintf(t.to, "del id %s ;\n", name)
	number, _ := strconv.ParseInt(name[2:], 36, 64)
	t.spare = append(t.spare, int(number))
}

// literal returns the literal for a premise about a set, and defines its variable where that is new.
func (t *translator) literal(s set, p premise) literal {
	least := p.number
	if !p.atLeast {
		least++
	}
	key := fmt.Sprint(least, " ", s.key())
	l, there := t.literals[key]
	if !there {
		t.vars++
		l = literal{variable: t.vars}
		name, most := variable(l.variable), s.most()
		define := func(least int64, literal, node string, value int) string {
			row := t.label()
			fmt.Fprintf(t.to, "%s red %d %s ", row, least, literal)
			for i, v := range s.nodes {
				fmt.Fprintf(t.to, "%d %s%s ", s.times[i], node, variable(t.node(v)))
			}
			fmt.Fprintf(t.to, ">= %d : %s -> %d ;\n", least, name, value)
			return row
		}
		if least > 0 {
			l.up = define(least, "~"+name, "", 0)
		}
		if least <= most {
			l.down = define(most-least+1, name, "~", 1)
		}
		t.literals[key] = l
	}
	l.negated = !p.atLeast
	return l
}

// wrong returns the error of a step that does not do what it should.
func wrong(s *step, format string, args ...any) error {
	return fmt.Errorf("steps: number %d: %w", s.at, fmt.Errorf(format, args...))
}

// prove writes the proof of a branch and returns what it shows: that some of its decisions do not go together.
func (b *branch) prove(s *step) (conclusion, error) {
	if b.failed != nil || b.crossed != nil {
		return b.cross()
	}
	entries, decisions := len(b.entries), len(b.decisions)
	switch s.code {
	case opFilter:
		b.filter()
		end, err := b.prove(s.first)
		b.undo(entries, decisions)
		return end, err
	case opSplit, opSplitLow:
		sides := [2]premise{{s.args[0], true, int64(s.args[1])}, {s.args[0], false, int64(s.args[1]) - 1}}
		if s.code == opSplitLow {
			sides[0], sides[1] = sides[1], sides[0]
		}
		var ends [2]conclusion
		for i, next := range [2]*step{s.first, s.second} {
			b.assume(sides[i])
			end, err := b.prove(next)
			b.undo(entries, decisions)
			if ends[i] = end; err != nil {
				return end, err
			}
			if end.rests.Bit(decisions) == 0 { // whatever the decision is
				if i == 1 {
					b.forget(ends[0].ref)
				}
				return end, nil
			}
		}
		p := rpn{}
		p.operand(ends[0].ref, "1")
		p.operand(ends[1].ref, "1")
		p.do("s")
		p.rests.Or(&ends[0].rests, &ends[1].rests).SetBit(&p.rests, decisions, 0)
		end := b.conclude(&p)
		b.forget(ends[0].ref)
		b.forget(ends[1].ref)
		return end, nil
	case opWeigh:
		return b.weigh(s)
	case opTurn:
		return b.turn(s)
	case opUse:
		return b.use(s)
	case opDistance:
		return b.far(s)
	}
	return conclusion{}, wrong(s, "the bounds do not cross")
}

// conclude writes a clause.
func (b *branch) conclude(p *rpn) (end conclusion) {
	end.ref = b.write(p)
	end.rests.Set(&p.rests)
	return end
}

// close makes a clause of a sum whose step closes the branch, and writes it.
func (b *branch) close(s *step, t *tally) (conclusion, error) {
	t.settleAll(-1)
	if t.least <= 0 {
		return conclusion{}, wrong(s, "the step closes nothing: the sum is only known to be above its limit by %d", t.least)
	}
	t.clause(big.NewInt(t.least))
	return b.conclude(&t.rpn), nil
}

// cross writes why the branch has no placement.
func (b *branch) cross() (conclusion, error) {
	c := b.crossed
	var p rpn
	if b.failed != nil {
		return conclusion{}, b.failed
	}
	if c.link >= 0 {
		b.overloads(c.link, c.before, -1, &p)
		return b.conclude(&p), nil
	}
	b.bound(&p, c.set, low, c.before, big.NewInt(1))
	b.bound(&p, c.set, high, c.before, big.NewInt(1))
	p.clause(big.NewInt(b.valueWas(c.set, low, c.before) - b.valueWas(c.set, high, c.before)))
	return b.conclude(&p), nil
}

// filter takes out the free nodes at which a processor would overload a link together with the known ones.
func (b *branch) filter() {
	known, load := []int(nil), make([]int64, len(b.ends))
	room := slices.Clone(b.limits)
	for v := range b.n {
		if b.lo[1+v] == 1 {
			b.bring(v, known, room)
			known = append(known, v)
		}
	}
	before := len(b.entries)
	for l, left := range room {
		if left < 0 {
			b.crossed = &crossing{-1, l, before}
			return
		}
	}
	for v := range b.n {
		if b.lo[1+v] == b.hi[1+v] {
			continue
		}
		copy(load, room)
		b.bring(v, known, load)
		if l := slices.IndexFunc(load, func(left int64) bool { return left < 0 }); l >= 0 {
			b.tighten(entry{set: 1 + v, side: high, why: byFilter, arg: l})
		}
	}
	b.propagate()
}

// bring takes off the room of links what a processor at a node puts there, with other processors.
func (b *branch) bring(v int, others []int, room []int64) {
	for _, s := range b.single[v] {
		room[s.link] -= s.amount
	}
	for _, u := range others {
		for _, s := range b.pairs[min(u, v)*b.n+max(u, v)] {
			room[s.link] -= s.amount
		}
	}
}

// use adds the clause of a lemma, moved, to the bounds that are its premises.
func (b *branch) use(s *step) (conclusion, error) {
	g := b.elements[s.args[1]]
	frame := b.frame.compose(g)
	shown, err := b.shown(s.args[0], frame)
	if err != nil {
		return shown, err
	}
	var p rpn
	p.operand(shown.ref, "1")
	for i, of := range b.lemmas[s.args[0]].premises {
		if shown.rests.Bit(i) == 0 {
			continue
		}
		moved, side, over := b.sets[of.set].moved(g.node), low, 1-of.number
		if !of.atLeast {
			side, over = high, of.number+1
		}
		l := b.literal(moved.moved(b.frame.node), of)
		if d := slices.Index(b.decisions, l); d >= 0 { // the literal is in the clause as it should be
			p.rests.SetBit(&p.rests, d, 1)
			continue
		}
		images := b.image(moved)
		for _, image := range images {
			value := image.times * b.valueWas(image.set, side, len(b.entries))
			if side == high {
				value = -value
			}
			over += value
		}
		if over <= 0 {
			return conclusion{}, wrong(s, "the branch does not have premise %d of the lemma", i)
		}
		if l.implied() == "" {
			return conclusion{}, wrong(s, "premise %d of the lemma holds nowhere", i)
		}
		q := rpn{}
		q.operand(l.implied(), "1")
		for _, image := range images {
			b.bound(&q, image.set, side, len(b.entries), big.NewInt(image.times))
		}
		q.clause(big.NewInt(over))
		p.text = append(p.text, q.text...)
		p.plus()
		p.rests.Or(&p.rests, &q.rests)
	}
	p.do("s")
	return b.conclude(&p), nil
}

// image returns the set with these nodes as often, or, where that has no number, its nodes.
func (b *branch) image(s set) (list []part) {
	if number, there := b.byNodes[s.key()]; there {
		return []part{{number, 1}}
	}
	for i, v := range s.nodes {
		list = append(list, part{1 + v, s.times[i]})
	}
	return list
}

// shown returns the clause of a lemma whose names are moved by a frame: not all of its premises go together.
func (t *translator) shown(number int, frame moving) (conclusion, error) {
	key := fmt.Sprint(number, frame.node)
	end, there := t.proved[key]
	if there {
		return end, nil
	}
	b := t.newBranch(frame)
	for _, p := range t.lemmas[number].premises {
		b.assume(p)
	}
	end, err := b.prove(t.lemmas[number].proof)
	b.undo(0, 0)
	t.proved[key] = end
	return end, err
}
