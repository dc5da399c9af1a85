package faults

import (
	"cmp"
	"math/big"
	"slices"

	"leeway/core"
)

// traffic keeps, for every number of paths that a flow can share its messages
// among, how many messages on such paths use each link. Whole numbers change when a link
// fails, and only the links that they change on are weighed again.
type traffic struct {
	torus   *core.Torus
	den     *big.Int // of the paths' shares times those of bandwidths and messages
	classes []class
	index   map[int]int // from a number of paths to its class
	base    ranking
	touched []int32
	marked  []bool // by link: stands in touched
}

// A class holds the paths of flows that share among the same number of paths.
type class struct {
	weight *big.Int // what each path carries of a message, in units of common bandwidth / den
	uses   []int64  // by link
}

// A ranking is the loads without a fault and the links from the heaviest down.
type ranking struct {
	load  []*big.Int
	links []int32
}

// most returns the largest load, 0 if there is none.
func (r ranking) most() *big.Int {
	return r.load[r.links[0]]
}

func newTraffic(torus *core.Torus, flows []flow, unit *big.Rat) *traffic {
	links := torus.M()
	t := &traffic{torus: torus, den: big.NewInt(1), index: map[int]int{}, marked: make([]bool, links)}
	for _, count := range classSizes(flows) {
		t.index[count] = len(t.classes)
		t.classes = append(t.classes, class{weight: big.NewInt(int64(count)), uses: make([]int64, links)})
		core.FoldLCM(t.den, big.NewInt(int64(count)))
	}
	for _, c := range t.classes {
		c.weight.Div(t.den, c.weight)
	}
	t.den.Mul(t.den, big.NewInt(int64(torus.CommonBandwidth()))).Mul(t.den, unit.Denom())
	for _, p := range flows {
		uses := t.classes[t.index[len(p.paths)]].uses
		for _, path := range p.paths {
			for _, l := range path {
				uses[l] += p.Count
			}
		}
	}
	t.rank(links)
	return t
}

// classSizes lists, ascending, every number of paths that a flow has now or keeps
// after some fault.
func classSizes(flows []flow) []int {
	sizes := map[int]bool{}
	for _, p := range flows {
		through := map[int32]int{}
		for _, path := range p.paths {
			for _, l := range path {
				through[l]++
			}
		}
		sizes[len(p.paths)] = true
		for _, n := range through {
			if n < len(p.paths) {
				sizes[len(p.paths)-n] = true
			}
		}
	}
	list := make([]int, 0, len(sizes))
	for n := range sizes {
		list = append(list, n)
	}
	slices.Sort(list)
	return list
}

func (t *traffic) rank(links int) {
	for l := range links {
		t.base.load = append(t.base.load, t.load(int32(l)))
		t.base.links = append(t.base.links, int32(l))
	}
	slices.SortStableFunc(t.base.links, func(a, b int32) int {
		return cmp.Or(t.base.load[b].Cmp(t.base.load[a]), cmp.Compare(a, b))
	})
}

// load adds up what a link carries now, divided by its bandwidth, in units of 1/den.
func (t *traffic) load(l int32) *big.Int {
	sum, part := new(big.Int), new(big.Int)
	for _, c := range t.classes {
		if n := c.uses[l]; n != 0 {
			sum.Add(sum, part.Mul(part.SetInt64(n), c.weight))
		}
	}
	return sum.Mul(sum, part.SetInt64(int64(t.torus.LinkScale(core.Link(l)))))
}

// fail returns how many pairs lose all their paths when link l fails, of the message or, of a request and its reply, of
// either, and the largest load then. The users are the flows with a path through l. It leaves everything as it was.
func (t *traffic) fail(l core.Link, flows []flow, users []int32) (lost int, most *big.Int) {
	lost = t.move(int32(l), flows, users, 1)
	most = new(big.Int)
	for _, touched := range t.touched {
		if load := t.load(touched); load.Cmp(most) > 0 {
			most = load
		}
	}
	for _, link := range t.base.links { // the heaviest that is as it was
		if !t.marked[link] {
			if load := t.base.load[link]; load.Cmp(most) > 0 {
				most = load
			}
			break
		}
	}
	t.move(int32(l), flows, users, -1)
	for _, link := range t.touched {
		t.marked[link] = false
	}
	t.touched = t.touched[:0]
	return lost, most
}

// move takes the traffic of the users of link l off it, or back for sign -1, and returns how many pairs are lost. They
// take a request and its reply away together, also where one of the two does not use l.
func (t *traffic) move(l int32, flows []flow, users []int32, sign int64) (lost int) {
	for _, i := range users {
		p := flows[i]
		if p.other == none {
			if p.cut(l) {
				lost++
			}
			t.reroute(p, l, sign, p.cut(l))
			continue
		}
		other := flows[p.other]
		t.reroute(p, l, sign, p.cut(l) || other.cut(l))
		if p.cut(l) && other.pathsThrough(l) == 0 {
			t.reroute(other, l, sign, true)
		}
		if p.cut(l) && (!other.cut(l) || int(i) < p.other) {
			lost++
		}
	}
	return lost
}

// reroute moves the traffic of a flow from all its paths to those without link l, or to nowhere, or back for sign -1.
func (t *traffic) reroute(p flow, l int32, sign int64, drop bool) {
	before := t.classes[t.index[len(p.paths)]].uses
	var after []int64
	if !drop {
		after = t.classes[t.index[len(p.paths)-p.pathsThrough(l)]].uses
	}
	for _, path := range p.paths {
		survives := !drop && !uses(path, l)
		for _, link := range path {
			before[link] -= sign * p.Count
			if survives {
				after[link] += sign * p.Count
			}
			if !t.marked[link] {
				t.marked[link] = true
				t.touched = append(t.touched, link)
			}
		}
	}
}

// rat turns units of 1/den into a fraction.
func (t *traffic) rat(units *big.Int) *big.Rat { return new(big.Rat).SetFrac(units, t.den) }
