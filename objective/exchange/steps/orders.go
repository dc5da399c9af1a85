package steps

import (
	"math"
	"math/rand/v2"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
)

// Schedules of all nodes of a torus without open dimensions that are the same at every node, with all ports (inferred).
//
// In such a schedule the block from node s for node s+d moves at every step as that from node 0 for node d does, moved
// on by s. So it is one vector of port counts for every displacement d, how often the block takes each port, and for
// every port and step the displacement whose blocks take that port then, at all nodes at once: no link is wanted twice
// if no port is. The steps of a vector may come in any order, as each order leads to d. Therefore this is an open shop
// with unit operations: displacements are jobs, ports are machines, and a job that uses a port c times has c
// operations on it. Colour the edges of the bipartite multigraph of displacements and ports with steps so that no two
// edges at a displacement have the same colour, and at most b at a port of bandwidth b. By Koenig's theorem T colours
// suffice where no displacement has more than T edges, and no port more than b T.
//
// So the fewest steps of such a schedule are the least, over all choices of vectors, of the largest of the port loads
// divided by their bandwidths, rounded up, and the longest vector. What is left to search for is the choice.

// maxMoves is the largest number of hops of a schedule of all nodes: those of a cube of 4096 nodes fit.
const maxMoves = 1 << 28

// A portVector says which ports a block takes, in ascending order, one entry for each hop.
type portVector []int16

// An invariant is a schedule that is the same at every node.
type invariant struct {
	torus *core.Torus
	out   []step // from node 0, port by port
	steps int
	at    [][]int32 // by step: the displacements whose blocks move, once for each port that they take
	ports [][]int8  // beside at: the ports
}

// newInvariant returns the invariant schedule of the fewest steps found, on a torus without open dimensions, with one
// of the vectors given for each displacement, of least steps or more. Cost: a few passes over all vectors as a rule,
// then O(hops of one node).
func newInvariant(t *core.Torus, out []step, choices [][]portVector, least int) *invariant {
	for ; ; least++ {
		if b := balanced(choices, roomsOf(out), least, 4, 1<<8, nil); b != nil {
			return colour(t, out, b)
		}
	}
}

// roomsOf returns the room of each port.
func roomsOf(out []step) (room []int) {
	for _, s := range out {
		room = append(room, s.room)
	}
	return room
}

// maxChanges bounds the changes of one search for a balance.
const maxChanges = 1 << 18

// balanced returns a choice for so many steps of which accept is true, nil if it finds none in so many tries with so
// many changes for each job.
func balanced(choices [][]portVector, room []int, steps, tries, changes int,
	accept func(*balance, *rand.Rand) bool) *balance {
	changes = min(changes*len(choices), maxChanges)
	for try := range uint64(tries) {
		rng := rand.New(rand.NewPCG(try, 2))
		if b := newBalance(choices, room, rng); b.settle(steps, changes, rng) && (accept == nil || accept(b, rng)) {
			return b
		}
	}
	return nil
}

// vectors returns the vectors of paths from node 0, by node, that cost no more than a given amount beyond a cheapest
// one, given the price of each port, and take no more than a given number of hops; without those that take every port
// at least as often as another. Cost: O(hops^d) and the squares of the numbers of vectors.
func vectors(t *core.Torus, price []int, beyond, hops int) [][]portVector {
	type priced struct {
		vector []int
		cost   int
	}
	lists, least := make([][]priced, t.N()), slices.Repeat([]int{tooDear}, t.N())
	v := make([]int, t.D())
	var extend func(j, left, cost int)
	extend = func(j, left, cost int) {
		if j == t.D() {
			d := t.NodeAt(slices.Clone(v))
			if least[d] = min(least[d], cost); cost <= least[d]+beyond {
				lists[d] = append(lists[d], priced{slices.Clone(v), cost})
			}
			return
		}
		back := min(left, t.N())
		if !t.BothWays(j) {
			back = 0
		}
		for v[j] = -back; v[j] <= min(left, t.N()); v[j]++ {
			if v[j] > 1 && !t.BothWays(j) {
				break
			}
			up, down := price[t.PortIndex(j, core.Plus)], price[t.PortIndex(j, core.Minus)]
			extend(j+1, left-max(v[j], -v[j]), cost+up*max(v[j], 0)-down*min(v[j], 0))
		}
	}
	extend(0, hops, 0)
	choices := make([][]portVector, t.N())
	for d := 1; d < t.N(); d++ {
		list := slices.DeleteFunc(lists[d], func(p priced) bool { return p.cost > least[d]+beyond })
		for i, v := range list {
			within := func(k int) bool { // another one takes no port more often
				return k != i && !slices.ContainsFunc(core.Range(t.D()), func(j int) bool {
					return !inRange(list[k].vector[j], v.vector[j])
				})
			}
			if !slices.ContainsFunc(core.Range(len(list)), within) {
				choices[d] = append(choices[d], portsOf(t, v.vector))
			}
		}
	}
	return choices
}

