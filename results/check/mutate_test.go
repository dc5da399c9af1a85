package check_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/check/meter"
	"leeway/results/layout"
	"leeway/search/refuters"
)

// internal reports whether a verdict says that the checker has a bug.
func internal(v check.Verdict) bool { return strings.Contains(fmt.Sprint(v.Reasons), "internal error") }

// TestChangedDocumentsHaveTheirVerdict changes fields of valid documents, with tables, conditions and traffic among
// them, at random: whatever comes of it has a verdict, and none is that the checker has a bug.
func TestChangedDocumentsHaveTheirVerdict(t *testing.T) {
	coretest.Alone(t)
	var valid []map[string]any
	add := func(data []byte) {
		var d map[string]any
		coretest.Try(json.Unmarshal(data, &d))
		valid = append(valid, d)
	}
	for _, d := range corpus() {
		if d.verdict == check.Valid && len(d.data) < 20_000 {
			add(d.data)
		}
	}
	for range 8 { // more often than the others
		add(coretest.Must(os.ReadFile("testdata/valid/4x4-4-pairs.json")))
		add(coretest.Must(os.ReadFile("testdata/valid/4x4-4-table.json")))
	}
	var parts []any
	for _, d := range valid {
		for _, name := range sortedNames(d) {
			parts = append(parts, d[name])
		}
	}
	for _, name := range []string{"udr:tie=both", "minimal:tie=both", "avoid:tie=both", "table", "odr:tie=plus", "fixed",
		"steps", "bound", "unsat", "monotone", "orderly", "counts", ""} {
		parts = append(parts, name)
	}
	more := map[string][]any{"fixed": {list(0, 0), list(1, 3)}, "forbidden": {list(2, 2), list(3, 3)},
		"traffic": {"clients:request=1:reply=1", "clients:request=0:reply=2"}, "radius": {1.0, 2.0}, "distance": {16.0},
		"load_limit": {"3/4", "1/4n"}, "upper_bound": {4.0, 6.0}, "network": {"4x4:open=0,1", "4x4:twist=1"},
		"lower_bound": {"0", "1/2"}, "status": {"feasible", "optimal"}, "reply_routing": {"odr:tie=plus"},
		"routing_choice": {"free", "free:single-path"}}
	for i := range coretest.Cases(3000, 600) {
		rng := coretest.Rng(3201, i)
		d := clone(valid[rng.IntN(len(valid))])
		for range 1 + rng.IntN(3) {
			if names := sortedNames(more); rng.IntN(2) == 0 {
				name := names[rng.IntN(len(names))]
				d[name] = more[name][rng.IntN(len(more[name]))]
			} else {
				change(rng, d, parts)
			}
		}
		data := coretest.Must(json.Marshal(d))
		if r, err := results.ReadRecord(data); err == nil && rng.IntN(4) > 0 {
			r.ClaimSHA256 = r.Hash()
			data = coretest.Must(layout.Encode(r))
		}
		v := documents.Document(t.Context(), data, filepath.Join("testdata", "valid"),
			check.Options{Limits: meter.Limits{Steps: 1 << 23}, Produce: refuters.Produce})
		if internal(v) || !slices.Contains([]string{check.Valid, check.Wrong, check.Unreadable, check.Limit}, v.Verdict) {
			t.Errorf("case %d: %+v\n%s", i, v, data)
		}
	}
}

func list(c ...float64) []any {
	node := []any{}
	for _, x := range c {
		node = append(node, x)
	}
	return []any{node}
}

func clone(d map[string]any) (out map[string]any) {
	data, err := json.Marshal(d)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		panic(err)
	}
	return out
}

func sortedNames[T any](d map[string]T) (names []string) {
	for name := range d {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// change changes one value somewhere in a document, or takes it out.
func change(rng *rand.Rand, at any, parts []any) {
	switch at := at.(type) {
	case map[string]any:
		names := sortedNames(at)
		if len(names) == 0 {
			return
		}
		name := names[rng.IntN(len(names))]
		if rng.IntN(8) == 0 {
			delete(at, name)
		} else if at[name] = changed(rng, at[name], parts); at[name] != nil {
			change(rng, at[name], parts)
		}
	case []any:
		if len(at) > 0 {
			i := rng.IntN(len(at))
			at[i] = changed(rng, at[i], parts)
			change(rng, at[i], parts)
		}
	}
}

// changed returns another value in the place of one, often the same.
func changed(rng *rand.Rand, v any, parts []any) any {
	switch old := v.(type) {
	case float64:
		return []any{old + 1, old - 1, 0.0, old * 2, old}[rng.IntN(5)]
	case string:
		if f, ok := new(big.Rat).SetString(old); ok && rng.IntN(2) == 0 {
			return f.Add(f, big.NewRat(int64(rng.IntN(5))-2, 4)).RatString()
		}
	case []any:
		if len(old) > 0 && rng.IntN(4) == 0 {
			return old[:rng.IntN(len(old))]
		}
	}
	if rng.IntN(3) == 0 {
		return parts[rng.IntN(len(parts))]
	}
	return v
}
