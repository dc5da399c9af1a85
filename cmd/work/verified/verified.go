// Package verified fills the table of values that checkers of public proof formats accepted: for one cell after the
// other it writes the formula, has it refuted, and has the proof checked by every checker that there is.
package verified

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"leeway/cmd/work"
	"leeway/cmd/work/certificate"
	"leeway/core"
	"leeway/encode/cnf"
	"leeway/encode/lrat"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/compose"
	"leeway/results/disk"
)

// A Question is a cell with the value below which there should be no placement, and a placement that attains it; with
// Labelled, whether there are no more placements with this value than that.
type Question struct {
	texts.Key
	Below     *big.Rat
	Placement core.Placement
	Known     bool             // the placement stands in the atlas
	Labelled  int64            // optimal placements, with all images; 0 where the question is about the value only
	Optima    []core.Placement // one of each orbit; nil where the atlas has only their number
}

// A Filling says how cells are verified.
type Filling struct {
	Table    *atlas.VerifiedTable
	Budget   time.Duration // for each cell, with all that is done about it
	Refute   lrat.Refuter
	Checkers []certificate.Checker
	Symmetry bool // formulas have the rows that break symmetry
	Again    bool // also cells that are in the table
	Save     func() error
	Observe  func(atlas.Verified)
}

// Use fills in what refutes and what checks, and returns the run that begins. Errors are
// those of a solver that there is not.
func (f *Filling) Use(solver, version string) (r atlas.VerifiedRun, err error) {
	r = atlas.VerifiedRun{Started: time.Now().UTC().Format(time.RFC3339), Machine: Machine(), Cores: runtime.NumCPU()}
	f.Checkers = append([]certificate.Checker{certificate.Own(version)}, certificate.InstalledCheckers()...)
	f.Refute, r.Refuter, err = work.Refuter(solver, version, nil)
	for _, k := range f.Checkers {
		r.Checkers = append(r.Checkers, k.Checker)
	}
	return r, err
}

// A WrongError says that a cell is not what the atlas says: a bug, or a forged record.
type WrongError struct {
	Key     texts.Key
	Problem string
}

// Error names the cell and the problem.
func (e *WrongError) Error() string { return fmt.Sprintf("%s: %s", e.Key, e.Problem) }

// Questions returns the proved cells of two dimensions under odr, udr and orders that a filter picks, of least to most
// nodes, 0 for any number, smallest tori and sizes first. With lists they are the cells, in any dimension and under any
// routing, whose optima were counted and are at most results.MaxCertified, if there is a formula about them.
func Questions(view *atlas.Atlas, f atlas.Filter, least, most int, lists bool) ([]Question, error) {
	cells, _ := view.Cells(f)
	var list []Question
	for _, c := range cells {
		p, err := c.Key().Problem()
		if err != nil || c.Status != atlas.Optimal || c.Fault != "" || p.Torus().N() < least ||
			most > 0 && p.Torus().N() > most {
			continue
		}
		labelled := int64(0)
		switch {
		case !lists && !Asked(p):
			continue
		case lists:
			labelled, err = strconv.ParseInt(c.Labelled, 10, 64)
			if err != nil || labelled > results.MaxCertified || (&work.Certificate{}).Supports(p) != nil {
				continue
			}
		}
		d, ok, err := view.Detail(c.Key())
		if err != nil || !ok || d.Record == nil {
			return nil, errors.Join(err, fmt.Errorf("there is no record of %s", c.Key()))
		}
		q := Question{Key: c.Key(), Known: true, Labelled: labelled}
		if lists {
			if _, q.Optima, err = compose.ListedOptima(*d.Record); err != nil {
				return nil, err
			}
		}
		if q.Below, err = results.ParseFraction(c.MaxLoad); err != nil {
			return nil, err
		}
		if q.Placement, err = core.PlacementFromCoords(p.Torus(), d.Record.Nodes); err != nil {
			return nil, err
		}
		list = append(list, q)
	}
	Sort(list)
	return list, nil
}

// QuestionsOf returns those about the values of records in files. What is not proved is left out, and remarked.
func QuestionsOf(ctx context.Context, files []string, remark func(format string, args ...any)) (list []Question,
	err error) {
	for _, file := range files {
		r, err := disk.ReadRecordFile(ctx, file)
		if err != nil {
			return nil, err
		}
		if r.Status != results.StatusOptimal {
			remark("%s is left out: its E_max is not proved", file)
			continue
		}
		q, err := QuestionOf(r)
		if err != nil {
			return nil, results.InFile(err, file)
		}
		list = append(list, q)
	}
	return list, nil
}

// QuestionOf returns the question about the value of a record. Errors are those of work.ReadProved, and a
// *results.ReadError of a record whose problem the table is not about.
func QuestionOf(r results.Record) (Question, error) {
	proved, err := work.ReadProved(r)
	if err == nil && !Asked(proved.Problem) {
		err = &results.ReadError{Problem: "only odr, udr and orders in two dimensions are certified"}
	}
	if err != nil {
		return Question{}, err
	}
	return Question{Key: texts.KeyOf(proved.Problem), Below: proved.Value, Placement: proved.Placement}, nil
}

// Asked reports whether a problem is one that the table is about.
func Asked(p objective.Problem) bool {
	if p.Torus().D() != 2 || p.Free != nil {
		return false
	}
	family, _, _ := strings.Cut(p.RoutingText(), ":")
	return slices.Contains([]string{"odr", "udr", "orders"}, family)
}

// Sort orders questions: those with few nodes first, and of those with few processors.
func Sort(list []Question) {
	slices.SortStableFunc(list, func(a, b Question) int {
		return cmp.Or(cmp.Compare(a.Placement.Torus().N(), b.Placement.Torus().N()),
			strings.Compare(a.Torus, b.Torus), cmp.Compare(a.Size, b.Size))
	})
}

