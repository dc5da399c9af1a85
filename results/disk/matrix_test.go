package disk_test

import (
	"fmt"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/results/disk"
)

// TestReadMatrix: the three forms of one matrix are the same, and its text reads back.
func TestReadMatrix(t *testing.T) {
	const want = `{"schema":"leeway/matrix/1","tasks":3,"demands":[[0,1,"1/2"],[1,2,"1/4"],[2,0,"3"]]}`
	for _, text := range []string{
		want,
		`{"schema":"leeway/matrix/1","tasks":3,"demands":[[2,0,3],[0,1,0.5],[1,2,"0.25"],[0,2,0]]}`,
		"from,to,amount\n2,0,3\n0,1,1/2\n\n1,2,.25\n",
		"0,1,0.50\r\n1,2,0.25\r\n2,0,3.0\r\n",
		"% a table of Noxim\n0 1 0.5 0.5\n1\t2\t0.25 % half of it\n2 0 3 1 0 1000 1000\n",
	} {
		m, err := disk.ReadMatrix([]byte(text))
		if err != nil || string(m.Text()) != want {
			t.Errorf("%q reads as %s, %v", text, m.Text(), err)
		}
	}
}

// TestReadMatrixErrors: the line, what is wrong, and what is expected.
func TestReadMatrixErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "there is no demand",
		"0,1":                            `"line 1": there are 2 values, not 3`,
		"0,1,1\n0,2,x":                   `"line 2": "x" is not an amount`,
		"from,to,amount\n0,1,-1":         `"line 2": the amount is negative`,
		"0,1,1\n\n1,1,2":                 `"line 3": task 1 sends to itself`,
		"0,1,1\n0,1,2":                   `"line 2": the demand of task 0 on task 1 is repeated; first in line 1`,
		"-1,1,1":                         `"line 1": "-1" is not the number of a task`,
		"0,99999,1":                      `"line 1": "99999" is not the number of a task in 0..65535`,
		"0,1,1e9":                        `"line 1": "1e9" is not an amount`,
		"0,1,1/0":                        `"line 1": "1/0" is not an amount`,
		"0,1,1,1":                        `"line 1": there are 4 values`,
		`{"schema":"leeway/matrix/2"}`:   "unknown schema",
		`{"schema":"leeway/matrix/1"}`:   "missing",
		`{"schema":"leeway/matrix/1",`:   "not JSON",
		"0,1,1/1099511627776\n1,0,70000": "pass 2^40",
		`{"schema":"leeway/matrix/1","tasks":2,"demands":[[0,1,1],[0,2,1]]}`: `"demand 2": tasks are 0..1`,
		`{"schema":"leeway/matrix/1","tasks":2,"demands":[[0,1]]}`:           `"demand 1": there are 2 values`,
		`{"schema":"leeway/matrix/1","tasks":2,"demands":[[0,1,null]]}`:      "null",
		`{"schema":"leeway/matrix/1","tasks":0,"demands":[]}`:                "1..65536 tasks",
	} {
		if m, err := disk.ReadMatrix([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v, want %q", text, m, err, want)
		}
	}
}

// FuzzReadMatrix: any text is read or refused, and what is read prints as a text that reads as the same.
func FuzzReadMatrix(f *testing.F) {
	f.Add("0,1,1/2\n1,0,3")
	f.Add(`{"schema":"leeway/matrix/1","tasks":3,"demands":[[2,0,3]]}`)
	f.Add("0 1 0.5 % x")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := disk.ReadMatrix([]byte(text))
		if err != nil {
			return
		}
		again := coretest.Must(disk.ReadMatrix(m.Text()))
		if string(again.Text()) != string(m.Text()) {
			t.Errorf("%s became %s", m.Text(), again.Text())
		}
	})
}

// TestLongMatrix: a matrix whose canonical text passes what records hold is refused, with what to do; one that just
// fits is read.
func TestLongMatrix(t *testing.T) {
	text := func(demands int) []byte {
		var b strings.Builder
		for i := range demands {
			fmt.Fprintf(&b, "%d,%d,1\n", i/1000, 1000+i%1000)
		}
		return []byte(b.String())
	}
	// The canonical text has 46 bytes around `[0,1000,"1"],` with a comma less, of 13 to 15 bytes each.
	if m, err := disk.ReadMatrix(text(70_000)); err != nil || len(m.Demands) != 70_000 {
		t.Errorf("%d bytes: %v", len(m.Text()), err)
	}
	if _, err := disk.ReadMatrix(text(80_000)); err == nil || !strings.Contains(err.Error(), "more than the 1048576") {
		t.Errorf("80000 demands: %v", err)
	}
}
