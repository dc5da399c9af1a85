package atlas_test

import (
	"database/sql"
	"encoding/json"
	"path/filepath"
	"testing"

	"leeway/core/coretest"
	"leeway/results"
	"leeway/results/atlas"
)

// TestWriteTable: the table has every cell once, with what its record says, and no file is overwritten.
func TestWriteTable(t *testing.T) {
	view := coretest.Must(atlas.Shipped())
	path := filepath.Join(t.TempDir(), "atlas.sqlite")
	few := atlas.Filter{Torus: "5x5"}
	coretest.Try(view.WriteTable(t.Context(), path, few))
	if err := view.WriteTable(t.Context(), path, few); err == nil {
		t.Error("a file is overwritten")
	}
	db := coretest.Must(sql.Open("sqlite", path))
	defer db.Close()
	rows := coretest.Must(db.Query(`select label, size, max_load, max_load_decimal, status, finder,
		covering_radius, packing_distance, record from cells`))
	seen := map[string]bool{}
	for rows.Next() {
		var label, load, status, finder, text string
		var size, radius int
		var packing sql.NullInt64
		var decimal float64
		err := rows.Scan(&label, &size, &load, &decimal, &status, &finder, &radius, &packing, &text)
		if err != nil {
			t.Fatal(err)
		}
		seen[label] = true
		d, ok, err := view.Labelled(t.Context(), label)
		var r results.Record
		wrong := json.Unmarshal([]byte(text), &r)
		if err != nil || !ok || wrong != nil || r.Hash() != d.Record.ClaimSHA256 {
			t.Fatalf("%s: %v, %v, %v", label, ok, err, wrong)
		}
		if exact, _ := coretest.Must(results.ParseFraction(load)).Float64(); load != d.MaxLoad || decimal != exact ||
			status != d.Status || size != d.Size || (finder == "Leeway") != (d.Credit == nil) {
			t.Errorf("%s: %s, %v, %s, %d, %s; the cell is %+v", label, load, decimal, status, size, finder, d.Cell)
		}
		if label == "5x5.odr-tie-plus.25" && (radius != 0 || packing.Int64 != 1) {
			t.Errorf("%s: radius %d, packing distance %d", label, radius, packing.Int64)
		}
	}
	if cells, _ := view.Cells(few); rows.Err() != nil || len(seen) != len(cells) || len(cells) == 0 {
		t.Errorf("%d labels of %d cells: %v", len(seen), len(cells), rows.Err())
	}
}
