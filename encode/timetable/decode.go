package timetable

import "fmt"

// A Move is a send of the block that From has for To between two neighbours.
type Move struct{ Sender, Receiver, From, To int }

// A ModelError says that what a solver returned is no complete exchange. It means a
// bug in the solver or in the encoding.
type ModelError struct{ Why string }

// Error names the fault.
func (e *ModelError) Error() string { return "wrong model of an exchange: " + e.Why }

// A pile is the blocks for one receiver that wait at a node.
type pile struct{ node, receiver int }

// Decode returns the moves of every step that an assignment of the variables
// describes. Of a pile the block goes on that has waited longest; a send without a
// pile is left out. It fails with a *ModelError if a block does not come to its
// receiver.
func (f *Formula) Decode(value func(variable int) bool) ([][]Move, error) {
	waiting, left := map[pile][]int{}, 0 // by pile: where its blocks are from
	for _, p := range f.procs {
		for _, d := range f.procs {
			if p != d {
				waiting[pile{p, d}] = []int{p}
				left++
			}
		}
	}
	moves := make([][]Move, f.question.Steps)
	for first := 0; first < len(f.sends); {
		step := f.sends[first].step
		for ; first < len(f.sends) && f.sends[first].step == step; first++ {
			s := f.sends[first]
			if at := (pile{s.from, s.receiver}); value(first+1) && len(waiting[at]) > 0 {
				moves[step] = append(moves[step], Move{s.from, s.to, waiting[at][0], s.receiver})
				waiting[at] = waiting[at][1:]
			}
		}
		for _, m := range moves[step] { // what is received can go on in the next step
			if m.Receiver == m.To {
				left--
			} else {
				at := pile{m.Receiver, m.To}
				waiting[at] = append(waiting[at], m.From)
			}
		}
	}
	if left > 0 {
		return nil, &ModelError{fmt.Sprintf("%d blocks do not come to their receivers", left)}
	}
	return moves, nil
}
