package routing

import (
	"fmt"
	"strconv"
	"strings"

	"leeway/core"
)

// freeName is the word for a routing that is left to the search.
const freeName = "free"

// Free says which routing restrictions a search may choose from: the tables whose
// paths correct one dimension after the other, around a tie either way. It is no
// Routing; a search for a placement and a table together is about it.
type Free struct {
	Single   bool // every pair has exactly one path
	MinPaths int  // every pair keeps so many paths, or all it has if those are fewer; at least 1
}

// String returns the text that ParseFree reads back: "free", "free:single-path" or
// "free:min-paths=2".
func (f Free) String() string {
	switch {
	case f.Single:
		return freeName + ":single-path"
	case f.MinPaths > 1:
		return fmt.Sprintf("%s:min-paths=%d", freeName, f.MinPaths)
	}
	return freeName
}

// ParseFree reads the text of a free routing. It reports false for a text that
// does not begin as one; errors are *core.InputError.
func ParseFree(text string) (f Free, free bool, err error) {
	name, option, more := strings.Cut(text, ":")
	f.MinPaths = 1
	switch {
	case name != freeName:
		return Free{}, false, nil
	case !more:
		return f, true, nil
	case option == "single-path":
		f.Single = true
		return f, true, nil
	}
	if count, ok := strings.CutPrefix(option, "min-paths="); ok {
		if f.MinPaths, err = strconv.Atoi(count); err == nil && f.MinPaths > 0 && strconv.Itoa(f.MinPaths) == count {
			return f, true, nil
		}
	}
	return Free{}, true, &core.InputError{Text: text, Problem: "unknown option of a free routing",
		Hint: "write free, free:single-path or free:min-paths=2"}
}

// Least returns how many of available paths a pair has to keep.
func (f Free) Least(available int) int { return min(max(f.MinPaths, 1), available) }

// Allows reports whether a pair may keep count of its available paths.
func (f Free) Allows(count, available int) bool {
	if f.Single {
		return count == 1
	}
	return count >= f.Least(available)
}
