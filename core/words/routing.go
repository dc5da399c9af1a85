package words

import (
	"fmt"
	"strings"

	"leeway/core"
	"leeway/core/routing"
)

// Routing returns how captions name the routing of a canonical text on a network: "UDR, both ways at ties", "XY, the +
// way at ties", "all shortest paths". Where no pair of nodes has a tie the rule is left out.
func Routing(t *core.Torus, text string) string {
	text, tie, _ := strings.Cut(text, ":tie=")
	name, option, _ := strings.Cut(text, ":")
	words := text
	switch {
	case text == "odr" || text == "udr":
		words = strings.ToUpper(text)
	case text == "odr:order=1,0":
		words = "XY"
	case name == "odr":
		words = "ODR in the " + strings.Replace(option, "=", " ", 1)
	case name == "orders":
		words = "dimension orders " + strings.ReplaceAll(option, "+", ", ")
	case name == "avoid":
		words = "UDR that avoids processors"
	case name == "minimal":
		words = "all shortest paths"
	}
	if f, free, err := routing.ParseFree(text); free && err == nil {
		words = "any shortest paths"
		if f.Single {
			words = "any single shortest path of each pair"
		} else if f.MinPaths > 1 {
			words = fmt.Sprintf("any %d or more shortest paths of each pair", f.MinPaths)
		}
	}
	switch {
	case tie == "" || !t.HasTies():
		return words
	case tie == routing.TieBoth.String():
		return words + ", both ways at ties"
	}
	return words + ", the + way at ties"
}
