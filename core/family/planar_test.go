package family_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
)

// TestPlanarDrawings compares with drawings: those of 8x8 with 16 nodes are the ones of Abts et al. (ISCA 2009).
func TestPlanarDrawings(t *testing.T) {
	for _, c := range []struct{ torus, placement, rows string }{
		{"8x8", "diamond", "...##... ..#..#.. .#....#. #......# #......# .#....#. ..#..#.. ...##..."},
		{"8x8", "x", "#......# .#....#. ..#..#.. ...##... ...##... ..#..#.. .#....#. #......#"},
		{"8x8", "rows", "######## ........ ........ ........ ........ ........ ........ ########"},
		{"8x8", "rows:at=2,5", "........ ........ ######## ........ ........ ######## ........ ........"},
		{"8x8", "columns", "#......# #......# #......# #......# #......# #......# #......# #......#"},
		{"8x8", "corners:side=2", "##....## ##....## ........ ........ ........ ........ ##....## ##....##"},
		{"5x5", "diamond", "..#.. .#.#. #...# .#.#. ..#.."},
		{"5x5", "x", "#...# .#.#. ..#.. .#.#. #...#"},
		{"2x2", "diamond", "## ##"},
		{"3x4", "corners", "#..# .... #..#"},
		{"3x4", "columns:at=1", ".#.. .#.. .#.."},
		{"4x3:open=0,1", "rows:at=3,1", "... ### ... ###"},
	} {
		torus := coretest.Must(core.ParseNetwork(c.torus))
		p, err := family.Parse(torus, c.placement)
		if err != nil {
			t.Errorf("%s on %s: %v", c.placement, c.torus, err)
			continue
		}
		var want []int
		for i, row := range strings.Fields(c.rows) {
			for j, mark := range row {
				if mark == '#' {
					want = append(want, coretest.Must(torus.Node(i, j)))
				}
			}
		}
		if !slices.Equal(p.Nodes(), want) {
			t.Errorf("%s on %s: %v, drawn %v", c.placement, c.torus, p.Nodes(), want)
		}
	}
}

// TestPlanar: every text that is listed for a size has that size, and those that the literature draws are listed.
func TestPlanar(t *testing.T) {
	for _, text := range []string{"2x2", "3x3", "8x8", "7x7", "4x6", "5x2", "16x16:open=0", "8", "2x2x2"} {
		torus := coretest.Must(core.ParseNetwork(text))
		for n := range torus.N() + 1 {
			list := family.Planar(torus, n)
			for _, name := range list {
				if p, err := family.Parse(torus, name); err != nil || p.Size() != n {
					t.Errorf("%s on %s: size %d, not %d, error %v", name, text, p.Size(), n, err)
				}
			}
			if torus.D() != 2 && list != nil {
				t.Errorf("%s: %v", text, list)
			}
		}
	}
	got := family.Planar(core.MustTorus(8, 8), 16)
	want := []string{"diamond", "x", "rows:at=0,7", "rows:at=2,5", "columns:at=0,7", "columns:at=2,5", "corners:side=2"}
	if !slices.Equal(got, want) {
		t.Errorf("16 on 8x8: %v, want %v", got, want)
	}
}

func TestPlanarThatCannotBe(t *testing.T) {
	for _, c := range []struct{ torus, placement, want string }{
		{"8x6", "diamond", "the sides of 8x6 differ"},
		{"8x6", "x", "the sides of 8x6 differ"},
		{"8", "rows", "8 has 1 dimensions"},
		{"4x4x4", "corners", "4x4x4 has 3 dimensions"},
		{"4x4", "rows:at=4", "coordinate 0 lies in 0..3"},
		{"4x6", "columns:at=1,6", "coordinate 1 lies in 0..5"},
		{"4x4", "rows:at=1,1", "the line is repeated"},
		{"4x6", "corners:side=3", "side must lie in 1..2"},
		{"4x4", "diamond:at=1", "does not take this option"},
		{"4x4", "x:2", "does not take this option"},
	} {
		_, err := family.Parse(coretest.Must(core.ParseTorus(c.torus)), c.placement)
		if wrong := (*core.InputError)(nil); !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s on %s: %v, want %q", c.placement, c.torus, err, c.want)
		}
	}
}
