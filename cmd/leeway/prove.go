package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
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
	"leeway/results/disk"
	"leeway/search/backend"
	"leeway/search/orbit"
)

// A proving holds the flags of prove.
type proving struct {
	question
	engine, backend, symmetry, below, work string
	all                                    bool
	cluster                                clusterFlags
	certificate, refuter                   string // folder of a certificate, "" for none, and what refutes
	format                                 string // of the certificate
	breakSymmetry                          bool   // in the formula of the certificate
	stream                                 string // file for the proof as steps, "" for none
}

func (a *app) proveCommand() *cobra.Command {
	h := &proving{engine: "auto", format: work.FormatLRAT}
	cmd := command("prove [FILE]", "Prove the smallest E_max of a size on a small torus",
		func(cmd *cobra.Command, files []string) error {
			if len(files) == 1 && h.certificate == "" {
				if _, missing := os.Stat(files[0]); missing != nil { // a torus, perhaps
					return cobra.NoArgs(cmd, files)
				}
			}
			return cobra.MaximumNArgs(1)(cmd, files)
		}, func(cmd *cobra.Command, files []string) error {
			if len(files) == 1 {
				return a.certifyFile(cmd, h, files[0])
			}
			if now := work.Successor(h.engine); now != h.engine {
				a.Remark("--engine %s: its proofs are found by %s now", h.engine, now)
				h.engine = now
			}
			problems, b, err := h.read(cmd)
			if err != nil {
				return err
			}
			return a.prove(cmd.Context(), h, problems, b)
		})
	h.question.register(cmd)
	h.cluster.register(cmd)
	addFlags(cmd, []flag{
		{&h.all, "all", "also list all optimal placements, one of each orbit"},
		{&h.below, "below", "only answer whether some placement has E_max below this fraction"},
		{&h.engine, "engine", "engine: " + strings.Join(work.EngineNames(), ", ")},
		{&h.backend, "backend", "prove with an installed SAT solver: " + strings.Join(backend.Names(), ", ") +
			", or a path; its proof, in LRAT, is written next to the record"},
		{&h.symmetry, "symmetry", "only placements with this symmetry: t=4,4 (a translation), -1, " +
			"p=1,0:s=+-:t=0,1; several joined by ;"},
		{&h.work, "work", "file that keeps finished parts of the proof; after a stop the same command continues from it"},
		{&h.certificate, "certificate", "folder for a formula and a proof, for independent checkers"},
		{&h.format, "format", "format of --certificate: " + work.FormatLRAT + ", or " +
			work.FormatVeriPB + ", translated from steps"},
		{&h.refuter, "refuter", "what refutes the formula of --certificate: " +
			strings.Join(formulaRefuters, ", ") + ", or a path (default: own, then cadical)"},
		{&h.breakSymmetry, "break-symmetry",
			"break the symmetry of the formula of --certificate; that no orbit is lost must then be trusted"},
		{&h.stream, "stream",
			"file for the proof as steps, for any checker of docs/steps.md; the record names it as its proof"},
	}...)
	clashes(cmd)
	return cmd
}

// read validates the flags before any work starts.
func (h *proving) read(cmd *cobra.Command) ([]objective.Problem, work.Budget, error) {
	h.matrices = h.symmetry == "" && h.backend == "" && h.work == "" && h.cluster.where == ""
	problems, b, err := h.question.read(cmd, 0)
	if err == nil {
		err = h.cluster.validate()
	}
	if err == nil {
		err = cli.OneOf("engine", h.engine, work.EngineNames())
	}
	if err == nil && h.stream != "" && filepath.Dir(h.stream) != filepath.Dir(h.out) {
		err = cli.Errorf("--stream %s: the record names it, and has to lie in the same folder", h.stream).
			Hinted("name both: --out FILE.json --stream FILE.steps")
	}
	return problems, b, err
}

