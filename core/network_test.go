package core_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
)

// smallNetworks covers open and closed dimensions, sides of 2 and bandwidths.
var smallNetworks = []string{"3", "3:open=0", "2:open=0", "6:open=0", "4x3:open=0", "4x3:open=1", "4x3:open=0,1",
	"2x5:open=1:bandwidth=3,1", "3x4:bandwidth=2,3", "3x2x4:open=0,2", "5x4:open=0:bandwidth=1,4", "2x2x3:open=2"}

func parsed(text string) *core.Torus { return coretest.Must(core.ParseNetwork(text)) }

func TestParseNetwork(t *testing.T) {
	for text, want := range map[string]string{
		"8x8:open=0,1": "8x8:open=0,1", "8x8:open=1,0": "8x8:open=0,1", "4x2:open=0,1": "4x2:open=0", "2x2:open=0": "2x2",
		"8x8:bandwidth=1,1": "8x8", "8x8:bandwidth=2,1": "8x8:bandwidth=2,1",
		"3^2:bandwidth=2,1:open=1": "3x3:open=1:bandwidth=2,1", "8x8:bandwidth=4096,4096": "8x8:bandwidth=4096,4096",
	} {
		torus := parsed(text)
		if torus.String() != want {
			t.Errorf("%q prints as %q, want %q", text, torus, want)
		}
		if again := parsed(torus.String()); !again.Equal(torus) {
			t.Errorf("%q does not read back", torus)
		}
		if plain := !strings.Contains(want, ":"); torus.Plain() != plain {
			t.Errorf("%q: plain is %v", text, torus.Plain())
		}
	}
	for i, a := range smallNetworks {
		for j, b := range smallNetworks {
			if same := parsed(a).Equal(parsed(b)); same != (i == j) {
				t.Errorf("%s and %s are equal: %v", a, b, same)
			}
		}
	}
}

func TestParseNetworkErrors(t *testing.T) {
	for _, c := range []struct{ text, problem string }{
		{"8x8:open=«2»", "dimensions are 0..1"}, {"8x8:open=0,«0»", "at most once"}, {"8x8:open=«-1»", "0..1"},
		{"8x8:«open=»", "empty"}, {"8x8:open=«a»", "whole number"}, {"8x8:«opne»=0", "does not take"},
		{"8x8:«0»", "does not take"}, {"8x8:open=0:«open=1»", "repeated"},
		{"8x8:«bandwidth=2»", "1 bandwidths for 2"}, {"8x8:«bandwidth=2,0»", "outside 1..4096"},
		{"8x8:«bandwidth=4097,1»", "outside"},
		{"8x8x8:«bandwidth=4095,4094,4093»", "least common multiple"},
	} {
		_, err := core.ParseNetwork(coretest.Unmarked(c.text))
		coretest.Refused(t, err, c.text, c.problem)
	}
	for _, sides := range []string{"8x", ""} {
		_, err := core.ParseNetwork(sides + ":open=0")
		coretest.Refused(t, err, sides, "a side is missing")
	}
}

// TestParseTorusTakesNoOptions: who reads a torus gets one that is plain.
func TestParseTorusTakesNoOptions(t *testing.T) {
	if torus, err := core.ParseTorus("8x8:open=0"); err == nil {
		t.Errorf("%v is read", torus)
	}
}

// written reads the options of a network off its text: which dimensions are open, and the bandwidth of each.
func written(text string, d int) (open []bool, bandwidth []int64) {
	open, bandwidth = make([]bool, d), slices.Repeat([]int64{1}, d)
	for _, option := range strings.Split(text, ":")[1:] {
		key, values, _ := strings.Cut(option, "=")
		for i, value := range strings.Split(values, ",") {
			if number := int64(value[0] - '0'); key == "open" { // all are single digits
				open[number] = true
			} else {
				bandwidth[i] = number
			}
		}
	}
	return open, bandwidth
}

// TestNetworkLinks compares with the definition: two nodes are joined if they differ by one in one coordinate, or by
// the whole of a dimension that is not open.
func TestNetworkLinks(t *testing.T) {
	for _, text := range smallNetworks {
		torus := parsed(text)
		open, bandwidth := written(text, torus.D())
		joined := func(v, w int) (dim int, ok bool) {
			differ := []int{}
			for j := range torus.D() {
				if torus.Coord(v, j) != torus.Coord(w, j) {
					differ = append(differ, j)
				}
			}
			if len(differ) != 1 {
				return 0, false
			}
			j := differ[0]
			d := max(torus.Coord(v, j)-torus.Coord(w, j), torus.Coord(w, j)-torus.Coord(v, j))
			return j, d == 1 || d == torus.Side(j)-1 && !open[j]
		}
		want, capacity := map[[2]int]bool{}, int64(0)
		for v := range torus.N() {
			for w := range torus.N() {
				if j, ok := joined(v, w); ok {
					want[[2]int{v, w}] = true
					capacity += bandwidth[j]
				}
			}
		}
		got := map[[2]int]bool{}
		for l := range torus.M() {
			if from, to := torus.LinkEnds(core.Link(l)); torus.HasLink(core.Link(l)) {
				if got[[2]int{from, to}] || !want[[2]int{from, to}] {
					t.Errorf("%s: link %d from %d to %d", text, l, from, to)
				}
				got[[2]int{from, to}] = true
				if !torus.HasLink(torus.Reverse(core.Link(l))) {
					t.Errorf("%s: link %d has no way back", text, l)
				}
			}
		}
		if len(got) != len(want) || torus.Links() != len(want) || torus.Capacity() != capacity {
			t.Errorf("%s: %d links, %d of capacity %d counted, want %d and %d", text, len(got), torus.Links(),
				torus.Capacity(), len(want), capacity)
		}
		distances(t, torus, want)
	}
}

