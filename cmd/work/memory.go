package work

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
)

// What is too large for the memory of the machine is refused before any work starts.

// defaultMemory is what a command may take where the machine does not say what it has.
const defaultMemory = 4 << 30

// memoryLeft returns how many bytes of memory are left: what the system has available, or less
// where the process is in a group with a limit. The argument reads a file.
func memoryLeft(read func(string) ([]byte, error)) int64 {
	left := int64(math.MaxInt64)
	if text, err := read("/proc/meminfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if value, ok := strings.CutPrefix(line, "MemAvailable:"); ok {
				if kilobytes, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 53); err == nil {
					left = kilobytes << 10
				}
			}
		}
	}
	for _, group := range [][2]string{
		{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
		{"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"},
	} {
		limit, known := number(read, group[0])
		if used, ok := number(read, group[1]); known && ok {
			left = min(left, max(limit-used, 0))
		}
	}
	if left == math.MaxInt64 {
		return defaultMemory
	}
	return left
}

// number reads a file that holds one number, and whether it does.
func number(read func(string) ([]byte, error), path string) (int64, bool) {
	text, err := read(path)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}

// EvaluationBytes returns about how much memory the loads of a given number of processors take under r.
func EvaluationBytes(r routing.Routing, size int) int64 {
	t := r.Torus()
	nodes, links := int64(t.N()), int64(t.M())
	bytes := 8*nodes + 16*int64(size)
	if counted(r) {
		return bytes + 8*links + 8*nodes*int64(3+4*t.D()) // loads; arrays over the nodes
	}
	return bytes + 64*links // rational loads
}

// counted reports whether the loads under r are whole numbers in words of 64 bits, by counts of slabs.
func counted(r routing.Routing) bool {
	orders, ok := r.(*routing.Orders)
	return ok && (r.Torus().D() <= maxEvaluated || !orders.All() && len(orders.List()) == 1)
}

// SearchBytes returns about how much memory the methods of a search take that keep evaluators, side by side, with what
// is not collected yet, whatever the number of workers: as measured, six to thirteen evaluations on large tori where
// these are counted, else two to four.
func SearchBytes(p objective.Problem) int64 {
	evaluations := int64(4)
	if counted(p.Routing) {
		evaluations = 12
	}
	return evaluations * EvaluationBytes(p.Routing, p.Size)
}

// maxEvaluated is the most dimensions for which the loads of several orders are whole numbers in
// words of 64 bits.
const maxEvaluated = 9

// ListBytes returns about how much memory a document takes that lists a given number of nodes.
func ListBytes(t *core.Torus, nodes int) int64 { return int64(nodes) * int64(64+24*t.D()) }

// enough refuses, with a *MemoryError, what would take more memory than is left.
func enough(t *core.Torus, what string, bytes int64, read func(string) ([]byte, error)) error {
	if bytes < 1<<28 { // every machine has that
		return nil
	}
	if left := memoryLeft(read); bytes > left {
		return &MemoryError{Torus: t, What: what, Need: bytes, Left: left}
	}
	return nil
}

// A MemoryError says that work on a torus takes more memory than the machine has left.
type MemoryError struct {
	Torus      *core.Torus
	What       string
	Need, Left int64 // bytes
}

// Error names the torus, the need and what there is.
func (e *MemoryError) Error() string {
	return fmt.Sprintf("--torus %s: %s takes about %s of memory; %s is available", e.Torus, e.What, gibibytes(e.Need),
		gibibytes(e.Left))
}

// Flag returns the flag that Error names.
func (e *MemoryError) Flag() string { return "torus" }

// Hint says what to do.
func (e *MemoryError) Hint() string { return "take a smaller torus, or a machine with more memory" }

// HintOf returns the hint of an error about what was given, or about the memory that it takes, and whether it is one.
func HintOf(err error) (hint string, ok bool) {
	var input *core.InputError
	var read *results.ReadError
	var memory *MemoryError
	switch {
	case errors.As(err, &input):
		return input.Hint, true
	case errors.As(err, &read):
		return read.Hint, true
	case errors.As(err, &memory):
		return memory.Hint(), true
	}
	return "", false
}

// Enough returns a *MemoryError where work on a torus takes more bytes than this machine has left.
func Enough(t *core.Torus, what string, bytes int64) error {
	return enough(t, what, bytes, os.ReadFile)
}

// EnoughToEvaluate is Enough for the loads of a placement.
func EnoughToEvaluate(r routing.Routing, p core.Placement) error {
	return Enough(p.Torus(), "evaluating a placement under "+r.String(), EvaluationBytes(r, p.Size()))
}

func gibibytes(bytes int64) string { return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30)) }
