package atlas_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/labels"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/compose"
)

// TestIdentify: whatever symmetry moves an optimum, it has the label and the number of its orbit; those of a cell are
// all different, and each label leads back to a placement of its orbit.
func TestIdentify(t *testing.T) {
	coretest.Alone(t)
	view := coretest.Must(atlas.Shipped())
	cells, _ := view.Cells(atlas.Filter{})
	cells = slices.DeleteFunc(cells, func(c atlas.Cell) bool { return c.Optima < 2 || c.Optima > 8 || nodes(c) > 25 })
	rng := rand.New(rand.NewPCG(38, 1))
	for range coretest.Cases(200, 6) {
		c := cells[rng.IntN(len(cells))]
		d, _, err := view.Detail(c.Key())
		if err != nil {
			t.Fatal(err)
		}
		p, list, err := compose.ListedOptima(*d.Record)
		if err != nil {
			t.Fatal(err)
		}
		group := coretest.Must(fast.Group(t.Context(), p))
		seen := map[string]bool{}
		numbers := make([]bool, len(list)+1)
		for i, o := range list {
			image := group.Images(rng.IntN(group.Points()), group.Shifts()[rng.IntN(len(group.Shifts()))])
			var moved []int
			for _, v := range o.Nodes() {
				moved = append(moved, image[v])
			}
			id := identified(t, view, p, core.MustPlacement(p.Torus(), moved))
			if again := identified(t, view, p, o); again.Label != id.Label {
				t.Errorf("%s: %v moved to %v is %s, not %s", c.Key(), o.Coords(), moved, id.Label, again.Label)
			}
			if id.Standing != atlas.StandingOptimal || id.MaxLoad != c.MaxLoad || id.Orbit == nil ||
				id.Orbit.Of != c.Optima || numbers[id.Orbit.Number] || seen[id.Label] {
				t.Fatalf("%s: %+v, orbit %+v", c.Key(), id, id.Orbit)
			}
			if id.Orbit.Number != i+1 || id.Label != labels.Orbit(id.Cell, o.Coords()) { // as pages number and label them
				t.Errorf("%s: optimum %d is %+v", c.Key(), i+1, id)
			}
			numbers[id.Orbit.Number], seen[id.Label] = true, true
			known, ok, err := view.Labelled(t.Context(), id.Label)
			if err != nil || !ok || known.Key() != c.Key() || !slices.EqualFunc(known.Record.Nodes, id.Nodes, slices.Equal) ||
				known.Record.ClaimSHA256 != known.Record.Hash() {
				t.Fatalf("%s: the label leads to %+v, %v, %v", id.Label, known.Record, ok, err)
			}
		}
	}
}

// identified is what the atlas says of a placement: with its E_max as the naive evaluator has it.
func identified(t *testing.T, view *atlas.Atlas, p objective.Problem, s core.Placement) atlas.Identity {
	t.Helper()
	id := coretest.Must(view.Identify(context.Background(), []objective.Problem{p}, s))
	if most, _ := p.Naive(s).Max(); id.MaxLoad != results.FormatFraction(most) {
		t.Errorf("%v: E_max %s, not %s", p, id.MaxLoad, most)
	}
	return id
}

// TestIdentifyOtherNames: the same placement on a torus with its sides in another order is the same orbit.
func TestIdentifyOtherNames(t *testing.T) {
	view := coretest.Must(atlas.Shipped())
	var label string
	for _, torus := range []string{"4x6", "6x4"} {
		p := coretest.Must(texts.ParseProblem(torus, "udr:tie=both", 4))
		nodes := []int{}
		for i := range 4 {
			at := []int{i, (i * 2) % 6}
			if torus == "6x4" {
				slices.Reverse(at)
			}
			nodes = append(nodes, coretest.Must(p.Torus().Node(at...)))
		}
		id := identified(t, view, p, core.MustPlacement(p.Torus(), nodes))
		if cell, _, ok := labels.Split(id.Label); !ok || cell != "4x6.udr-tie-both.4" || label != "" && label != id.Label {
			t.Errorf("%s: the label is %s, then %s", torus, label, id.Label)
		}
		label = id.Label
	}
}

