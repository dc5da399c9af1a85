package objective_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/core/sides"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/texts"
)

// conditioned returns a problem with random conditions on a random network or torus, and its fixed and forbidden nodes.
func conditioned(rng *rand.Rand, most int) (p objective.Problem, fixed, forbidden []int) {
	t := coretest.Torus(rng, most)
	if rng.IntN(2) == 0 {
		t = coretest.AnyNetwork(rng, most)
	}
	order := rng.Perm(t.N())
	a := rng.IntN(t.N()/2 + 1)
	b := a + rng.IntN(t.N()-max(a, 1)+1)
	fixed, forbidden = order[:a], order[a:b]
	p = objective.Problem{Routing: routing.NewUDR(t, routing.TieBoth), Size: max(1, a) + rng.IntN(t.N()-b+1)}
	p.Size = min(p.Size, t.N()-(b-a))
	return coretest.Must(p.WithNodes(fixed, forbidden)), fixed, forbidden
}

// TestConditionsAgainstLists goes through all placements: those that are admitted hold the fixed nodes and none of the
// forbidden ones, and keep to radius and distance; there are as many as Placements says but for these, and the group
// takes them to such, with equal E_max.
func TestConditionsAgainstLists(t *testing.T) {
	for i := range coretest.Cases(200, 60) {
		rng := coretest.Rng(311, i)
		p, fixed, forbidden := conditioned(rng, 10)
		p.Radius, p.Distance = rng.IntN(4), rng.IntN(2)*rng.IntN(20)
		group := coretest.Must(fast.Group(context.Background(), p))
		n, count := p.Torus().N(), int64(0)
		for mask := uint64(0); mask < 1<<n; mask++ {
			s := core.MustPlacement(p.Torus(), core.Set{mask}.Nodes())
			want := !slices.ContainsFunc(fixed, func(v int) bool { return mask>>v&1 == 0 }) &&
				!slices.ContainsFunc(forbidden, func(v int) bool { return mask>>v&1 != 0 })
			radius, total := 0, 0
			for v := range n {
				nearest := n
				for _, w := range s.Nodes() {
					nearest = min(nearest, p.Torus().LeeDistance(v, w))
				}
				radius, total = max(radius, nearest), total+nearest
			}
			kept := want && (s.Size() > 0 || !p.Near.Asked()) && (p.Radius == 0 || radius <= p.Radius) &&
				(p.Distance == 0 || total <= p.Distance)
			if p.Admits(s) != kept {
				t.Fatalf("%s: %v admitted %v, want %v", p, s.Nodes(), !kept, kept)
			}
			if least, _ := p.Sizes(); kept && s.Size() > 0 && s.Size() < least {
				t.Fatalf("%s: %v are fewer than %d", p, s.Nodes(), least)
			}
			if !want || s.Size() != p.Size || p.Translatable() && mask&1 == 0 {
				continue
			}
			count++
			if count > 20 {
				continue
			}
			shifts := group.Shifts()
			images := group.Images(rng.IntN(group.Points()), shifts[rng.IntN(len(shifts))])
			moved := make([]int, s.Size())
			for j, v := range s.Nodes() {
				moved[j] = images[v]
			}
			image := core.MustPlacement(p.Torus(), moved)
			a, _ := objective.Naive(p.Routing, s).Max()
			b, _ := objective.Naive(p.Routing, image).Max()
			if p.Admits(image) != kept || a.Cmp(b) != 0 {
				t.Fatalf("%s: %v goes to %v, admitted %v, E_max %s and %s", p, s.Nodes(), moved, p.Admits(image),
					a.RatString(), b.RatString())
			}
		}
		if want := p.Placements(); want.Int64() != count {
			t.Errorf("%s: Placements says %s, there are %d", p, want, count)
		}
		candidates := p.Candidates()
		if got := len(candidates) + len(fixed) + len(forbidden); got != n {
			t.Errorf("%s: %d candidates", p, len(candidates))
		}
	}
}

