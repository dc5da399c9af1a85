package timetable

import "leeway/encode/cnf"

// writeReceiver writes where the blocks for one receiver are. The number that waits
// at a node may be larger than it should be: a block more must come to the receiver
// too, and without it the others have more room.
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

// most returns how many blocks for a receiver may wait at a node before a step: they
// leave one by one, and the last must come to the receiver in time.
func (f *Formula) most(i, v, t int) int {
	if t < f.first[i][v] {
		return 0
	}
	return max(0, min(len(f.procs)-1, f.question.Steps-t-f.distance[v][f.procs[i]]+1))
}

// writeStep returns how many blocks wait at a node after a step, in unary, given how
// many did before it. A block must wait to be sent.
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

// writeCount writes what k blocks before a step come to after it.
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
