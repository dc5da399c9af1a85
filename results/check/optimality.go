package check

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"leeway/core"
	"leeway/core/symmetry"
	"leeway/results"
	"leeway/results/check/meter"
)

// checkOptimality checks lower bound, proof and status: what the record says about all placements of its size.
func (c *checker) checkOptimality() error {
	c.checkProof()
	status, verified := c.record.Status, c.proof == Verified
	switch {
	case status == results.StatusOptimal && c.record.Proof == nil:
		c.fault("status is optimal without a proof")
	case status == results.StatusOptimal && !verified:
		c.fault("status is optimal, but the proof is not verified")
	case status == results.StatusFeasible && c.record.Proof != nil:
		c.fault("there is a proof, but status is feasible")
	}
	lower := c.fraction("lower_bound", c.record.LowerBound)
	if lower == nil || c.maxLoad == nil {
		return nil
	}
	switch {
	case lower.Cmp(c.maxLoad) > 0:
		c.fault("lower_bound %s is above max_load %s", c.record.LowerBound, c.record.MaxLoad)
	case status == results.StatusOptimal && lower.Cmp(c.maxLoad) < 0:
		c.fault("status is optimal, but lower_bound %s is below max_load %s", c.record.LowerBound, c.record.MaxLoad)
	case c.record.BoundProof != nil:
		c.checkBoundProof(lower)
	case c.record.Proof == nil:
		c.checkLowerBound(lower)
	}
	return nil
}

// checkBoundProof verifies the proof of a lower bound.
func (c *checker) checkBoundProof(lower *big.Rat) {
	if !c.sizeOnTorus() {
		return
	}
	if problem := c.verifier.problem(c.routing, c.record.Size, lower, c.record.BoundProof); problem != "" {
		c.fault("bound_proof: %s", problem)
	}
}

// checkLowerBound verifies a bound that comes without a proof: by a closed form, or by steps that an engine writes.
func (c *checker) checkLowerBound(lower *big.Rat) {
	if lower.Sign() == 0 || !c.sizeOnTorus() {
		return
	}
	if problem := c.verifier.unshown(c.problem(), c.record.Size, lower, c.record.BoundReason); problem != "" {
		c.fault("lower_bound %s is not justified: %s", c.record.LowerBound, problem)
	}
}

// sizeOnTorus reports whether the size is one that a placement can have.
func (c *checker) sizeOnTorus() bool {
	return c.record.Size >= 0 && c.record.Size <= c.torus.N() && c.torus.M() <= meter.MaxLinks
}

// checkOptima checks a list of all optimal placements: each is one, no two lie in one orbit under the group that
// preserves E_max, the orbits add up to the labelled count, and a count of this package finds as many orbits. Where
// only the two counts stand, both are counted again.
func (c *checker) checkOptima() {
	r := c.record
	if r.Optima == nil && r.Orbits == nil && r.Labelled == nil && r.OptimaOrbits == nil {
		return
	}
	switch {
	case r.Orbits == nil || r.Labelled == nil:
		c.fault("orbits and labelled_count belong together, and optima to them")
	case c.proof != Verified:
		c.fault("optima are listed, but it is not verified that they are optimal")
	case r.OptimaOrbits != nil && *r.Orbits != len(r.OptimaOrbits):
		c.fault("orbits is %d, but optima_orbits has %d", *r.Orbits, len(r.OptimaOrbits))
	case r.Optima != nil && *r.Orbits != len(*r.Optima):
		c.fault("orbits is %d, but %d optima are listed", *r.Orbits, len(*r.Optima))
	case c.terms.Traffic.Clients():
		c.fault("optima of client traffic are not counted again yet")
	default:
		problem := ""
		switch {
		case r.Optima != nil:
			problem = c.optimaProblem()
		case r.OptimaOrbits != nil:
			problem = c.orbitsProblem()
		}
		if problem == "" {
			problem = c.countsProblem()
		}
		if problem != "" {
			c.fault("optima: %s", problem)
		}
	}
}

// symmetry returns the group that preserves E_max and maps fixed and forbidden nodes to themselves.
func (c *checker) symmetry() (*symmetry.Group, error) {
	group, err := c.meter.SymmetryOf(c.routing)
	if err != nil || c.terms.Fixed == nil && c.terms.Forbidden == nil {
		return group, err
	}
	c.meter.ChargeAll(4, group.Order(), c.terms.Fixed.Count()+c.terms.Forbidden.Count())
	return group.StabiliserOf(c.terms.Fixed, c.terms.Forbidden), nil
}