func TestConditionsThatCannotBe(t *testing.T) {
	p := coretest.Must(texts.ParseProblem("4x4", "odr", 4))
	for _, c := range []struct {
		fixed, forbidden []int
		want             string
	}{
		{[]int{1, 2}, []int{2, 3}, "the node is both fixed and forbidden"},
		{[]int{1, 2, 3, 4, 5}, nil, "the size lies outside 5..16: of the 16 nodes of 4x4 5 are fixed and 0 forbidden"},
		{nil, core.Range(13), "the size lies outside 1..3"},
		{[]int{1, 1}, nil, "twice"},
		{nil, []int{16}, "outside 0..15"},
	} {
		_, err := p.WithNodes(c.fixed, c.forbidden)
		if wrong := (*core.InputError)(nil); !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("fixed %v, forbidden %v: %v, want %q", c.fixed, c.forbidden, err, c.want)
		}
	}
	p = coretest.Must(p.WithNodes([]int{5, 0}, []int{15}))
	if want := "--torus 4x4 --size 4 --routing odr:tie=plus --fixed 0,0+1,1 --forbidden 3,3"; p.String() != want {
		t.Errorf("%s, want %s", p, want)
	}
	if _, err := p.WithNear(objective.Near{Radius: -1}); err == nil || !strings.Contains(err.Error(), "at least 1") {
		t.Errorf("a radius of -1: %v", err)
	}
	if _, err := p.WithSize(3).WithNear(objective.Near{Radius: 1}); err == nil ||
		!strings.Contains(err.Error(), "below 4,") {
		t.Errorf("3 processors with radius 1: %v", err) // 5 nodes each
	}
	if _, err := p.WithNear(objective.Near{Distance: 11}); err == nil || !strings.Contains(err.Error(), "below 5,") {
		t.Errorf("4 processors with distance 11: %v", err) // the 12 other nodes are at least a link away
	}
	q := coretest.Must(p.WithNear(objective.Near{Radius: 2, Distance: 12}))
	if q.TermsText() != " --fixed 0,0+1,1 --forbidden 3,3 --radius 2 --distance 12" {
		t.Error(q)
	}
	if p = coretest.Must(p.WithNodes(nil, nil)); p.Conditioned() {
		t.Error("empty lists are conditions")
	}
}

// TestWhere: network and conditions print as one text that reads back as the same, and no two print alike.
func TestWhere(t *testing.T) {
	seen := map[string]objective.Problem{}
	for i := range coretest.Cases(400, 100) {
		rng := coretest.Rng(1201, i)
		in := coretest.RandomOn(rng, coretest.AnyNetwork(rng, 12))
		p := coretest.Must(objective.NewProblem(in.Routing, in.Torus.N()))
		nodes := rng.Perm(in.Torus.N())
		a := rng.IntN(len(nodes) + 1)
		p.Size = max(1, a)
		var err error
		if p, err = p.WithNodes(nodes[:a], nodes[a:][:rng.IntN(len(nodes)-a+1)]); err != nil {
			continue // more forbidden than a size leaves
		}
		if rng.IntN(2) == 0 {
			traffic := objective.Traffic{Request: rng.IntN(4), Reply: 1 + rng.IntN(3)}
			if rng.IntN(2) == 0 {
				traffic.Replies = coretest.Routing(rng, p.Torus())
			}
			if p, err = p.WithTraffic(traffic); err != nil {
				continue
			}
		}
		p.Radius, p.Distance = rng.IntN(3), rng.IntN(2)*rng.IntN(40)
		s, err := texts.ParseWhere(p.Where())
		if err != nil || !s.Torus().Equal(p.Torus()) || !slices.Equal(s.Fixed, p.Fixed) ||
			!slices.Equal(s.Forbidden, p.Forbidden) || s.Traffic.String() != p.Traffic.String() ||
			s.Traffic.ReplyText() != p.Traffic.ReplyText() || s.Near != p.Near {
			t.Fatalf("%s reads as %v, error %v", p.Where(), s, err)
		}
		if q, ok := seen[p.Where()]; ok && (!q.Torus().Equal(p.Torus()) || !slices.Equal(q.Fixed, p.Fixed) ||
			!slices.Equal(q.Forbidden, p.Forbidden) || q.TermsText() != p.TermsText() ||
			q.Near != p.Near) {
			t.Fatalf("%s is the text of two problems", p.Where())
		}
		seen[p.Where()] = p
	}
	for _, text := range []string{"4x4:fixed=", "4x4:fixed=4,0", "4x4:forbidden=0,0+0,0", "4x4:fixed=0,0:open=1",
		"4x4:fixed=1,1:fixed=0,0", "4x4:traffic=", "4x4:reply-routing=odr",
		"4x4:clients:request=1:reply=1", "4x4:radius=0", "4x4:radius=", "4x4:distance=0",
		"4x4:distance=-1"} {
		if s, err := texts.ParseWhere(text); err == nil {
			t.Errorf("%q reads as %v", text, s)
		}
	}
}

