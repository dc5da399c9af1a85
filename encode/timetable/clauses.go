package timetable

import (
	"leeway/encode/card"
	"leeway/encode/cnf"
)

// writeReceiver writes where the blocks for one receiver are. The variables may count more blocks at a node than
// there are: an additional block must reach the receiver, too, so this never makes the formula easier to satisfy.
func (f *Formula) writeReceiver(b *cnf.Builder, i int) {
	for v := range f.distance {
		if v == f.procs[i] {
			continue
		}
		waiting := f.start(b, i, v)
		for t := range f.question.Steps {
			waiting = f.writeStep(b, i, v, t, waiting)
		}
		if len(waiting) > 0 { // there is no step at all
			b.Clause(-waiting[0])
		}
	}
}

// start returns how many blocks wait at a node before the first step.
func (f *Formula) start(b *cnf.Builder, i, v int) []int {
	for _, p := range f.procs {
		if p == v {
			one := b.Var()
			b.Clause(one)
			return []int{one}
		}
	}
	return nil
}

// most returns how many blocks for a receiver may wait at a node before a step: they leave one by one, and the last
// must come to the receiver in time.
func (f *Formula) most(i, v, t int) int {
	if t < f.first[i][v] {
		return 0
	}
	return max(0, min(len(f.procs)-1, f.question.Steps-t-f.distance[v][f.procs[i]]+1))
}

// writeStep returns how many blocks wait at a node after a step, in unary, given how many did before it. A block must
// wait to be sent.
func (f *Formula) writeStep(b *cnf.Builder, i, v, t int, waiting []int) []int {
	d := f.procs[i]
	var out, in []int
	for _, w := range f.question.Neighbours[v] {
		if x := f.at[send{d, v, w, t}]; x > 0 {
			out = append(out, x)
		}
	}
	for _, w := range f.from[v] {
		if x := f.at[send{d, w, v, t}]; x > 0 {
			in = append(in, x)
		}
	}
	for _, x := range out {
		if len(waiting) == 0 {
			b.Clause(-x)
		} else {
			b.Clause(-x, waiting[0])
		}
	}
	after := make([]int, min(f.most(i, v, t+1), len(waiting)+min(len(in), 1)))
	for k := range after {
		after[k] = b.Var()
		if k > 0 {
			b.Clause(-after[k], after[k-1])
		}
	}
	for k := range len(waiting) + 1 {
		f.writeCount(b, k, waiting, after, in, out)
	}
	return after
}

// writeCount writes how many blocks there may be after a step if there are k before it.
func (f *Formula) writeCount(b *cnf.Builder, k int, waiting, after, in, out []int) {
	// reach writes that there are n after the step if the literals all hold.
	reach := func(n int, unless ...int) {
		switch {
		case n == 0:
			return
		case n <= len(after):
			unless = append(unless, after[n-1])
		}
		if k > 0 {
			unless = append(unless, -waiting[k-1])
		}
		b.Clause(unless...)
	}
	if k > 0 {
		reach(k - 1)
		reach(k, out...)
	}
	for _, x := range in {
		reach(k, -x)
		reach(k+1, append([]int{-x}, out...)...)
	}
}

// writeTimes writes what follows from the ports by counting, which solvers find hard to derive. The blocks of a
// participant leave in different steps, those for distant receivers early enough to arrive; the blocks for a
// participant arrive in different steps, those from distant senders not before they can.
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

// writeAny writes that a participant sends in a step only if it sends some block, and the same for receiving a block
// of its own.
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

// needed returns, for every number of steps from 0 on, how many blocks of a participant must have left after that
// many first steps, given the distances to the others: those for participants that are too far away for the remaining
// steps. For arriving blocks the same holds backwards.
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

// atLeast writes that at least need[i] of the first i literals hold, for all i. Its counters may be smaller than the
// true numbers.
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

// writeWork writes that at least as many sends, and receives, bring a block nearer to its receiver as the distances
// of all blocks add up to.
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

// writeFewIdle writes that at least work of the ports are in use. Each port is given by its sends; a port without
// sends is never in use.
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