// TestIdentifyMoved: 200 placements, of any size and mostly not optimal, keep their label wherever an automorphism
// moves them, and another orbit has another label.
func TestIdentifyMoved(t *testing.T) {
	coretest.Alone(t)
	view := coretest.Must(atlas.ShippedOf(12))
	rng := rand.New(rand.NewPCG(38, 2))
	for i := range 200 {
		torus, way := []string{"3x4", "2x6", "12", "3x4:open=0,1"}[i%4], []string{"odr", "udr:tie=both", "minimal"}[i%3]
		p := coretest.Must(texts.ParseProblem(torus, way, 1+rng.IntN(11)))
		s := core.MustPlacement(p.Torus(), rng.Perm(12)[:p.Size])
		group := coretest.Must(fast.Group(t.Context(), p))
		image := group.Images(rng.IntN(group.Points()), group.Shifts()[rng.IntN(len(group.Shifts()))])
		var moved []int
		for _, v := range s.Nodes() {
			moved = append(moved, image[v])
		}
		id, other := identified(t, view, p, s), core.MustPlacement(p.Torus(), rng.Perm(12)[:p.Size])
		if again := identified(t, view, p, core.MustPlacement(p.Torus(), moved)); again.Label != id.Label {
			t.Errorf("%s %s: %v is %s, moved to %v %s", torus, way, s.Coords(), id.Label, moved, again.Label)
		}
		same := identified(t, view, p, other).Label == id.Label
		if inOrbit(group, other, s) != same {
			t.Errorf("%s %s: %v and %v have labels that are the same: %v", torus, way, s.Coords(), other.Coords(), same)
		}
	}
}

// inOrbit tries every element of a group.
func inOrbit(group *symmetry.Group, a, b core.Placement) bool {
	for point := range group.Points() {
		for _, shift := range group.Shifts() {
			image := group.Images(point, shift)
			var moved []int
			for _, v := range a.Nodes() {
				moved = append(moved, image[v])
			}
			slices.Sort(moved)
			if slices.Equal(moved, b.Nodes()) {
				return true
			}
		}
	}
	return false
}

// TestIdentifyCanonical: of 200 placements that are moved the first image and the label are those that all images under
// translations, exchanges of equal sides and reflections give, which this test makes from coordinates: under these
// routings they preserve E_max (docs/conventions.md).
func TestIdentifyCanonical(t *testing.T) {
	coretest.Alone(t)
	view := coretest.Must(atlas.Shipped())
	rng := rand.New(rand.NewPCG(38, 3))
	for i := range 200 {
		torus, way := []string{"3x4", "4x4", "5x5", "2x3x4", "8x8"}[i%5], []string{"udr:tie=both", "minimal:tie=both"}[i%2]
		p := coretest.Must(texts.ParseProblem(torus, way, 1+rng.IntN(9)))
		s := core.MustPlacement(p.Torus(), rng.Perm(p.Torus().N())[:p.Size])
		images := imagesOf(p.Torus().Dims(), s.Coords())
		first := slices.MinFunc(images, func(a, b [][]int) int { return slices.CompareFunc(a, b, slices.Compare) })
		moved := coretest.Must(core.PlacementFromCoords(p.Torus(), images[rng.IntN(len(images))]))
		id := identified(t, view, p, moved)
		var nodes []string
		for _, c := range first {
			nodes = append(nodes, strings.Trim(strings.ReplaceAll(fmt.Sprint(c), " ", ","), "[]"))
		}
		if torus == "5x5" {
			way = strings.Replace(way, "udr:tie=both", "udr:tie=plus", 1) // nothing ties there, and the atlas says it so
		}
		want := fmt.Sprintf("%s.%s.%d.%x", torus, strings.NewReplacer(":", "-", "=", "-").Replace(way), p.Size,
			sha256.Sum256([]byte(strings.Join(nodes, "+"))))[:len(id.Label)]
		if !slices.EqualFunc(id.Nodes, first, slices.Equal) || id.Label != want {
			t.Errorf("%v moved to %v: %s with %v, want %s with %v", p, moved.Coords(), id.Label, id.Nodes, want, first)
		}
	}
}