// countsProblem says what is wrong with the counts, "" if nothing is.
func (c *checker) countsProblem() string {
	defer c.meter.Must()
	count, err := c.count()
	switch {
	case err != nil:
		return err.Error()
	case count.orbits != int64(*c.record.Orbits):
		return fmt.Sprintf("%d orbits are counted here, the record says %d", count.orbits, *c.record.Orbits)
	case !count.placements.IsInt64() || count.placements.Int64() != *c.record.Labelled:
		return fmt.Sprintf("the orbits hold %s placements, not %d", count.placements, *c.record.Labelled)
	}
	return ""
}

// A tally is how many orbits there are, and how many placements these hold.
type tally struct {
	orbits     int64
	placements *big.Int
}

// count counts the optima: those that steps list, with their images. Where the proof lists none, an engine has to.
func (c *checker) count() (total tally, err error) {
	if c.placed == nil {
		listed, problem := c.verifier.listed(c.problem(), c.record.Size, c.maxLoad)
		if problem != "" {
			return total, errors.New(problem)
		}
		c.placed = listed
	}
	group, err := c.symmetry()
	if err != nil {
		return total, err
	}
	if !c.holds(group, c.placed.Elements) {
		return total, errors.New("the steps use symmetries outside the group by which orbits are counted")
	}
	seen := map[string]bool{}
	total.placements = new(big.Int)
	for _, nodes := range c.placed.Placed {
		c.meter.ChargeAll(8, group.Points(), len(nodes), len(nodes))
		form, stabilizer := group.Canonical(nodes)
		if name := fmt.Sprint(form); !seen[name] {
			seen[name] = true
			total.orbits++
			total.placements.Add(total.placements, big.NewInt(int64(group.Order()/stabilizer)))
		}
	}
	return total, nil
}

// holds reports whether a group has all of some maps of nodes.
func (c *checker) holds(group *symmetry.Group, elements [][]int) bool {
	missing := map[string]bool{}
	for _, images := range elements {
		c.meter.ChargeAll(8, len(images))
		missing[fmt.Sprint(images)] = true
	}
	for point := range group.Points() {
		for _, shift := range group.Shifts() {
			if len(missing) == 0 {
				return true
			}
			c.meter.ChargeAll(8, c.torus.N())
			delete(missing, fmt.Sprint(group.Images(point, shift)))
		}
	}
	return len(missing) == 0
}

// orbitsProblem says what is wrong with the orbits of optima that are not listed, "" if nothing is.
func (c *checker) orbitsProblem() string {
	group, err := c.symmetry()
	if err != nil {
		return err.Error()
	}
	sum := int64(0)
	for i, o := range c.record.OptimaOrbits {
		order := int64(group.Order())
		if o.Size < 1 || o.Size > order || o.Stabiliser != order/o.Size || order%o.Size != 0 {
			return fmt.Sprintf("optima_orbits: %d: size times stabiliser is not %d, the order of the group", i+1, order)
		}
		sum += o.Size
	}
	if sum != *c.record.Labelled {
		return fmt.Sprintf("optima_orbits holds %d placements, not %d", sum, *c.record.Labelled)
	}
	c.note("optima_orbits is checked in sum only: optima are not listed")
	return ""
}

// optimaProblem says what is wrong with the list, "" if nothing is.
func (c *checker) optimaProblem() string {
	group, err := c.symmetry()
	if err != nil {
		return err.Error()
	}
	labelled, forms := int64(0), map[string]bool{}
	for i, coords := range *c.record.Optima {
		p, err := core.PlacementFromCoords(c.torus, coords)
		if err != nil {
			return err.Error()
		}
		if p.Size() != c.record.Size {
			return fmt.Sprintf("%s has %d processors", core.JoinNodes(coords), p.Size())
		}
		if problem := broken(c.terms, p); problem != "" {
			return fmt.Sprintf("%v: %s", coords, problem)
		}
		most, _, err := MaxLoad(c.meter, c.problem(), p)
		if err != nil {
			return err.Error()
		}
		if most.Cmp(c.maxLoad) != 0 {
			return fmt.Sprintf("%s has E_max %s", core.JoinNodes(coords), most.RatString())
		}
		c.meter.ChargeAll(8, group.Points(), p.Size(), p.Size())
		form, stabilizer := group.Canonical(p.Nodes())
		if forms[fmt.Sprint(form)] {
			return fmt.Sprintf("%s lies in the orbit of another", core.JoinNodes(coords))
		}
		forms[fmt.Sprint(form)] = true
		orbit := results.Orbit{Size: int64(group.Order() / stabilizer), Stabiliser: int64(stabilizer)}
		if said := c.record.OptimaOrbits; said != nil && said[i] != orbit {
			return fmt.Sprintf("optima_orbits: the orbit of %s has %d placements, and %d symmetries fix it, not %d and %d",
				core.JoinNodes(coords), orbit.Size, orbit.Stabiliser, said[i].Size, said[i].Stabiliser)
		}
		labelled += orbit.Size
	}
	if labelled != *c.record.Labelled {
		return fmt.Sprintf("the orbits hold %d placements, not %d", labelled, *c.record.Labelled)
	}
	if own, _ := group.Canonical(c.placement.Nodes()); !forms[fmt.Sprint(own)] {
		return "the placement of the record is none of them"
	}
	return ""
}

