package main

import (
	_ "embed"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"sync"
	"text/template"
	"text/template/parse"

	"leeway/cmd/work"
	"leeway/core"
	"leeway/core/family"
	"leeway/core/words"
	"leeway/objective"
	"leeway/results"
	"leeway/results/explain"
	"leeway/results/export"
	"leeway/results/forms"
	"leeway/results/law"
	"leeway/results/layout"
)

// What people read of answers, as a template: a definition for each kind of answer.
//
//go:embed answers.tmpl
var answersText string

var answerTemplates sync.Map // those that were read, by name

// answerTemplate returns the template of an answer, and those that it uses.
func answerTemplate(name string) *template.Template {
	if t, ok := answerTemplates.Load(name); ok {
		return t.(*template.Template)
	}
	t := forms.Parse(forms.Of(strings.ReplaceAll(answersText, `\t`, "\t"), name), answerWords)
	for _, each := range t.Templates() {
		shield(each.Tree.Root)
	}
	answerTemplates.Store(name, t)
	return t
}

// shield has each action below a node print through shown: what comes from a file, a store or a worker cannot steer the
// terminal, nor pass for a line of this program.
func shield(node parse.Node) {
	switch n := node.(type) {
	case *parse.ListNode:
		for _, each := range n.Nodes {
			shield(each)
		}
	case *parse.ActionNode:
		if len(n.Pipe.Decl) == 0 {
			n.Pipe.Cmds = append(n.Pipe.Cmds, &parse.CommandNode{NodeType: parse.NodeCommand,
				Args: []parse.Node{parse.NewIdentifier("shown")}})
		}
	case *parse.IfNode:
		shieldBranch(n.BranchNode)
	case *parse.RangeNode:
		shieldBranch(n.BranchNode)
	case *parse.WithNode:
		shieldBranch(n.BranchNode)
	}
}

func shieldBranch(n parse.BranchNode) {
	shield(n.List)
	if n.ElseList != nil {
		shield(n.ElseList)
	}
}

// tell prints an answer by the template of a name, lines with tabs as rows of a table. It panics where the two do not
// fit together.
func (a *app) tell(name string, answer any) {
	var all, text strings.Builder
	forms.Write(&all, answerTemplate(name), name, answer)
	var table [][]string
	put := func() {
		fmt.Fprint(a.Stdout, text.String())
		a.Stdout.Table(table)
		text.Reset()
		table = nil
	}
	for line := range strings.Lines(all.String()) {
		if cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(cells) > 1 {
			table = append(table, cells)
			continue
		}
		if table != nil {
			put()
		}
		text.WriteString(line)
	}
	put()
}

// decimal returns a load as people read it, with its decimal beside a fraction.
var decimal = layout.WithDecimal

// answerWords are the functions of the template.
var answerWords = template.FuncMap{
	// Texts and numbers; pointers stand for what they point to. A width below 0 has blanks before the text.
	"shown":  func(v any) string { return words.Printable(fmt.Sprint(value(v)), "") },
	"pad":    func(width int, v any) string { return fmt.Sprintf("%*v", -width, value(v)) },
	"count":  func(n any, noun string) string { return core.Count(int(reflect.ValueOf(value(n)).Int()), noun) },
	"before": func(n int) int { return n - 1 }, "decimal": decimal, "metric": metric, "ints": core.JoinInts,
	"join": strings.Join, "contains": strings.Contains,
	"first": func(most int, list any) any {
		v := reflect.ValueOf(value(list))
		return v.Slice(0, min(most, v.Len())).Interface()
	},
	"beyond": func(most int, list any) int { return max(0, reflect.ValueOf(value(list)).Len()-most) },

	// Networks, nodes and what is on them.
	"kind": kindOf, "noun": nounOf, "traffic": describeTraffic, "near": nearText, "tasks": tasksText,
	"nodes": core.JoinNodes, "uniform": uniformIn, "sides": sidesOf, "repaired": repaired,
	"node": func(t *core.Torus, at []int) (string, error) {
		v, err := t.Node(at...)
		return t.NodeText(v), err
	},
	"sent": func(throughput string, size int) (string, error) {
		each, err := results.ParseFraction(throughput)
		return results.FormatFraction(each.Mul(each, big.NewRat(int64(size-1), 1))), err
	},
	"decimals": layout.WithDecimals,
	"compared": func() []string { return explain.Routings },
	"scheme":   func(algorithm, variant string) string { return strings.TrimSpace(algorithm + " " + variant) },

	// Records.
	"achieved": layout.Achieved, "bound": layout.BoundText, "claim": layout.Claim, "excluded": layout.Excluded,
	"optima": optimaRows, "proof": layout.Proof, "because": proofText, "whose": whose, "carried": carried,
	"form": func(r results.Record) string {
		if p, err := work.PlacementOf(r); err == nil {
			return formText(p)
		}
		return ""
	},
}

// value returns what a pointer points to, and anything else as it is.
func value(v any) any {
	if p := reflect.ValueOf(v); p.Kind() == reflect.Pointer && !p.IsNil() {
		return p.Elem().Interface()
	}
	return v
}

