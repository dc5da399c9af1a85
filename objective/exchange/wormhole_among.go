package exchange

import (
	"math/big"
	"slices"

	"leeway/core"
)

// Among returns a schedule for all nodes with the blocks of some only: what it sends for
// others is left out, and so are the phases in which nothing is left.
func Among(s Schedule, processors []int) Schedule {
	all := s.Phases
	s.Participants = processors
	s.Phases = func(yield func(Phase) bool) {
		var out Phase
		for phase := range all {
			out = out[:0]
			for _, send := range phase {
				var kept []Block
				for _, b := range send.Blocks {
					if isAmong(processors, b.From) && isAmong(processors, b.To) {
						kept = append(kept, b)
					}
				}
				if send.Blocks = kept; len(kept) > 0 {
					out = append(out, send)
				}
			}
			if len(out) > 0 && !yield(out) {
				return
			}
		}
	}
	return s
}

func isAmong(processors []int, v int32) bool {
	_, found := slices.BinarySearch(processors, int(v))
	return found
}

// cost returns the phases and the transmission of a schedule, by listing it.
func (s Schedule) cost() (phases, transmission int) {
	for phase := range s.Phases {
		phases++
		most := 0
		for _, send := range phase {
			most = max(most, len(send.Blocks))
		}
		transmission += most
	}
	return phases, transmission
}

// maxAmongNodes bounds the tori of which a plan for all nodes is listed to see what it
// costs among some.
const maxAmongNodes = 1 << 10

// Names of the schedules of a packing in a ranking.
const (
	RankedPacking = "pack"
	RankedDirect  = "direct"
)

// RankAmong returns what the exchange of a placement costs by each schedule there is: the
// packing with stops (pack), without (direct), and the plans for the whole torus with the
// blocks of the placement only, which need fewer startups and more transmission. Schemes of
// which the sends turn are marked in their note; crossovers are of the others unless sends
// may turn. It is an *core.InputError if a cost of the machine is missing or negative. Tori
// of more than 1024 nodes have no plans.
func (k Packing) RankAmong(relayed Schedule, m Machine, turning bool) (Ranking, error) {
	perBlock, err := m.perBlock()
	if err != nil {
		return Ranking{}, err
	}
	schemes := []Ranked{rankedSchedule(RankedPacking, relayed)}
	direct := Ranked{Name: RankedDirect, Startups: big.NewInt(int64(len(k.Phases))), Transmission: big.NewInt(int64(len(k.Phases))),
		Note: "sends turn: for networks in which they may"}
	if turning {
		schemes = append(schemes, direct)
	}
	plans, refused := plansFor(k.Torus)
	if k.Torus.N() > maxAmongNodes {
		refused, plans = append(refused, Refusal{"plans", tooLargeAmong(k.Torus)}), nil
	}
	for _, p := range plans {
		s := rankedSchedule(p.Name(), Among(p.Schedule(), k.Processors))
		s.Plan, s.Variant = p, p.Variant()
		schemes = append(schemes, s)
	}
	r := Ranking{Schemes: schemes, Refused: refused, Crossovers: crossovers(schemes)}
	if !turning {
		r.Schemes = append(r.Schemes, direct)
	}
	r.order(m.Startup, perBlock)
	return r, nil
}

func rankedSchedule(name string, s Schedule) Ranked {
	phases, transmission := s.cost()
	return Ranked{Name: name, Startups: big.NewInt(int64(phases)), Transmission: big.NewInt(int64(transmission))}
}

func tooLargeAmong(t *core.Torus) error {
	return &core.InputError{Text: t.String(), Problem: "plans for the whole torus are ranked among processors up to 1024 nodes"}
}