// imagesOf returns what translations, exchanges of equal sides and reflections make of nodes, each in ascending order.
func imagesOf(sides []int, nodes [][]int) (list [][][]int) {
	var orders func(order []int)
	orders = func(order []int) {
		if j := len(order); j < len(sides) {
			for dim, k := range sides {
				if k == sides[j] && !slices.Contains(order, dim) {
					orders(append(slices.Clone(order), dim))
				}
			}
			return
		}
		shift := make([]int, len(sides))
		for {
			for signs := range 1 << len(sides) {
				var image [][]int
				for _, c := range nodes {
					at := make([]int, len(sides))
					for j, dim := range order {
						x := c[dim]
						if signs>>j&1 == 1 {
							x = sides[j] - x
						}
						at[j] = (x + shift[j]) % sides[j]
					}
					image = append(image, at)
				}
				slices.SortFunc(image, slices.Compare)
				list = append(list, image)
			}
			j := 0
			for ; j < len(sides); j++ {
				if shift[j]++; shift[j] < sides[j] {
					break
				}
				shift[j] = 0
			}
			if j == len(sides) {
				return
			}
		}
	}
	orders(nil)
	return list
}

// TestLabelsStay: a better placement changes neither the label of a cell nor that of a placement in it; and whatever
// the atlas of the program once said of a cell is found by the label that docs/formats.md gives it.
func TestLabelsStay(t *testing.T) {
	coretest.Alone(t)
	p := problem(t, "4x4", "udr:tie=both", 4)
	s, path := newStore(t, "a.store")
	worse, better := coretest.Must(family.Parse(p.Torus(), "nodes:0,0+0,1+1,0+1,1")),
		coretest.Must(family.Parse(p.Torus(), "linear"))
	var before atlas.Identity
	for i, placement := range []core.Placement{worse, better} {
		add(t, s, record(t, p.Routing, placement))
		now := view(t, path)
		id := identified(t, now, p, worse)
		if i == 0 {
			before = id
		}
		if id.Label != before.Label || id.Cell != "4x4.udr-tie-both.4" || (i > 0) != (id.Standing == atlas.StandingWorse) {
			t.Errorf("%+v, before %+v", id, before)
		}
		if d, ok, err := now.Labelled(t.Context(), id.Cell); !ok || err != nil || d.Key().Size != 4 {
			t.Errorf("%v, %v", ok, err)
		}
	}

	past := coretest.Must(atlas.ReadHistory(coretest.Must(os.ReadFile("history.jsonl"))))
	shipped := coretest.Must(atlas.Shipped())
	for i, old := range past {
		if i%coretest.Cases(1, 20) != 0 {
			continue
		}
		if _, ok := shipped.Cell(old.Key); !ok {
			continue // known by another name now
		}
		dashes := strings.NewReplacer(":", "-", "=", "-", ",", "-", "+", "-")
		label := fmt.Sprintf("%s.%s.%d", dashes.Replace(old.Torus), dashes.Replace(old.Routing), old.Size)
		d, ok, err := shipped.Labelled(t.Context(), label)
		if !ok || err != nil || d.Label() != label || d.Size != old.Size {
			t.Errorf("%s leads to %v, %v, %v", label, d.Key(), ok, err)
		}
	}
}

