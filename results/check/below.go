package check

import (
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/objective"
	"leeway/results"
)

// checkBelow returns the verdict about an answer to "is E_max below a value possible": it checks the load of the
// placement of a yes, and the proof of a no.
func checkBelow(data []byte, verify *verifier) Verdict {
	var d results.Below
	var err error
	verify.meter.Foreign(ReadingSteps(data), func() { d, err = results.ReadBelow(data) })
	if err != nil {
		return Undecided(err)
	}
	v := Verdict{Verdict: Valid, ProofVerdict: Absent, Reasons: []string{}}
	problem, err := belowProblem(d, verify)
	if err != nil {
		return Undecided(err)
	}
	if problem != "" {
		v.Verdict, v.Reasons = Wrong, []string{problem}
	}
	switch {
	case d.Proof != nil && problem != "":
		v.ProofVerdict = Wrong
	case d.Proof != nil:
		v.ProofVerdict = Verified
	}
	if d.SolverClaim != nil {
		_, note := solverClaim(*d.SolverClaim, nil)
		v.Reasons = append(v.Reasons, "note: "+note)
	}
	for _, text := range verify.notes {
		v.note(text)
	}
	return v
}

// belowProblem says what is wrong with an answer, "" if nothing is. An error means that the torus is too large.
func belowProblem(d results.Below, verify *verifier) (string, error) {
	t, err := d.ReadGrid()
	if err != nil {
		return err.Error(), nil
	}
	r, err := verify.meter.ReadRouting(d.Record(), t)
	if err != nil {
		return err.Error(), nil
	}
	below, err := results.ParseFraction(d.Below)
	switch {
	case err != nil:
		return "below: " + err.Error(), nil
	case below.Sign() < 0:
		return fmt.Sprintf("below %s is below 0", d.Below), nil
	case d.Size < 1 || d.Matrix == nil && d.Size > t.N():
		return fmt.Sprintf("the size %d lies outside 1..%d", d.Size, t.N()), nil
	case (d.Status == results.StatusFeasible) != (d.Nodes != nil),
		(d.Status == results.StatusFeasible) != (d.MaxLoad != nil):
		return "a placement and its max_load belong to the status feasible, and to no other", nil
	case d.Certificate != nil && d.Status != results.StatusInfeasible:
		return "a certificate belongs to the status infeasible", nil
	case (d.Status == results.StatusInfeasible) != (d.Proof != nil):
		return "a proof belongs to the status infeasible, and to no other", nil
	}
	q, problem := Setting(objective.Problem{Routing: r, Size: d.Size}, d.Setting)
	if problem != "" {
		return problem, nil
	}
	if q.Traffic.Matrix != nil {
		return assignedProblem(verify, q, d, below), nil
	}
	verify.terms = q.Terms
	q = objective.Problem{Routing: r, Terms: objective.Terms{Traffic: q.Traffic}}
	if d.SolverClaim != nil {
		if problem, _ := solverClaim(*d.SolverClaim, nil); problem != "" {
			return problem, nil
		}
	}
	switch d.Status {
	case results.StatusUnknown:
		return "", nil
	case results.StatusFeasible:
		return feasibleProblem(verify, q, d, below)
	case results.StatusInfeasible:
		problem := verify.problem(r, d.Size, below, d.Proof)
		if problem == "" && d.Certificate != nil {
			if d.Certificate.Kind != "" || d.Certificate.Labelled != nil {
				return "certificate: it is about a list of optima", nil
			}
			var note string
			if problem, note = verify.certificate(q, d.Size, below, nil, d.Certificate); problem != "" {
				problem = "certificate: " + problem
			} else {
				verify.notes = append(verify.notes, note)
			}
		}
		return problem, nil
	}
	return fmt.Sprintf("the status %q is unknown", d.Status), nil
}

// assignedProblem is belowProblem for the tasks of a matrix.
func assignedProblem(v *verifier, q objective.Problem, d results.Below, below *big.Rat) string {
	judge := v.options.Kinds[results.ProofAssignments]
	switch {
	case d.Size != q.Traffic.Matrix.Tasks || d.SolverClaim != nil || d.Certificate != nil:
		return "the size is not the number of tasks, or there is a field that answers about tasks do not have"
	case d.Status == results.StatusUnknown:
		return ""
	case d.Status == results.StatusInfeasible && judge == nil:
		return "this checker reads no proofs about tasks"
	case d.Status == results.StatusInfeasible:
		return judge(v.meter, v.folder, q, below, d.Proof)
	case d.Status != results.StatusFeasible:
		return fmt.Sprintf("the status %q is unknown", d.Status)
	}
	at, err := d.Setting.Placement(q.Torus(), *d.Nodes)
	if err != nil {
		return err.Error()
	}
	if problem := q.Refusal(at); problem != "" {
		return problem
	}
	return loadProblem(d, v.meter.MaxLoad(q, at), below)
}

// loadProblem returns what is wrong with a yes whose placement has some E_max.
func loadProblem(d results.Below, most, below *big.Rat) string {
	switch {
	case most.RatString() != *d.MaxLoad:
		return fmt.Sprintf("max_load is %s, the placement has %s", *d.MaxLoad, most.RatString())
	case most.Cmp(below) >= 0:
		return fmt.Sprintf("the placement has E_max %s, not below %s", most.RatString(), d.Below)
	}
	return ""
}

// feasibleProblem evaluates the placement of a yes.
func feasibleProblem(v *verifier, q objective.Problem, d results.Below, below *big.Rat) (string, error) {
	p, err := core.PlacementFromCoords(q.Torus(), *d.Nodes)
	switch {
	case err != nil:
		return err.Error(), nil
	case p.Size() != d.Size:
		return fmt.Sprintf("size is %d, but there are %d nodes", d.Size, p.Size()), nil
	}
	if problem := Broken(v.terms, p); problem != "" {
		return problem, nil
	}
	most, _, err := MaxLoad(v.meter, q, p)
	if err != nil {
		return "", err
	}
	if d.SolverClaim != nil {
		if problem, _ := solverClaim(*d.SolverClaim, most); problem != "" {
			return problem, nil
		}
	}
	return loadProblem(d, most, below), nil
}