// TestSameGraph: between tori of the same graph distances are kept, and routings that are said to have the same loads
// have them link by link, by the naive evaluator, for every pair of processors and for random placements; those that
// are said to have others have others for a pair. Paths of the least length are the same where a ring of 4 is 2x2.
func TestSameGraph(t *testing.T) {
	for i, c := range []struct {
		from, to string
		same     bool
	}{{"4", "2x2", true}, {"4x4", "2x2x2x2", true}, {"2x4", "2x2x2", true}, {"4x2", "2x4", true}, {"3x4", "2x2x3", true},
		{"2x2x4", "4x4", true}, {"4x4x2", "2x2x2x2x2", true}, {"5x3", "3x5", true}, {"2x8", "4x4", false},
		{"4x4", "2x2x2", false}, {"4x4:open=0", "2x2x2x2", false}, {"2x2:bandwidth=2,1", "4", false}} {
		from, to := coretest.Must(core.ParseNetwork(c.from)), coretest.Must(core.ParseNetwork(c.to))
		image := sides.SameGraph(from, to)
		if (image != nil) != c.same {
			t.Errorf("%s and %s: the same graph: %v", c.from, c.to, image != nil)
		}
		if image == nil {
			continue
		}
		for p, q := range image {
			for v, w := range image {
				if from.LeeDistance(p, v) != to.LeeDistance(q, w) || p != v && q == w {
					t.Fatalf("%s to %s: %d and %d become %d and %d", c.from, c.to, p, v, q, w)
				}
			}
		}
		rng := coretest.Rng(312, i)
		for _, name := range []string{"odr:tie=plus", "udr:tie=both", "minimal:tie=plus", "minimal:tie=both",
			"avoid:tie=both"} {
			r, other := coretest.Must(routing.Parse(from, name)), coretest.Must(routing.Parse(to, name))
			equal := func(nodes []int) bool {
				var there []int
				for _, v := range nodes {
					there = append(there, image[v])
				}
				a := objective.Naive(r, core.MustPlacement(from, nodes))
				b := objective.Naive(other, core.MustPlacement(to, there))
				for l := range from.M() {
					if !from.HasLink(core.Link(l)) {
						continue
					}
					v, w := from.LinkEnds(core.Link(l))
					found := false
					for m := range to.M() {
						x, y := to.LinkEnds(core.Link(m))
						found = found || to.HasLink(core.Link(m)) && x == image[v] && y == image[w] &&
							a.Load(core.Link(l)).Cmp(b.Load(core.Link(m))) == 0
					}
					if !found {
						return false
					}
				}
				return from.Links() == to.Links()
			}
			alike := fast.SameLoadsBetween(r, other, image)
			if name == "minimal:tie=both" && !alike || name == "avoid:tie=both" && alike {
				t.Errorf("%s and %s, %s: the same loads: %v", c.from, c.to, name, alike)
			}
			if name == "avoid:tie=both" {
				continue
			}
			pairs := true
			for v := range image {
				for w := range v {
					pairs = pairs && equal([]int{v, w})
				}
			}
			if pairs != alike {
				t.Errorf("%s and %s, %s: the same loads: %v, by pairs %v", c.from, c.to, name, alike, pairs)
			}
			for range 5 {
				if nodes := rng.Perm(from.N())[:min(from.N(), 2+rng.IntN(6))]; alike && !equal(nodes) {
					t.Fatalf("%s and %s, %s: loads of %v differ", c.from, c.to, name, nodes)
				}
			}
		}
	}
}

// TestLeastDistance: no set of nodes has smaller distances, and some have as small ones.
func TestLeastDistance(t *testing.T) {
	torus := core.MustTorus(3, 4)
	met := 0
	for mask := uint64(1); mask < 1<<12; mask++ {
		s := core.MustPlacement(torus, core.Set{mask}.Nodes())
		total := 0
		for v := range 12 {
			nearest := 12
			for _, w := range s.Nodes() {
				nearest = min(nearest, torus.LeeDistance(v, w))
			}
			total += nearest
		}
		switch least := objective.LeastDistance(torus, s.Size()); {
		case total < least:
			t.Errorf("%v: %d is below %d", s.Nodes(), total, least)
		case total == least:
			met++
		}
	}
	if met < 100 {
		t.Errorf("%d meet it", met)
	}
}
