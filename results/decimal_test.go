package results_test

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/results"
	"leeway/results/export"
	"leeway/results/layout"
)

// TestDecimalsOfRecords: in every format the number of a record is that of its fraction, and reading drops it.
func TestDecimalsOfRecords(t *testing.T) {
	r := sample(t)
	for _, format := range []string{"json", "jsonl"} {
		data := coretest.Must(export.Records(format, []results.Record{r}))
		var list struct{ Items []map[string]any }
		if format == "jsonl" {
			data = []byte(`{"items":[` + string(data) + `]}`)
		}
		coretest.Try(json.Unmarshal(data, &list))
		for _, key := range []string{"max_load", "lower_bound"} {
			v, _ := new(big.Rat).SetString(list.Items[0][key].(string))
			if f, _ := v.Float64(); list.Items[0][key+"_decimal"] != f {
				t.Errorf("%s of %s is %v", key, v, list.Items[0][key+"_decimal"])
			}
		}
	}
	rows := strings.Split(string(coretest.Must(export.Records("csv", []results.Record{r}))), "\n")
	if !strings.HasPrefix(rows[0], "torus,routing,size,max_load,max_load_decimal,lower_bound,lower_bound_decimal,") {
		t.Error(rows[0])
	}
	again := coretest.Must(results.ReadRecord(coretest.Must(layout.Encode(r))))
	if again.MaxLoad != r.MaxLoad || again.ClaimSHA256 != r.ClaimSHA256 {
		t.Errorf("%+v", again)
	}
}
