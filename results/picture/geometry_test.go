package picture_test

import (
	"fmt"
	"strings"
	"testing"
)

// A point is a place in a picture.
type point struct{ x, y int }

// isNear reports whether two points are less than 16 pixels apart both ways.
func (a point) isNear(b point) bool {
	return max(a.x-b.x, b.x-a.x, a.y-b.y, b.y-a.y) < 16
}

// lines returns begin and end of every line in path data, without arrow heads.
func lines(t *testing.T, data string) [][2]point {
	t.Helper()
	var list [][2]point
	for _, part := range strings.Split(data, "M")[1:] {
		var from, by point
		if _, err := fmt.Sscanf(part, "%d %dl%d %d", &from.x, &from.y, &by.x, &by.y); err != nil {
			t.Fatalf("path %q: %v", data, err)
		}
		list = append(list, [2]point{from, {from.x + by.x, from.y + by.y}})
	}
	return list
}

// places returns the middle of every node of a picture of one panel, by its coordinates.
func places(root element) map[string]point {
	at := map[string]point{}
	for _, e := range root.all("node") {
		at[strings.TrimPrefix(e.title(), "node ")] = point{e.CX, e.CY}
	}
	for _, e := range root.all("processor") {
		at[strings.TrimPrefix(e.title(), "processor ")] = point{e.X + 8, e.Y + 8}
	}
	return at
}

// TestSVGLinksJoinTheirNodes checks that every link begins at the node it leaves and ends at the node it enters, and
// that the two overhangs of a link around the torus point the same way.
func TestSVGLinksJoinTheirNodes(t *testing.T) {
	for _, dims := range []string{"2", "5", "2x2", "2x4", "4x3", "5x6", "5:open=0", "5x6:open=0",
		"4x4:open=0,1:bandwidth=2,1", "4x8:twist=4", "1x12:twist=5", "1x4:twist=2", "2x2:twist=1", "4x3:twist=0,0+2,0",
		"3x4x2:twist=0,1,1+0,0,0+0,2,0", "2x3x4:twist=0,0,0+1,0,2+0,0,0"} {
		for _, values := range []bool{false, true} {
			p := params(dims, "random:n=2:seed=6", "udr:tie=both")
			p.Values = values
			root := parse(t, p)
			at := places(root)
			for _, l := range root.all("link") {
				if l.has("mark") {
					continue // of a link to another panel
				}
				from, rest, _ := strings.Cut(l.title(), " -> ")
				to, _, _ := strings.Cut(rest, ":")
				path := lines(t, l.Data)
				first, last := path[0], path[len(path)-1]
				if !first[0].isNear(at[from]) || !last[1].isNear(at[to]) {
					t.Errorf("%v: link %q runs %v, its nodes are at %v and %v", dims, l.title(), path, at[from], at[to])
				}
				if len(path) == 2 && (point{first[1].x - first[0].x, first[1].y - first[0].y} != point{
					last[1].x - last[0].x, last[1].y - last[0].y}) {
					t.Errorf("%v: the overhangs of %q point apart: %v", dims, l.title(), path)
				}
			}
		}
	}
}

// TestTwistedEndsAreNamed: where the end of a dimension has a shift, each link over it says which node it leads to,
// once at each of its ends, and the key says the shift.
func TestTwistedEndsAreNamed(t *testing.T) {
	p := params("3x4:twist=2", "random:n=4:seed=6", "udr:tie=both")
	texts := map[string]int{}
	for _, e := range parse(t, p).all("small") {
		texts[e.Text]++
	}
	for col := range 4 {
		for _, want := range []string{fmt.Sprintf("0,%d", col), fmt.Sprintf("2,%d", col)} {
			if texts[want] != 1 {
				t.Errorf("%q stands %d times", want, texts[want])
			}
		}
	}
	if texts["the end of dimension 0 is joined to its beginning (0,2) further on"] != 1 {
		t.Errorf("the shift is not said: %v", texts)
	}
}

// TestSVGRowsGoDown checks the axes: coordinate 0 grows downwards, coordinate 1 to the right.
func TestSVGRowsGoDown(t *testing.T) {
	at := places(parse(t, params("3x3", "linear", "udr")))
	origin, down, right := at["(0,0)"], at["(1,0)"], at["(0,1)"]
	if down.x != origin.x || down.y <= origin.y || right.y != origin.y || right.x <= origin.x {
		t.Errorf("(0,0) at %v, (1,0) at %v, (0,1) at %v", origin, down, right)
	}
}
