package refute

import (
	"cmp"
	"context"
	"slices"

	"leeway/encode"
	"leeway/encode/card"
	"leeway/encode/cnf"
	"leeway/encode/dimacs"
)

// A lined formula knows what it says of the lines of a torus.
type lined interface {
	Lines() *[2]encode.Lines
}

// A refutation is the proof of one formula by several solvers, each with some of its clauses.
type refutation struct {
	ctx     context.Context
	formula dimacs.Formula
	memory  int64
	proof   *log
	units   []unit // that the proof has about lines
}

// A partial is a solver with the clauses of some parts of a formula, in their sequence; nil: with all.
type partial struct {
	*solver
	parts []encode.Part
}

// solver returns a solver for some parts, to be read.
func (r *refutation) solver(parts []encode.Part) *partial {
	return &partial{newSolver(r.formula.Vars(), r.proof, r.memory), inSequence(parts)}
}

// inSequence sorts parts and returns them.
func inSequence(parts []encode.Part) []encode.Part {
	slices.SortFunc(parts, func(a, b encode.Part) int { return cmp.Compare(a.Clauses[0], b.Clauses[0]) })
	return parts
}

// read gives solvers their clauses.
func (r *refutation) read(list ...*partial) error {
	var all sinks
	for _, p := range list {
		p.units = append(p.units, r.units...)
		all = append(all, &reader{solver: p.solver, ctx: r.ctx, parts: p.parts})
	}
	return r.formula.Write(all)
}

// sinks are several in one.
type sinks []cnf.Sink

// Add implements cnf.Sink.
func (s sinks) Add(clause []int) error {
	for _, sink := range s {
		if err := sink.Add(clause); err != nil {
			return err
		}
	}
	return nil
}

// A lineSolver knows only the first line along a dimension, the sizes of the lines along the other one and what
// processors meet. What it finds is renamed for the other lines.
type lineSolver struct {
	*partial
	lines   *encode.Lines // along its dimension
	most    int           // processors that a line may have
	open    bool          // the first line may have as many, for all that is known here
	found   [][2]uint32   // clauses of the proof that were found here, from the first to before the second
	images  []image       // by line
	renamed map[uint32]bool
}

// An image takes the first line to another one.
type image struct {
	vars    map[uint32]uint32 // that are not their own image
	from    []encode.Part     // in their sequence
	to      []encode.Part
	clauses map[uint32]uint32 // of the proof that are not their own image
}

// The conflicts that solvers of some clauses may meet in their first turn, and in the last.
const (
	firstTurn = 1 << 9
	lastTurn  = 1 << 14
)

// byLines looks for the largest number of processors that a line along either dimension can have, with solvers of a
// few clauses, and then for a contradiction without the loads along one dimension. The proof may have ended then.
func (r *refutation) byLines(lines *[2]encode.Lines) error {
	counters := r.solver(slices.Concat(lines[0].Counter, lines[1].Counter))
	var along [2]*lineSolver
	for dim := range along {
		own, across := &lines[dim], &lines[1-dim]
		parts := slices.Concat(own.Met, own.Loads[0], []encode.Part{own.Counter[0], across.Total})
		along[dim] = &lineSolver{partial: r.solver(parts), lines: own, most: len(own.Size[0]), renamed: map[uint32]bool{}}
		for _, n := range own.Nodes[0] {
			along[dim].order.first[n-1] = true
		}
	}
	if err := r.read(counters, along[0].partial, along[1].partial); err != nil {
		return err
	}
	for dim, l := range along {
		l.prepare(counters.solver, lines[1-dim].Size)
	}
	for turn := int64(firstTurn); turn <= lastTurn; {
		fewer := false
		for dim, l := range along {
			for l.most > 0 && !l.open {
				verdict, err := l.try(r, turn)
				if err != nil || r.proof.ended {
					return err
				}
				if l.open = verdict == satisfiable; verdict != refuted {
					break
				}
				l.most--
				fewer, along[1-dim].open = true, false
				along[1-dim].units = append(along[1-dim].units, r.units[len(r.units)-len(l.lines.Size):]...)
			}
		}
		if along[0].open && along[1].open {
			break
		}
		if !fewer {
			turn *= 2
		}
	}
	return r.byDimensions(lines)
}

// prepare adds that a node with a processor is in a line across with one, and makes the images of lines.
func (l *lineSolver) prepare(counters *solver, across []card.Unary) {
	own := func(line int) []encode.Part {
		return inSequence(append(slices.Clone(l.lines.Loads[line]), l.lines.Counter[line]))
	}
	first := make([]uint32, len(across)) // the clauses of the first line
	for line, nodes := range l.lines.Nodes {
		m := image{from: own(0), to: own(line), vars: map[uint32]uint32{}, clauses: map[uint32]uint32{}}
		for i, p := range m.from {
			for v := range p.Vars[1] - p.Vars[0] {
				m.vars[uint32(p.Vars[0]+v-1)] = uint32(m.to[i].Vars[0] + v - 1)
			}
		}
		for x, n := range nodes {
			m.vars[uint32(l.lines.Nodes[0][x]-1)] = uint32(n - 1)
			clause := []literal{literalOf(-n), literalOf(across[x][0].Literal)}
			number := counters.derive(clause)
			if line == 0 {
				first[x] = number
				l.watch(l.clauses.add(clause, number, 0))
			}
			m.clauses[first[x]] = number
		}
		l.images = append(l.images, m)
	}
}

