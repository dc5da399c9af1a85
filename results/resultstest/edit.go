// Package resultstest forges documents for the tests of what reads and judges them.
package resultstest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"leeway/core/coretest"
	"leeway/results"
	"leeway/results/layout"
)

// removed stands for what is taken out of a document.
var removed = new(int)

// Edit returns a document with some changes, each a text of one or several separated by "; ": "nodes.3=[1,4]" puts
// JSON in a place, which may be one past the end of a list, and "-proof" takes out what is there. It repairs the hash
// of a record, so that it is wrong for one reason only, unless a change is "stale" or is the hash. It panics where
// there is no such place.
func Edit(document []byte, changes ...string) []byte {
	var all any = decoded(document)
	stale := false
	for change := range strings.SplitSeq(strings.Join(changes, "; "), "; ") {
		path, text, set := strings.Cut(change, "=")
		switch name, minus := strings.CutPrefix(path, "-"); {
		case set:
			all = put(all, strings.Split(path, "."), decoded([]byte(text)))
		case minus:
			all = put(all, strings.Split(name, "."), removed)
		}
		stale = stale || change == "stale" || path == "claim_sha256"
	}
	out := coretest.Must(json.Marshal(all))
	var r results.Record
	if json.Unmarshal(out, &r) == nil && r.ClaimSHA256 != "" && !stale {
		out = coretest.Must(json.Marshal(put(all, []string{"claim_sha256"}, r.Hash())))
	}
	return out
}

// Forged returns the text of a document with some changes, as Edit makes them.
func Forged(document any, changes ...string) []byte {
	return Edit(coretest.Must(layout.Encode(document)), changes...)
}

// Changed returns a value with some changes of the places that it has in JSON, as Edit makes them.
func Changed[T any](v T, changes ...string) (out T) {
	coretest.Try(json.Unmarshal(Edit(coretest.Must(json.Marshal(v)), changes...), &out))
	return out
}

// decoded returns JSON as values, with numbers as they are written.
func decoded(text []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		panic(fmt.Sprintf("%s: %v", text, err))
	}
	return v
}

// put returns a value with another in the place of what is at a path.
func put(in any, path []string, to any) any {
	if len(path) == 0 {
		return to
	}
	switch in := in.(type) {
	case []any:
		i := coretest.Must(strconv.Atoi(path[0]))
		if i == len(in) {
			in = append(in, nil)
		}
		if in[i] = put(in[i], path[1:], to); in[i] == any(removed) {
			return slices.Delete(in, i, i+1)
		}
		return in
	case map[string]any:
		if in[path[0]] = put(in[path[0]], path[1:], to); in[path[0]] == any(removed) {
			delete(in, path[0])
		}
		return in
	}
	panic(fmt.Sprintf("nothing has the place %q", path))
}
