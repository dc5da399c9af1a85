package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/results/audit"
	"leeway/results/audit/claims"
)

func (a *app) auditCommand() *cobra.Command {
	var o auditOptions
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Check the claims of the papers by computation",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.audit(cmd, o) },
	}
	cmd.Flags().StringVar(&o.claim, "claim", "",
		"check only claims whose names begin with this (seed000, seed001-theorem-3.2, ...)")
	cmd.Flags().IntVar(&o.maxK, "max-k", audit.DefaultMaxK,
		fmt.Sprintf("largest side on two axes, %d to %d", audit.LeastMaxK, audit.GreatestMaxK))
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print one JSON document")
	cmd.Flags().BoolVar(&o.asMarkdown, "markdown", false, "print the page docs/audit.md")
	cli.WorkersFlag(cmd, &o.workers, "")
	cmd.MarkFlagsMutuallyExclusive("json", "markdown")
	return cmd
}

// auditOptions holds the flags of audit.
type auditOptions struct {
	claim              string
	maxK, workers      int
	asJSON, asMarkdown bool
}

func (a *app) audit(cmd *cobra.Command, o auditOptions) error {
	selected := claims.Select(o.claim)
	switch {
	case len(selected) == 0:
		return &cli.Error{Err: cli.Errorf("--claim %q: no claim's name begins like this", o.claim),
			Hint: "names are seed000-theorem-2, seed001-lemma-2.2 and the like; docs/audit.md lists them"}
	case o.maxK < audit.LeastMaxK || o.maxK > audit.GreatestMaxK:
		return cli.Errorf("--max-k %d: must be %d to %d", o.maxK, audit.LeastMaxK, audit.GreatestMaxK)
	}
	limits := audit.Limits{MaxK: o.maxK}
	var found []audit.Item
	for c, f := range audit.Run(cmd.Context(), selected, limits, o.workers) {
		found = append(found, audit.NewItem(c, f))
		if !o.asJSON && !o.asMarkdown {
			a.printAuditItem(found[len(found)-1])
		}
	}
	if cmd.Context().Err() != nil {
		a.Remark("stopped; the claims that were not finished are untested")
	}
	switch {
	case o.asJSON:
		return printList(a, "leeway/audit/1", found, true)
	case o.asMarkdown:
		fmt.Fprint(a.Stdout.Unfolded(), audit.Markdown(found, limits))
	default:
		a.Printf("%d claims: %d hold, %d fail, %d untested\n", len(found), audit.Count(found, audit.Holds),
			audit.Count(found, audit.Fails), audit.Count(found, audit.Untested))
	}
	return nil
}

// printAuditItem writes a line for a claim, and lines that explain one that fails or
// was not checked.
func (a *app) printAuditItem(it audit.Item) {
	a.Printf("%-8s  %-30s  %s\n", it.Verdict, it.Claim, it.Source)
	if it.Verdict == audit.Fails {
		c := it.Counterexample
		a.printAuditLines("claim", it.Statement, "checked", it.Checked, "case", c.Case, "claimed", c.Claimed,
			"true", c.True, "see", c.Command)
	}
	if it.Verdict != audit.Holds {
		a.printAuditLines("note", it.Note)
	}
}

// printAuditLines writes names with their texts, leaving out empty ones.
func (a *app) printAuditLines(pairs ...string) {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			a.Printf("          %-8s %s\n", pairs[i], pairs[i+1])
		}
	}
}
