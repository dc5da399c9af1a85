package findings_test

import (
	"strconv"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/results/atlas"
	"leeway/results/findings"
)

// TestCompleteness reads every number of the table of networks back: each size of the page is a cell of the atlas with
// that status, and all cells without conditions are there.
func TestCompleteness(t *testing.T) {
	coretest.Alone(t)
	view := coretest.Must(atlas.Shipped())
	page, err := findings.Completeness(view)
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{} // network, routing, size and whether it is proved
	for line := range strings.Lines(page) {
		columns := strings.Split(strings.TrimSpace(line), "|")
		if len(columns) != 6 || !strings.HasPrefix(columns[2], " `") {
			continue
		}
		where, way := strings.TrimSpace(columns[1]), strings.Trim(columns[2], " `")
		if !strings.Contains(way, "tie=") {
			name, _, _ := strings.Cut(way, ":")
			way += map[bool]string{true: ":tie=both", false: ":tie=plus"}[name == "minimal" || name == "avoid"]
		}
		for i, list := range columns[3:5] {
			list = strings.Trim(list, " *")
			if list == "all" {
				c, _ := view.Cells(atlas.Filter{Torus: where, Routing: way})
				list = "1.." + strconv.Itoa(len(c))
			}
			for part := range strings.SplitSeq(list, ", ") {
				from, to, isRange := strings.Cut(part, "..")
				if !isRange {
					to = from
				}
				first, _ := strconv.Atoi(from)
				last, _ := strconv.Atoi(to)
				for n := max(1, first); n <= last; n++ {
					said[where+" "+way+" "+strconv.Itoa(n)+" "+strconv.FormatBool(i == 0)] = true
				}
			}
		}
	}
	cells, _ := view.Cells(atlas.Filter{})
	count := 0
	for _, c := range cells {
		if c.Conditioned() {
			continue
		}
		count++
		at := c.Where() + " " + c.Routing + " " + strconv.Itoa(c.Size) + " "
		if is := c.Status == atlas.Optimal; !said[at+strconv.FormatBool(is)] || said[at+strconv.FormatBool(!is)] {
			t.Errorf("%s is %s, the page says otherwise", at, c.Status)
		}
	}
	if len(said) != count {
		t.Errorf("the page has %d cells, the atlas %d", len(said), count)
	}
}
