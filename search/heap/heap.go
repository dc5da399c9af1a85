// Package heap keeps numbers of variables in an order that changes while a solver works.
package heap

// A Heap is a binary heap of different numbers from 0 on. Its zero value is of no use; New makes one.
type Heap struct {
	precedes func(a, b int32) bool
	list     []int32
	place    []int32 // by number: one more than its place in the list, 0 outside
}

// New returns a heap without numbers, for those below count. The function says whether a stands before b; where it
// changes its mind in favour of a number in the heap, Raised must be called, and it may not in favour of the others.
func New(count int, precedes func(a, b int32) bool) Heap {
	return Heap{precedes: precedes, place: make([]int32, count)}
}

// Push takes a number in, unless it is there.
func (h *Heap) Push(i int32) {
	if h.place[i] == 0 {
		h.list = append(h.list, i)
		h.up(len(h.list)-1, i)
	}
}

// Pop takes out the first number, false if the heap is empty.
func (h *Heap) Pop() (first int32, ok bool) {
	end := len(h.list) - 1
	if end < 0 {
		return 0, false
	}
	first, last := h.list[0], h.list[end]
	h.list, h.place[first] = h.list[:end], 0
	if end > 0 {
		h.down(last)
	}
	return first, true
}

// Raised says that a number stands before more of the others than it did.
func (h *Heap) Raised(i int32) {
	if at := h.place[i]; at > 0 {
		h.up(int(at)-1, i)
	}
}

func (h *Heap) put(at int, i int32) { h.list[at], h.place[i] = i, int32(at+1) }

// up puts a number at a place or nearer to the top.
func (h *Heap) up(at int, i int32) {
	for ; at > 0 && h.precedes(i, h.list[(at-1)/2]); at = (at - 1) / 2 {
		h.put(at, h.list[(at-1)/2])
	}
	h.put(at, i)
}

// down puts a number at the top or farther from it.
func (h *Heap) down(i int32) {
	at := 0
	for next := 1; next < len(h.list); next = 2*at + 1 {
		if next+1 < len(h.list) && h.precedes(h.list[next+1], h.list[next]) {
			next++
		}
		if !h.precedes(h.list[next], i) {
			break
		}
		h.put(at, h.list[next])
		at = next
	}
	h.put(at, i)
}