// A loadLimit is what a placement of some size may have.
type loadLimit struct {
	value        *big.Rat
	perProcessor bool
}

// readLimit reads "5/2", or "1/8n" for an eighth of the number of processors.
func readLimit(text string) (l loadLimit, err error) {
	text, l.perProcessor = strings.CutSuffix(text, "n")
	l.value, err = results.ParseFraction(text)
	return l, err
}

// at returns the limit for n processors.
func (l loadLimit) at(n int) *big.Rat {
	if !l.perProcessor {
		return l.value
	}
	return new(big.Rat).Mul(l.value, big.NewRat(int64(n), 1))
}

// checkUpper checks that the placement keeps to the load limit that it was looked for within, and that no larger one
// can.
func (c *checker) checkUpper() {
	r := c.record
	switch {
	case r.LoadLimit == nil && r.UpperBound == nil && r.UpperProofs == nil:
		return
	case r.LoadLimit == nil || r.UpperBound == nil:
		c.fault("load_limit and upper_bound belong together")
		return
	case c.free != nil && r.UpperProofs != nil:
		c.fault("upper_proofs are about a given routing only")
		return
	case c.terms.Near.Asked():
		c.fault("load_limit and a radius or a distance do not go together")
		return
	case *r.UpperBound < r.Size || *r.UpperBound > c.torus.N():
		c.fault("upper_bound %d lies outside %d..%d", *r.UpperBound, r.Size, c.torus.N())
		return
	}
	limit, err := readLimit(*r.LoadLimit)
	switch {
	case err != nil:
		c.fault("load_limit %q: %v", *r.LoadLimit, err)
		return
	case limit.value.Sign() < 0:
		c.fault("load_limit %s is below 0", *r.LoadLimit)
		return
	case c.maxLoad != nil && c.maxLoad.Cmp(limit.at(r.Size)) > 0:
		c.fault("max_load %s is above load_limit %s", r.MaxLoad, *r.LoadLimit)
	}
	c.checkExcluded(limit, *r.UpperBound)
}

// checkExcluded checks that proofs exclude every size above upper: those of the record, else closed forms and steps
// that an engine writes.
func (c *checker) checkExcluded(limit loadLimit, upper int) {
	n := c.torus.N() - c.terms.Forbidden.Count()
	proved, need, all := c.provedBelow(), new(big.Rat), !c.routing.DependsOnPlacement()
	raise := func(v *big.Rat) {
		if v != nil && v.Cmp(need) > 0 {
			need = v
		}
	}
	for of, v := range proved {
		if all && of <= upper { // fewer processors say nothing about more, if paths depend on them
			raise(v)
		}
	}
	for size := upper + 1; size <= n; size++ {
		if !all {
			need = new(big.Rat)
		}
		raise(proved[size])
		if need.Cmp(limit.at(size)) <= 0 {
			above := new(big.Rat).Add(limit.at(size), big.NewRat(1, 1<<40)) // no load lies between
			if problem := c.verifier.unshown(c.problem(), size, above, ""); problem != "" {
				c.fault("upper_bound %d is not justified: %d processors within %s: %s", upper, size,
					limit.at(size).RatString(), problem)
				return
			}
			raise(above)
		}
		if all && need.Cmp(limit.at(n)) > 0 {
			return
		}
	}
}

// provedBelow verifies the proofs about larger sizes and returns by size the value that no placement is below.
func (c *checker) provedBelow() map[int]*big.Rat {
	proved := map[int]*big.Rat{}
	for i := range c.record.UpperProofs {
		p := &c.record.UpperProofs[i]
		below, err := results.ParseFraction(p.Below)
		switch {
		case err != nil:
			c.fault("upper proof %d: below: %v", i+1, err)
			continue
		case p.Kind != results.ProofMonotone || p.Size == nil:
			c.fault("upper proof %d is of no size", i+1)
			continue
		}
		if problem := c.verifier.problem(c.routing, *p.Size, below, p); problem != "" {
			c.fault("upper proof %d, of size %d: %s", i+1, *p.Size, problem)
			continue
		}
		if have := proved[*p.Size]; have == nil || below.Cmp(have) > 0 {
			proved[*p.Size] = below
		}
	}
	return proved
}
