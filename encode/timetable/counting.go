package timetable

import (
	"leeway/encode/card"
	"leeway/encode/cnf"
)

// writeTimes writes what follows from the ports by counting, which solvers are bad at:
// the blocks of a participant leave in different steps, those that have farther to go
// in time for that, and those for it come in different steps, those from farther away
// not before they can.
func (f *Formula) writeTimes(b *cnf.Builder) {
	t := f.question.Steps
	for _, p := range f.procs {
		leave, come := make([]int, t), make([]int, t) // come is counted from the last step
		for s := range t {
			leave[s], come[t-1-s] = b.Var(), b.Var()
		}
		f.writeAny(b, leave, come, p)
		atLeast(b, leave, f.needed(p, func(q int) int { return f.distance[p][q] }))
		atLeast(b, come, f.needed(p, func(q int) int { return f.distance[q][p] }))
	}
}

// writeAny writes that a participant sends in a step only if it sends some block, and
// receives one of its own only likewise.
func (f *Formula) writeAny(b *cnf.Builder, leave, come []int, p int) {
	sends, receives := make([][]int, len(leave)), make([][]int, len(leave))
	for i, s := range f.sends {
		if s.from == p {
			sends[s.step] = append(sends[s.step], i+1)
		}
		if s.to == p && s.receiver == p {
			receives[s.step] = append(receives[s.step], i+1)
		}
	}
	for t := range leave {
		b.Clause(append(sends[t], -leave[t])...)
		b.Clause(append(receives[t], -come[len(come)-1-t])...)
	}
}

// needed returns, for every number of steps from 0 on, how many blocks of a participant
// must have left after so many first steps, given the distances to the others: those
// for participants that are too far for the steps left. For blocks that come it is the
// same backwards.
func (f *Formula) needed(p int, distance func(q int) int) []int {
	need := make([]int, f.question.Steps+1)
	for s := range need {
		for _, q := range f.procs {
			if q != p && distance(q) > f.question.Steps-s {
				need[s]++
			}
		}
	}
	return need
}

// atLeast writes that at least need[i] of the first i literals hold, for all i, by
// counters that may be smaller than they should be.
func atLeast(b *cnf.Builder, literals, need []int) {
	most := 0
	for _, n := range need {
		most = max(most, n)
	}
	var before []int // before[j]: at least j+1 of the literals so far hold
	for i, x := range literals {
		now := make([]int, min(i+1, most))
		for j := range now {
			now[j] = b.Var()
			// At least j+1 now, so at least j before, and j+1 then or one more now.
			if j > 0 {
				b.Clause(-now[j], before[j-1])
			}
			if j < len(before) {
				b.Clause(-now[j], before[j], x)
			} else {
				b.Clause(-now[j], x)
			}
		}
		if n := need[i+1]; n > len(now) {
			b.Clause()
		} else if n > 0 {
			b.Clause(now[n-1])
		}
		before = now
	}
}

// writeWork writes that enough sends bring their blocks nearer to the receivers, and
// as many receives: all blocks together have far to go.
func (f *Formula) writeWork(b *cnf.Builder) {
	work := 0
	for _, p := range f.procs {
		for _, d := range f.procs {
			work += f.distance[p][d]
		}
	}
	n := len(f.distance)
	out, in := make([][]int, n*f.question.Steps), make([][]int, n*f.question.Steps)
	for i, s := range f.sends {
		if f.distance[s.to][s.receiver] < f.distance[s.from][s.receiver] {
			out[s.step*n+s.from] = append(out[s.step*n+s.from], i+1)
			in[s.step*n+s.to] = append(in[s.step*n+s.to], i+1)
		}
	}
	writeFewIdle(b, out, work)
	writeFewIdle(b, in, work)
}

// writeFewIdle writes that at least work of the ports are in use, each given by its
// sends. Those without one are never.
func writeFewIdle(b *cnf.Builder, ports [][]int, work int) {
	var idle []int
	for _, sends := range ports {
		if len(sends) > 0 {
			x := b.Var()
			b.Clause(append(sends, x)...)
			idle = append(idle, x)
		}
	}
	card.AtMostK(b, idle, len(idle)-work)
}