// shortestVectors returns the vectors of the shortest paths from node 0, by node.
func shortestVectors(t *core.Torus) [][]portVector {
	choices := make([][]portVector, t.N())
	for d := 1; d < t.N(); d++ {
		for _, v := range t.Vectors(0, d, true) {
			choices[d] = append(choices[d], portsOf(t, v))
		}
	}
	return choices
}

// inRange reports whether a lies between 0 and b.
func inRange(a, b int) bool { return 0 <= a && a <= b || b <= a && a <= 0 }

// portsOf returns the ports of a vector of steps.
func portsOf(t *core.Torus, v []int) portVector {
	var ports portVector
	for j, x := range v {
		dir := core.Plus
		if x < 0 {
			dir = core.Minus
		}
		for range max(x, -x) {
			ports = append(ports, int16(t.PortIndex(j, dir)))
		}
	}
	return ports
}

// A balance is a choice of a list of places for every job: of the ports that a displacement takes, or of the links that
// the block of a source does.
type balance struct {
	choices [][]portVector
	chosen  []int // by job
	load    []int // by place
	room    []int // by place
}

// newBalance returns a random choice.
func newBalance(choices [][]portVector, room []int, rng *rand.Rand) *balance {
	b := &balance{choices, make([]int, len(choices)), make([]int, len(room)), room}
	for d, list := range choices {
		if len(list) > 0 {
			b.chosen[d] = rng.IntN(len(list))
			b.add(d, 1)
		}
	}
	return b
}

// add adds the chosen list of a job to the loads, or takes it away.
func (b *balance) add(d, sign int) {
	for _, place := range b.choices[d][b.chosen[d]] {
		b.load[place] += sign
	}
}

// steps returns the steps that the loads of the chosen lists, and the longest of these, need.
func (b *balance) steps() int {
	most := 0
	for place, load := range b.load {
		most = max(most, (load+b.room[place]-1)/b.room[place])
	}
	for d, list := range b.choices {
		if len(list) > 0 {
			most = max(most, len(list[b.chosen[d]]))
		}
	}
	return most
}

// settle looks for a choice that needs no more than a number of steps and reports whether it found one, after a number
// of changes at most. It changes the choice of one job at a time, one of those at a place with too much load, to the
// one that costs least: every time that a place has too much load a job there costs more.
func (b *balance) settle(steps, changes int, rng *rand.Rand) bool {
	users := make([][]int, len(b.load)) // by place: the jobs with several lists that have it on one of these
	for d, list := range b.choices {
		for _, v := range list[:len(list)*min(len(list)-1, 1)] {
			for _, place := range v {
				if n := len(users[place]); n == 0 || users[place][n-1] != d {
					users[place] = append(users[place], d)
				}
			}
		}
	}
	price := slices.Repeat([]int{1}, len(b.load))
	cost := func(v portVector) (sum int) {
		for _, place := range v {
			if b.load[place]++; b.load[place] > steps*b.room[place] {
				sum += price[place]
			}
		}
		for _, place := range v {
			b.load[place]--
		}
		return sum
	}
	var full []int
	for range changes {
		full = full[:0]
		for place, load := range b.load {
			if load > steps*b.room[place] {
				full = append(full, place)
			}
		}
		if len(full) == 0 {
			return b.steps() <= steps
		}
		place := full[rng.IntN(len(full))]
		if len(users[place]) == 0 {
			return false
		}
		price[place]++
		d := users[place][rng.IntN(len(users[place]))]
		for range 8 {
			if slices.Contains(b.choices[d][b.chosen[d]], int16(place)) {
				break
			}
			d = users[place][rng.IntN(len(users[place]))]
		}
		b.add(d, -1)
		least, ties := math.MaxInt, 0
		old := b.chosen[d]
		stay := cost(b.choices[d][old])
		for c, v := range b.choices[d] {
			if c == old {
				continue
			}
			switch sum := cost(v); {
			case sum > stay || sum > least:
			case sum < least:
				least, ties, b.chosen[d] = sum, 1, c
			default:
				if ties++; rng.IntN(ties) == 0 {
					b.chosen[d] = c
				}
			}
		}
		b.add(d, 1)
	}
	return false
}

