package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/core/coretest"
)

func formulaOf(format, torus, size, routing, below string) *exporting {
	f := &exporting{formula: work.Formula{Format: format}, below: below}
	f.torusText, f.sizeText, f.routingText = torus, size, routing
	return f
}

func TestExportFormula(t *testing.T) {
	for _, c := range []struct{ format, title, name string }{
		{"dimacs", "c leeway export --formula dimacs --torus 2x3 --size 2 --routing udr:tie=plus --below 1\n",
			"c leeway var 6 node 1,2\n"},
		{"opb", "* leeway export --formula opb --torus 2x3 --size 2 --routing udr:tie=plus --below 1\n",
			"* leeway var x6 node 1,2\n"},
		{"lp", "\\ leeway export --formula lp --torus 2x3 --size 2 --routing udr:tie=plus --below 1\n",
			"\\ leeway var x6 node 1,2\n"},
	} {
		var out bytes.Buffer
		a := &app{cli.New(t.Context(), "leeway", nil, nil, &out, io.Discard)}
		f := formulaOf(c.format, "2x3", "2", "udr", "1")
		coretest.Try(a.exportFormula(t.Context(), f))
		if !strings.Contains(out.String(), c.title) || !strings.Contains(out.String(), c.name) {
			t.Errorf("%s:\n%s", c.format, out.String())
		}
		file := filepath.Join(t.TempDir(), "formula")
		f.out = file
		coretest.Try(a.exportFormula(t.Context(), f))
		if data, err := os.ReadFile(file); err != nil || !bytes.Equal(data, out.Bytes()) {
			t.Errorf("%s: the file differs from stdout, %v", c.format, err)
		}
	}
}

func TestExportFormulaRefuses(t *testing.T) {
	strengthened := formulaOf("dimacs", "2x3", "2", "udr", "1")
	strengthened.formula.Strengthen = true
	for _, f := range []*exporting{
		formulaOf("smt", "2x3", "2", "udr", "1"), formulaOf("opb", "2x3", "2..3", "udr", "1"),
		formulaOf("lp", "2x3", "2", "udr", ""), formulaOf("opb", "2x3", "2", "udr", "0.5"),
		formulaOf("dimacs", "2x3", "2", "avoid", "1"), formulaOf("opb", "2x3", "2", "avoid", "1"),
		formulaOf("opb", "2x3", "7", "udr", "1"), strengthened,
	} {
		var out bytes.Buffer
		err := (&app{cli.New(t.Context(), "leeway", nil, nil, &out, io.Discard)}).exportFormula(t.Context(), f)
		if _, status := diagnose(err); status != 2 || out.Len() > 0 {
			t.Errorf("%+v: %v, wrote %d bytes", f, err, out.Len())
		}
	}
}
