package assign

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/fast"
)

// partner is another task with what the two send each other, in units of the matrix.
type partner struct {
	task    int32
	out, in int64
}

// partners lists for every task those that it sends to or receives from, ascending; a last one has a number above all.
func partners(m *objective.Matrix) [][]partner {
	list := make([][]partner, m.Tasks)
	for _, d := range m.Demands {
		list[d.From] = append(list[d.From], partner{int32(d.To), d.Amount, 0})
		list[d.To] = append(list[d.To], partner{int32(d.From), 0, d.Amount})
	}
	for i, all := range list {
		slices.SortFunc(all, func(a, b partner) int { return cmp.Compare(a.task, b.task) })
		var joint []partner
		for _, e := range all {
			if n := len(joint); n > 0 && joint[n-1].task == e.task {
				joint[n-1].out += e.out
				joint[n-1].in += e.in
			} else {
				joint = append(joint, e)
			}
		}
		list[i] = append(joint, partner{task: math.MaxInt32})
	}
	return list
}

// A state is where tasks are, with the loads. Changes are tried first, and then kept or dropped: the cost of a link is
// the square of how far its load is above a goal.
type state struct {
	table    *fast.Assigned
	partners [][]partner
	at       []int
	on       []int // tasks by node
	room     int   // tasks that a node may have
	may      []int // nodes that are not forbidden
	free     []int // tasks that are not fixed
	loads    []int64

	goal    int64
	unit    float64 // of excess
	best    int64   // least of the greatest loads so far
	reached int     // links with a load of best or more

	delta   []int64 // of the change that is tried, by link
	touched []int32 // links whose loads may change
	marked  []bool  // by link: it is touched
	dense   bool    // a change touches most links, so that all count as touched
}

// newState returns a state of some nodes of tasks.
func newState(p objective.Problem, table *fast.Assigned, list [][]partner, at []int) *state {
	s := &state{table: table, partners: list, at: at, on: make([]int, p.Torus().N()), room: p.Traffic.Room(),
		loads: table.Units(at), delta: make([]int64, p.Torus().M()), marked: make([]bool, p.Torus().M())}
	fixed := map[int]bool{}
	for _, f := range p.Pinned {
		fixed[f.Task] = true
	}
	for task, v := range at {
		s.on[v]++
		if !fixed[task] {
			s.free = append(s.free, task)
		}
	}
	if 64*len(p.Traffic.Matrix.Demands) > len(at)*len(s.loads) {
		s.dense = true
		for l := range s.loads {
			s.touched = append(s.touched, int32(l))
		}
	}
	for _, v := range core.Range(p.Torus().N()) {
		if p.MayHave(v) {
			s.may = append(s.may, v)
		}
	}
	s.best = s.most()
	s.count()
	return s
}

func (s *state) most() (most int64) {
	for _, v := range s.loads {
		most = max(most, v)
	}
	return most
}

// count counts the links with a load of best or more.
func (s *state) count() {
	s.reached = 0
	for _, v := range s.loads {
		if v >= s.best {
			s.reached++
		}
	}
}

// add adds an amount from one node to another to the change that is tried.
func (s *state) add(from, to int, amount int64) {
	flow := s.table.Flow(from, to)
	if s.dense {
		for _, f := range flow {
			s.delta[f.Link] += amount * int64(f.Share)
		}
		return
	}
	for _, f := range flow {
		if !s.marked[f.Link] {
			s.marked[f.Link] = true
			s.touched = append(s.touched, f.Link)
		}
		s.delta[f.Link] += amount * int64(f.Share)
	}
}

// nobody has no partners.
var nobody = []partner{{task: math.MaxInt32}}

// try returns by how much the cost grows where a task moves to a node, and another, if not -1, takes its place. What
// both exchange with a third one stays as far as it is equal.
func (s *state) try(task, other, to int) float64 {
	from := s.at[task]
	mine, others := s.partners[task], nobody
	if other >= 0 {
		others = s.partners[other]
	}
	for i, j := 0, 0; ; {
		x := min(mine[i].task, others[j].task)
		if x == math.MaxInt32 {
			break
		}
		out, in, mutual := int64(0), int64(0), int(x) == task || int(x) == other
		if mine[i].task == x {
			if out, in = mine[i].out, mine[i].in; mutual {
				s.add(from, to, in-out)
				s.add(to, from, out-in)
			}
			i++
		}
		if others[j].task == x {
			out, in = out-others[j].out, in-others[j].in
			j++
		}
		if mutual {
			continue
		}
		at := s.at[x]
		if out != 0 {
			s.add(from, at, -out)
			s.add(to, at, out)
		}
		if in != 0 {
			s.add(at, from, -in)
			s.add(at, to, in)
		}
	}
	return s.growth()
}

// growth returns by how much the change that is tried makes the cost grow.
func (s *state) growth() (grows float64) {
	if s.dense {
		for l, d := range s.delta {
			if d != 0 {
				grows += s.cost(s.loads[l]+d) - s.cost(s.loads[l])
			}
		}
		return grows
	}
	for _, l := range s.touched {
		if before, after := s.loads[l], s.loads[l]+s.delta[l]; max(before, after) > s.goal {
			grows += s.cost(after) - s.cost(before)
		}
	}
	return grows
}

func (s *state) cost(load int64) float64 {
	if load <= s.goal {
		return 0
	}
	excess := float64(load-s.goal) * s.unit
	return excess * excess
}

// keep makes the change that was tried, and reports whether E_max is below best then.
func (s *state) keep(task, other, to int) bool {
	from := s.at[task]
	for _, l := range s.touched {
		before := s.loads[l]
		after := before + s.delta[l]
		s.loads[l] = after
		if before >= s.best {
			s.reached--
		}
		if after >= s.best {
			s.reached++
		}
	}
	s.drop()
	s.at[task] = to
	if other >= 0 {
		s.at[other] = from
	} else {
		s.on[from]--
		s.on[to]++
	}
	return s.reached == 0
}

// drop forgets the change that was tried.
func (s *state) drop() {
	if s.dense {
		clear(s.delta)
		return
	}
	for _, l := range s.touched {
		s.delta[l], s.marked[l] = 0, false
	}
	s.touched = s.touched[:0]
}

// draw returns a random swap or move; ok is false where the tasks would stay as they are.
func (s *state) draw(rng *rand.Rand) (task, other, to int, ok bool) {
	task = s.free[rng.IntN(len(s.free))]
	if to = s.may[rng.IntN(len(s.may))]; s.on[to] < s.room {
		return task, -1, to, to != s.at[task]
	}
	other = s.free[rng.IntN(len(s.free))]
	to = s.at[other]
	return task, other, to, to != s.at[task]
}
