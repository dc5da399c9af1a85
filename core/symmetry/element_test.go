package symmetry_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/core/symmetry/elements"
	"leeway/objective"
)

// someElements draws elements of a torus.
func someElements(rng *rand.Rand, torus *core.Torus, count int) (list []elements.Element) {
	points, shifts := allPoints(torus), translates(torus)
	for range count {
		list = append(list, elements.Element{Point: points[rng.IntN(len(points))], Shift: shifts[rng.IntN(len(shifts))]})
	}
	return list
}

// TestElements composes and inverts by the images of single nodes, and reads back the text.
func TestElements(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 0))
	for _, text := range []string{"5", "4x4", "2x2x3", "3x3x3", "2x4x2", "4x4:open=0,1", "3x3x3:open=1", "4x4x3:open=0,1",
		"4x4:bandwidth=1,2"} {
		torus := network(text)
		list := someElements(rng, torus, 40)
		for i, e := range list {
			h := list[(i+1)%len(list)]
			both, back, images := e.Compose(torus, h), e.Inverse(torus), e.Images(torus)
			for v := range torus.N() {
				c, want := torus.Coords(v), 0
				for j, k := range torus.Dims() { // negate, permute, add
					switch {
					case e.Flip[j] && torus.Open(j):
						c[j] = k - 1 - c[j]
					case e.Flip[j]:
						c[j] = (k - c[j]) % k
					}
					to := e.Perm[j]
					want += (c[j] + torus.Coord(e.Shift, to)) % torus.Side(to) * torus.Stride(to)
				}
				if e.Image(torus, v) != want || images[v] != want {
					t.Fatalf("%s, %s: %d goes to %d, want %d", torus, e.Text(torus), v, images[v], want)
				}
				if both.Image(torus, v) != images[h.Image(torus, v)] || back.Image(torus, want) != v {
					t.Fatalf("%s, %s after %s: node %d", torus, e.Text(torus), h.Text(torus), v)
				}
			}
			text := e.Text(torus)
			read, err := elements.Read(torus, core.Text{Whole: text}, core.Part{Text: text})
			if err != nil || !slices.Equal(read.Images(torus), images) {
				t.Errorf("%s: %q is read as %v, %v", torus, text, read, err)
			}
		}
	}
}

// TestStabiliser makes all elements from the generators and compares with those that keep
// the placement, by trial.
func TestStabiliser(t *testing.T) {
	rng := rand.New(rand.NewPCG(72, 0))
	texts := []string{"6", "4x4", "2x2x3", "3x3", "2x4x2", "3x3x3", "4x4:open=0,1", "3x4:open=0", "3x3x3:open=0,2"}
	for i := range 90 {
		torus := network(texts[i%len(texts)])
		some := someElements(rng, torus, 1+rng.IntN(2))
		nodes := []int{rng.IntN(torus.N())} // an orbit: it has symmetry
		for j := 0; j < len(nodes); j++ {
			for _, e := range some {
				if v := e.Image(torus, nodes[j]); !slices.Contains(nodes, v) {
					nodes = append(nodes, v)
				}
			}
		}
		placement := core.MustPlacement(torus, nodes)
		points := allPoints(torus)
		want := map[string]bool{}
		for _, g := range points {
			for _, shift := range translates(torus) {
				e := elements.Element{Point: g, Shift: shift}
				if !slices.ContainsFunc(nodes, func(v int) bool { return !slices.Contains(nodes, e.Image(torus, v)) }) {
					want[fmt.Sprint(e.Images(torus))] = true
				}
			}
		}
		translations, turns := elements.Stabiliser(placement, points)
		made := []elements.Element{elements.Translation(torus, 0)}
		got := map[string]bool{fmt.Sprint(made[0].Images(torus)): true}
		for j := 0; j < len(made); j++ {
			for _, g := range append(slices.Clone(translations), turns...) {
				e := g.Compose(torus, made[j])
				if key := fmt.Sprint(e.Images(torus)); !got[key] {
					got[key] = true
					made = append(made, e)
				}
			}
		}
		if len(got) != len(want) {
			t.Fatalf("case %d, %s nodes %v: %d elements generated, %d keep it", i, torus, nodes, len(got), len(want))
		}
		for key := range got {
			if !want[key] {
				t.Fatalf("case %d, %s nodes %v: %s does not keep it", i, torus, nodes, key)
			}
		}
	}
}

// group returns the group of a routing given as text, and the routing.
func group(torus *core.Torus, text string) (*symmetry.Group, routing.Routing) {
	r := coretest.Must(routing.Parse(torus, text))
	g := coretest.Must(symmetry.GroupOf(r))
	return g, r
}

// routings returns texts of all families, with both tie rules, for tori of d
// dimensions.
func routings(d int) []string {
	texts := []string{"odr", "udr", "minimal", "avoid"}
	switch d {
	case 2:
		texts = append(texts, "odr:order=1,0")
	case 3:
		texts = append(texts, "odr:order=1,2,0", "orders:012+120+201", "orders:012+210", "orders:012+021",
			"orders:012+102+210")
	}
	var all []string
	for _, s := range texts {
		all = append(all, s+":tie=plus", s+":tie=both")
	}
	return all
}

// network reads a torus or network.
func network(text string) *core.Torus { return coretest.Must(core.ParseNetwork(text)) }

// translates lists the nodes that name translations: those that are 0 in every open dimension.
func translates(torus *core.Torus) (list []int) {
	for v := range torus.N() {
		moves := true
		for j := range torus.D() {
			moves = moves && (!torus.Open(j) || torus.Coord(v, j) == 0)
		}
		if moves {
			list = append(list, v)
		}
	}
	return list
}

