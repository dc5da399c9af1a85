package atlas

import (
	"context"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results/check"
	"leeway/search/refuters"
)

// TestOwn: what is wrong in a file of the program is seen as soon as the cell is asked for, and by Verify; other cells
// are not touched by it.
func TestOwn(t *testing.T) {
	wrong, right := keyOf("4x4", "odr:tie=both", 8), keyOf("4x4", "odr:tie=both", 7)
	for name, change := range map[string][2]string{
		"load":      {`"max_load":"3","lower`, `"max_load":"5/2","lower`},
		"placement": {`"nodes":[[0,0],[0,2]`, `"nodes":[[0,0],[0,1]`},
		"named":     {`"placement":"spaced:t=2","max_load":"3"`, `"placement":"spaced:t=2","max_load":"2"`},
		"size":      {`[3,1],[3,3]]`, `[3,1]]`},
	} {
		at := strings.Index(atlas1, `{"torus":"4x4","routing":"odr:tie=both","size":8,`)
		line, rest, _ := strings.Cut(atlas1[at:], "\n")
		if !strings.Contains(line, change[0]) {
			t.Fatalf("%s: %s has no %s", name, line, change[0])
		}
		forged := atlas1[:at] + strings.Replace(line, change[0], change[1], 1) + "\n" + rest
		a := coretest.Must(readOwn(0, forged))
		for _, k := range []texts.Key{wrong, right} {
			d, ok, err := a.Detail(k)
			if !ok || err != nil || (d.Fault != "") != (k == wrong) || (d.Record == nil) != (k == wrong) {
				t.Errorf("%s: %s: %v %v %q", name, k, ok, err, d.Fault)
			}
		}
		cells, _ := a.Cells(Filter{Torus: wrong.Torus, Routing: wrong.Routing, From: 7, To: 8})
		found, err := a.Verify(context.Background(), cells, 1, check.Options{Produce: refuters.Produce}, nil)
		if err != nil || len(found) != 2 || found[0].Verdict.Verdict != check.Valid ||
			found[1].Verdict.Verdict != check.Wrong {
			t.Errorf("%s: %v %+v", name, err, found)
		}
	}
}

// TestCandidates: every placement with a name has as many nodes as its candidate says.
func TestCandidates(t *testing.T) {
	for _, text := range []string{"7", "4x4", "5x5", "3x4", "2x3x4", "2x4x4", "3x3x3", "2x2x2x2", "4x6x3", "9x6"} {
		torus := coretest.Must(core.ParseTorus(text))
		all := objective.Problem{Routing: routing.NewUDR(torus, routing.TieBoth)}
		clients := all
		clients.Traffic = objective.Traffic{Request: 1, Reply: 1}
		for _, c := range append(candidates(all), candidates(clients)...) {
			if p, err := family.Parse(torus, c.text); err != nil || p.Size() != c.size {
				t.Errorf("%s on %s: %d nodes, not %d: %v", c.text, text, p.Size(), c.size, err)
			}
		}
	}
}

// keyOf returns a key.
func keyOf(torus, routing string, size int) texts.Key {
	return texts.Key{Torus: torus, Routing: routing, Size: size}
}
