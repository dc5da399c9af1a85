package work

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"time"

	"leeway/cmd/work/certificate"
	"leeway/core"
	"leeway/encode"
	"leeway/encode/dimacs"
	"leeway/encode/lrat"
	"leeway/encode/pseudo"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/results"
	"leeway/results/check/sat"
	"leeway/results/compose"
	"leeway/search/backend"
	"leeway/search/refute"
)

// A Certificate says where a formula and its refutation go, for independent checkers, and what refutes it.
type Certificate struct {
	Folder        string
	Format        string // FormatLRAT or FormatVeriPB
	Inside        string // what records call the folder: its place inside theirs
	BreakSymmetry bool
	Engine        string // that refuted the formula, once it did; for VeriPB: whose steps, "" for those of any
	Refute        lrat.Refuter
	Checkers      []certificate.Checker
	// Made is told of the files, and of each checker that could not tell; nil: nobody is.
	Made func(certificate.Files)
}

// The formats of certificates: in LRAT a formula in clauses is refuted, in VeriPB's format one in rows, by steps.
const (
	FormatLRAT   = sat.FormatLRAT
	FormatVeriPB = "veripb"
)

// StepsName is the name of the file with the steps from which a certificate in VeriPB's format was translated.
const StepsName = "proof.steps"

// OwnRefuter is the name of the engine of this program that refutes formulas.
const OwnRefuter = "own"

// Refuter returns what refutes formulas, and its name with its version. The solver is a path or a name; "" takes the
// solver of this program and, where that comes to no answer in its share of the time, CaDiCaL if it is on PATH and
// writes LRAT; used, if not nil, is told the name of each that begins. The error is that of certificate.BySolver.
func Refuter(solver, version string, used func(name string)) (lrat.Refuter, string, error) {
	own := OwnRefuter + " " + version
	switch solver {
	case OwnRefuter:
		return refute.Refute, own, nil
	case "":
		other, name, err := certificate.BySolver(backend.CaDiCaL)
		if err != nil {
			return refute.Refute, own, nil
		}
		return inTurn(refute.Refute, other, ownShare, func() { tell(used, own) }, func() { tell(used, name) }),
			own + ", else " + name, nil
	}
	return certificate.BySolver(solver)
}

func tell(used func(name string), name string) {
	if used != nil {
		used(name)
	}
}

// ownShare returns how long the solver of this program may take where another can follow: half of the time that is
// left, and at most five minutes.
func ownShare(ctx context.Context) time.Duration {
	most := 5 * time.Minute
	if end, ok := ctx.Deadline(); ok {
		most = min(most, time.Until(end)/2)
	}
	return most
}

// inTurn refutes with a second refuter what the first gave no answer about in its share of the time, or for want of
// memory. The first must write nothing before it has an answer. Each is announced before it begins.
func inTurn(first, second lrat.Refuter, share func(context.Context) time.Duration, begins,
	follows func()) lrat.Refuter {
	return func(ctx context.Context, formula dimacs.Formula, w *lrat.Writer) error {
		limited, cancel := context.WithTimeout(ctx, share(ctx))
		defer cancel()
		begins()
		err := first(limited, formula, w)
		var memory *refute.LimitError
		if over := limited.Err() != nil && errors.Is(err, limited.Err()); err == nil || ctx.Err() != nil ||
			!over && !errors.As(err, &memory) {
			return err
		}
		follows()
		return second(ctx, formula, w)
	}
}

// NewCertificate returns one for a folder, with a proof in LRAT. The solver and the error are those of Refuter.
func NewCertificate(folder, solver, version string) (*Certificate, error) {
	c := &Certificate{Folder: folder, Format: FormatLRAT,
		Checkers: append([]certificate.Checker{certificate.Own(version)}, certificate.InstalledCheckers()...)}
	used := func(name string) { c.Engine, _, _ = strings.Cut(name, " ") }
	refuter, name, err := Refuter(solver, version, used)
	c.Refute = refuter
	used(name)
	return c, err
}

// NewTranslated returns a certificate for a folder, with a proof in VeriPB's format.
func NewTranslated(folder string) *Certificate {
	return &Certificate{Folder: folder, Format: FormatVeriPB, Checkers: certificate.VeriPB()}
}

