package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"leeway/core"
	"leeway/results"
)

func (a *app) exportCommand() *cobra.Command {
	var format, out string
	var f formulaFlags
	cmd := &cobra.Command{
		Use:   "export FILE...",
		Short: "Write records as JSON, JSON lines or CSV, or a question as a formula",
		Long: `Write records as JSON, JSON lines or CSV; or, with --formula, the question whether
some placement of --size processors has E_max below a value, for an outside
solver.`,
		Example: `  leeway export --format csv *.json
  leeway export --format jsonl --out all.jsonl *.json
  leeway export --formula opb --torus 6x6 --size 12 --routing udr:tie=both --below 3 --strengthen --out q.opb`,
		RunE: func(cmd *cobra.Command, files []string) error {
			if f.requested(cmd) {
				if len(files) > 0 || cmd.Flags().Changed("format") {
					return usagef("--formula writes a question, not records: leave the files and --format away")
				}
				return a.exportFormula(cmd.Context(), &f, out)
			}
			if len(files) == 0 {
				return &usageError{err: usagef("no record to export"), hint: "leeway export FILE..."}
			}
			write, ok := exportFormats[format]
			if !ok {
				return &usageError{err: usagef("--format %q: unknown format", format), hint: "formats are json, jsonl and csv"}
			}
			var records []results.Record
			for _, name := range files {
				r, err := results.ReadRecordFile(cmd.Context(), name)
				if err != nil {
					return err
				}
				records = append(records, r)
			}
			data, err := write(records)
			if err != nil {
				return err
			}
			if out != "" {
				return a.writeFile(out, data)
			}
			return a.write(data)
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&format, "format", "json", "format: json, jsonl or csv")
	cmd.Flags().StringVar(&out, "out", "", "file to write (default: standard output)")
	return cmd
}

// exportFormats lists the formats by name.
var exportFormats = map[string]func([]results.Record) ([]byte, error){
	"json":  exportJSON,
	"jsonl": exportLines,
	"csv":   exportCSV,
}

func exportJSON(records []results.Record) ([]byte, error) {
	data, err := json.MarshalIndent(struct {
		Items []results.Record `json:"items"`
	}{records}, "", "  ")
	return append(data, '\n'), err
}

func exportLines(records []results.Record) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	for _, r := range records {
		if err := enc.Encode(r); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

func exportCSV(records []results.Record) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	rows := [][]string{{"torus", "routing", "size", "max_load", "lower_bound", "bound_reason", "status", "proof", "baseline", "baseline_max_load",
		"method", "seed", "evaluations", "seconds", "nodes", "claim_sha256"}}
	for _, r := range records {
		var proof, base, baseLoad string
		if r.Proof != nil {
			proof = r.Proof.Kind
		}
		if r.Baseline != nil {
			base, baseLoad = r.Baseline.Placement, r.Baseline.MaxLoad
		}
		rows = append(rows, []string{core.JoinInts(r.Torus, "x"), r.Routing, strconv.Itoa(r.Size), r.MaxLoad, r.LowerBound, r.BoundReason, r.Status, proof,
			base, baseLoad, r.FoundBy.Method, strconv.FormatUint(r.FoundBy.Seed, 10), strconv.FormatInt(r.FoundBy.Evaluations, 10),
			strconv.FormatFloat(r.FoundBy.Seconds, 'f', -1, 64), core.JoinNodes(r.Nodes), r.ClaimSHA256})
	}
	for _, row := range rows {
		for i := range row {
			row[i] = csvText(row[i])
		}
	}
	if err := w.WriteAll(rows); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// csvText returns the text of a cell such that no program that opens the table takes it for a formula or
// a command.
func csvText(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		text = "'" + text
	}
	return plain(text, "")
}