// kindOf names what something is on.
func kindOf(g results.Grid) string {
	if g.Network == "" {
		return "torus"
	}
	return "network"
}

// nounOf returns what is placed.
func nounOf(d results.Setting) string {
	if d.Matrix != nil {
		return "task"
	}
	return "processor"
}

// describeTraffic returns a traffic for a person, with the routing of the replies where they have one of their own.
func describeTraffic(d results.Setting) string {
	if d.Matrix != nil {
		if m, err := results.ReadMatrix(*d.Matrix); err == nil {
			return m.Title()
		}
	}
	if d.ReplyRouting == "" {
		return d.Traffic
	}
	return d.Traffic + ", replies by " + d.ReplyRouting
}

// nearText returns the conditions on how processors lie, each with what it means.
func nearText(d results.Setting) (list [][2]string) {
	for _, x := range objective.Axes {
		if text := d.Says(x); x.Group == objective.GroupRadius && text != "" {
			usage, _, _ := strings.Cut(x.Usage, " (default")
			list = append(list, [2]string{x.Name, text + ": " + usage})
		}
	}
	return list
}

// tasksText returns which task is on which node, unchecked.
func tasksText(g results.Grid, pairs [][2]int) string {
	var list []string
	t, err := g.ReadGrid()
	for _, pair := range pairs {
		if err == nil {
			list = append(list, fmt.Sprintf("%d=%s", pair[0], t.NodeText(pair[1])))
		}
	}
	return strings.Join(list, " ")
}

// uniformIn says in words in which dimensions every slab has as many processors as the others.
func uniformIn(dims []bool) string {
	var yes []int
	for j, uniform := range dims {
		if uniform {
			yes = append(yes, j)
		}
	}
	switch list := core.JoinInts(yes, ", "); len(yes) {
	case 0:
		return "in no dimension"
	case 1:
		return "in dimension " + list
	default:
		return "in dimensions " + list
	}
}

// sidesOf returns the least and the greatest side of some tori.
func sidesOf(cases []law.Case) string {
	var sides []int
	for _, c := range cases {
		sides = append(sides, c.Torus[0])
	}
	return fmt.Sprintf("%d to %d", slices.Min(sides), slices.Max(sides))
}

// Repairs are what routing anew after failures of edges comes to.
type repairs struct {
	Edges, Orbits, Apart int
	Worst                *work.Repair // nil if every failure leaves nodes without a path
}

// repaired sums up repairs; it is nil where none were asked for.
func repaired(list []work.Repair) *repairs {
	if list == nil {
		return nil
	}
	sum, most := &repairs{Orbits: len(list)}, new(big.Rat)
	for i, r := range list {
		if sum.Edges += r.Alike; r.Network == "" {
			sum.Apart += r.Alike
			continue
		}
		if load, err := results.ParseFraction(r.MaxLoad); err == nil && load.Cmp(most) >= 0 {
			most, sum.Worst = load, &list[i]
		}
	}
	return sum
}

// proofText says by what nothing is below the value of a record: a bound, steps, or both.
func proofText(r results.Record) string {
	text, bound := layout.Proof(r.Proof), "bound "+r.BoundReason
	switch {
	case r.Proof.Kind == results.ProofBound:
		return bound
	case r.Proof.Kind == results.ProofSteps && !strings.HasSuffix(r.BoundReason, ": none is below"):
		return bound + ", in " + text
	}
	return text
}

// whose says who placed the baseline of a record.
func whose(r results.Record) string {
	if _, proposed := family.Proposed(r.Where(), r.Routing, r.Size); proposed {
		return "the papers'"
	}
	return "diagonals" // which nobody has proposed here
}

// carried says how much of the load of the baseline a record has, "" if it has no less.
func carried(r results.Record) string {
	share, better := layout.ShareOfBaseline(r)
	if !better {
		return ""
	}
	return fmt.Sprintf(": this placement carries %.0f%% of it", 100*share)
}

// shownOptima is how many optima people are shown, and shownForm how many characters of their nodes.
const shownOptima, shownForm = 12, 40

// optimaRows returns a row for each of the first optima that a record lists.
func optimaRows(r results.Record) (rows [][]string) {
	list, orbits, err := export.Optima(r)
	if err != nil {
		return nil
	}
	for i, p := range list[:min(shownOptima, len(list))] {
		symmetries := "symmetries"
		if orbits[i].Stabiliser == 1 {
			symmetries = "symmetry"
		}
		form := "nodes:" + r.Grid.NodesText(p.Coords())
		if len(form) > shownForm {
			form = formText(p)
		}
		rows = append(rows, []string{fmt.Sprint(i + 1), fmt.Sprint(orbits[i].Size),
			fmt.Sprintf("%d %s", orbits[i].Stabiliser, symmetries), form})
	}
	return rows
}

// formText describes the pattern that a placement follows, "" where none is looked for.
func formText(p core.Placement) string {
	if form, ok := work.FormOf(p); ok {
		return form.String()
	}
	return ""
}
