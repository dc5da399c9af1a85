package results

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"leeway/core"
)

// ExportFormats lists the formats of Export: one JSON document, a JSON document a line, and a table.
var ExportFormats = []string{"json", "jsonl", "csv"}

// Export returns records in one of the ExportFormats.
func Export(format string, records []Record) ([]byte, error) {
	var b bytes.Buffer
	switch format {
	case "json":
		return Encode(struct {
			Schema string   `json:"schema"`
			Items  []Record `json:"items"`
		}{ListSchema, records})
	case "jsonl":
		enc := json.NewEncoder(&b)
		for _, r := range records {
			if err := enc.Encode(r); err != nil {
				return nil, err
			}
		}
		return addDecimals(b.Bytes()), nil
	case "csv":
		w := csv.NewWriter(&b)
		rows := [][]string{{"torus", "routing", "size", "max_load", "max_load_decimal",
			"lower_bound", "lower_bound_decimal", "bound_reason", "status", "proof",
			"baseline", "baseline_max_load", "method", "seed", "evaluations", "seconds", "nodes", "claim_sha256"}}
		for _, r := range records {
			rows = append(rows, r.row())
		}
		err := w.WriteAll(withGrounds(rows, records))
		return b.Bytes(), err
	}
	return nil, fmt.Errorf("unknown format %q", format)
}

// ExportOptima returns the optima that records list as CSV, a row for each orbit. The format is "csv". Errors are
// *core.InputError about a record that lists none, and those of Record.ListedOptima.
func ExportOptima(_ string, records []Record) ([]byte, error) {
	rows := [][]string{{"torus", "routing", "size", "max_load", "max_load_decimal", "orbit", "orbit_size",
		"stabiliser", "nodes"}}
	var about []Record // by row
	for _, r := range records {
		list, orbits, err := r.ListedOptima()
		if err != nil {
			return nil, err
		}
		if list == nil {
			return nil, &core.InputError{Text: fmt.Sprintf("%s, %d processors", r.Where(), r.Size),
				Problem: "the record lists no optima", Hint: "leeway prove --all lists them"}
		}
		for i, p := range list {
			rows = append(rows, []string{core.JoinInts(r.Torus, "x"), r.Routing, strconv.Itoa(r.Size), r.MaxLoad,
				decimalOf(r.MaxLoad), strconv.Itoa(i + 1), strconv.FormatInt(orbits[i].Size, 10),
				strconv.FormatInt(orbits[i].Stabiliser, 10),
				core.JoinNodes(p.Coords())})
			about = append(about, r)
		}
	}
	var b bytes.Buffer
	err := csv.NewWriter(&b).WriteAll(withGrounds(rows, about))
	return b.Bytes(), err
}

// withGrounds adds the columns network, fixed, forbidden, traffic and reply_routing to a table with a row for each
// record, if any record has one of them, a radius or a distance, and columns of these where any has that.
func withGrounds(rows [][]string, records []Record) [][]string {
	says := func(r Record) bool { return r.Where() != core.JoinInts(r.Torus, "x") }
	if !slices.ContainsFunc(records, says) {
		return rows
	}
	rows[0] = append(rows[0], "network", "fixed", "forbidden", "traffic", "reply_routing")
	within := slices.ContainsFunc(records, func(r Record) bool { return r.Radius > 0 })
	if within {
		rows[0] = append(rows[0], "radius")
	}
	near := slices.ContainsFunc(records, func(r Record) bool { return r.Distance > 0 })
	if near {
		rows[0] = append(rows[0], "distance")
	}
	for i, r := range records {
		for _, text := range []string{r.Network, core.JoinNodes(r.Fixed), core.JoinNodes(r.Forbidden), r.Traffic,
			r.ReplyRouting} {
			rows[i+1] = append(rows[i+1], csvText(text))
		}
		if within {
			rows[i+1] = append(rows[i+1], strconv.Itoa(r.Radius))
		}
		if near {
			rows[i+1] = append(rows[i+1], strconv.Itoa(r.Distance))
		}
	}
	return rows
}

// row returns the cells of a record in a table.
func (r Record) row() []string {
	var proof, base, baseLoad string
	if r.Proof != nil {
		proof = r.Proof.Kind
	}
	if r.Baseline != nil {
		base, baseLoad = r.Baseline.Placement, r.Baseline.MaxLoad
	}
	f := r.FoundBy
	row := []string{core.JoinInts(r.Torus, "x"), r.Routing, strconv.Itoa(r.Size), r.MaxLoad, decimalOf(r.MaxLoad),
		r.LowerBound, decimalOf(r.LowerBound), r.BoundReason,
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
	return core.Printable(text, "")
}
