package atlas_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/results"
	"leeway/results/atlas"
)

// TestSuperseded: of two atlases the earlier is remembered where the later has a smaller load or a larger bound, each
// value once, and the file of it reads as it was.
func TestSuperseded(t *testing.T) {
	view := coretest.Must(atlas.Shipped())
	// The first open cell with bounds apart is made better and worse by hand.
	open, _ := view.Cells(atlas.Filter{Text: "open", Torus: "8x8", Routing: "avoid:tie=both"})
	data, _, err := view.Encode(atlas.Filter{Torus: "8x8", Routing: "avoid:tie=both"}, nil)
	if err != nil || len(open) == 0 {
		t.Fatal(len(open), err)
	}
	same := coretest.Must(atlas.Read(data))
	if list := same.Superseded(view, "2026-01-02"); len(list) != 0 {
		t.Errorf("the same atlas supersedes %v", list)
	}
	c := open[0]
	before, line, _ := strings.Cut(string(data), fmt.Sprintf(`"size":%d,"families"`, c.Size))
	lower := before + fmt.Sprintf(`"size":%d,"families"`, c.Size) +
		strings.Replace(line, `"lower_bound":"`+c.LowerBound+`"`, `"lower_bound":"0"`, 1)
	if lower == string(data) {
		t.Fatalf("no line has the bound %s", c.LowerBound)
	}
	worse := coretest.Must(atlas.Read([]byte(lower)))
	list := same.Superseded(worse, "2026-01-02")
	if len(list) != 1 || list[0].LowerBound != "0" || list[0].Until != "2026-01-02" || list[0].MaxLoad == "" {
		t.Fatalf("superseded: %+v", list)
	}
	if back := worse.Superseded(same, "2026-01-02"); len(back) != 0 {
		t.Errorf("what is worse supersedes %v", back)
	}
	file := coretest.Must(atlas.EncodeHistory(atlas.Remember(list, list)))
	if again, err := atlas.ReadHistory(file); err != nil || !reflect.DeepEqual(again, list) {
		t.Errorf("read %v, %v", again, err)
	}
	for _, wrong := range []string{"", `{"schema":"leeway/atlas/1"}`,
		strings.Replace(string(file), "2026-01-02", "yesterday", 1),
		strings.Replace(string(file), `"lower_bound":"0"`, `"lower_bound":"x"`, 1),
		strings.Replace(string(file), `"until"`, `"since"`, 1)} {
		var read *results.ReadError
		if _, err := atlas.ReadHistory([]byte(wrong)); !errors.As(err, &read) {
			t.Errorf("%.80s: %v", wrong, err)
		}
	}
}

// TestShippedPast: what the program's atlas once said can be read, and was never better than what it says.
func TestShippedPast(t *testing.T) {
	view := coretest.Must(atlas.Shipped())
	cells, _ := view.Cells(atlas.Filter{})
	count := 0
	for _, c := range cells {
		past := coretest.Must(atlas.ShippedPast(c.Key()))
		for _, p := range past {
			count++
			bound, load := coretest.Must(results.ParseFraction(p.LowerBound)), coretest.Must(results.ParseFraction(p.MaxLoad))
			nowBound, now := coretest.Must(results.ParseFraction(c.LowerBound)), coretest.Must(results.ParseFraction(c.MaxLoad))
			if bound.Cmp(nowBound) > 0 || load.Cmp(now) < 0 || bound.Cmp(nowBound) == 0 && load.Cmp(now) == 0 {
				t.Errorf("%s: %s to %s is no improvement on %s to %s", c.Key(), c.LowerBound, c.MaxLoad, p.LowerBound, p.MaxLoad)
			}
		}
	}
	if count < 100 {
		t.Errorf("%d values were superseded", count)
	}
}
