package backend

import (
	"context"
	"io"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"leeway/core"
	"leeway/encode"
	"leeway/encode/dimacs"
	"leeway/encode/opb"
	"leeway/objective"
	"leeway/objective/fast"
)

// A Decision says whether there is a placement with E_max below a value.
type Decision struct {
	// Status is Satisfiable with a placement, Unsatisfiable if the solver says
	// that there is none, Unknown if the context ended or the solver gave up.
	Status    dimacs.Status
	Placement core.Placement // if satisfiable
	Value     *big.Rat       // its E_max, evaluated exactly; nil if there is none
	Proved    bool           // there is none, and the proof file says why
}

// Decide asks a solver, a path or the name of a program on PATH, whether some placement of the problem has E_max below
// a value. The formula breaks symmetry; it is the one that the checker builds with that flag, so a proof, in LRAT, can
// be checked. The proof file stays only if there is no such placement; without a path for it none is asked for, and
// "none" is only a claim.
//
// It fails with an *encode.UnsupportedError or a *cnf.SizeError where there is no such formula, with a *ProofError if
// clasp should prove, with a *SolverError if the solver fails or leaves no proof, and with an *encode.ModelError if its
// placement is not below the value.
func Decide(ctx context.Context, solver string, p objective.Problem, below *big.Rat, proof string) (Decision, error) {
	var answer dimacs.Answer
	var model decoder
	var err error
	if filepath.Base(solver) == Clasp {
		if proof != "" {
			return Decision{}, &ProofError{Solver: solver}
		}
		answer, model, err = askLinear(ctx, solver, p, below)
	} else {
		answer, model, err = askClauses(ctx, solver, p, below, proof)
	}
	if err != nil {
		return Decision{}, err
	}
	d := Decision{Status: answer.Status, Proved: answer.Status == dimacs.Unsatisfiable && proof != ""}
	if answer.Status != dimacs.Satisfiable {
		return d, nil
	}
	if d.Placement, err = model.Decode(answer.Value); err != nil {
		return Decision{}, err
	}
	if d.Value, _ = fast.Evaluate(p, d.Placement).Max(); d.Value.Cmp(below) >= 0 {
		return Decision{}, &encode.ModelError{Problem: p.String(),
			Why: "the solver's placement has E_max " + d.Value.RatString() + ", not below " + below.RatString()}
	}
	return d, nil
}

// A decoder turns what a solver gave the variables into a placement.
type decoder interface {
	Decode(value func(variable int) bool) (core.Placement, error)
}

func askClauses(ctx context.Context, solver string, p objective.Problem, below *big.Rat,
	proof string) (dimacs.Answer, decoder, error) {
	model, err := encode.NewModel(ctx, p, encode.Options{BreakSymmetry: true})
	if err != nil {
		return dimacs.Answer{}, nil, err
	}
	formula, err := model.Formula(ctx, dimacs.Limit(p, below))
	if err != nil {
		return dimacs.Answer{}, nil, err
	}
	answer, err := SolveTo(ctx, solver, formula, proof)
	return answer, model, err
}

// askLinear puts the linear constraints to clasp.
func askLinear(ctx context.Context, solver string, p objective.Problem,
	below *big.Rat) (dimacs.Answer, decoder, error) {
	model, err := opb.New(ctx, p, below, opb.Options{BreakSymmetry: true})
	if err != nil {
		return dimacs.Answer{}, nil, err
	}
	folder, err := os.MkdirTemp("", "leeway-solve-")
	if err != nil {
		return dimacs.Answer{}, nil, err
	}
	defer os.RemoveAll(folder)
	input := filepath.Join(folder, "question.opb")
	if err := writeFile(input, func(w io.Writer) error { return opb.Write(w, nil, model) }); err != nil {
		return dimacs.Answer{}, nil, err
	}
	answer, err := run(ctx, folder, solver, []string{"--verbose=0", input}, func(output io.Reader) (dimacs.Answer, error) {
		return opb.ReadAnswer(output, model)
	})
	return answer, model, err
}

// The names of solvers.
const (
	CaDiCaL = "cadical" // writes proofs in LRAT from version 1.7.0 on
	Clasp   = "clasp"   // takes linear constraints and leaves no proof
)

// Names lists the solvers that Decide can run, the preferred one first.
func Names() []string { return []string{CaDiCaL, Clasp} }

// proving are the options before the formula and the file for its proof.
var proving = []string{"-q", "--no-binary", "--lrat"}

// Prover returns the path of a solver, a path or the name of a program on PATH, that writes proofs in LRAT: it is asked
// about a formula with an empty clause. It fails with an *AbsentError or a *ProofError.
func Prover(solver string) (string, error) {
	path, err := Find(solver)
	if err != nil {
		return "", err
	}
	probe := exec.Command(path, proving...)
	probe.Stdin = strings.NewReader("p cnf 1 1\n0\n")
	if probe.Run(); probe.ProcessState == nil || exits[probe.ProcessState.ExitCode()] != dimacs.Unsatisfiable {
		return "", &ProofError{Solver: solver}
	}
	return path, nil
}

// Find returns the path of a solver on PATH. A name with a slash is a path. It fails with an *AbsentError.
func Find(solver string) (string, error) {
	path, err := exec.LookPath(solver)
	if err != nil {
		return "", &AbsentError{Solver: solver}
	}
	return path, nil
}
