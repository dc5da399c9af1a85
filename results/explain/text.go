package explain

import (
	"fmt"
	"strings"

	"leeway/core"
	"leeway/results/layout"
)

// Text returns the explanation for people, with decimals beside fractions.
func (e Explanation) Text() string {
	w := &text{}
	decimal := layout.WithDecimal
	noun := "processor"
	if e.Matrix != nil {
		noun = "task"
	}
	w.printf("%s; E_max by routing, and what is lost to the routing:\n", core.Count(e.Size, noun))
	if e.Traffic != "" && e.Matrix == nil {
		w.printf("  (%s; requests and replies by the same routing)\n", e.Traffic)
	}
	for _, name := range Routings {
		if e.MaxLoad[name] == "" {
			continue
		}
		w.printf("  %-15s %-18s +%s\n", name, decimal(e.MaxLoad[name]), decimal(e.LostToRouting[name]))
	}
	b := e.BestMinimal
	if b.Optimal {
		w.printf("best minimal routing: %s, proved from both sides\n", decimal(b.Upper))
	} else {
		w.printf("best minimal routing: at least %s, at most %s\n", decimal(b.Lower), decimal(b.Upper))
	}
	if e.Bounds != nil {
		w.printf("bounds for this placement under any minimal routing:\n")
	}
	for _, item := range e.Bounds {
		w.printf("  %-15s %s\n", item.Name, decimal(item.Value))
	}
	w.printf("every placement of %s: at least %s (%s)\n", core.Count(e.Size, noun), decimal(e.PlacementFree.Value),
		e.PlacementFree.Name)
	if e.Traffic == "" || b.Optimal {
		w.printf("lost to the placement: %s at most, under the best minimal routing\n", decimal(e.LostToPlacement))
	}
	if e.Under != nil {
		w.writeRouting(e)
	}
	return w.String()
}

// A text is being written.
type text struct{ strings.Builder }

func (w *text) printf(format string, args ...any) { fmt.Fprintf(w, format, args...) }

// shownPairs is how many pairs on the busiest link people are shown.
const shownPairs = 12

// shownMessages is how many of them under client traffic.
const shownMessages = 4

// writeRouting writes what is said of one routing.
func (w *text) writeRouting(e Explanation) {
	u, decimal := e.Under, layout.WithDecimal
	replies := ""
	if e.ReplyRouting != "" {
		replies = ", replies by " + e.ReplyRouting
	}
	w.printf("under %s%s: E_max %s\n", u.Routing, replies, decimal(u.MaxLoad))
	switch k := u.Best; {
	case k == nil:
	case k.Source == "this placement":
		w.printf("  another placement  no better one is known%s\n", standing(*k))
	default:
		w.printf("  another placement  %s%s (%s): %s lost to the placement\n", decimal(k.MaxLoad), standing(*k), k.Source,
			decimal(*u.LostToPlacement))
	}
	atLeast := ""
	if e.Traffic != "" && !e.BestMinimal.Optimal {
		atLeast = " at least"
	}
	w.printf("  other paths        the best minimal routing: %s%s lost to the routing\n", decimal(u.LostToRouting),
		atLeast)
	b := u.Busiest
	where := fmt.Sprintf("dimension %d %s", b.Dim, b.Dir)
	if b.To != nil {
		where = "to " + core.JoinInts(b.To, ",")
	}
	w.printf("busiest link: from %s %s, load %s", core.JoinInts(b.From, ","), where, decimal(u.MaxLoad))
	if len(b.Pairs) == 0 {
		w.printf("\n")
		return
	}
	if len(b.Processors) > 0 {
		w.causes(b)
		return
	}
	w.printf(" from %d pairs:\n", len(b.Pairs))
	for _, pair := range b.Pairs[:min(shownPairs, len(b.Pairs))] {
		w.printf("  %-8s %s -> %s\n", pair.Share, core.JoinInts(pair.From, ","), core.JoinInts(pair.To, ","))
	}
	w.more(len(b.Pairs) - shownPairs)
}

// more says how many are not listed.
func (w *text) more(n int) {
	if n > 0 {
		w.printf("  and %d more; --json lists all\n", n)
	}
}

// causes writes which processors load the busiest link, and which pairs most.
func (w *text) causes(b Busiest) {
	w.printf(" by %s and their clients:\n", core.Count(len(b.Processors), "processor"))
	for _, c := range b.Processors[:min(shownPairs, len(b.Processors))] {
		w.printf("  %-8s processor %s: requests %s, replies %s, %s\n", c.Share, core.JoinInts(c.Node, ","),
			c.Requests, c.Replies, core.Count(c.Clients, "client"))
	}
	w.more(len(b.Processors) - shownPairs)
	w.printf("of %d requests and replies, each of one pair, the largest:\n", len(b.Pairs))
	for _, pair := range b.Pairs[:min(shownMessages, len(b.Pairs))] {
		w.printf("  %-8s %-7s %s -> %s\n", pair.Share, pair.Kind, core.JoinInts(pair.From, ","), core.JoinInts(pair.To, ","))
	}
	w.more(len(b.Pairs) - shownMessages)
}

// standing says what is known of a best placement.
func standing(k Known) string {
	if k.Optimal() {
		return ", proved optimal"
	}
	return ", at least " + layout.WithDecimal(k.LowerBound)
}
