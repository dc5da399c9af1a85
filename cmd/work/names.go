package work

import (
	"fmt"
	"leeway/objective"
	"os"
	"strings"
)

// RecordBase returns the name of a record file without its ending.
func RecordBase(p objective.Problem, size int, seed uint64) string {
	r := strings.NewReplacer(":", "-", "=", "-", "+", "-", " ", "-", ",", "")
	return fmt.Sprintf("leeway-%s-n%d-%s-seed%d", r.Replace(p.Torus().String()), size, r.Replace(WayOf(p)), seed)
}

// WayOf returns routing and traffic for a person, "odr:tie=both clients:request=1:reply=1 replies udr:tie=both".
func WayOf(p objective.Problem) string {
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