// UseSteps has the steps of the engine translated that a proof names, if it does: another may come to no end.
func (c *Certificate) UseSteps(p *results.Proof) {
	if c.Format != FormatVeriPB {
		return
	}
	if c.Engine = ""; p != nil && p.Kind == results.ProofSteps {
		c.Engine = p.Engine
	}
}

// Supports returns nil if there is a formula about the problem, as far as that is known at once, otherwise an
// *encode.UnsupportedError, or that no engine writes steps about it.
func (c *Certificate) Supports(p objective.Problem) error {
	if c.Format == FormatVeriPB {
		return cmp.Or(pseudo.Supports(p), Streams(p))
	}
	if p.Free != nil {
		return &encode.UnsupportedError{Problem: p.String(), Why: "no formula says that every routing is tried"}
	}
	return encode.Supports(p)
}

// Make writes the certificate that no placement of the problem has E_max below a value. Errors are those of
// certificate.Make and of the formula.
func (c *Certificate) Make(ctx context.Context, p objective.Problem, below *big.Rat,
	silent func(name string, err error)) (*results.Certificate, error) {
	if err := c.Supports(p); err != nil {
		return nil, err
	}
	if c.Format == FormatVeriPB {
		return nil, c.translate(ctx, p, below, certificate.Order{Silent: silent})
	}
	question := Formula{Problem: p, Below: below, Format: "dimacs", BreakSymmetry: c.BreakSymmetry}
	clauses, err := question.Clauses(ctx)
	if err != nil {
		return nil, err
	}
	return c.make(ctx, below, clauses, silent)
}

// MakeList writes the certificate, in LRAT, that only the listed placements, and their images under the group of the
// problem, have E_max at most a value. Errors are those of RestOf and of Make.
func (c *Certificate) MakeList(ctx context.Context, p objective.Problem, value *big.Rat, listed []core.Placement,
	silent func(name string, err error)) (*results.Certificate, error) {
	if c.Format == FormatVeriPB {
		return nil, core.Invalid(FormatVeriPB, "a list of all optima has no translation")
	}
	if c.BreakSymmetry {
		return nil, core.Invalid("--break-symmetry", "a list of all optima is of the formula that does "+
			"not break symmetry")
	}
	rest, err := RestOf(ctx, p, value, listed)
	if err != nil {
		return nil, err
	}
	made, err := c.make(ctx, value, rest, silent)
	if err != nil {
		return nil, err
	}
	labelled := int64(rest.Labelled)
	made.Kind, made.Labelled = results.CertificateList, &labelled
	return made, nil
}

// translate has an engine write steps below a value, into a file of the folder, and once the kernel accepts them makes
// the files in VeriPB's format. Errors are those of wanted.steps, pseudo.Read and certificate.Make.
func (c *Certificate) translate(ctx context.Context, p objective.Problem, below *big.Rat,
	order certificate.Order) error {
	name := filepath.Join(c.Folder, StepsName)
	made, _, err := wanted{Problem: p, value: below, engine: c.Engine, file: name}.write(ctx)
	if err != nil {
		return err
	}
	stream, err := os.Open(name)
	if err != nil {
		return err
	}
	defer stream.Close()
	proof, err := pseudo.Read(p, below, stream)
	if err != nil {
		return err
	}
	c.Engine = made.Engine
	title := fmt.Sprintf("leeway prove %s --below %s --certificate DIR --format veripb", p, below.RatString())
	order.Write = func(w io.Writer) error {
		return proof.WriteFormula(stopper{ctx, w}, append([]string{title}, dimacs.Names(p.Torus(), "x")...))
	}
	order.Sums = func(w io.Writer) error { return proof.Write(stopper{ctx, w}) }
	_, err = c.files(ctx, order)
	return err
}

// files makes the files of a certificate, and tells of them.
func (c *Certificate) files(ctx context.Context, order certificate.Order) (certificate.Files, error) {
	order.Folder, order.Refute, order.Checkers = c.Folder, c.Refute, c.Checkers
	files, err := certificate.Make(ctx, order)
	if err == nil && c.Made != nil {
		c.Made(files)
	}
	return files, err
}

