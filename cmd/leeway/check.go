package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/core"
	"leeway/results/audit"
	"leeway/results/audit/claims"
	"leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/check/meter"
	"leeway/search/refuters"
)

func (a *app) checkCommand() *cobra.Command {
	var workers int
	var limits meter.Limits
	var lrat, slices bool
	var certificates, stream string
	cmd := command("check FILE...", "Check records and schedules: recompute everything that they claim", nil,
		func(cmd *cobra.Command, files []string) error {
			switch {
			case len(files) == 0:
				return cli.Errorf("no file to check").Hinted("leeway check FILE...")
			case lrat && len(files) != 2:
				return cli.Errorf("--lrat takes a formula and a proof, not %s", core.Count(len(files), "file")).
					Hinted("leeway check --lrat FORMULA PROOF")
			case stream != "" && len(files) != 1:
				return cli.Errorf("--stream is the proof of one record, not of %s", core.Count(len(files), "file")).
					Hinted("leeway check --stream FILE RECORD")
			}
			options := check.Options{Workers: workers, Certificate: certificates, Stream: stream, Slices: slices,
				Produce: refuters.Produce, Limits: limits}
			var err error
			var list []documents.Item
			if lrat {
				list, err = documents.LRAT(cmd.Context(), files[0], files[1], options)
			} else {
				list, err = documents.Files(cmd.Context(), files, options)
			}
			if a.asJSON() {
				if err := printList(a, verdictsSchema, list, true); err != nil {
					return err
				}
			}
			if err != nil {
				return fmt.Errorf("stopped before %s was checked", files[len(list)])
			}
			return a.judge(list)
		})
	addFlags(cmd, []flag{
		{&certificates, "certificate", "folder with formula.cnf and proof.lrat of the record, if not where it says"},
		{&slices, "slices", "list the streams of steps that were checked"},
		{&stream, "stream", "check the claim of the record with the steps of this file, in place of its proof"},
		{&lrat, "lrat", "check a proof in LRAT for a formula in DIMACS CNF: FORMULA PROOF"},
	}...)
	jsonFlag(cmd)
	cli.Exclude(cmd, "lrat", "stream certificate", "--lrat names formula and proof: FORMULA PROOF")
	limitFlags(cmd, &limits, "file")
	cli.WorkersFlag(cmd, &workers, "")
	return cmd
}

// limitFlags adds the flags of what checks may take; what is each thing that is checked.
func limitFlags(cmd *cobra.Command, to *meter.Limits, what string) {
	to.Steps, to.Memory = meter.DefaultSteps, meter.DefaultMemory
	cmd.Flags().Var(limit{&to.Steps, false}, "steps",
		"most steps for checking a "+what+", each a few nanoseconds of one core; none: no limit")
	cmd.Flags().Var(limit{&to.Memory, true}, "memory",
		"most memory that the program may hold while it checks a "+what+", in bytes, MiB or GiB; none: no limit")
}

// A limit is the value of such a flag: a number above 0, of bytes also with a unit, or none.
type limit struct {
	to    *int64
	bytes bool
}

// Set implements pflag.Value.
func (l limit) Set(text string) error {
	if text == "none" {
		*l.to = meter.None
		return nil
	}
	number, factor, units := text, int64(1), ""
	if l.bytes {
		units = ", in MiB or GiB"
		for unit, size := range map[string]int64{"MiB": 1 << 20, "GiB": 1 << 30} {
			if before, ok := strings.CutSuffix(text, unit); ok {
				number, factor = before, size
			}
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 1 || number[0] == '+' || n > meter.None/factor {
		return cli.Errorf("a number above 0%s, or none, is needed", units)
	}
	*l.to = n * factor
	return nil
}

// String implements pflag.Value.
func (l limit) String() string {
	switch {
	case *l.to == meter.None:
		return "none"
	case l.bytes:
		return meter.Bytes(*l.to)
	}
	return strconv.FormatInt(*l.to, 10)
}

// Type implements pflag.Value.
func (l limit) Type() string { return "limit" }

// verdictsSchema is that of lists of verdicts.
const verdictsSchema = "leeway/verdicts/1"

// judge shows the verdicts and returns the exit status that they call for.
func (a *app) judge(list []documents.Item) error {
	status := 0
	for _, item := range list {
		status = worse(status, map[string]int{check.Wrong: statusFailed, check.Unreadable: statusUnusable,
			check.Limit: statusUndecided}[item.Verdict.Verdict])
		if !a.asJSON() {
			a.tell("verdict", item)
		}
	}
	return exit(status)
}

func (a *app) auditCommand() *cobra.Command {
	var claim string
	var workers int
	maxK := audit.DefaultMaxK
	var asMarkdown bool
	cmd := command("audit", "Check the claims of the papers by computation", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error {
			selected := claims.Select(claim)
			switch {
			case len(selected) == 0:
				return cli.Errorf("--claim %q: no claim's name begins like this", claim).
					Hinted("names are seed000-theorem-2, seed001-lemma-2.2 and the like; docs/audit.md lists them")
			case maxK < audit.LeastMaxK || maxK > audit.GreatestMaxK:
				return cli.Errorf("--max-k %d: must be %d to %d", maxK, audit.LeastMaxK, audit.GreatestMaxK)
			}
			limits := audit.Limits{MaxK: maxK}
			var found []audit.Item
			for c, f := range audit.Run(cmd.Context(), selected, limits, workers) {
				found = append(found, audit.NewItem(c, f))
				if !a.asJSON() && !asMarkdown {
					a.tell("claim", found[len(found)-1])
				}
			}
			if cmd.Context().Err() != nil {
				a.Remark("stopped; the claims that were not finished are untested")
			}
			switch {
			case a.asJSON():
				return printList(a, "leeway/audit/1", found, true)
			case asMarkdown:
				fmt.Fprint(a.Stdout.Unfolded(), audit.Markdown(found, limits))
			default:
				a.Printf("%d claims: %d hold, %d fail, %d untested\n", len(found), audit.Count(found, audit.Holds),
					audit.Count(found, audit.Fails), audit.Count(found, audit.Untested))
			}
			return nil
		})
	addFlags(cmd, []flag{
		{&claim, "claim", "check only claims whose names begin with this (seed000, seed001-theorem-3.2, ...)"},
		{&maxK, "max-k", fmt.Sprintf("largest side on two axes, %d to %d", audit.LeastMaxK, audit.GreatestMaxK)},
		{&asMarkdown, "markdown", "print the page docs/audit.md"},
	}...)
	cli.WorkersFlag(cmd, &workers, "")
	jsonFlag(cmd)
	cli.Exclude(cmd, "json", "markdown", "")
	cmd.AddCommand(a.auditToolsCommand())
	return cmd
}
