package layout_test

import (
	"encoding/json"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/results/layout"
)

// TestDecimals: answers have numbers beside them, in every layout; texts, other fields and what is not a number have
// none.
func TestDecimals(t *testing.T) {
	for _, c := range []struct {
		document any
		want     string
	}{
		{map[string]any{"max_load": "5/2", "routing": "udr"}, `{"max_load":"5/2","max_load_decimal":2.5,"routing":"udr"}`},
		{map[string]any{"max_load": "4"}, `{"max_load":"4","max_load_decimal":4}`},
		{map[string]any{"width": 16}, `{"width":16,"width_decimal":16}`},
		{map[string]any{"lower": "-1/3"}, `{"lower":"-1/3","lower_decimal":-0.3333333333333333}`},
		{map[string]any{"max_load": map[string]string{"odr": "2", "udr:tie=both": "7/4"}, "z": 1},
			`{"max_load":{"odr":"2","udr:tie=both":"7/4"},"max_load_decimal":{"odr":2,"udr:tie=both":1.75},"z":1}`},
		{map[string]any{"best": map[string]string{"network": "30", "max_load": "2"}},
			`{"best":{"max_load":"2","max_load_decimal":2,"network":"30"}}`},
		{map[string]any{"max_load": "", "best": "linear", "value": nil, "load": 0.5, "size": 3, "sum": "1",
			"lower": "2/4"},
			`{"best":"linear","load":0.5,"lower":"2/4","max_load":"","size":3,"sum":"1","value":null}`},
		{map[string]any{"note": `"max_load": "5"`, "max_load": []int{}}, `{"max_load":[],"note":"\"max_load\": \"5\""}`},
		{[]map[string]string{{"load": "1/4"}, {"load": "0"}},
			`[{"load":"1/4","load_decimal":0.25},{"load":"0","load_decimal":0}]`},
	} {
		text := coretest.Must(layout.Encode(c.document))
		var have, want any
		if err := json.Unmarshal(text, &have); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		coretest.Try(json.Unmarshal([]byte(c.want), &want))
		if a, b := coretest.Must(json.Marshal(have)), coretest.Must(json.Marshal(want)); string(a) != string(b) {
			t.Errorf("%s, not %s", a, b)
		}
		if strings.Count(string(text), "_decimal") != strings.Count(c.want, "_decimal") {
			t.Errorf("a field is repeated: %s", text)
		}
	}
}