// A colouring gives every edge of displacements and ports a step. Each port stands as often as its bandwidth says, as a
// row of its own.
type colouring struct {
	jobs  [][]taken // by displacement
	at    [][]int32 // by row and step: the displacement, 0 for none
	idle  [][]int32 // by row: the steps at which it is idle
	place [][]int32 // by row and step: where idle has it
}

// A taken is a step at which a displacement uses a row.
type taken struct{ row, step int32 }

// colour returns the schedule of the chosen vectors. Edges get steps one by one. Where no step is free at both ends of
// an edge, one that is free at the row and one that is free at the displacement change places along the path of edges
// that have one of the two, which starts at the row and never comes to the displacement.
func colour(t *core.Torus, out []step, b *balance) *invariant {
	steps := b.steps()
	var rows []int // the first row of each port
	count := 0
	for _, s := range out {
		rows = append(rows, count)
		count += s.room
	}
	c := &colouring{jobs: make([][]taken, len(b.choices)), at: table[int32](count, steps),
		idle: table[int32](count, steps), place: table[int32](count, steps)}
	for row := range count {
		for step := range steps {
			c.idle[row][step], c.place[row][step] = int32(step), int32(step)
		}
	}
	next := make([]int, len(out)) // by port: its row at turn
	for d, list := range b.choices {
		if len(list) == 0 {
			continue
		}
		for _, port := range list[b.chosen[d]] {
			c.insert(int32(d), int32(rows[port]+next[port]), int32(steps))
			next[port] = (next[port] + 1) % out[port].room
		}
	}
	s := &invariant{torus: t, out: out, steps: steps, at: make([][]int32, steps), ports: make([][]int8, steps)}
	for port := range out {
		for row := range out[port].room {
			for step, d := range c.at[rows[port]+row] {
				if d > 0 {
					s.at[step], s.ports[step] = append(s.at[step], d), append(s.ports[step], int8(port))
				}
			}
		}
	}
	return s
}

// insert gives an edge between a displacement and a row a step.
func (c *colouring) insert(d, row, steps int32) {
	for _, step := range c.idle[row] {
		if c.rowAt(d, step) < 0 {
			c.set(d, row, step)
			return
		}
	}
	at := int32(0) // free at the displacement
	for c.rowAt(d, at) >= 0 {
		at++
	}
	c.swap(row, at, c.idle[row][0])
	c.set(d, row, at)
}

// rowAt returns the row that a displacement uses at a step, -1 if none.
func (c *colouring) rowAt(d, step int32) int32 {
	for _, j := range c.jobs[d] {
		if j.step == step {
			return j.row
		}
	}
	return -1
}

// swap exchanges two steps along the path of edges that starts at a row with one of the first step.
func (c *colouring) swap(row, first, second int32) {
	var path [][3]int32 // displacement, row, step
	for row >= 0 && c.at[row][first] > 0 {
		d := c.at[row][first]
		path = append(path, [3]int32{d, row, first})
		if row = c.rowAt(d, second); row >= 0 {
			path = append(path, [3]int32{d, row, second})
		}
	}
	for _, e := range path {
		c.unset(e[0], e[1], e[2])
	}
	for _, e := range path {
		c.set(e[0], e[1], first+second-e[2])
	}
}

func (c *colouring) set(d, row, step int32) {
	c.jobs[d] = append(c.jobs[d], taken{row, step})
	c.at[row][step] = d
	idle, place := c.idle[row], c.place[row]
	last := idle[len(idle)-1]
	idle[place[step]], place[last] = last, place[step]
	c.idle[row] = idle[:len(idle)-1]
}

func (c *colouring) unset(d, row, step int32) {
	c.jobs[d] = slices.DeleteFunc(c.jobs[d], func(j taken) bool { return j == taken{row, step} })
	c.at[row][step] = 0
	c.place[row][step] = int32(len(c.idle[row]))
	c.idle[row] = append(c.idle[row], step)
}

// sequence returns the steps with the blocks of all nodes, made as they are asked for.
func (s *invariant) sequence() sequence {
	n := s.torus.N()
	return sequence{n, s.steps, func(yield func([]hop) bool) {
		sums := core.Sums(s.torus)
		where := make([]int, n) // by displacement: how far its blocks have come
		var hops []hop
		for step, moving := range s.at {
			hops = hops[:0]
			for i, d := range moving {
				port := s.ports[step][i]
				next := sums.Node(where[d], s.out[port].to)
				from, to := sums.Row(where[d]), sums.Row(next)
				ends := sums.Row(int(d))
				for v := range n {
					hops = append(hops, hop{from[v], to[v], &s.out[port], exchange.Block{From: int32(v), To: ends[v]}})
				}
				where[d] = next
			}
			if !yield(hops) {
				return
			}
		}
	}}
}
