package main

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"leeway/results/plan"
)

// defaultTime is how long search looks when no budget is given.
const defaultTime = 60 * time.Second

// A searching holds the flags of search.
type searching struct {
	night
	freedom                               freedom
	methods, maxLoad, planFile, storeFile string
}

func (a *app) searchCommand() *cobra.Command {
	f := &searching{}
	cmd := &cobra.Command{
		Use:   "search",
		Short: "Search for a placement with small E_max",
		Long: `Search for a placement of --size processors whose largest link load E_max under
--routing is as small as possible, and write its record. With --max-load instead,
search for the largest placement within a limit: 4, or 1/8n for an eighth of the
number of processors.

The methods run side by side, in epochs, and share what they find. The search ends
when the time or the evaluations are spent (60 s if neither is given), when a lower
bound that holds for every placement is met, or at Ctrl-C, which keeps the best
placement found. With --evaluations the result depends on the seed only. Without
--methods those of these run that can treat the problem:
` + strings.Join(defaultMethods, ", ") + `.
Of them census and exhaustive can prove that nothing is better; --methods local or
--methods genetic alone starts from nothing.

--routing free leaves the routing to the search too: it looks for a placement and a
table of paths together, with --single-path for one path a pair, with --min-paths
for so many at least. Of --methods all but joint then only look for placements to
begin with; ` + strings.Join(freeMethods, ", ") + ` run if none are named.

With --store every improvement goes to a file at once, with the state of the search;
"leeway resume" goes on after a kill. What the store has on other tori under the same
routing is tried in the same form. --plan FILE does many searches; what the store
knows to be optimal, or was searched before, is passed over.

With --cluster listen:PORT other machines may take part with "leeway worker".`,
		Example: `  leeway search --torus 8x8 --size 16 --routing udr:tie=both --seed 1 --time 60s
  leeway search --torus 6x6 --size 6 --routing odr --methods genetic --evaluations 200000 --out six.json
  leeway search --torus 10x10 --max-load 5 --routing udr:tie=both --time 30s
  leeway search --torus 5x5x5 --size 25 --routing free --time 20s
  leeway search --plan nightly.yaml --store nightly.store`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.search(cmd, f) },
	}
	f.register(cmd)
	cmd.Flags().Lookup("routing").Usage += ", or free"
	cmd.Flags().StringVar(&f.methods, "methods", "", "methods to run, of "+strings.Join(methodNames(), ", "))
	cmd.Flags().StringVar(&f.maxLoad, "max-load", "", "instead of --size: the largest placement with E_max at most this, 5/2 or 1/8n")
	cmd.Flags().StringVar(&f.planFile, "plan", "", "do the searches of this file; see docs/formats.md")
	f.freedom.register(cmd)
	f.registerNight(cmd, &f.storeFile)
	f.cluster.register(cmd)
	return cmd
}

// search does what the command is for.
func (a *app) search(cmd *cobra.Command, f *searching) error {
	shared := f.cluster.where != ""
	f.none = shared
	if err := f.cluster.validate(cmd, f.effort.workers); err != nil {
		return err
	}
	jobs, err := f.jobs(cmd)
	if err != nil {
		return err
	}
	if shared && (f.planFile != "" || slices.ContainsFunc(jobs, func(j plan.Job) bool { return j.Free != nil || j.Limit != nil })) {
		return usagef("--cluster shares the search of a size: it goes with neither --routing free, --max-load nor --plan")
	}
	if shared {
		if err := refuseExact(jobs[0].Methods); err != nil {
			return err
		}
	}
	if f.planFile != "" && f.storeFile == "" {
		f.storeFile = strings.TrimSuffix(f.planFile, filepath.Ext(f.planFile)) + storeEnding
	}
	if shared {
		return a.searchTogether(cmd.Context(), &f.night, jobs, f.storeFile)
	}
	return a.doAll(cmd.Context(), &f.night, jobs, f.storeFile)
}
