// Package export writes records as tables and lists, and networks with their loads for other programs.
package export

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/core/words"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/results"
	"leeway/results/compose"
	"leeway/results/layout"
)

// Formats lists the formats of Records: one JSON document, a JSON document a line, and a table.
var Formats = []string{"json", "jsonl", "csv"}

// Records returns records in one of the Formats.
func Records(format string, records []results.Record) ([]byte, error) {
	var b bytes.Buffer
	switch format {
	case "json":
		return layout.Encode(struct {
			Schema string           `json:"schema"`
			Items  []results.Record `json:"items"`
		}{compose.ListSchema, records})
	case "jsonl":
		enc := json.NewEncoder(&b)
		for _, r := range records {
			if err := enc.Encode(r); err != nil {
				return nil, err
			}
		}
		return layout.AddDecimals(b.Bytes()), nil
	case "csv":
		w := csv.NewWriter(&b)
		rows := [][]string{{"torus", "routing", "size", "max_load", "max_load_decimal",
			"lower_bound", "lower_bound_decimal", "bound_reason", "status", "proof",
			"baseline", "baseline_max_load", "method", "seed", "evaluations", "seconds", "nodes", "claim_sha256"}}
		for _, r := range records {
			rows = append(rows, row(r))
		}
		err := w.WriteAll(withGrounds(rows, records))
		return b.Bytes(), err
	}
	return nil, fmt.Errorf("unknown format %q", format)
}

// OptimaTable returns the optima that records list as CSV, a row for each orbit. The format is "csv". Errors are
// *core.InputError about a record that lists none, and those of Optima.
func OptimaTable(_ string, records []results.Record) ([]byte, error) {
	rows := [][]string{{"torus", "routing", "size", "max_load", "max_load_decimal", "orbit", "orbit_size",
		"stabiliser", "nodes"}}
	var about []results.Record // by row
	for _, r := range records {
		list, orbits, err := Optima(r)
		if err != nil {
			return nil, err
		}
		if list == nil {
			return nil, core.Invalid(fmt.Sprintf("%s, %d processors", r.Where(), r.Size), "the record lists no optima").
				Hinted("leeway prove --all lists them")
		}
		for i, p := range list {
			rows = append(rows, []string{core.JoinInts(r.Torus, "x"), r.Routing, strconv.Itoa(r.Size), r.MaxLoad,
				layout.DecimalOf(r.MaxLoad), strconv.Itoa(i + 1), strconv.FormatInt(orbits[i].Size, 10),
				strconv.FormatInt(orbits[i].Stabiliser, 10),
				core.JoinNodes(p.Coords())})
			about = append(about, r)
		}
	}
	var b bytes.Buffer
	err := csv.NewWriter(&b).WriteAll(withGrounds(rows, about))
	return b.Bytes(), err
}

// Optima returns the optima that a record lists, with their orbits, nil without a list. Errors are *core.InputError
// about the record, and those of OrbitsOf.
func Optima(r results.Record) ([]core.Placement, []results.Orbit, error) {
	p, list, err := compose.ListedOptima(r)
	if err != nil || list == nil {
		return nil, nil, err
	}
	orbits, err := OrbitsOf(p, list)
	return list, orbits, err
}

// OrbitsOf returns the orbits of placements under the group of a problem. Errors are those of fast.Group.
func OrbitsOf(p objective.Problem, list []core.Placement) ([]results.Orbit, error) {
	group, err := fast.Group(context.Background(), p)
	if err != nil {
		return nil, err
	}
	return compose.OrbitsOf(group, list), nil
}

// withGrounds adds the columns network, fixed, forbidden, traffic and reply_routing to a table with a row for each
// record, if any record has one of them, a radius or a distance, and a column of each of these that any has.
func withGrounds(rows [][]string, records []results.Record) [][]string {
	says := func(r results.Record) bool { return r.Where() != core.JoinInts(r.Torus, "x") }
	if !slices.ContainsFunc(records, says) {
		return rows
	}
	rows[0] = append(rows[0], "network", "fixed", "forbidden", "traffic", "reply_routing")
	for i, r := range records {
		for _, text := range []string{r.Network, core.JoinNodes(r.Fixed), core.JoinNodes(r.Forbidden), trafficText(r),
			r.ReplyRouting} {
			rows[i+1] = append(rows[i+1], csvText(text))
		}
	}
	for _, a := range objective.Axes {
		has := func(r results.Record) bool { return r.Says(a) != "" }
		if a.Group != objective.GroupRadius || !slices.ContainsFunc(records, has) {
			continue
		}
		rows[0] = append(rows[0], a.Name)
		for i, r := range records {
			rows[i+1] = append(rows[i+1], cmp.Or(r.Says(a), "0"))
		}
	}
	return rows
}

// row returns the cells of a record in a table.
func row(r results.Record) []string {
	var proof, base, baseLoad string
	if r.Proof != nil {
		proof = r.Proof.Kind
	}
	if r.Baseline != nil {
		base, baseLoad = r.Baseline.Placement, r.Baseline.MaxLoad
	}
	f := r.FoundBy
	row := []string{core.JoinInts(r.Torus, "x"), r.Routing, strconv.Itoa(r.Size), r.MaxLoad, layout.DecimalOf(r.MaxLoad),
		r.LowerBound, layout.DecimalOf(r.LowerBound), r.BoundReason,
		r.Status, proof, base, baseLoad, f.Method, strconv.FormatUint(f.Seed, 10), strconv.FormatInt(f.Evaluations, 10),
		strconv.FormatFloat(f.Seconds, 'f', -1, 64), core.JoinNodes(r.Nodes), r.ClaimSHA256}
	for i, text := range row {
		row[i] = csvText(text)
	}
	return row
}

// csvText returns the text of a cell such that no program that opens the table takes it for a formula or a command.
func csvText(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		text = "'" + text
	}
	return words.Printable(text, "")
}

// trafficText returns the canonical text of the traffic of a record, that of a matrix with its demands, unchecked; ""
// for all to all.
func trafficText(r results.Record) string {
	if r.Matrix != nil {
		if m, err := results.ReadMatrix(*r.Matrix); err == nil {
			return m.String()
		}
	}
	return r.Traffic
}
