package assign

import (
	"cmp"
	"context"
	"math/big"
	"slices"

	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
)

// Prove goes through all assignments, task by task, and leaves a branch where a link has the E_max of the best one
// already: what is sent later only adds to it. From is an assignment to begin with. It returns a best assignment, and
// whether the search came to its end before the context; visited is how many partial assignments it looked at. Where
// translations preserve the paths and no node is fixed or forbidden, the first task is on node 0. Errors are those of
// Search.
func Prove(ctx context.Context, p objective.Problem, from objective.Assignment) (r Result, proved bool, err error) {
	if err := p.CheckRoom(); err != nil {
		return r, false, err
	}
	table, err := fast.NewAssigned(p)
	if err != nil {
		return r, false, err
	}
	c := &counter{problem: p, table: table, partners: partners(p.Traffic.Matrix), best: slices.Clone(from), ctx: ctx,
		at: make(objective.Assignment, len(from)), on: make([]int, p.Torus().N()), loads: make([]int64, p.Torus().M())}
	for _, v := range table.Units(from) {
		c.value = max(c.value, v)
	}
	weight := make([]int64, len(from))
	for i, all := range c.partners {
		c.at[i] = -1
		for _, e := range all {
			weight[i] += e.out + e.in
		}
	}
	c.order = make([]int, 0, len(from))
	for i := range from {
		c.order = append(c.order, i)
	}
	slices.SortStableFunc(c.order, func(a, b int) int { return cmp.Compare(weight[b], weight[a]) })
	c.place(0)
	return Result{Best: c.best, Value: new(big.Rat).SetFrac(big.NewInt(c.value), table.Den()), Evaluations: c.visited},
		!c.ended, nil
}

// A counter goes through assignments.
type counter struct {
	problem  objective.Problem
	table    *fast.Assigned
	partners [][]partner
	order    []int // tasks, as they are placed
	at       objective.Assignment
	on       []int
	loads    []int64
	best     objective.Assignment
	value    int64 // of the best
	visited  int64
	ctx      context.Context
	ended    bool
}

// place places the tasks from a number on in every way.
func (c *counter) place(number int) {
	if number == len(c.order) {
		c.best, c.value = slices.Clone(c.at), 0
		for _, v := range c.loads {
			c.value = max(c.value, v)
		}
		return
	}
	task := c.order[number]
	for _, v := range c.nodes(number, task) {
		if c.visited++; c.visited%(1<<12) == 0 && c.ctx.Err() != nil {
			c.ended = true
		}
		if c.ended || c.value == 0 {
			return
		}
		if c.on[v] == c.problem.Traffic.Room() {
			continue
		}
		c.at[task] = v
		c.on[v]++
		if c.send(task, v, 1) {
			c.place(number + 1)
		}
		c.send(task, v, -1)
		c.on[v]--
		c.at[task] = -1
	}
}

// nodes returns where a task may be.
func (c *counter) nodes(number, task int) []int {
	p := c.problem
	for _, f := range p.Pinned {
		if f.Task == task {
			return []int{f.Node}
		}
	}
	if number == 0 && p.Pinned == nil && p.Forbidden == nil && routing.Invariant(p.Routing) {
		return []int{0}
	}
	return p.Candidates()
}

// send adds what a task exchanges with those that are placed, times a sign, and reports whether all loads are below the
// best value.
func (c *counter) send(task, v int, sign int64) bool {
	within := true
	add := func(from, to int, amount int64) {
		if amount == 0 || from == to {
			return
		}
		for _, f := range c.table.Flow(from, to) {
			c.loads[f.Link] += sign * amount * int64(f.Share)
			within = within && c.loads[f.Link] < c.value
		}
	}
	for _, e := range c.partners[task] {
		if x := c.at[e.task]; x >= 0 {
			add(v, x, e.out)
			add(x, v, e.in)
		}
	}
	return within
}
