package main

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/cmd/work/verified"
	"leeway/core"
	"leeway/results/atlas"
	"leeway/results/check"
	"leeway/results/check/meter"
	"leeway/results/layout"
	"leeway/search/refuters"
)

func (a *app) atlasVerifyCommand() *cobra.Command {
	b := &browsing{}
	var workers int
	var limits meter.Limits
	cmd := command("verify [WORD...]", "Repeat all that the cells claim: loads, proofs, lists of optima", nil,
		func(cmd *cobra.Command, words []string) error {
			options := check.Options{Produce: refuters.Produce, Limits: limits}
			tell := a.NowAndThen()
			err := b.browse(cmd, words, func(view *atlas.Atlas, filter atlas.Filter) error {
				cells, _ := view.Cells(filter)
				if len(cells) == 0 {
					return cli.Errorf("there is no cell to verify").Hinted("leeway atlas lists the cells")
				}
				found, err := view.Verify(cmd.Context(), cells, workers, options, func(done int) {
					tell("%d of %d cells verified", done, len(cells))
				})
				return a.reportFindings(found, len(cells), cmp.Or(err, work.AddImplied(cmd.Context(), view, found)))
			})
			if early := (*cli.StoppedError)(nil); errors.As(err, &early) {
				return a.reportFindings(nil, 0, context.Canceled)
			}
			return err
		})
	b.register(cmd)
	b.flags(cmd, "json")
	limitFlags(cmd, &limits, "cell")
	cli.WorkersFlag(cmd, &workers, "")
	return cmd
}

// reportFindings prints verdicts and returns the exit status that they call for.
func (a *app) reportFindings(found []atlas.Finding, all int, err error) error {
	if a.asJSON() {
		if err := printList(a, verdictsSchema, found, true); err != nil {
			return err
		}
	}
	wrong, undecided, proofs, better := 0, 0, 0, 0
	for _, f := range found {
		for _, text := range f.Implied {
			if better++; !a.asJSON() {
				a.Printf("better: %s\n", text)
			}
		}
		if f.ProofVerdict == check.Verified {
			proofs++
		}
		said := check.Wrong
		switch f.Verdict.Verdict {
		case check.Wrong, check.Unreadable:
			wrong++
		case check.Limit:
			undecided++
			said = check.Limit
		default:
			continue
		}
		if !a.asJSON() {
			a.Printf("%s: %s\n", said, f.Key())
			for _, reason := range f.Reasons {
				a.Printf("  %s\n", layout.WithDecimals(reason))
			}
		}
	}
	if !a.asJSON() {
		a.Printf("%d cells verified, %d proofs repeated, %d wrong", len(found)-wrong-undecided, proofs, wrong)
		if undecided > 0 {
			a.Printf(", %d %s", undecided, check.Limit)
		}
		a.Printf("\n")
		if better > 0 {
			a.Remark("%d values follow from other cells and are better: leeway atlas fill --store takes them", better)
		}
	}
	switch {
	case errors.Is(err, context.Canceled) && all == 0:
		a.Remark("stopped before the atlas was known: no cell was verified")
	case errors.Is(err, context.Canceled):
		a.Remark("stopped after %d of %d cells: the others were not verified", len(found), all)
	case err != nil:
		return err
	}
	return judged(wrong, undecided)
}

// A certifying holds the flags of atlas certify.
type certifying struct {
	*app
	browsing
	out, solver       string
	records           []string
	time              time.Duration
	least, most       int // nodes
	broken, anew, all bool
}

func (a *app) atlasCertifyCommand() *cobra.Command {
	c := &certifying{app: a, time: time.Minute}
	cmd := command("certify [WORD...] --out FILE",
		"Have independent checkers verify the proved values, with proofs in LRAT",
		nil,
		func(cmd *cobra.Command, words []string) error {
			return c.browse(cmd, words, func(view *atlas.Atlas, filter atlas.Filter) error {
				return c.run(cmd.Context(), view, filter)
			})
		})
	c.register(cmd)
	addFlags(cmd, []flag{
		{&c.out, "out", "file for the table, created if it does not exist"},
		{&c.solver, "backend", "what refutes formulas: own, or a SAT solver that writes LRAT, by name or path " +
			"(default: own, then cadical)"},
		{&c.time, "time", "time for each cell"},
		{&c.least, "min-nodes", "only cells of at least this many nodes"},
		{&c.most, "max-nodes", "only cells of at most this many nodes; 0: all"},
		{&c.records, "record", "record of a placement whose value is to be certified too; may be given several times"},
		{&c.broken, "break-symmetry", "break the symmetry of formulas; that this loses no orbit must then be trusted"},
		{&c.all, "all", "that the lists of all optimal placements are complete"},
		{&c.anew, "again", "also cells that the table has"},
	}...)
	cli.Require(cmd, "out")
	cli.Exclude(cmd, "all", "break-symmetry record",
		"a list of all optima is of a cell of the atlas, and its formula breaks no symmetry")
	return cmd
}

// run works on all cells.
func (c *certifying) run(ctx context.Context, view *atlas.Atlas, filter atlas.Filter) error {
	file, err := verified.Open(ctx, c.out)
	if err != nil {
		return cli.InFlag("out", err)
	}
	questions, err := verified.Questions(view, filter, c.least, c.most, c.all)
	if err != nil {
		return err
	}
	others, err := verified.QuestionsOf(ctx, c.records, c.Remark)
	if err != nil {
		return cli.InFlag("record", err)
	}
	questions = append(questions, others...)
	verified.Sort(questions)
	f := verified.Filling{Table: file.VerifiedTable, Budget: c.time, Symmetry: c.broken, Again: c.anew,
		Save:    func() error { return cli.InFlag("out", file.Save(context.WithoutCancel(ctx))) },
		Observe: func(k atlas.Verified) { c.tell("certified", k) }}
	r, err := f.Use(c.solver, version)
	if err != nil {
		return cli.InFlag("backend:", err)
	}
	file.Begin(r)
	done, err := f.Fill(ctx, questions)
	if err != nil {
		return err
	}
	c.Printf("%s worked on; in %s %d of %d are verified\n", core.Count(done, "cell"), c.out, file.Verified(questions),
		len(questions))
	return nil
}