// try asks whether the first line can have as many processors as it may, and if not renames the proof for all lines.
func (l *lineSolver) try(r *refutation, turn int64) (verdict, error) {
	many := literalOf(l.lines.Size[0][l.most-1].Literal)
	from := r.proof.last() + 1
	verdict, err := l.solve(r.ctx, many, turn)
	l.found = append(l.found, [2]uint32{from, r.proof.last() + 1})
	if err != nil || verdict != refuted || r.proof.ended {
		return verdict, err
	}
	number := l.fixed[many.variable()]
	steps := l.needed(r.proof, number)
	for line, m := range l.images {
		few := unit{literalOf(-l.lines.Size[line][l.most-1].Literal), number}
		if line > 0 {
			for _, step := range steps {
				m.rename(r.proof, step)
			}
			few.number = m.clauses[number]
		}
		r.units = append(r.units, few)
	}
	return verdict, nil
}

// needed returns the clauses found here that one rests on and that were not returned before, in their sequence.
func (l *lineSolver) needed(p *log, number uint32) []uint32 {
	list := []uint32{number}
	l.renamed[number] = true
	for i := 0; i < len(list); i++ {
		_, hints := p.clause(list[i])
		for _, h := range hints {
			here := func(f [2]uint32) bool { return f[0] <= h && h < f[1] }
			if h > p.original && !l.renamed[h] && slices.ContainsFunc(l.found, here) {
				l.renamed[h] = true
				list = append(list, h)
			}
		}
	}
	slices.Sort(list)
	return list
}

// rename adds the image of a clause to the proof, unless it is its own image.
func (m *image) rename(p *log, number uint32) {
	literals, hints := p.clause(number)
	clause, named, other := make([]literal, len(literals)), make([]uint32, len(hints)), false
	for i, l := range literals {
		clause[i] = literal(l)
		if v, ok := m.vars[clause[i].variable()]; ok {
			clause[i], other = literal(v<<1)|clause[i]&1, true
		}
	}
	for i, h := range hints {
		named[i] = m.clause(h)
		other = other || named[i] != h
	}
	if other {
		m.clauses[number] = p.add(clause, named)
	}
}

// clause returns the number of the image of a clause.
func (m *image) clause(number uint32) uint32 {
	if to, ok := m.clauses[number]; ok {
		return to
	}
	i, found := slices.BinarySearchFunc(m.from, int64(number), func(p encode.Part, n int64) int {
		switch {
		case n < p.Clauses[0]:
			return 1
		case n >= p.Clauses[1]:
			return -1
		}
		return 0
	})
	if !found {
		return number
	}
	return uint32(m.to[i].Clauses[0] + int64(number) - m.from[i].Clauses[0])
}

// derive adds a clause to the proof whose last literal unit propagation implies once the others fail, and returns its
// number.
func (s *solver) derive(clause []literal) uint32 {
	s.back(0)
	last := clause[len(clause)-1]
	for _, l := range clause[:len(clause)-1] {
		s.decide(l.not())
	}
	s.propagate()
	s.clause = append(s.clause[:0], clause...)
	s.explain(s.reason[last.variable()])
	return s.proof.add(clause, s.hints)
}

// byDimensions looks for a contradiction between the sizes of lines along both dimensions and the loads along one. The
// proof may have ended then.
func (r *refutation) byDimensions(lines *[2]encode.Lines) error {
	var list []*partial
	for dim := range lines {
		own, across := &lines[dim], &lines[1-dim]
		parts := slices.Concat(own.Counter, across.Counter, []encode.Part{own.Total, across.Total}, own.Met)
		list = append(list, r.solver(slices.Concat(parts, slices.Concat(own.Loads...))))
		for _, size := range slices.Concat(own.Size, across.Size) {
			for _, s := range size {
				list[dim].order.first[s.Literal-1] = true
			}
		}
	}
	if err := r.read(list...); err != nil {
		return err
	}
	for turn := int64(firstTurn); turn <= lastTurn && len(list) > 0; turn *= 4 {
		for _, p := range list {
			verdict, err := p.solve(r.ctx, nothing, turn)
			if err != nil || r.proof.ended {
				return err
			}
			if verdict == satisfiable {
				list = slices.DeleteFunc(slices.Clone(list), func(o *partial) bool { return o == p })
			}
		}
	}
	return nil
}