// allPoints lists every automorphism that permutes equal dimensions and reflects
// sides above 2. (Reflecting a side of 2 moves nothing.) On a twisted torus it lists the permutations and reflections
// of steps under which steps from every node go to steps.
func allPoints(torus *core.Torus) []symmetry.Point {
	points := []symmetry.Point{{}}
	for j, k := range torus.Dims() {
		var longer []symmetry.Point
		for _, p := range points {
			for to := range torus.D() {
				same := (torus.Side(to) == k || torus.Twisted()) && torus.Open(to) == torus.Open(j) &&
					torus.Bandwidth(to) == torus.Bandwidth(j) && torus.BothWays(to) == torus.BothWays(j)
				if !same || slices.Contains(p.Perm, to) {
					continue
				}
				perm := append(slices.Clone(p.Perm), to)
				longer = append(longer, symmetry.Point{Perm: perm, Flip: append(slices.Clone(p.Flip), false)})
				if torus.BothWays(j) {
					longer = append(longer, symmetry.Point{Perm: perm, Flip: append(slices.Clone(p.Flip), true)})
				}
			}
		}
		points = longer
	}
	if !torus.Twisted() {
		return points
	}
	return slices.DeleteFunc(points, func(p symmetry.Point) bool {
		image := move(torus, p, 0)
		for v := range image {
			for j := range torus.D() {
				if image[torus.Shift(v, j, 1)] != torus.Shift(image[v], p.Perm[j], sign(p, j)) {
					return true
				}
			}
		}
		return false
	})
}

// move returns the image of every node under a point and then the translation by
// the node shift, in plain arithmetic on coordinates.
func move(torus *core.Torus, p symmetry.Point, shift int) []int {
	image := make([]int, torus.N())
	if torus.Twisted() { // by single steps
		for v := range image {
			image[v] = shift
			for j, steps := range torus.Coords(v) {
				for range steps {
					image[v] = torus.Shift(image[v], p.Perm[j], sign(p, j))
				}
			}
		}
		return image
	}
	for v := range image {
		to := torus.Coords(shift)
		for j, k := range torus.Dims() {
			c := torus.Coord(v, j)
			switch {
			case p.Flip[j] && torus.Open(j):
				c = k - 1 - c
			case p.Flip[j]:
				c = -c
			}
			to[p.Perm[j]] = (to[p.Perm[j]] + c + k) % k
		}
		image[v] = coretest.Must(torus.Node(to...))
	}
	return image
}

// contains reports whether a group contains a point, by the images of all nodes.
func contains(t testing.TB, g *symmetry.Group, p symmetry.Point) bool {
	want := move(g.Torus(), p, 0)
	for i := range g.Points() {
		if slices.Equal(g.Images(i, 0), want) {
			return true
		}
	}
	return false
}

// sign returns what a step up along dimension j becomes.
func sign(p symmetry.Point, j int) int {
	if p.Flip[j] {
		return -1
	}
	return 1
}

// imageOf returns the image of a placement under a map of nodes.
func imageOf(p core.Placement, image []int) core.Placement {
	var nodes []int
	for _, v := range p.Nodes() {
		nodes = append(nodes, image[v])
	}
	return core.MustPlacement(p.Torus(), nodes)
}

// allPeaks returns E_max times a common factor for every set of nodes, as bit
// masks. Where the routing does not depend on the placement it adds up the loads
// of pairs, each by the naive evaluator; otherwise it evaluates every set.
func allPeaks(r routing.Routing) []int64 {
	torus := r.Torus()
	den := new(big.Rat).SetInt(objective.Denominator(r))
	peaks := make([]int64, 1<<torus.N())
	if r.DependsOnPlacement() {
		for mask := range peaks {
			most, _ := objective.Naive(r, fromMask(torus, mask)).Max()
			peaks[mask] = most.Mul(most, den).Num().Int64()
		}
		return peaks
	}
	joint := make([][][]int64, torus.N())
	for u := range joint {
		joint[u] = make([][]int64, u)
		for v := range u {
			loads := objective.Naive(r, core.MustPlacement(torus, []int{u, v}))
			for l := range torus.M() {
				x := loads.Load(core.Link(l))
				joint[u][v] = append(joint[u][v], x.Mul(x, den).Num().Int64())
			}
		}
	}
	fillPeaks(joint, peaks, make([]int64, torus.M()), 0, 0)
	return peaks
}

// fillPeaks decides for node u and those after it whether they join the set.
func fillPeaks(joint [][][]int64, peaks, loads []int64, mask, u int) {
	if u == len(joint) {
		peaks[mask] = slices.Max(loads)
		return
	}
	fillPeaks(joint, peaks, loads, mask, u+1)
	with := slices.Clone(loads)
	for v := range u {
		if mask>>v&1 == 0 {
			continue
		}
		for l, x := range joint[u][v] {
			with[l] += x
		}
	}
	fillPeaks(joint, peaks, with, mask|1<<u, u+1)
}

func fromMask(torus *core.Torus, mask int) core.Placement {
	var nodes []int
	for v := range torus.N() {
		if mask>>v&1 != 0 {
			nodes = append(nodes, v)
		}
	}
	return core.MustPlacement(torus, nodes)
}

// moveMask returns the image of a set of nodes.
func moveMask(mask int, image []int) int {
	to := 0
	for v, w := range image {
		to |= mask >> v & 1 << w
	}
	return to
}

// disagreement returns a set of nodes whose image has another peak, and whether
// there is one.
func disagreement(peaks []int64, image []int) (mask int, found bool) {
	for mask := range peaks {
		if peaks[mask] != peaks[moveMask(mask, image)] {
			return mask, true
		}
	}
	return 0, false
}
