package pages

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"leeway/results"
	"leeway/results/atlas"
)

// decimal returns what a fraction is as a decimal number, "= 2.5" or "≈ 0.667"; "" for whole numbers and what is
// none.
func decimal(fraction string) string {
	v, err := results.ParseFraction(fraction)
	if err != nil || v.IsInt() {
		return ""
	}
	text := v.FloatString(3)
	if shown, _ := new(big.Rat).SetString(text); shown.Cmp(v) == 0 {
		return "= " + strings.TrimRight(text, "0")
	}
	return "≈ " + text
}

// argument says in a sentence why a bound holds, by its name in a reason.
var arguments = map[string]string{
	"degree":         "a processor's messages have to leave it, and its links are few",
	"mean":           "placed as close as can be, messages still take enough steps that the average link carries this",
	"dimension-mean": "counted along one dimension alone, the average link carries this already",
	"band":           "the messages between neighbouring slabs and the rest cross two cuts",
	"corner":         "some processor has others in its row and in its column, whose messages turn at it",
	"margin":         "however the processors are spread over rows and columns, some link carries this",
	"lines":          "however the processors are spread over slabs and lines, some link carries this",
}

// says returns what is known of a cell, in sentences. Complete is the list of its optimal placements that checkers have
// accepted, if they have.
func says(d atlas.Detail, complete atlas.Verified) string {
	if d.Fault != "" {
		return "What is stored about this cell is wrong and is not shown as a result: " + d.Fault + "."
	}
	conditions := ""
	if len(d.Fixed)+len(d.Forbidden) > 0 {
		conditions = " with these fixed and forbidden nodes"
	}
	var text string
	switch {
	case d.Status == atlas.Optimal:
		text = fmt.Sprintf("No placement of %d%s has a smaller E_max. Proved%s.", d.Size, conditions, grounds(d))
	case d.MaxLoad != "":
		text = fmt.Sprintf("The best placement known%s has %s, and none is below %s: %s.", conditions, d.MaxLoad,
			withDecimal(d.LowerBound), reason(d.Cell))
		if gap, ok := d.Gap(); ok {
			text += " The gap of " + withDecimal(gap.RatString()) + " is open."
		}
	default:
		text = fmt.Sprintf("No placement is recorded; none is below %s: %s.", d.LowerBound, reason(d.Cell))
	}
	if theirs, ok := d.Papers(); ok && d.Record != nil {
		text += fmt.Sprintf(" The papers' placement, %s, has %s", theirs.Placement, theirs.MaxLoad)
		if d.Beats() {
			text += fmt.Sprintf(": this one carries %d%% of it", percent(d.MaxLoad, theirs.MaxLoad))
		}
		text += "."
	}
	if d.Credit != nil {
		text += " This E_max was first reached by " + d.Credit.String() + "."
	}
	if d.Optima > 0 {
		verb := "are"
		if d.Optima == 1 {
			verb = "is"
		}
		text += fmt.Sprintf(" There %s %s up to symmetry, %s in all", verb,
			plural(d.Optima, "optimal placement", "optimal placements"), d.Labelled)
		if len(complete.By) > 0 {
			text += fmt.Sprintf(": a proof in LRAT that there are no others, and none below %s, was accepted by %s",
				complete.Below, strings.Join(complete.By, ", "))
		}
		text += "."
	}
	return text
}

// withDecimal returns a fraction with what it is as a decimal number, "5/2 = 2.5".
func withDecimal(fraction string) string {
	return strings.TrimSpace(fraction + " " + decimal(fraction))
}

var monotone = pattern(`^monotone: (\w+) at size (\d+)(?: under (.+))?$`)

// reason says why no placement of a cell is below its lower bound, as a sentence without its end.
func reason(c atlas.Cell) string { return because(c.BoundReason, c) }

// grounds says by what the optimum of a cell is proved, behind the word proved: the bound that it meets, by its name
// and in words, if there is one; else the reason.
func grounds(d atlas.Detail) string {
	for _, b := range slices.Backward(d.Bounds) { // the last is that of the reason
		name, _, _ := strings.Cut(b.Reason, ", ")
		if b.Value == d.LowerBound && arguments[name] != "" {
			return " by the bound " + name + ": " + because(b.Reason, d.Cell)
		}
	}
	return ": " + reason(d.Cell)
}

// inShort is reason for a table.
func inShort(c atlas.Cell) string {
	if m := monotone().FindStringSubmatch(c.BoundReason); m != nil {
		size, _ := strconv.Atoi(m[2]) // digits
		short := "as for " + counted(atlas.Cell{Size: size, Setting: c.Setting})
		if m[3] != "" {
			short += " under " + m[3]
		}
		return short
	}
	if kind, _, ok := strings.Cut(c.BoundReason, ": none is below"); ok && kind == results.ProofSteps {
		return "all placements tried"
	}
	return c.BoundReason
}

// because puts the reason of a bound on a cell into a sentence without its end.
func because(reason string, c atlas.Cell) string {
	if m := monotone().FindStringSubmatch(reason); m != nil {
		size, _ := strconv.Atoi(m[2]) // digits
		same := "the same holds for " + counted(atlas.Cell{Size: size, Setting: c.Setting}) + " already"
		switch {
		case size == c.Size:
			return "the same holds under " + m[3] + ", whose largest load is never greater"
		case m[3] != "":
			return same + ", under " + m[3]
		}
		return same + ", and one more never makes a link carry less"
	}
	name, rounded, _ := strings.Cut(reason, ", ")
	if kind, _, ok := strings.Cut(name, ": none is below"); ok {
		if kind == results.ProofUnsat {
			return "a formula that says otherwise was refuted"
		}
		return "a program went through every placement, up to symmetry, and found none below"
	}
	text, ok := arguments[name]
	if !ok {
		return reason
	}
	if rounded != "" {
		return text + ", " + rounded + ", as all loads are"
	}
	return text
}
