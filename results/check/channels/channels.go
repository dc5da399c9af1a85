// Package channels checks answers about deadlock: every path is listed and followed through the order of channels, or
// every dependency of the cycle is looked for among the paths of its message. No verdict about a record rests on it.
package channels

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/lowerbound"
	"leeway/results"
	"leeway/results/answers"
	"leeway/results/check"
	"leeway/results/check/answer"
	"leeway/results/check/meter"
	"leeway/results/check/witnesses"
)

// Document returns the verdict about an answer; see check.Document. Its proof are order and cycle. That a cycle is a
// shortest one, what datelines take, and that fewer virtual channels are not enough, are not checked.
func Document(ctx context.Context, data []byte, o check.Options) check.Verdict {
	return answer.Judge(ctx, data, o, answers.ReadDeadlock,
		func(m *meter.Meter, d answers.Deadlock) (faults, notes []string) {
			q, p, problem := answer.Subject(m, d.Subject)
			c := &checker{document: d, meter: m, problem: q, placement: p}
			if problem == "" {
				problem = c.witness()
			}
			if problem == "" && d.Channelled != (answers.Channelled{}) {
				problem = c.searched(d.Channelled)
			}
			if problem != "" {
				faults = []string{problem}
			}
			return faults, c.notes
		})
}

type checker struct {
	document  answers.Deadlock
	meter     *meter.Meter
	problem   objective.Problem
	placement core.Placement
	notes     []string
}

// searched says what is wrong with what a search says of its table, "" if nothing is. A bound whose witness is not
// looked at is noted.
func (c *checker) searched(d answers.Channelled) string {
	t := c.problem.Torus()
	loads, common := make([]int64, t.M()), big.NewInt(int64(t.CommonBandwidth()))
	for m := range c.problem.Messages(c.placement) {
		paths := 0
		for path := range c.meter.Paths(m.Routing, m.From, m.To, c.placement.Set()) {
			if paths++; paths > 1 || len(path) != t.LeeDistance(m.From, m.To) {
				return fmt.Sprintf("from %s to %s there is not a single shortest path", core.JoinInts(t.Coords(m.From), ","),
					core.JoinInts(t.Coords(m.To), ","))
			}
			for _, l := range path {
				loads[l] += m.Count * int64(t.LinkScale(l))
			}
		}
	}
	if d.Bound == nil {
		return "bound is missing"
	}
	value, wrong := results.ParseFraction(d.Bound.Value)
	if wrong != nil {
		return "bound: " + wrong.Error()
	}
	most := new(big.Rat).SetFrac(big.NewInt(slices.Max(append(loads, 0))), common)
	lower := objective.RoundUp(value, common)
	switch {
	case c.document.VirtualChannels > d.Channels:
		return fmt.Sprintf("the table takes %d virtual channels, more than %d", c.document.VirtualChannels, d.Channels)
	case d.MaxLoad != results.FormatFraction(most):
		return fmt.Sprintf("max_load is %s, not %s", results.FormatFraction(most), d.MaxLoad)
	case d.LowerBound != results.FormatFraction(lower):
		return fmt.Sprintf("the bound, rounded up to what a load can be, is %s, not %s", results.FormatFraction(lower),
			d.LowerBound)
	case lower.Cmp(most) > 0:
		return "lower_bound is above max_load"
	}
	q := c.problem
	q.Routing = routing.NewMinimal(t, routing.TieBoth)
	problem, known := witnesses.Problem(c.meter, q, c.placement,
		lowerbound.Bound{Name: d.Bound.Name, Value: value, Witness: d.Bound.Witness})
	if problem != "" {
		return "bound: " + problem
	}
	if !known {
		c.notes = []string{"the bound " + d.Bound.Name + " is not derived again"}
	}
	return ""
}

// witness says what is wrong with order or cycle, "" if nothing is.
func (c *checker) witness() string {
	d := c.document
	if d.DeadlockFree {
		if d.Cycle != nil || d.VirtualOrder != nil || d.VirtualChannels != 1 {
			return "without deadlock one channel for each link is enough, and there is no cycle"
		}
		order := make([]answers.Channel, len(d.ChannelOrder))
		for i, l := range d.ChannelOrder {
			order[i].Name = l
		}
		return c.follow("channel_order", order, 1)
	}
	if d.ChannelOrder != nil {
		return "channel_order belongs to answers without deadlock"
	}
	if problem := c.cycle(); problem != "" {
		return problem
	}
	return c.follow("virtual_order", d.VirtualOrder, d.VirtualChannels)
}

// follow says which path does not go by an order of channels, "" if all do: of every path each link takes its first
// channel after that of the link before.
func (c *checker) follow(field string, order []answers.Channel, most int) string {
	t := c.problem.Torus()
	places := make([][]int, t.M()) // by link, ascending
	seen := map[[2]int]bool{}
	for i, one := range order {
		l, err := one.Link(t)
		switch {
		case err != nil:
			return field + ": " + err.Error()
		case one.Channel < 0 || one.Channel >= most || seen[[2]int{int(l), one.Channel}]:
			return fmt.Sprintf("%s: channel %d of a link stands twice, or there are only %d", field, one.Channel, most)
		}
		seen[[2]int{int(l), one.Channel}] = true
		places[l] = append(places[l], i)
	}
	c.meter.ChargeAll(64, len(order))
	for m := range c.problem.Messages(c.placement) {
		for path := range c.meter.Paths(m.Routing, m.From, m.To, c.placement.Set()) {
			c.meter.ChargeAll(4, len(path))
			at := -1
			for _, l := range path {
				i := slices.IndexFunc(places[l], func(place int) bool { return place > at })
				if i < 0 {
					return fmt.Sprintf("a path from %s to %s does not go by %s", core.JoinInts(t.Coords(m.From), ","),
						core.JoinInts(t.Coords(m.To), ","), field)
				}
				at = places[l][i]
			}
		}
	}
	return ""
}

// cycle says which of its dependencies no message has, "" if all are there.
func (c *checker) cycle() string {
	t, list := c.problem.Torus(), c.document.Cycle
	if len(list) == 0 {
		return "there is neither an order of channels nor a cycle"
	}
	sent := map[[2]int][]routing.Routing{} // by source and target
	for m := range c.problem.Messages(c.placement) {
		c.meter.Charge(16)
		sent[[2]int{m.From, m.To}] = append(sent[[2]int{m.From, m.To}], m.Routing)
	}
	for i, one := range list {
		l, err := one.Link(t)
		next, other := list[(i+1)%len(list)].Link(t)
		from, wrong := t.Node(one.Source...)
		to, wrongToo := t.Node(one.Target...)
		if err != nil || other != nil || wrong != nil || wrongToo != nil {
			return fmt.Sprintf("dependency %d of the cycle names a link or a node that there is not", i+1)
		}
		found := false
		for _, r := range sent[[2]int{from, to}] {
			for path := range c.meter.Paths(r, from, to, c.placement.Set()) {
				for k := 1; k < len(path); k++ {
					found = found || path[k-1] == l && path[k] == next
				}
			}
		}
		if !found {
			return fmt.Sprintf("dependency %d of the cycle: no message from %s to %s takes these links in sequence", i+1,
				core.JoinInts(one.Source, ","), core.JoinInts(one.Target, ","))
		}
	}
	return ""
}
