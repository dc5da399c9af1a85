package family

import (
	"fmt"
	"slices"

	"leeway/core"
)

// The placements of memory controllers that the literature draws on meshes of two dimensions: Abts, Enright Jerger,
// Kim, Gibson and Lipasti, "Achieving predictable performance through better memory controller placement in many-core
// CMPs" (ISCA 2009), has rows 0 and 7, columns 0 and 7, rows 2 and 5, the diagonal X and the diamond, each of 16 on
// 8x8. They are sets of nodes, on a torus as on a mesh.

// planar checks that the torus has two dimensions, of equal sides where that is asked for.
func planar(t *core.Torus, text *core.Text, square bool) error {
	if t.D() != 2 {
		return text.FailWhole(fmt.Sprintf("%s has %d dimensions, the placement is one of two", t, t.D()))
	}
	if _, equal := t.Common(); square && !equal {
		return text.FailWhole(fmt.Sprintf("the sides of %s differ, the placement is one of equal sides", t))
	}
	return nil
}

// where returns the nodes whose coordinates meet a condition.
func where(t *core.Torus, in func(row, column int) bool) (core.Placement, error) {
	var nodes []int
	for v := range t.N() {
		if in(t.Coord(v, 0), t.Coord(v, 1)) {
			nodes = append(nodes, v)
		}
	}
	return core.NewPlacement(t, nodes)
}

// parseDiamond reads diamond: the nodes at distance k/2 from the centre of k x k, rounded down for odd k, where the
// centre of an even side lies between two nodes. There are two in each row and column, 2k together, for odd k one in
// the first and the last and 2k-2 together.
func parseDiamond(t *core.Torus, text *core.Text) (core.Placement, error) {
	if err := planar(t, text, true); err != nil {
		return core.Placement{}, err
	}
	k := t.Side(0)
	return where(t, func(row, column int) bool {
		return max(2*row-k+1, k-1-2*row)+max(2*column-k+1, k-1-2*column) == k/2*2
	})
}

// parseX reads x: both diagonals of k x k, 2k nodes, 2k-1 for odd k.
func parseX(t *core.Torus, text *core.Text) (core.Placement, error) {
	if err := planar(t, text, true); err != nil {
		return core.Placement{}, err
	}
	return where(t, func(row, column int) bool { return row == column || row+column == t.Side(0)-1 })
}

// parseRows reads rows:at=0,7, all nodes whose coordinate 0 is one of these; the first and last by default.
func parseRows(t *core.Torus, text *core.Text) (core.Placement, error) { return parseLines(t, text, 0) }

// parseColumns reads columns:at=0,7, the same for coordinate 1.
func parseColumns(t *core.Torus, text *core.Text) (core.Placement, error) {
	return parseLines(t, text, 1)
}

func parseLines(t *core.Torus, text *core.Text, dim int) (core.Placement, error) {
	if err := planar(t, text, false); err != nil {
		return core.Placement{}, err
	}
	at := []int{0, t.Side(dim) - 1}
	if p, ok := text.Take("at"); ok {
		var err error
		if at, err = text.Ints(p, ","); err != nil {
			return core.Placement{}, err
		}
		for i, part := range p.Split(",") {
			if at[i] < 0 || at[i] >= t.Side(dim) {
				return core.Placement{}, text.Fail(part, fmt.Sprintf("coordinate %d lies in 0..%d", dim, t.Side(dim)-1))
			}
			if slices.Contains(at[:i], at[i]) {
				return core.Placement{}, text.Fail(part, "the line is repeated")
			}
		}
	}
	return where(t, func(row, column int) bool { return slices.Contains(at, [2]int{row, column}[dim]) })
}

// parseCorners reads corners:side=2, a square of that number of rows and columns in each corner; side is 1 by default.
func parseCorners(t *core.Torus, text *core.Text) (core.Placement, error) {
	if err := planar(t, text, false); err != nil {
		return core.Placement{}, err
	}
	side := 1
	if p, ok := text.Take("side"); ok {
		var err error
		if side, err = text.Int(p); err != nil {
			return core.Placement{}, err
		}
		if most := min(t.Side(0), t.Side(1)) / 2; side < 1 || side > most {
			return core.Placement{}, text.Fail(p, fmt.Sprintf("side must lie in 1..%d, half of the smaller side", most))
		}
	}
	outer := func(c, k int) bool { return c < side || c >= k-side }
	return where(t, func(row, column int) bool { return outer(row, t.Side(0)) && outer(column, t.Side(1)) })
}

// Planar returns the texts of the placements of controllers of the literature that have n nodes, in a fixed order: none
// on a torus that has not two dimensions. Rows and columns are tried at the ends, with the others evenly between, and
// with as much space outside as between.
func Planar(t *core.Torus, n int) []string {
	if t.D() != 2 {
		return nil
	}
	var list []string
	if k, equal := t.Common(); equal {
		if n == k/2*4 {
			list = append(list, "diamond")
		}
		if n == 2*k-k%2 {
			list = append(list, "x")
		}
	}
	for dim, name := range []string{"rows", "columns"} {
		k, length := t.Side(dim), t.Side(1-dim)
		lines := n / length
		if n%length != 0 || lines < 1 || lines > k {
			continue
		}
		inner, outer := make([]int, lines), make([]int, lines)
		for i := range lines {
			inner[i] = (i + 1) * k / (lines + 1)
			outer[i] = i * (k - 1) / max(1, lines-1)
		}
		for _, at := range [][]int{outer, inner} {
			if text := name + ":at=" + core.JoinInts(at, ","); len(slices.Compact(slices.Clone(at))) == lines &&
				!slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	for side := 1; side <= min(t.Side(0), t.Side(1))/2; side++ {
		if n == 4*side*side {
			list = append(list, fmt.Sprintf("corners:side=%d", side))
		}
	}
	return list
}