// clashes says which flags of prove do not go together.
func clashes(cmd *cobra.Command) {
	cli.Need(cmd, "format refuter break-symmetry", "certificate", "add --certificate DIR")
	cli.Exclude(cmd, "certificate", "symmetry cluster",
		"write the record to a file, then leeway prove FILE --certificate DIR")
	cli.Exclude(cmd, "break-symmetry", "all", "the certificate of a list is of the formula that keeps all placements")
	cli.Exclude(cmd, "stream", "symmetry cluster", "")
	cli.Exclude(cmd, "below", "all", "--all lists the optimal placements, --below asks about a value: give one of them")
	cli.Exclude(cmd, "backend", "engine", "--backend names the engine: omit --engine")
	cli.Exclude(cmd, "symmetry", "all backend work engine",
		"--symmetry is for the engine orbit, with --below and budgets only")
	cli.Exclude(cmd, "cluster", "backend symmetry", "--cluster shares a proof as steps")
	cli.Exclude(cmd, "cluster", "all",
		"prove with --work FILE; then the same with --all, without --cluster, goes on from FILE")
}

// prove answers about a value, or finds the optima.
func (a *app) prove(ctx context.Context, h *proving, problems []objective.Problem, b work.Budget) error {
	made, err := a.orderCertificate(h, problems)
	if err != nil {
		return err
	}
	tasks, err := a.proofTasks(ctx, h, problems, b)
	if err != nil {
		return err
	}
	if made != nil {
		tasks[0].Proof.Certificate = made
	}
	s := a.session(h.workers)
	if err := h.readKnown(ctx, s); err != nil {
		return err
	}
	if h.cluster.where == "" {
		return a.workOn(ctx, s, &h.question, tasks)
	}
	for _, t := range tasks {
		if why := t.Unshared(); why != "" {
			return cli.Errorf("--cluster shares a proof as steps: %s", why)
		}
	}
	if h.work == "" {
		a.Remark("without --work FILE a proof that is killed begins anew")
	}
	head, err := a.startHead(ctx, &h.cluster, h.work, tasks, h.workers)
	if err != nil {
		return err
	}
	s.Head = head
	return lead(ctx, head, true, func() error { return a.workOn(ctx, s, &h.question, tasks) })
}

// proofTasks returns the tasks that the flags ask for.
func (a *app) proofTasks(ctx context.Context, h *proving, problems []objective.Problem,
	b work.Budget) ([]work.Task, error) {
	var below *big.Rat
	var err error
	if h.below != "" {
		if below, err = results.ParseFraction(h.below); err != nil {
			return nil, cli.InFlag("below", err)
		}
	}
	solver := ""
	if h.backend != "" {
		find := backend.Find
		if writesProof(h.backend) {
			find = backend.Prover
		}
		if solver, err = find(h.backend); err != nil {
			return nil, cli.InFlag("backend:", err)
		}
	}
	var tasks []work.Task
	if h.stream != "" && len(problems) != 1 {
		return nil, cli.Errorf("--stream %s: a file holds the proof of one size, --size has %d", h.stream, len(problems))
	}
	for _, p := range problems {
		if h.stream != "" {
			if err := work.Streams(p); err != nil {
				return nil, cli.InFlag("stream", err)
			}
		}
		proof := &work.Proof{Engine: h.engine, Solver: solver, Symmetry: h.symmetry, Below: below, All: h.all,
			Stream: h.stream}
		if writesProof(solver) {
			target := strings.TrimSuffix(h.out, ".json")
			if h.out == "" {
				target = work.Unused(work.RecordBase(p, p.Size, 0), proofEnding)
			}
			proof.File = target + proofEnding + work.PartEnding
		}
		if h.symmetry != "" {
			if _, err := orbit.Parse(p.Routing, h.symmetry); err != nil {
				return nil, cli.InFlag("symmetry", err)
			}
		}
		if h.work != "" {
			path := h.work
			if len(problems) > 1 {
				path = fmt.Sprintf("%s.n%d", path, p.Size)
			}
			if proof.Log, err = work.OpenLog(ctx, path, p, a.Remark); err != nil {
				return nil, cli.InFlag("work", err)
			}
		}
		tasks = append(tasks, work.Task{Problem: p, Budget: b, Proof: proof})
	}
	return tasks, nil
}

