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
// a power of its load over the least E_max so far, so that all loads count, and those near the greatest most. Numbers
// are whole, below 2^53.
type state struct {
	table    *fast.Assigned
	partners [][]partner
	at       []int
	on       []int // tasks by node
	room     int   // tasks that a node may have
	may      []int // nodes that are not forbidden
	free     []int // tasks that are not fixed
	loads    []float64
	costs    []float64 // of loads

	best    float64 // least of the greatest loads so far
	scale   float64 // 1/best
	reached int     // links with a load of best or more

	delta   []float64 // of the change that is tried, by link
	touched []int32   // links whose loads may change, all of them with trees
	changes []float64 // of the touched links

	trees         *trees                // nil: what a change moves is added up pair by pair
	out, in, sums [maxTreeNodes]float64 // what a change moves, by the node of the partner; what arrives at nodes
}

// newState returns a state of some nodes of tasks.
func newState(p objective.Problem, table *fast.Assigned, list [][]partner, shared *trees, at []int) *state {
	s := &state{table: table, partners: list, at: at, on: make([]int, p.Torus().N()), room: p.Traffic.Room(),
		delta: make([]float64, max(p.Torus().M(), maxTreeLinks)), costs: make([]float64, p.Torus().M()), trees: shared}
	for _, units := range table.Units(at) {
		s.loads = append(s.loads, float64(units))
	}
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
	for _, v := range core.Range(p.Torus().N()) {
		if p.MayHave(v) {
			s.may = append(s.may, v)
		}
	}
	if shared != nil {
		for l := range s.loads {
			s.touched = append(s.touched, int32(l))
		}
	}
	s.aim()
	return s
}

// aim makes the greatest load the least so far.
func (s *state) aim() {
	s.best, s.reached = slices.Max(s.loads), 0
	s.scale = 1 / max(s.best, 1)
	for l, v := range s.loads {
		s.costs[l] = s.cost(v)
		if v >= s.best {
			s.reached++
		}
	}
}

// add adds an amount from one node to another to the change that is tried.
func (s *state) add(from, to int, amount int64) {
	by, delta, touched := float64(amount), s.delta, s.touched
	for _, f := range s.table.Flow(from, to) {
		before := delta[f.Link]
		if before == 0 {
			touched = append(touched, f.Link)
		}
		delta[f.Link] = before + by*float64(f.Share)
	}
	s.touched = touched
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
	if s.trees != nil {
		s.trees.move(s, task, other, to)
		return s.growth()
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

// growth returns by how much the change that is tried makes the cost grow, and lists it.
func (s *state) growth() float64 {
	var grows [4]float64 // so that they add up side by side
	s.changes = slices.Grow(s.changes[:0], len(s.touched))[:len(s.touched)]
	delta, loads, costs, changes := s.delta, s.loads, s.costs, s.changes
	for i, l := range s.touched {
		d := delta[l] // 0 where the link is listed before
		delta[l], changes[i] = 0, d
		grows[i&3] += s.cost(loads[l]+d) - costs[l]
	}
	return grows[0] + grows[1] + grows[2] + grows[3]
}

// cost returns the eighth power of a load over the least E_max so far.
func (s *state) cost(load float64) float64 {
	y := load * s.scale
	y *= y
	y *= y
	return y * y
}

// keep makes the change that was tried, and reports whether E_max is below best then.
func (s *state) keep(task, other, to int) bool {
	from := s.at[task]
	for i, l := range s.touched {
		before := s.loads[l]
		after := math.RoundToEven(before + s.changes[i])
		s.loads[l], s.costs[l] = after, s.cost(after)
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
	if s.trees == nil {
		s.touched = s.touched[:0]
	}
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
