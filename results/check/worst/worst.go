// Package worst checks the largest load over all permutations: it adds up the permutation on its link, and the
// potentials of all links, against what listed paths put on links. No verdict about a record rests on it.
package worst

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/linkname"
	"leeway/core/routing"
	"leeway/results"
	"leeway/results/answers"
	"leeway/results/check"
	"leeway/results/check/answer"
	"leeway/results/check/meter"
)

// Document returns the verdict about a worst case; see check.Document. Its proof are the potentials.
func Document(ctx context.Context, data []byte, o check.Options) check.Verdict {
	return answer.Judge(ctx, data, o, answers.ReadWorst, func(m *meter.Meter, d answers.Worst) (faults, notes []string) {
		c := &checker{document: d, meter: m}
		problems := []string{c.read()}
		if problems[0] == "" {
			problems = []string{c.potentials(), c.permutation()}
		}
		if c.byFlows {
			notes = []string{"the paths are too many to list, so flows of the routing were used"}
		}
		return slices.DeleteFunc(problems, func(problem string) bool { return problem == "" }), notes
	})
}

// mostListed is how many links of listed paths are gone through; beyond it flows are taken.
const mostListed = 1 << 30

type checker struct {
	document  answers.Worst
	meter     *meter.Meter
	routing   routing.Routing
	torus     *core.Torus
	placement core.Placement
	load      *big.Rat
	even      bool // translations preserve what messages put on links
	byFlows   bool
	shares    map[[2]int]map[core.Link]*big.Rat // by message, from node 0 if even: part on each link, over its bandwidth
}

// read reads the document, or says what is wrong with it.
func (c *checker) read() string {
	d := c.document
	q, p, problem := answer.Subject(c.meter, d.Subject)
	if problem != "" {
		return problem
	}
	t := p.Torus()
	c.routing, c.torus, c.placement = q.Routing, t, p
	var err error
	if c.load, err = results.ParseFraction(d.WorstLoad); err != nil || c.load.Sign() < 0 {
		return fmt.Sprintf("worst_load is %q, no fraction of at least 0", d.WorstLoad)
	}
	if c.routing.DependsOnPlacement() || q.Traffic.Clients() {
		return "permutations are of processors whose paths do not depend on the placement"
	}
	c.even = routing.Invariant(c.routing)
	c.shares = map[[2]int]map[core.Link]*big.Rat{}
	work, most := meter.PathSteps(c.routing), min(c.meter.Left()/8, mostListed)
	sum := c.meter.PairsCost(t, c.placement.Nodes(), c.placement.Nodes(), most, work)
	if c.even {
		all := core.Range(t.N())
		sum = min(sum, c.meter.PairsCost(t, all[:1], all, most, work))
	}
	if sum > most && !routing.Tabled(c.routing) {
		c.byFlows = true
	}
	return ""
}

// part returns what messages from p to q put on a link, over its bandwidth; nil is 0.
func (c *checker) part(p, q int, l core.Link) *big.Rat {
	t := c.torus
	if p == q {
		return nil
	}
	if c.even {
		from, port := t.LinkFrom(l)
		q, l = t.Displacement(p, q), t.Link(t.Displacement(p, from), port.Dim, port.Dir)
		p = 0
	}
	key := [2]int{p, q}
	if have, ok := c.shares[key]; ok {
		return have[l]
	}
	parts := map[core.Link]*big.Rat{}
	if c.byFlows {
		c.meter.Charge(20 * meter.FlowSteps(c.routing)(meter.Apart(t, p, q)))
		f := c.routing.Flow(p, q, nil)
		for _, s := range f.Shares {
			parts[s.Link] = new(big.Rat).SetFrac(s.Num, f.Den)
		}
	} else {
		total, uses := int64(0), map[core.Link]int64{}
		for path, weight := range c.meter.Paths(c.routing, p, q, nil) {
			total += weight
			for _, l := range path {
				uses[l] += weight
			}
		}
		for l, weight := range uses {
			parts[l] = big.NewRat(weight, total)
		}
	}
	for l, part := range parts {
		part.Quo(part, new(big.Rat).SetInt64(int64(t.LinkBandwidth(l))))
	}
	c.meter.ChargeAll(64, len(parts))
	c.shares[key] = parts
	return parts[l]
}

