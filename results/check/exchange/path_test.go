package exchange

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective/exchange"
	"leeway/objective/exchange/wormhole"
)

// twinPath returns the links of a send that turns, on rings, or one that is "".
func twinPath(axes []exchange.Axis, s exchange.Send, coords func(int32) []int) []string {
	if s.Axis != -1 || s.Dir != 0 {
		return []string{""}
	}
	here := coords(s.From)
	var links []string
	for _, leg := range s.Path {
		if leg.Axis < 0 || int(leg.Axis) >= len(axes) {
			return []string{""}
		}
		side, dir := axes[leg.Axis].Nodes, core.Plus
		if leg.Links < 0 {
			dir = core.Minus
		}
		for n := leg.Links; n != 0; n -= int32(dir) {
			link := fmt.Sprint(here, leg.Axis, dir)
			if slices.Contains(links, link) {
				return []string{""}
			}
			links = append(links, link)
			here[leg.Axis] = (here[leg.Axis] + int(dir) + side) % side
		}
	}
	if s.From == s.To || !slices.Equal(here, coords(s.To)) {
		return []string{""}
	}
	return links
}

// turned returns the packing of a placement as phases of sends that turn.
func turned(t *testing.T, sides []int, placement, by string) (exchange.Head, []exchange.Phase) {
	t.Helper()
	torus := coretest.Must(core.NewTorus(sides...))
	p := coretest.Must(family.Parse(torus, placement))
	r := coretest.Must(routing.Parse(torus, by))
	k := coretest.Must(wormhole.Pack(r, p))
	head, phases := asFile(k.Direct)
	for _, phase := range phases { // a leg for each link
		for i := range phase {
			var legs []exchange.Leg
			for _, leg := range phase[i].Path {
				for range max(leg.Links, -leg.Links) {
					legs = append(legs, exchange.Leg{Axis: leg.Axis, Links: leg.Links / max(leg.Links, -leg.Links)})
				}
			}
			phase[i].Path = legs
		}
	}
	return head, phases
}

// mutatePath changes one leg of a path.
func mutatePath(phases []exchange.Phase, rng *rand.Rand) {
	phase := phases[rng.IntN(len(phases))]
	if len(phase) == 0 {
		return
	}
	s := &phase[rng.IntN(len(phase))]
	s.Path = slices.Clone(s.Path)
	if len(s.Path) == 0 {
		return
	}
	i, j := rng.IntN(len(s.Path)), rng.IntN(len(s.Path))
	switch rng.IntN(5) {
	case 0:
		s.Path[i].Links += rng.Int32N(5) - 2
	case 1:
		s.Path[i].Axis = rng.Int32N(4) - 1
	case 2: // the same way, turning elsewhere
		s.Path[i], s.Path[j] = s.Path[j], s.Path[i]
	case 3:
		s.Path = slices.Delete(s.Path, i, i+1)
	case 4:
		s.Path[i].Links = -s.Path[i].Links
	}
}

// TestPathsMeetTheTwin holds the checker against the twin on packings with sends that turn, and on thousands of changes
// to them.
func TestPathsMeetTheTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	valid, links := 0, 0
	for _, c := range []struct {
		sides         []int
		placement, by string
	}{{[]int{5, 5}, "linear", "udr"}, {[]int{4, 6}, "random:n=7:seed=2", "odr"},
		{[]int{3, 3, 4}, "random:n=6:seed=1", "udr:tie=both"}} {
		head, base := turned(t, c.sides, c.placement, c.by)
		for round := range rounds(2000) {
			phases := cloned(base)
			for range min(round, 1+rng.IntN(2)) { // none the first time
				if rng.IntN(4) == 0 {
					mutate(phases, rng)
				} else {
					mutatePath(phases, rng)
				}
			}
			want, have := twin(head, phases), -1
			v := follow(head, listed(phases))
			if v.Fault != nil {
				if have = v.Fault.Phase; v.Fault.Rule == ruleDelivery {
					have = len(phases)
				}
				if strings.Contains(v.Reason, "is used twice") {
					links++
				}
			} else {
				valid++
			}
			if have != want || round == 0 && have != -1 {
				t.Fatalf("%v: the checker finds %s in phase %d, the twin in phase %d: %v", c, v.Reason, have, want,
					phases)
			}
		}
	}
	if valid < rounds(100) || links < rounds(100) {
		t.Errorf("%d changes keep the schedule right, %d take a link twice", valid, links)
	}
}
