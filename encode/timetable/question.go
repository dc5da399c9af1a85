package timetable

import "fmt"

// A Question asks for a complete exchange among the participants of a network in a
// number of steps: in a step a node sends one block to a neighbour and receives one
// block, at most. Any node may pass blocks on.
type Question struct {
	Neighbours   [][]int // by node: where it can send to, each once
	Participants []int   // nodes that exchange, ascending; nil: all
	Steps        int
}

// Limits of a question, far beyond what a solver can answer: distances are kept for
// all pairs of nodes.
const (
	maxNodes = 1 << 10
	maxSteps = 1 << 12
)

// A QuestionError says why a question cannot be put as a formula.
type QuestionError struct{ Why string }

// Error gives the reason.
func (e *QuestionError) Error() string { return "no formula for the exchange: " + e.Why }

// check returns nil if the question makes sense, otherwise a *QuestionError.
func (q Question) check() error {
	fail := func(format string, args ...any) error { return &QuestionError{fmt.Sprintf(format, args...)} }
	n := len(q.Neighbours)
	if n > maxNodes || q.Steps < 0 || q.Steps > maxSteps {
		return fail("%d nodes and %d steps: the most are %d and %d", n, q.Steps, maxNodes, maxSteps)
	}
	for v, list := range q.Neighbours {
		seen := map[int]bool{v: true}
		for _, w := range list {
			if w < 0 || w >= n || seen[w] {
				return fail("node %d is no other node beside node %d, or stands twice", w, v)
			}
			seen[w] = true
		}
	}
	for i, p := range q.Participants {
		if p < 0 || p >= n || i > 0 && q.Participants[i-1] >= p {
			return fail("participants are nodes in ascending order")
		}
	}
	return nil
}

// participants returns the nodes that exchange.
func (q Question) participants() []int {
	if q.Participants != nil {
		return q.Participants
	}
	all := make([]int, len(q.Neighbours))
	for v := range all {
		all[v] = v
	}
	return all
}

// unreachable is more than any distance.
const unreachable = 1 << 20

// distances returns the steps from every node to every other.
func (q Question) distances() [][]int {
	rows := make([][]int, len(q.Neighbours))
	for from := range rows {
		row := make([]int, len(q.Neighbours))
		for v := range row {
			row[v] = unreachable
		}
		row[from] = 0
		for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
			for _, w := range q.Neighbours[queue[0]] {
				if row[w] == unreachable {
					row[w] = row[queue[0]] + 1
					queue = append(queue, w)
				}
			}
		}
		rows[from] = row
	}
	return rows
}
