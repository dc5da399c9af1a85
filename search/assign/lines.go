package assign

import (
	"cmp"
	"slices"
)

const (
	// lineSteps is how many of the shortest steps lines go by, and are apart.
	lineSteps = 24
	// lineDemands is how many demands a task has on average at most that lines are tried.
	lineDemands = 4
)

// lines returns the best of the placements, among at most some if not 0, in which tasks stand in lines, each next to
// the one that it sends most to, with how many were tried: a line goes by one step over and over, until it comes back,
// and the next one begins another step away; what is connected may turn around every other time. Of few demands that is
// the best there is at times: 8 circles of 8 tasks on 8x8 are diagonals, one up, one down. at is nil for a matrix with
// many demands, tasks that are fixed or more of them than nodes, and without dimensions.
func (s *run) lines(most int64) (at []int, tried int64) {
	p, t := s.Problem, s.Problem.Torus()
	tasks := p.Traffic.Matrix.Tasks
	var free []int
	for v := range t.N() {
		if p.MayHave(v) {
			free = append(free, v)
		}
	}
	if !t.HasDimensions() || p.Pinned != nil || tasks > len(free) || len(p.Traffic.Matrix.Demands) > lineDemands*tasks {
		return nil, 0
	}
	steps := slices.DeleteFunc(slices.Clone(free), func(v int) bool { return v == 0 })
	slices.SortStableFunc(steps, func(a, b int) int { return int(s.distance[0][a] - s.distance[0][b]) })
	steps = steps[:min(len(steps), lineSteps)]
	chains, least := s.chains(), int64(-1)
	seen, nodes, list := make([]bool, t.N()), make([]int, 0, t.N()), make([]int, tasks)
	for _, along := range steps {
		for _, apart := range steps {
			clear(seen)
			nodes = nodes[:0]
			for begin, next := 0, 0; len(nodes) < len(free); begin = t.Sum(begin, apart) {
				if seen[begin] { // all from here on is taken
					for seen[next] {
						next++
					}
					begin = next
				}
				for v := begin; !seen[v]; v = t.Sum(v, along) {
					if seen[v] = true; p.MayHave(v) {
						nodes = append(nodes, v)
					}
				}
			}
			for turn := range 2 {
				if tried++; most > 0 && tried > most {
					return at, most
				}
				from := 0
				for i, chain := range chains {
					for j, task := range chain {
						if turn*i%2 == 1 {
							j = len(chain) - 1 - j
						}
						list[task] = nodes[from+j]
					}
					from += len(chain)
				}
				if value := slices.Max(s.table.Units(list)); least < 0 || value < least {
					at, least = slices.Clone(list), value
				}
			}
		}
	}
	return at, tried
}

// chains returns the tasks in chains: each next one is what the one before sends most to, of those that are left.
func (s *run) chains() (list [][]int) {
	done := make([]bool, len(s.partners))
	for first := range done {
		var chain []int
		for task := first; task >= 0 && !done[task]; {
			done[task] = true
			chain = append(chain, task)
			all := slices.DeleteFunc(slices.Clone(s.partners[task]), func(e partner) bool { return e.out == 0 || done[e.task] })
			if task = -1; len(all) > 0 {
				task = int(slices.MaxFunc(all, func(a, b partner) int { return cmp.Compare(a.out, b.out) }).task)
			}
		}
		if chain != nil {
			list = append(list, chain)
		}
	}
	return list
}
