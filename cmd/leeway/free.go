package main

import (
	"github.com/spf13/cobra"

	"leeway/core/routing"
)

// allPaths is the routing under which placements to begin with are looked for.
const allPaths = "udr:tie=both"

// A freedom holds the flags that restrict a free routing.
type freedom struct {
	single   bool
	minPaths int
}

func (f *freedom) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.single, "single-path", false, "with --routing free: exactly one path for every pair")
	cmd.Flags().IntVar(&f.minPaths, "min-paths", 1, "with --routing free: paths that every pair keeps, or all it has if those are fewer")
	cmd.MarkFlagsMutuallyExclusive("single-path", "min-paths")
}

// read returns what --routing and the flags leave free, nil if the routing is given.
func (f *freedom) read(text string) (*routing.Free, error) {
	free, ok, err := routing.ParseFree(text)
	given := f.single || f.minPaths != 1
	switch {
	case err != nil:
		return nil, inFlag("routing", err)
	case !ok && given:
		return nil, &usageError{err: usagef("--single-path and --min-paths restrict a free routing"), hint: "add --routing free"}
	case !ok:
		return nil, nil
	case f.minPaths < 1:
		return nil, usagef("--min-paths %d: at least 1 is needed", f.minPaths)
	case given && free != (routing.Free{MinPaths: 1}):
		return nil, usagef("--routing %q says which paths a pair has: leave --single-path and --min-paths away", text)
	case given:
		free = routing.Free{Single: f.single, MinPaths: f.minPaths}
	}
	return &free, nil
}