// permutation says why the permutation does not put worst_load on its link, "" if it does.
func (c *checker) permutation() string {
	sent, got := core.NewSet(c.torus.N()), core.NewSet(c.torus.N())
	sum, link := new(big.Rat), core.Link(0)
	if c.document.WorstLink != nil {
		var err error
		if link, err = c.document.WorstLink.Link(c.torus); err != nil {
			return "worst_link: " + err.Error()
		}
	} else if c.load.Sign() > 0 {
		return "worst_link is null, but worst_load is above 0"
	}
	set := c.placement.Set()
	for _, pair := range c.document.Permutation {
		from, err := c.torus.Node(pair[0]...)
		to, other := c.torus.Node(pair[1]...)
		if err != nil || other != nil || !set.Has(from) || !set.Has(to) || sent.Has(from) || got.Has(to) {
			return "permutation does not send from every processor once to every processor once"
		}
		sent.Add(from)
		got.Add(to)
		if part := c.part(from, to, link); part != nil {
			sum.Add(sum, part)
		}
	}
	if len(c.document.Permutation) != c.placement.Size() {
		return "permutation does not send from every processor once to every processor once"
	}
	if sum.Cmp(c.load) != 0 {
		return fmt.Sprintf("the permutation puts %s on worst_link, not %s", sum.RatString(), c.load.RatString())
	}
	return ""
}

// potentials says why they do not show that no permutation puts more on any link, "" if they do.
func (c *checker) potentials() string {
	t, nodes := c.torus, c.placement.Nodes()
	shown := core.NewSet(t.M())
	shifts := c.translations()
	for _, p := range c.document.Potentials {
		l, err := p.Link(t)
		if err != nil {
			return "potentials: " + err.Error()
		}
		if len(p.Sends) != len(nodes) || len(p.Receives) != len(nodes) {
			return "potentials: there is not one for each processor as sender and as receiver"
		}
		c.meter.ChargeAll(200, 1+len(nodes), 1+len(nodes))
		sum, numbers := new(big.Rat), [2][]*big.Rat{}
		for i, list := range [2][]string{p.Sends, p.Receives} {
			for _, text := range list {
				v, err := results.ParseFraction(text)
				if err != nil {
					return "potentials: " + err.Error()
				}
				numbers[i] = append(numbers[i], v)
				sum.Add(sum, v)
			}
		}
		if sum.Cmp(c.load) > 0 {
			return fmt.Sprintf("the potentials of link %s add up to %s, more than worst_load", c.nameOf(l), sum.RatString())
		}
		both := new(big.Rat)
		for i, u := range nodes {
			for j, v := range nodes {
				both.Add(numbers[0][i], numbers[1][j])
				part := c.part(u, v, l)
				if part == nil && both.Sign() < 0 || part != nil && part.Cmp(both) > 0 {
					return fmt.Sprintf("link %s carries more of what %s sends %s than their potentials", c.nameOf(l),
						core.JoinInts(t.Coords(u), ","), core.JoinInts(t.Coords(v), ","))
				}
			}
		}
		shown.Add(int(l))
		for _, x := range shifts[1:] { // 0 is the first
			from, port := t.LinkFrom(l)
			shown.Add(int(t.Link(t.Sum(from, x), port.Dim, port.Dir)))
		}
	}
	for l := range t.EachLink() {
		if !shown.Has(int(l)) {
			return fmt.Sprintf("neither link %s nor a translate of it has potentials", c.nameOf(l))
		}
	}
	return ""
}

// translations returns the nodes by which translations take the processors, and what messages put on links, to
// themselves.
func (c *checker) translations() (list []int) {
	t, set := c.torus, c.placement.Set()
	if !c.even {
		return []int{0}
	}
	c.meter.ChargeAll(8, t.N(), 1+c.placement.Size())
	for x := range t.N() {
		same := true
		for _, v := range c.placement.Nodes() {
			same = same && set.Has(t.Sum(v, x))
		}
		if same {
			list = append(list, x)
		}
	}
	return list
}

// nameOf returns a link in words.
func (c *checker) nameOf(l core.Link) string { return linkname.New(c.torus, l).Text(c.torus) }