// make makes the files of a certificate about a value.
func (c *Certificate) make(ctx context.Context, value *big.Rat, clauses *Clauses,
	silent func(name string, err error)) (*results.Certificate, error) {
	files, err := c.files(ctx, certificate.Order{Formula: clauses, Write: clauses.WriteFile, Silent: silent})
	if err != nil {
		return nil, err
	}
	return &results.Certificate{Formula: files.Formula, FormulaSHA256: files.FormulaSHA256, Proof: files.Proof,
		ProofSHA256: files.ProofSHA256, Format: sat.FormatLRAT, Folder: c.Inside, Below: value.RatString(),
		Symmetry: c.BreakSymmetry, Engine: c.Engine, VerifiedBy: files.By}, nil
}

// Show makes the certificate that the listed placements are all of a value, if there are any, else that there is none
// below it. Remarked is what keeps a checker from telling, and an end of the context before the proof is there: then
// there is no certificate and no error. Errors are those of MakeList and Make.
func (c *Certificate) Show(ctx context.Context, p objective.Problem, value *big.Rat, listed []core.Placement,
	remark func(format string, args ...any)) (made *results.Certificate, err error) {
	silent := func(name string, err error) { remark("%s: %s could not check the proof: %v", p, name, err) }
	if listed != nil {
		made, err = c.MakeList(ctx, p, value, listed, silent)
	} else {
		made, err = c.Make(ctx, p, value, silent)
	}
	if err != nil && ctx.Err() != nil {
		remark("%s: no certificate: the time ended, or the command was stopped, before the proof was finished", p)
		return nil, nil
	}
	return made, err
}

// A Proved is what an optimal record proves.
type Proved struct {
	Problem   objective.Problem
	Value     *big.Rat
	Placement core.Placement
	Listed    []core.Placement // all optimal placements, one of each orbit; nil if the record does not say
}

// ReadProved returns what a record proves. The error is a *results.ReadError or a *core.InputError: the record cannot
// be read, its placement does not have its value, or that is not proved to be the smallest, then with the value nil.
func ReadProved(r results.Record) (proved Proved, err error) {
	if proved.Problem, err = compose.ProblemOf(r); err != nil {
		return proved, err
	}
	if _, proved.Placement, err = compose.Instance(r); err != nil {
		return proved, err
	}
	if r.Status != results.StatusOptimal {
		return proved, &results.ReadError{Problem: "E_max " + r.MaxLoad + " is " + r.Status +
			", not proved to be the smallest"}
	}
	if proved.Value, err = results.ParseFraction(r.MaxLoad); err != nil {
		return proved, err
	}
	if value, _ := fast.Evaluate(proved.Problem, proved.Placement).Max(); value.Cmp(proved.Value) != 0 {
		return proved, &results.ReadError{Problem: "its placement has E_max " + value.RatString() + ", not " + r.MaxLoad}
	}
	_, proved.Listed, err = compose.ListedOptima(r)
	return proved, err
}

// certify makes the certificate of a record that is optimal. What is not proved, and what does not finish in time, has
// none: that is remarked.
func (r *run) certify(ctx context.Context, record results.Record) (*results.Certificate, error) {
	if record.Status != results.StatusOptimal {
		r.remark("%s: no certificate: E_max %s is not proved to be the smallest", r.Problem, record.MaxLoad)
		return nil, nil
	}
	below, err := results.ParseFraction(record.MaxLoad)
	if err != nil {
		return nil, err
	}
	_, listed, err := compose.ListedOptima(record)
	if err != nil {
		return nil, err
	}
	r.Proof.Certificate.UseSteps(record.Proof)
	return r.certificate(ctx, below, listed)
}

// certificate makes the certificate of the problem: that the listed placements are all, if there are any, else that
// there is none below the value.
func (r *run) certificate(ctx context.Context, value *big.Rat, listed []core.Placement) (*results.Certificate, error) {
	made, err := r.Proof.Certificate.Show(ctx, r.Problem, value, listed, r.remark)
	if errors.Is(err, lrat.ErrSatisfiable) {
		return nil, fmt.Errorf("%s: the formula for E_max below %s can be satisfied, against the proof", r.Problem,
			value.RatString())
	}
	return made, err
}
