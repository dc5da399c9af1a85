package refute

import "leeway/encode/lrat"

// A log holds the clauses that were learnt, in order, each with its hints. Clauses have numbers: those of the formula
// 1, 2, ..., then the learnt ones.
type log struct {
	original uint32     // clauses of the formula
	parts    [][]uint32 // a clause is its size, the number of its hints, its literals, its hints
	at       []uint64   // by learnt clause: the number of its part, then, in 32 bits, where it stands there
	words    int64      // in all parts
	ended    bool       // the last clause is empty

	conflicts int64 // that solvers met
}

// partWords is how many words a part has, unless one clause needs more.
const partWords = 1 << 18

// add adds a clause and returns its number.
func (p *log) add(clause []literal, hints []uint32) uint32 {
	size := 2 + len(clause) + len(hints)
	last := len(p.parts) - 1
	if last < 0 || cap(p.parts[last])-len(p.parts[last]) < size {
		p.parts = append(p.parts, make([]uint32, 0, max(size, partWords)))
		last++
	}
	part := p.parts[last]
	p.at = append(p.at, uint64(last)<<32|uint64(len(part)))
	part = append(part, uint32(len(clause)), uint32(len(hints)))
	for _, l := range clause {
		part = append(part, uint32(l))
	}
	p.parts[last] = append(part, hints...)
	p.words += int64(size)
	return p.last()
}

// last returns the highest number of a clause.
func (p *log) last() uint32 { return p.original + uint32(len(p.at)) }

// clause returns the literals and the hints of a learnt clause.
func (p *log) clause(number uint32) (literals, hints []uint32) {
	at := p.at[number-p.original-1]
	part := p.parts[at>>32][uint32(at):]
	size, hinted := part[0], part[1]
	return part[2 : 2+size], part[2+size : 2+size+hinted]
}

// write writes the clauses that the last one rests on, with numbers that leave no gaps. Every clause that a step names
// is deleted after the last step that does.
func (p *log) write(w *lrat.Writer) error {
	needed := p.lastUses()
	numbers := make([]int64, p.last()+1) // in the written proof
	for n := range numbers[:p.original+1] {
		numbers[n] = int64(n)
	}
	var clause []int
	var named, done []int64
	for n := p.original + 1; n <= p.last(); n++ {
		if needed[n] == 0 {
			continue
		}
		literals, hints := p.clause(n)
		clause, named, done = clause[:0], named[:0], done[:0]
		for _, l := range literals {
			clause = append(clause, literal(l).number())
		}
		for _, h := range hints {
			named = append(named, numbers[h])
			if needed[h] == n {
				done = append(done, numbers[h])
			}
		}
		numbers[n] = w.Add(clause, named)
		w.Delete(done...)
		if w.Err() != nil {
			break
		}
	}
	return w.Err()
}

// lastUses returns for every clause the last one that names it among those that the last clause rests on, 0 if none
// does, and for the last clause itself.
func (p *log) lastUses() []uint32 {
	uses := make([]uint32, p.last()+1)
	uses[p.last()] = p.last()
	for n := p.last(); n > p.original; n-- {
		if uses[n] == 0 {
			continue
		}
		_, hints := p.clause(n)
		for _, h := range hints {
			if uses[h] == 0 {
				uses[h] = n
			}
		}
	}
	return uses
}
