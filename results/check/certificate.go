package check

import (
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
)

// checkCertificate goes through the files of the certificate: they must show that no placement is below lower_bound,
// and, of a list, that the optima of the record and their images are all that reach it.
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
		listed, problem := c.listed()
		var note string
		if problem == "" {
			problem, note = c.verifier.certificate(c.problem(), c.record.Size, lower, listed, c.record.Certificate)
		}
		if problem != "" {
			c.fault("certificate: %s", problem)
		} else {
			c.note("%s", note)
		}
	}
}

// listed returns the optima of the record, where the certificate is about these, and says what is wrong with that. That
// they are optima is looked at where their list is.
func (c *checker) listed() (all [][]int, problem string) {
	list, r := c.record.Certificate, c.record
	switch {
	case list.Kind == "" && list.Labelled == nil:
		return nil, ""
	case list.Kind != results.CertificateList || list.Labelled == nil:
		return nil, fmt.Sprintf("its kind is %q; a %s, and nothing else, has the number labelled", list.Kind,
			results.CertificateList)
	case r.Optima == nil || len(*r.Optima) == 0:
		return nil, "it is about a list of optima, and the record has none"
	case r.Status != results.StatusOptimal:
		return nil, "it is about all optima, and the record is not optimal"
	case list.Symmetry:
		return nil, "of a list the formula does not break symmetry"
	}
	for _, coords := range *r.Optima {
		p, err := core.PlacementFromCoords(c.torus, coords)
		if err != nil {
			return nil, err.Error()
		}
		if p.Size() != r.Size {
			return nil, fmt.Sprintf("%s has %d processors", core.JoinNodes(coords), p.Size())
		}
		all = append(all, p.Nodes())
	}
	return all, ""
}

// certificate says what is wrong with a certificate that no placement of n processors has E_max below a value, or, of a
// list, that none but those listed has at most the value, or, where nothing is wrong, what it shows.
func (v *verifier) certificate(q objective.Problem, n int, below *big.Rat, listed [][]int,
	c *results.Certificate) (problem, note string) {
	said, err := results.ParseFraction(c.Below)
	switch {
	case err != nil:
		return "below: " + err.Error(), ""
	case said.Cmp(below) != 0:
		return fmt.Sprintf("it is about values below %s, not %s", c.Below, below.RatString()), ""
	}
	p, err := v.question(q, n)
	if err != nil {
		return err.Error(), ""
	}
	at := *c
	dir := v.folder
	if v.options.Certificate != "" {
		dir, at.Folder = v.options.Certificate, ""
	}
	if v.options.Certified == nil {
		return "this checker reads no certificates", ""
	}
	if problem := v.options.Certified(v.meter, dir, p, below, listed, &at); problem != "" {
		return problem, ""
	}
	note = fmt.Sprintf("the certificate is verified: %s refutes %s, none is below %s", c.Proof, c.Formula, c.Below)
	if c.Kind == results.CertificateList {
		note += fmt.Sprintf(", and only the %d listed placements, images included, have that", *c.Labelled)
	}
	if c.Symmetry {
		note += ", and that breaking symmetry loses no orbit is to be believed as well"
	}
	return "", note
}

// question returns the problem of n processors under routing and traffic of another, with the conditions of the
// document that is read. It fails where a table leaves out pairs: not every placement has a load then.
func (v *verifier) question(q objective.Problem, n int) (objective.Problem, error) {
	if err := routing.Complete(q.Routing); err != nil {
		return q, err
	}
	p, err := objective.NewProblem(q.Routing, n)
	if err == nil {
		p, err = p.WithTraffic(q.Traffic)
	}
	if err == nil {
		p, err = p.WithNodes(v.terms.Fixed.Nodes(), v.terms.Forbidden.Nodes())
	}
	if err != nil {
		return p, err
	}
	return p.WithNear(v.terms.Near)
}
