package compose

import (
	"leeway/core"
	"leeway/core/linkname"
	"leeway/objective"
	"leeway/objective/deadlock"
	"leeway/results/answers"
)

// NewDeadlock returns the document about a graph of dependencies, with virtual channels in their order, and those of
// datelines, nil if they are not enough.
func NewDeadlock(q objective.Problem, p core.Placement, g *deadlock.Graph,
	virtual, datelines []deadlock.Channel) answers.Deadlock {
	t := p.Torus()
	d := answers.Deadlock{Schema: answers.DeadlockSchema, Subject: SubjectOf(q, p), Datelines: deadlock.Numbers(datelines),
		VirtualChannels: max(1, deadlock.Numbers(virtual))}
	var order []core.Link
	if order, d.DeadlockFree = g.Order(); d.DeadlockFree {
		d.ChannelOrder = []linkname.Name{}
		for _, l := range order {
			d.ChannelOrder = append(d.ChannelOrder, linkname.New(t, l))
		}
		return d
	}
	for _, w := range g.Cycle() {
		d.Cycle = append(d.Cycle, answers.Dependency{Name: linkname.New(t, w.Link), Source: t.Coords(w.Source),
			Target: t.Coords(w.Target)})
	}
	for _, c := range virtual {
		d.VirtualOrder = append(d.VirtualOrder, answers.Channel{Name: linkname.New(t, c.Link), Channel: c.Number})
	}
	return d
}
