package symmetry_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/symmetry"
)

// someElements draws elements of a torus.
func someElements(rng *rand.Rand, torus *core.Torus, count int) (list []symmetry.Element) {
	points := allPoints(torus)
	for range count {
		list = append(list, symmetry.Element{Point: points[rng.IntN(len(points))], Shift: rng.IntN(torus.N())})
	}
	return list
}

// TestElements composes and inverts by the images of single nodes, and reads back the text.
func TestElements(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 0))
	for _, dims := range [][]int{{5}, {4, 4}, {2, 2, 3}, {3, 3, 3}, {2, 4, 2}} {
		torus := core.MustTorus(dims...)
		list := someElements(rng, torus, 40)
		for i, e := range list {
			h := list[(i+1)%len(list)]
			both, back, images := e.After(torus, h), e.Inverse(torus), e.Images(torus)
			for v := range torus.N() {
				c, want := torus.Coords(v), 0
				for j, k := range dims { // negate, permute, add
					if e.Flip[j] {
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
			read, err := symmetry.ReadElement(torus, core.Text{Whole: text}, core.Part{Text: text})
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
	for i := range 60 {
		torus := core.MustTorus([][]int{{6}, {4, 4}, {2, 2, 3}, {3, 3}, {2, 4, 2}, {3, 3, 3}}[i%6]...)
		elements := someElements(rng, torus, 1+rng.IntN(2))
		nodes := []int{rng.IntN(torus.N())} // an orbit: it has symmetry
		for j := 0; j < len(nodes); j++ {
			for _, e := range elements {
				if v := e.Image(torus, nodes[j]); !slices.Contains(nodes, v) {
					nodes = append(nodes, v)
				}
			}
		}
		placement := core.MustPlacement(torus, nodes)
		points := allPoints(torus)
		want := map[string]bool{}
		for _, g := range points {
			for shift := range torus.N() {
				e := symmetry.Element{Point: g, Shift: shift}
				if !slices.ContainsFunc(nodes, func(v int) bool { return !slices.Contains(nodes, e.Image(torus, v)) }) {
					want[fmt.Sprint(e.Images(torus))] = true
				}
			}
		}
		translations, turns := symmetry.Stabiliser(placement, points)
		made := []symmetry.Element{symmetry.Translation(torus, 0)}
		got := map[string]bool{fmt.Sprint(made[0].Images(torus)): true}
		for j := 0; j < len(made); j++ {
			for _, g := range append(slices.Clone(translations), turns...) {
				e := g.After(torus, made[j])
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
