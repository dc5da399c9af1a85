// Command hunt is a pack of problems for those who look for records: the open cells of the atlas as JSON, and a judge
// that reads an answer to one of them as JSON and says in JSON whether it is better than what is known.
//
//	go run ./examples/hunt problems > problems.json
//	echo '{"label": "9x9.minimal-tie-both.13", "nodes": [[0,0],[0,3], ...]}' | go run ./examples/hunt
//
// A better answer comes back as a record: leeway check says the same of it, and leeway submit makes a contribution.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"leeway/core"
	"leeway/objective"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/check"
	"leeway/results/compose"
	"leeway/results/layout"
)

// A problem is an open cell: find a placement of Size processors with a smaller E_max, or prove that there is none.
type problem struct {
	Label      string `json:"label"`
	Where      string `json:"where"` // network, traffic and conditions
	Routing    string `json:"routing"`
	Size       int    `json:"size"`
	BestKnown  string `json:"best_known"`  // E_max
	LowerBound string `json:"lower_bound"` // no placement is below
	Command    string `json:"command"`     // shows what is known of it
}

// problems lists the open cells of an atlas.
func problems(view *atlas.Atlas) []problem {
	var list []problem
	cells, _ := view.Cells(atlas.Filter{Text: "open"})
	for _, c := range cells {
		list = append(list, problem{c.Label(), c.Where(), c.Routing, c.Size, c.MaxLoad, c.LowerBound,
			"leeway atlas show " + c.Label()})
	}
	return list
}

// An answer is a placement for a problem.
type answer struct {
	Label  string  `json:"label"`
	Nodes  [][]int `json:"nodes"` // coordinates
	Finder string  `json:"finder"`
}

// A verdict says what an answer is worth.
type verdict struct {
	Label      string          `json:"label"`
	Verdict    string          `json:"verdict"` // better, equal, worse or unreadable
	Reason     string          `json:"reason,omitempty"`
	MaxLoad    string          `json:"max_load,omitempty"`
	BestKnown  string          `json:"best_known,omitempty"`
	LowerBound string          `json:"lower_bound,omitempty"`
	Record     *results.Record `json:"record,omitempty"` // for leeway check and leeway submit, unless it is worse
}

// judge evaluates an answer by listing every path, and has the checker of records look at it as well.
func judge(ctx context.Context, view *atlas.Atlas, a answer) verdict {
	v := verdict{Label: a.Label, Verdict: "unreadable"}
	d, ok, err := view.Labelled(ctx, a.Label)
	if err != nil || !ok {
		v.Reason = "the atlas has no cell of this label"
		return v
	}
	p, s, err := placed(d, a.Nodes)
	if err != nil {
		v.Reason = err.Error()
		return v
	}
	most, _ := p.Naive(s).Max()
	v.MaxLoad, v.BestKnown, v.LowerBound = results.FormatFraction(most), d.MaxLoad, d.LowerBound
	best, err := results.ParseFraction(d.MaxLoad)
	if err != nil || most.Cmp(best) < 0 {
		v.Verdict = "better"
	} else if most.Cmp(best) == 0 {
		v.Verdict = "equal"
	} else {
		v.Verdict = "worse"
		return v
	}
	r, err := compose.New(compose.Values{Routing: p.Routing, Setting: d.Setting, Placement: s, MaxLoad: most,
		FoundBy: results.FoundBy{Method: "hunt"},
		Provenance: results.Provenance{Version: "hunt", Command: []string{"hunt", a.Label},
			Started: time.Now().UTC().Format(time.RFC3339)}})
	if err == nil && a.Finder != "" {
		r.Credit = &results.Credit{Finder: a.Finder}
	}
	var text []byte
	if err == nil {
		text, err = layout.Encode(r)
	}
	if err != nil {
		return verdict{Label: a.Label, Verdict: "unreadable", Reason: err.Error()}
	}
	if c := check.Record(text); c.Verdict != check.Valid {
		return verdict{Label: a.Label, Verdict: "unreadable", Reason: strings.Join(c.Reasons, "; ")}
	}
	v.Record = &r
	return v
}

// placed returns the problem of a cell and the placement of an answer, which must be one of it.
func placed(d atlas.Detail, nodes [][]int) (p objective.Problem, s core.Placement, err error) {
	if p, err = d.Key().Problem(); err == nil && p.Free != nil {
		err = fmt.Errorf("the routing of %s is free: an answer needs a table, see leeway restrict", d.Key())
	}
	if err != nil {
		return p, s, err
	}
	if s, err = core.PlacementFromCoords(p.Torus(), nodes); err != nil {
		return p, s, err
	}
	if s.Size() != p.Size || !p.Admits(s) {
		return p, s, fmt.Errorf("%d nodes that keep to the conditions of the cell are needed", p.Size)
	}
	return p, s, nil
}

// table returns the problems on networks without conditions, of each network and routing the smallest, as rows of
// README.md.
func table(view *atlas.Atlas) string {
	var b strings.Builder
	last := ""
	for _, p := range problems(view) {
		if key := p.Where + p.Routing; key != last && !strings.Contains(p.Where, ":fixed") &&
			!strings.Contains(p.Where, ":radius") && !strings.Contains(p.Where, ":distance") {
			last = key
			fmt.Fprintf(&b, "| `%s` | %d on %s | `%s` | %s | %s |\n", p.Label, p.Size, p.Where, p.Routing,
				layout.WithDecimal(p.BestKnown), layout.WithDecimal(p.LowerBound))
		}
	}
	return b.String()
}

// run answers what is asked.
func run(args []string, in io.Reader, out io.Writer) error {
	view, err := atlas.Shipped()
	if err != nil {
		return err
	}
	encode := json.NewEncoder(out)
	encode.SetIndent("", "  ")
	switch {
	case len(args) == 1 && args[0] == "problems":
		return encode.Encode(problems(view))
	case len(args) == 1 && args[0] == "table":
		_, err = io.WriteString(out, table(view))
		return err
	case len(args) > 0:
		return fmt.Errorf("%q: problems, table, or nothing and an answer on standard input", args)
	}
	var a answer
	if err := json.NewDecoder(in).Decode(&a); err != nil {
		return fmt.Errorf("not an answer {\"label\", \"nodes\"}: %w", err)
	}
	return encode.Encode(judge(context.Background(), view, a))
}

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "hunt:", err)
		os.Exit(2)
	}
}