// Fill works on the questions in turn until the context ends, and saves the table after each. Cells that are verified
// with the same value, and those that were not within as much time by a proof of this format, are passed over unless
// they are wanted again. It returns how many were worked on. A cell that has a placement below its value, and one whose
// placement does not attain it, is a *WrongError; other errors are those of files and formulas.
func (f *Filling) Fill(ctx context.Context, list []Question) (done int, err error) {
	for _, q := range list {
		if f.passes(q) {
			continue
		}
		c, err := f.verify(ctx, q)
		if ctx.Err() != nil {
			return done, nil // what was begun counts for nothing
		}
		if err == nil {
			err = f.Table.Put(c)
		}
		if err == nil {
			err = f.Save()
		}
		if err != nil {
			return done, err
		}
		done++
		if f.Observe != nil {
			f.Observe(c)
		}
	}
	return done, nil
}

// passes reports whether nothing is to do about a question. Symmetry is broken after it was tried without.
func (f *Filling) passes(q Question) bool {
	c, ok := f.Table.Get(q.Key, q.Labelled > 0)
	if !ok || f.Again || c.Below != q.Below.RatString() || c.Labelled != q.Labelled {
		return false
	}
	return c.Open == "" || c.Budget >= int(f.Budget/time.Second) && (c.Symmetry || !f.Symmetry)
}

// verify does all that is to be done about a question.
func (f *Filling) verify(ctx context.Context, q Question) (atlas.Verified, error) {
	started := time.Now()
	c := atlas.Verified{Key: q.Key, Below: q.Below.RatString(), Labelled: q.Labelled, Symmetry: f.Symmetry}
	p, err := q.Problem()
	if err != nil {
		return c, err
	}
	if value, _ := p.Naive(q.Placement).Max(); value.Cmp(q.Below) != 0 || !p.Admits(q.Placement) {
		return c, &WrongError{q.Key, "its placement does not have E_max " + c.Below}
	}
	if !q.Known {
		if c.Nodes, err = atlas.PackedNodes(q.Placement); err != nil {
			return c, err
		}
	}
	limited, cancel := context.WithTimeout(ctx, f.Budget)
	defer cancel()
	err = f.prove(limited, p, q, &c)
	c.Seconds = float64(time.Since(started).Milliseconds()) / 1000
	var large *cnf.SizeError
	switch {
	case errors.Is(err, lrat.ErrSatisfiable) && q.Labelled > 0:
		return c, &WrongError{q.Key, fmt.Sprintf("other placements than its %d optima have E_max at most %s", q.Labelled,
			c.Below)}
	case errors.Is(err, lrat.ErrSatisfiable):
		return c, &WrongError{q.Key, "the formula for values below " + c.Below + " can be satisfied"}
	case errors.As(err, &large):
		c.Open, err = err.Error(), nil
	case err != nil && limited.Err() != nil:
		c.Open, err = fmt.Sprintf("no proof in LRAT within %s", f.Budget), nil
	}
	if c.Open != "" {
		c.Budget, c.By, c.Proof, c.Bytes = int(f.Budget/time.Second), nil, "", 0
	}
	return c, err
}

// prove makes formula and proof and asks the checkers.
func (f *Filling) prove(ctx context.Context, p objective.Problem, q Question, c *atlas.Verified) error {
	clauses, err := (*work.Clauses)(nil), error(nil)
	if q.Labelled > 0 {
		clauses, err = restOf(ctx, p, q)
	} else {
		question := work.Formula{Problem: p, Below: q.Below, Format: "dimacs", BreakSymmetry: f.Symmetry}
		clauses, err = question.Clauses(ctx)
	}
	if err != nil {
		return err
	}
	c.Clauses = clauses.Clauses()
	folder, done, err := disk.NewFolder(os.TempDir(), "leeway-verified.")
	if err != nil {
		return err
	}
	defer done()
	silent := "" // a checker that could not tell leaves the cell open: that is not a reason to stop before the next
	files, err := certificate.Make(ctx, certificate.Order{Folder: folder, Formula: clauses, Write: clauses.WriteFile,
		Refute: f.Refute, Checkers: f.Checkers,
		Silent: func(name string, err error) { silent = fmt.Sprintf("%s: %v", name, err) }})
	c.Formula, c.Proof, c.Bytes, c.By = files.FormulaSHA256, files.ProofSHA256, files.ProofBytes, files.By

	var refused *certificate.RefusedError
	if errors.As(err, &refused) {
		return &WrongError{c.Key, refused.Error()}
	}
	if err == nil {
		c.Open = silent
	}
	return err
}

// restOf returns the formula that other placements than the optima have the value; optima of which the atlas has only
// the number are listed anew.
func restOf(ctx context.Context, p objective.Problem, q Question) (*work.Clauses, error) {
	optima := q.Optima
	if optima == nil {
		var err error
		if optima, err = work.OptimaOf(ctx, p, q.Below); err != nil || ctx.Err() != nil {
			return nil, errors.Join(err, ctx.Err())
		}
	}
	rest, err := work.RestOf(ctx, p, q.Below, optima)
	if err == nil && int64(rest.Labelled) != q.Labelled {
		err = &WrongError{q.Key, fmt.Sprintf("its optima are %d, not %d", rest.Labelled, q.Labelled)}
	}
	return rest, err
}

// Machine returns the model of the processor, "unknown" where the system does not say.
func Machine() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.Lines(string(text)) {
			if name, model, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				return strings.TrimSpace(model)
			}
		}
	}
	return "unknown"
}
