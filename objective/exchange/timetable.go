package exchange

// A Move is a send of one block to a neighbour.
type Move struct {
	From, To int
	Block    Block
}

// WithSteps returns the plan with other steps for the same question, given as moves
// between neighbours; anything else is a caller's bug and panics.
func (p *StepPlan) WithSteps(name string, moves [][]Move) *StepPlan {
	n := p.Schedule.Network
	steps := make([][]hop, len(moves))
	for t, list := range moves {
		for _, m := range list {
			steps[t] = append(steps[t], hopOver(n.steps(m.From), m.From, m.To, m.Block))
		}
	}
	s := p.Schedule
	s.Name, s.Phases = name, listRun(n.nodes, steps).phases
	return newStepPlan(s, len(steps), p.Bounds)
}
