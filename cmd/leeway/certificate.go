package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/cmd/work/certificate"
	"leeway/encode/lrat"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check/sat"
	"leeway/search/backend"
)

// recordName is the name of the record in the folder of a certificate, where --out names no other.
const recordName = "record.json"

// refuters lists what can refute the formula of a certificate, by name.
var refuters = append(backend.Names()[:len(backend.Names())-1:len(backend.Names())-1], work.OwnRefuter)

// certificateFormats lists those of the proof of a certificate; the first is that without --format.
var certificateFormats = []string{sat.FormatLRAT, sat.FormatVeriPB}

// orderCertificate returns the certificate that the flags ask for, nil if none, before any work. Without --out the
// record goes to its folder.
func (a *app) orderCertificate(h *proving, problems []objective.Problem) (*work.Certificate, error) {
	if h.certificate == "" {
		return nil, nil
	}
	if len(problems) != 1 {
		return nil, cli.Errorf("--certificate %s: a folder holds the certificate of one size, --size has %d", h.certificate,
			len(problems))
	}
	c, err := h.newCertificate()
	if err != nil {
		return nil, err
	}
	if err := c.Supports(problems[0]); err != nil {
		return nil, cli.Errorf("--certificate %s: %v", h.certificate, err)
	}
	if err := os.MkdirAll(h.certificate, 0o777); err != nil {
		return nil, cli.Errorf("--certificate %s: %v", h.certificate, err)
	}
	h.out = cmp.Or(h.out, filepath.Join(h.certificate, recordName))
	var inside bool
	if c.Inside, inside = insideOf(h.out, h.certificate); !inside {
		a.Remark("%s is not inside the folder of %s: check the record with --certificate %s", h.certificate, h.out,
			h.certificate)
	}
	c.Made = func(f certificate.Files) {
		a.Remark("wrote %s, %d bytes, and %s, %d bytes: refuted by %s", filepath.Join(h.certificate, f.Formula),
			f.FormulaBytes, filepath.Join(h.certificate, f.Proof), f.ProofBytes, c.Engine)
	}
	return c, nil
}

// newCertificate returns one of the format that the flags ask for.
func (h *proving) newCertificate() (*work.Certificate, error) {
	if err := cli.OneOf("format", h.format, certificateFormats); err != nil {
		return nil, err
	}
	if h.format == sat.FormatVeriPB {
		if h.all {
			return nil, cli.Errorf("--format veripb: of a list of all optima the proof is in lrat: leave --all or --format away")
		}
		if h.refuter != "" || h.breakSymmetry {
			return nil, cli.Errorf("--format veripb: its proof is by linear reasoning without symmetry: leave --refuter and " +
				"--break-symmetry away")
		}
		return work.NewLinearCertificate(h.certificate, version), nil
	}
	solver := h.refuter
	if h.backend != "" && work.LogsProof(h.backend) {
		solver = cmp.Or(solver, h.backend)
	}
	c, err := work.NewCertificate(h.certificate, solver, version)
	if err != nil {
		return nil, cli.InFlag("refuter", err)
	}
	c.BreakSymmetry = h.breakSymmetry
	return c, nil
}

// insideOf returns the place of a folder inside that of a file, as records spell it, and whether it is there.
func insideOf(file, folder string) (string, bool) {
	from, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return "", false
	}
	to, err := filepath.Abs(folder)
	if err != nil {
		return "", false
	}
	inside, err := filepath.Rel(from, to)
	if err != nil || !filepath.IsLocal(inside) {
		return "", false
	}
	if inside == "." {
		inside = ""
	}
	return filepath.ToSlash(inside), true
}

// forFile lists the flags of prove that go with a record.
var forFile = []string{"all", "certificate", "format", "refuter", "break-symmetry", "out", "json", "time"}

// certifyFile makes a certificate of a record that is optimal, and writes the record with it.
func (a *app) certifyFile(cmd *cobra.Command, h *proving, file string) error {
	if h.certificate == "" {
		return &cli.Error{Err: cli.Errorf("%s: a record is read for a certificate only", file),
			Hint: "leeway prove " + file + " --certificate DIR; other commands that read records: leeway check, draw, export"}
	}
	var other string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(forFile, f.Name) {
			other = f.Name
		}
	})
	if other != "" {
		return cli.Errorf("--%s: the record says what is proved; only --%s go with it", other, strings.Join(forFile, ", --"))
	}
	r, err := results.ReadRecordFile(cmd.Context(), file)
	if err != nil {
		return err
	}
	proved, err := work.ReadProved(r)
	if err != nil {
		return results.InFile(err, file)
	}
	if r.Proof.NamesFile() && filepath.Dir(cmp.Or(h.out, filepath.Join(h.certificate, recordName))) != filepath.Dir(file) {
		return &cli.Error{Err: cli.Errorf("%s: its proof is in %s, beside it", file, r.Proof.File),
			Hint: "write the new record to the same folder, with --out"}
	}
	if h.all && proved.Listed == nil {
		return &cli.Error{Err: cli.Errorf("--all: %s lists no optimal placements", file),
			Hint: "leeway prove --all of the problem lists them"}
	}
	if !h.all {
		proved.Listed = nil
	}
	c, err := a.orderCertificate(h, []objective.Problem{proved.Problem})
	if err != nil {
		return err
	}
	budget, err := h.effort.read(cmd, 0)
	if err != nil {
		return err
	}
	ctx, cancel := budget.Deadline(cmd.Context())
	defer cancel()
	r.Certificate, err = c.Show(ctx, proved.Problem, proved.Value, proved.Listed, a.Remark)
	switch {
	case errors.Is(err, lrat.ErrSatisfiable) && h.all:
		return &results.ReadError{File: file, Problem: "there are more placements with E_max at most " + r.MaxLoad +
			" than it lists: the record is wrong"}
	case errors.Is(err, lrat.ErrSatisfiable):
		return &results.ReadError{File: file, Problem: "the formula for E_max below " + r.MaxLoad +
			" can be satisfied: the record is wrong"}
	case err != nil || r.Certificate == nil:
		return err
	}
	data, err := r.Encode()
	if err != nil {
		return err
	}
	if err := a.deliver(h.out, data); err != nil {
		return err
	}
	if h.asJSON {
		return a.printJSON(r)
	}
	a.printRecord(r)
	return nil
}

// printCertificate says which checkers accepted the certificate of a record, if it has one.
func (a *app) printCertificate(c *results.Certificate) {
	if c == nil {
		return
	}
	others := map[string]string{sat.FormatLRAT: "no other checker of LRAT is on the path",
		sat.FormatVeriPB: "veripb is not on the path, or came to no answer"}[c.Format]
	if len(c.VerifiedBy) > 1 {
		others = strings.Join(c.VerifiedBy[1:], " and ") + " agreed"
	}
	what := "none is below " + results.WithDecimal(c.Below)
	if c.Labelled != nil {
		what += fmt.Sprintf(", and no other than the %d listed has that", *c.Labelled)
	}
	a.Printf("  certificate  %s: verified by %s; %s\n", what, c.VerifiedBy[0], others)
	if c.Symmetry {
		a.Printf("               its formula breaks symmetry: that this loses no orbit is to be believed as well\n")
	}
}