// writesProof reports whether a solver is one that must write a proof: any but clasp.
func writesProof(solver string) bool { return solver != "" && filepath.Base(solver) != backend.Clasp }

// recordName is the name of the record in the folder of a certificate, where --out names no other.
const recordName = "record.json"

// formulaRefuters lists what can refute the formula of a certificate, by name.
var formulaRefuters = []string{backend.CaDiCaL, work.OwnRefuter}

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
	if c.Inside, inside = certificate.InsideOf(h.out, h.certificate); !inside && c.Format == work.FormatLRAT {
		a.Remark("%s is not inside the folder of %s: check the record with --certificate %s", h.certificate, h.out,
			h.certificate)
	}
	c.Made = func(f certificate.Files) {
		a.Remark("wrote %s, %d bytes, and %s, %d bytes: refuted by %s", filepath.Join(h.certificate, f.Formula),
			f.FormulaBytes, filepath.Join(h.certificate, f.Proof), f.ProofBytes, c.Engine)
		switch {
		case c.Format == work.FormatVeriPB && f.By == nil:
			a.Remark("no %s is on the path that could check it: veripb %s %s", c.Format,
				filepath.Join(h.certificate, f.Formula), filepath.Join(h.certificate, f.Proof))
		case c.Format == work.FormatVeriPB:
			a.Remark("%s accepted the proof", f.By[0])
		}
	}
	return c, nil
}

// newCertificate returns the one that the flags ask for.
func (h *proving) newCertificate() (*work.Certificate, error) {
	if err := cli.OneOf("format", h.format, []string{work.FormatLRAT, work.FormatVeriPB}); err != nil {
		return nil, err
	}
	if h.format == work.FormatVeriPB {
		if h.refuter != "" || h.breakSymmetry || h.all {
			return nil, cli.Errorf("--format %s goes with neither --refuter, --break-symmetry nor --all: it is translated "+
				"from steps, that nothing is below the value", h.format)
		}
		return work.NewTranslated(h.certificate), nil
	}
	solver := h.refuter
	if writesProof(h.backend) {
		solver = cmp.Or(solver, h.backend)
	}
	c, err := work.NewCertificate(h.certificate, solver, version)
	if err != nil {
		return nil, cli.InFlag("refuter", err)
	}
	c.BreakSymmetry = h.breakSymmetry
	return c, nil
}

// forFile lists the flags of prove that go with a record.
var forFile = []string{"all", "certificate", "format", "refuter", "break-symmetry", "out", "json", "time"}

// certifyFile makes a certificate of a record that is optimal, and writes the record with it.
func (a *app) certifyFile(cmd *cobra.Command, h *proving, file string) error {
	if h.certificate == "" {
		return cli.Errorf("%s: a record is read for a certificate only", file).
			Hinted("leeway prove " + file + " --certificate DIR; other commands that read records: leeway check, draw, export")
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
	r, err := disk.ReadRecordFile(cmd.Context(), file)
	if err != nil {
		return err
	}
	proved, err := work.ReadProved(r)
	if err != nil {
		return results.InFile(err, file)
	}
	if r.Proof.NamesFile() && filepath.Dir(cmp.Or(h.out, filepath.Join(h.certificate, recordName))) != filepath.Dir(file) {
		return cli.Errorf("%s: its proof is in %s, beside it", file, r.Proof.File).
			Hinted("write the new record to the same folder, with --out")
	}
	if h.all && proved.Listed == nil {
		return cli.Errorf("--all: %s lists no optimal placements", file).
			Hinted("leeway prove --all of the problem lists them")
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
	c.UseSteps(r.Proof)
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
	if err := a.keep(h.out, r); err != nil {
		return err
	}
	return a.show(r, func() { a.printRecord(r, 0) })
}
