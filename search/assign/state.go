package assign

import (
	"math/rand/v2"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/fast"
)

// partner is another task with what the two send each other, in units of the matrix.
type partner struct {
	task    int32
	out, in int64
}

// partners lists for every task those that it sends to or receives from.
func partners(m *objective.Matrix) [][]partner {
	list := make([][]partner, m.Tasks)
	index := map[[2]int]int{}
	add := func(of, other int, out, in int64) {
		i, ok := index[[2]int{of, other}]
		if !ok {
			i, index[[2]int{of, other}] = len(list[of]), len(list[of])
			list[of] = append(list[of], partner{task: int32(other)})
		}
		list[of][i].out += out
		list[of][i].in += in
	}
	for _, d := range m.Demands {
		add(d.From, d.To, d.Amount, 0)
		add(d.To, d.From, 0, d.Amount)
	}
	return list
}

// A state is an assignment with its loads. Changes are tried first, and then kept or dropped: the cost of a link is the
// square of how far its load is above a goal.
type state struct {
	table    *fast.Assigned
	partners [][]partner
	at       objective.Assignment
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
	touched []int32 // links whose loads change
	marked  []bool  // by link: it is touched
	dense   bool    // a change touches most links, so that all count as touched
}

// newState returns a state of an assignment.
func newState(p objective.Problem, table *fast.Assigned, list [][]partner, at objective.Assignment) *state {
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
	if len(p.Traffic.Matrix.Demands) > 4*len(at) {
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
	if amount == 0 || from == to {
		return
	}
	if s.dense {
		for _, f := range s.table.Flow(from, to) {
			s.delta[f.Link] += amount * int64(f.Share)
		}
		return
	}
	for _, f := range s.table.Flow(from, to) {
		if !s.marked[f.Link] {
			s.marked[f.Link] = true
			s.touched = append(s.touched, f.Link)
		}
		s.delta[f.Link] += amount * int64(f.Share)
	}
}

// shift tries to move a task from one node to another, but for what it and a task that moves the other way send each
// other; -1: there is no such task.
func (s *state) shift(task, other, from, to int) {
	for _, e := range s.partners[task] {
		if int(e.task) == other {
			continue
		}
		x := s.at[e.task]
		s.add(from, x, -e.out)
		s.add(x, from, -e.in)
		s.add(to, x, e.out)
		s.add(x, to, e.in)
	}
}

// try returns by how much the cost grows where a task moves to a node, and another, if not -1, takes its place.
func (s *state) try(task, other, to int) float64 {
	from := s.at[task]
	s.shift(task, other, from, to)
	if other >= 0 {
		s.shift(other, task, to, from)
		for _, e := range s.partners[task] {
			if int(e.task) == other {
				s.add(from, to, e.in-e.out)
				s.add(to, from, e.out-e.in)
			}
		}
	}
	grows := 0.0
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
