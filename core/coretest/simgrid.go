package coretest

import (
	"bytes"
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// simgridHeader is what such programs share: simgrid.hpp, which they include.
//
//go:embed simgrid.hpp
var simgridHeader []byte

// SimGrid compiles a C++ program that uses the simulator SimGrid, runs it on the input and returns the numbers that it
// prints. Where the compiler or the library is missing it ends the test: skipped, or failed with
// LEEWAY_SIMGRID=required.
func SimGrid(t testing.TB, source string, input []byte) []float64 {
	t.Helper()
	lacks := t.Skipf
	if os.Getenv("LEEWAY_SIMGRID") == "required" {
		lacks = t.Fatalf
	}
	compiler, err := exec.LookPath("g++")
	if err != nil {
		lacks("no C++ compiler: %v", err)
	}
	probe := exec.Command(compiler, "-E", "-x", "c++", "-") // to read the header whole takes seconds
	probe.Stdin = strings.NewReader("#if !__has_include(<simgrid/s4u.hpp>)\n#error\n#endif\n")
	if err := probe.Run(); err != nil {
		lacks("no SimGrid: install libsimgrid-dev")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "simgrid.hpp"), simgridHeader, 0o666); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "simgrid")
	compile := exec.Command(compiler, "-std=c++17", "-O1", "-I", dir, "-o", program, source, "-lsimgrid")
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(program)
	var output, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &output, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	var numbers []float64
	for _, field := range strings.Fields(output.String()) {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, v)
	}
	return numbers
}