// TestUnder: the questions about a placement are those of the cells of its size.
func TestUnder(t *testing.T) {
	view := coretest.Must(atlas.Shipped())
	for _, torus := range []string{"8x8", "4x4x4", "8x8:open=0,1", "3x31"} {
		p := coretest.Must(texts.ParseProblem(torus, "minimal", 8))
		var want, got []string
		cells, _ := view.Cells(atlas.Filter{Torus: torus, From: 8, To: 8})
		for _, c := range cells {
			want = append(want, c.Key().String())
		}
		for _, q := range view.RoutingVariants(p) {
			if want == nil {
				break // the question itself
			}
			got = append(got, texts.KeyOf(q).String())
		}
		if !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
			t.Errorf("%s: %v, want %v", torus, got, want)
		}
	}
	if list := view.RoutingVariants(coretest.Must(texts.ParseProblem("6x4", "minimal", 4))); len(list) < 4 {
		t.Errorf("on 6x4, which is 4x6 in the atlas, there are only %v", list)
	}
}

// TestNicknames: queens on a torus and perfect codes are as many as sequence A007705 of the OEIS and lattices have.
func TestNicknames(t *testing.T) {
	coretest.Alone(t)
	view := coretest.Must(atlas.ShippedOf(0))
	for k, want := range map[int]int{4: 0, 5: 10, 6: 0, 7: 28} { // each k times that with a queen in a corner
		p := coretest.Must(texts.ParseProblem(fmt.Sprintf("%dx%d", k, k), "udr", k))
		found := 0
		var place func(columns []int)
		place = func(columns []int) {
			if len(columns) == k {
				nodes := make([]int, k)
				for row, column := range columns {
					nodes[row] = row*k + column
				}
				if slices.ContainsFunc(identified(t, view, p, core.MustPlacement(p.Torus(), nodes)).Names,
					func(name string) bool { return strings.Contains(name, "queens") }) {
					found++
				}
				return
			}
			for column := range k {
				step := (column - columns[len(columns)-1] + k) % k
				if !slices.Contains(columns, column) && step != 1 && step != k-1 {
					place(append(columns, column))
				}
			}
		}
		place([]int{0})
		if found *= k; found != want {
			t.Errorf("%d queens on a torus are placed in %d ways, want %d", k, found, want)
		}
	}
	for text, want := range map[string]string{
		"5x5 linear:c=1,2":              "perfect code of radius 1, 5 nodes each (OEIS A001844)",
		"13x13 linear:c=2,3":            "perfect code of radius 2, 13 nodes each (OEIS A001844)",
		"7x7x7 linear:c=1,2,3":          "perfect code of radius 1, 7 nodes each (OEIS A001845)",
		"9 linear:m=3":                  "perfect code of radius 1, 3 nodes each (OEIS A005408)",
		"2x2 nodes:0,0+1,1":             "",
		"4 nodes:0+2":                   "",
		"4x4 nodes:0,0":                 "",
		"2x2x2 nodes:0,0,0+1,1,1":       "perfect code of radius 1, 4 nodes each",
		"10:open=0 nodes:1+4+7":         "",
		"6:open=0 nodes:1+4":            "perfect code of radius 1, 3 nodes each (OEIS A005408)",
		"5:open=0 nodes:1+4":            "perfect code of radius 1, 2 nodes each",
		"3x3:twist=1 nodes:0,0+1,0+2,0": "",
	} {
		torus, placement, _ := strings.Cut(text, " ")
		p := coretest.Must(texts.ParseProblem(torus, "minimal", 1))
		s := coretest.Must(family.Parse(p.Torus(), placement))
		names := identified(t, view, p.WithSize(s.Size()), s).Names
		i := slices.IndexFunc(names, func(name string) bool { return strings.HasPrefix(name, "perfect") })
		if i < 0 && want != "" || i >= 0 && names[i] != want {
			t.Errorf("%s: %q, want %q", text, names, want)
		}
	}
}

func nodes(c atlas.Cell) int {
	n := 1
	for _, k := range c.Torus {
		n *= k
	}
	return n
}
