package lns

import "leeway/objective"

// flows says what pairs of nodes exchange, and the sums of it that a lane asks for, in
// units of 1/D.
type flows struct{ *objective.PairLoads }

// around sets loads, by link, to what v exchanges with the nodes of a list.
func (f flows) around(loads []int32, v int, list []int) {
	clear(loads)
	for _, w := range list {
		f.Add(loads, v, w, 1)
	}
}

// loads returns what every link carries when a list of nodes sends.
func (f flows) loads(list []int) []int32 {
	loads := make([]int32, f.Links())
	for i, v := range list {
		for _, w := range list[:i] {
			f.Add(loads, v, w, 1)
		}
	}
	return loads
}
