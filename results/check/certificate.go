package check

import (
	"fmt"
	"math/big"

	"leeway/objective"
	"leeway/results"
	"leeway/results/check/sat"
)

// checkCertificate goes through the files of the certificate: they must show that no placement is below lower_bound.
func (c *checker) checkCertificate() {
	switch {
	case c.record.Certificate == nil:
	case c.free != nil:
		c.fault("certificate: no formula says that every routing is tried")
	case !c.sizeOnTorus():
		c.fault("certificate: the size does not fit the torus")
	default:
		lower := c.fraction("lower_bound", c.record.LowerBound)
		if lower == nil {
			return
		}
		problem, note := c.verifier.certificate(c.problem(), c.record.Size, lower, c.record.Certificate)
		if problem != "" {
			c.fault("certificate: %s", problem)
		} else {
			c.note("%s", note)
		}
	}
}

// certificate says what is wrong with a certificate that no placement of n processors has E_max below a value, or,
// where nothing is, what it shows.
func (v *verifier) certificate(q objective.Problem, n int, below *big.Rat,
	c *results.Certificate) (problem, note string) {
	said, err := results.ParseFraction(c.Below)
	switch {
	case err != nil:
		return "below: " + err.Error(), ""
	case said.Cmp(below) != 0:
		return fmt.Sprintf("it is about values below %s, not %s", c.Below, below.RatString()), ""
	}
	p, err := objective.NewProblem(q.Routing, n)
	if err == nil {
		p, err = p.WithTraffic(q.Traffic)
	}
	if err == nil {
		p, err = p.WithNodes(v.conditions.Fixed.Nodes(), v.conditions.Forbidden.Nodes())
	}
	if err != nil {
		return err.Error(), ""
	}
	at := *c
	dir := v.folder
	if v.options.Certificate != "" {
		dir, at.Folder = v.options.Certificate, ""
	}
	if problem := sat.CertificateProblem(v.meter, dir, p, below, &at); problem != "" {
		return problem, ""
	}
	note = fmt.Sprintf("the certificate is verified: %s refutes %s, none is below %s", c.Proof, c.Formula, c.Below)
	if c.Symmetry {
		note += ", and that breaking symmetry loses no orbit is to be believed as well"
	}
	return "", note
}
