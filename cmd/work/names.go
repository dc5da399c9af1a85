package work

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"

	"leeway/objective"
	"leeway/search/counts"
	"leeway/search/orderly"
)

// longestName is where names of files are cut; a hash of the whole name follows then.
const longestName = 120

// RecordBase returns the name of a record file without its ending, different for different questions.
func RecordBase(p objective.Problem, size int, seed uint64) string {
	r := strings.NewReplacer(":", "-", "=", "-", "+", "-", ",", "_", "/", "-", "\\", "-", "*", "x", "%", "-")
	name := fmt.Sprintf("leeway-%s-n%d-%s-seed%d", r.Replace(p.Where()), size, r.Replace(p.RoutingText()), seed)
	if len(name) > longestName {
		name = fmt.Sprintf("%s-%x", name[:longestName], sha256.Sum256([]byte(name)))[:longestName+9]
	}
	return name
}

// RoutingAndTraffic returns both as people read them: "odr:tie=both clients:request=1:reply=1 replies udr:tie=both".
func RoutingAndTraffic(p objective.Problem) string {
	text := p.RoutingText()
	if p.Traffic.Clients() {
		text += " " + p.Traffic.String()
	}
	if p.Traffic.Replies != nil {
		text += " replies " + p.Traffic.ReplyText()
	}
	return text
}

// Unused returns base, or base-2 and so on where there is a file of that name and
// ending: it may belong to a record.
func Unused(base, ending string) string {
	name := base
	for i := 2; ; i++ {
		if _, err := os.Lstat(name + ending); err != nil {
			return name
		}
		name = fmt.Sprintf("%s-%d", base, i)
	}
}

// Successor returns the engine or method that does now what one of a name did before it, or the name.
func Successor(name string) string {
	switch name {
	case "margin", "levels", "clients", "census":
		return counts.Name
	case "needs", "exhaustive":
		return orderly.Name
	}
	return name
}