// distances compares LeeDistance and Ways with breadth-first search over the links.
func distances(t *testing.T, torus *core.Torus, joined map[[2]int]bool) {
	t.Helper()
	for p := range torus.N() {
		dist := map[int]int{p: 0}
		for queue := []int{p}; len(queue) > 0; queue = queue[1:] {
			for w := range torus.N() {
				if _, seen := dist[w]; !seen && joined[[2]int{queue[0], w}] {
					dist[w] = dist[queue[0]] + 1
					queue = append(queue, w)
				}
			}
		}
		for q := range torus.N() {
			if torus.LeeDistance(p, q) != dist[q] {
				t.Fatalf("%s: distance from %d to %d is %d, want %d", torus, p, q, torus.LeeDistance(p, q), dist[q])
			}
		}
		for j := range torus.D() {
			for by := 1; by < torus.Side(j); by++ {
				q := torus.Shift(p, j, by)
				var ways []core.Dir
				for _, dir := range []core.Dir{core.Plus, core.Minus} { // the first step leads nearer
					l := torus.Link(p, j, dir)
					if _, to := torus.LinkEnds(l); torus.HasLink(l) && (dir == core.Plus || torus.Side(j) > 2) &&
						torus.LeeDistance(to, q) == dist[q]-1 {
						ways = append(ways, dir)
					}
				}
				a, b := torus.Coord(p, j), torus.Coord(q, j)
				if got := torus.Ways(j, a, b, true); !slices.Equal(got, ways) {
					t.Errorf("%s: ways from %d to %d in dimension %d are %v, want %v", torus, a, b, j, got, ways)
				}
				if got := torus.Ways(j, a, b, false); !slices.Equal(got, ways[:1]) {
					t.Errorf("%s: the way from %d to %d in dimension %d is %v, want %v", torus, a, b, j, got, ways[:1])
				}
				if len(ways) > 1 && !torus.HasTies() {
					t.Errorf("%s has a tie from %d to %d", torus, a, b)
				}
			}
		}
	}
}

// TestScale: Scale times bandwidth is the same for all dimensions.
func TestScale(t *testing.T) {
	for _, text := range smallNetworks {
		torus := parsed(text)
		for j := range torus.D() {
			if torus.Scale(j)*torus.Bandwidth(j) != torus.CommonBandwidth() {
				t.Errorf("%s: dimension %d has bandwidth %d and scale %d", text, j, torus.Bandwidth(j), torus.Scale(j))
			}
		}
	}
}

// FuzzParseNetwork: what is read prints as something that reads back as the same, and every link that there is leads to
// a neighbour.
func FuzzParseNetwork(f *testing.F) {
	for _, text := range append(smallNetworks, "8^3:open=2", "4x4:bandwidth=4096,1", "x:open=", "2^26:open=25",
		"4x8:twist=4", "1x5:twist=2", "2x4x8:bandwidth=1,2,1:twist=0,1,4+0,0,-4+0,0,0", "4x2:twist=0,0+1,0") {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		torus, err := core.ParseNetwork(text)
		if err != nil {
			return
		}
		again, err := core.ParseNetwork(torus.String())
		if err != nil || !again.Equal(torus) || again.String() != torus.String() {
			t.Fatalf("%q prints as %q, which reads as %v, %v", text, torus, again, err)
		}
		if links := torus.Links(); torus.Closed() != (links == torus.M()) || links > torus.M() {
			t.Fatalf("%s: %d links of %d numbers", torus, links, torus.M())
		}
		if torus.M() > 1<<14 {
			return
		}
		for l := range torus.M() {
			from, to := torus.LinkEnds(core.Link(l))
			if torus.HasLink(core.Link(l)) && torus.LeeDistance(from, to) != 1 {
				t.Fatalf("%s: link %d from %d to %d", torus, l, from, to)
			}
		}
	})
}

// TestLinkLists compares the lists of links with the numbers that have a link.
func TestLinkLists(t *testing.T) {
	for i := range coretest.Cases(400, 80) {
		network := coretest.Any(coretest.Rng(341, i), 40)
		var all []core.Link
		from, out, in := make([][]core.Link, network.N()), make([][]core.Link, network.N()), make([][]core.Link, network.N())
		between := map[[2]int][]core.Link{}
		for l := range core.Link(network.M()) {
			if network.HasLink(l) {
				u, v := network.LinkEnds(l)
				all, out[u], in[v] = append(all, l), append(out[u], l), append(in[v], l)
				between[[2]int{u, v}] = append(between[[2]int{u, v}], l)
			}
		}
		for v := range from {
			from[v] = slices.Collect(network.LinksFrom(v))
		}
		gotOut, gotIn := network.LinksAround()
		if !slices.Equal(slices.Collect(network.EachLink()), all) || !reflect.DeepEqual(from, out) ||
			!reflect.DeepEqual(gotOut, out) || !reflect.DeepEqual(gotIn, in) ||
			!reflect.DeepEqual(network.LinksBetween(), between) {
			t.Fatalf("%s: the lists do not have the links %v", network, all)
		}
	}
}
