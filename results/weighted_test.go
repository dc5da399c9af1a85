package results_test

import (
	"reflect"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/results/compose"
	"leeway/results/disk"
	"leeway/results/layout"
)

// handWeighted is a table of weighted paths with detours, on a ring of three.
const handWeighted = `{"schema": "leeway/table/2", "torus": [3], "by": "pair", "entries": [
{"from": [0], "to": [1], "paths": [{"nodes": [[0], [1]], "share": "3/4"}, {"nodes": [[0], [2], [1]], "share": "1/4"}]},
{"from": [1], "to": [0], "paths": [{"nodes": [[1], [0]], "share": "1"}]}]}`

// TestWeightedTables reads a table of weighted paths, writes it, and reads it again, on a torus and on a network from a
// list of links, which the document need not repeat.
func TestWeightedTables(t *testing.T) {
	s := compile(t, "table.schema.json")
	for _, text := range []string{"3", "3:links=0-1,1-2,0-2"} {
		network := coretest.Must(core.ParseNetwork(text))
		r := coretest.Must(disk.ReadTable([]byte(handWeighted), network))
		if r.String() != "table" || routing.Shortest(r) || routing.Uniform(r) {
			t.Errorf("%s: read as %v", text, r)
		}
		written := coretest.Must(layout.Encode(*compose.TableOf(r)))
		if again, err := disk.ReadTable(written, network); err != nil || !reflect.DeepEqual(again, r) {
			t.Errorf("%s: written as %s, which is read as %v, %v", text, written, again, err)
		}
		for _, document := range []string{handWeighted, string(written)} {
			if err := validate(t, s, []byte(document)); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	for _, c := range []struct{ old, new, want string }{
		{`"3/4"`, `"0.75"`, "not a fraction"},
		{`"3/4"`, `"1/2"`, "the shares add up to 3/4"},
		{`[[0], [1]]`, `[[0], [3]]`, "coordinate 0 is 3"},
		{`"pair"`, `"displacement"`, "by pair"},
		{`[3]`, `[4]`, "it is for torus 4"},
		{`"share": "1"`, `"order": [0]`, "not a fraction"},
	} {
		_, err := disk.ReadTable([]byte(strings.Replace(handWeighted, c.old, c.new, 1)), core.MustTorus(3))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s for %s: %v, want %q", c.new, c.old, err, c.want)
		}
	}
}
