package audit

import (
	"context"
	"fmt"
)

// preparations checks how many blocks every node sends in the preparation of T4 or C64,
// as so many of N/parts, and that all blocks are then in the logical torus of their home.
func preparations(name string, sides []int, period, parts int, shares []int) (survey, error) {
	var s survey
	plan, err := torusPlan(name, sides)
	if err != nil {
		return s, err
	}
	t := plan.Torus()
	at := make([]int32, t.N()*t.N())
	for i := range at {
		at[i] = int32(i / t.N())
	}
	k := 0
	for phase := range plan.Schedule().Phases {
		if k == len(shares) {
			break
		}
		claimed := shares[k] * t.N() / parts
		s.add(len(phase) == t.N(), differs(fmt.Sprintf("sides %v, phase %d", sides, k+1), "all nodes send", fmt.Sprint(len(phase))))
		for _, send := range phase {
			s.add(len(send.Blocks) == claimed, func() Counterexample {
				return differs(fmt.Sprintf("sides %v, phase %d, node %d", sides, k+1, send.From), fmt.Sprint(claimed), fmt.Sprint(len(send.Blocks)))()
			})
			for _, b := range send.Blocks {
				at[int(b.From)*t.N()+int(b.To)] = send.To
			}
		}
		k++
	}
	for i, v := range at {
		home, from, near := i%t.N(), i/t.N(), true
		for j := range t.D() {
			near = near && (t.Coord(int(v), j)-t.Coord(home, j))%period == 0 && (t.Coord(int(v), j)-t.Coord(from, j)+t.Side(j))%t.Side(j) < period
		}
		if from != home {
			s.add(near, func() Counterexample {
				return differs(fmt.Sprintf("sides %v, block %d to %d", sides, from, home), "in the logical torus of its home", fmt.Sprintf("at %d", v))()
			})
		}
	}
	return s, nil
}

func preparationT4(_ context.Context, _ Limits) Finding {
	var all survey
	for _, n := range []int{4, 8, 16} {
		s, err := preparations("t4", []int{n, n}, 2, 4, []int{2, 2})
		if err != nil {
			return broken(err)
		}
		all.join(s)
	}
	return all.finding("4x4, 8x8 and 16x16: every node in both phases, then every block", "")
}

func preparationC64(_ context.Context, _ Limits) Finding {
	s, err := preparations("c64", []int{8, 8, 8}, 4, 64, []int{48, 32, 16, 48, 32, 16, 48, 32, 16})
	if err != nil {
		return broken(err)
	}
	return s.finding("8x8x8: every node in all nine phases, then every block", "")
}

// join adds the cases of another survey.
func (s *survey) join(other survey) {
	if s.failed == 0 {
		s.first = other.first
	}
	s.cases += other.cases
	s.failed += other.failed
}
