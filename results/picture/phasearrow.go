package picture

import (
	"fmt"
	"math"

	"leeway/core"
	"leeway/objective/exchange"
)

// phaseOverhang is how far an arrow around a ring goes beyond the last node, phaseAside how
// far to the right of the link.
const (
	phaseOverhang = 40
	phaseAside    = 9
)

// A point is a place in a picture.
type point struct{ x, y int }

// plus returns the place so many times a heading away.
func (a point) plus(h heading, times int) point {
	return point{a.x + h.x*times, a.y + h.y*times}
}

// from returns the step that leads from b to a.
func (a point) from(b point) heading { return heading{a.x - b.x, a.y - b.y} }

// A stretch is a part of the way of a send that the picture shows in one piece.
type stretch struct{ from, to point }

// send writes the arrow of a send: a bent line for every stretch, a head on the last, the
// blocks on the longest.
func (d *phaseDrawing) send(s exchange.Send) {
	title := fmt.Sprintf("%d -> %d: %s", s.From, s.To, blocksOf(s))
	way := d.stretches(s)
	longest := 0
	for i, part := range way {
		end := 0
		if i == len(way)-1 {
			end = phaseNode
		}
		d.bent(part, end, title)
		if part.length() > way[longest].length() {
			longest = i
		}
	}
	label := way[longest].label()
	text := blocksOf(s)
	if len(s.Blocks) != 1 {
		text = fmt.Sprintf("×%d", len(s.Blocks))
	}
	d.text(label.x, label.y+3, "value mid", text)
}

// stretches returns the way of a send. Where the file does not say a way that leads to the
// receiver, it is one stretch.
func (d *phaseDrawing) stretches(s exchange.Send) []stretch {
	var list []stretch
	at := int(s.From)
	for _, leg := range d.legs(s) {
		axis, links := int(leg.Axis), int(leg.Links)
		if axis < 0 || axis >= len(d.Head.Axes) || links == 0 {
			return d.direct(s)
		}
		side, c := d.Head.Axes[axis].Nodes, d.coordinate(at, axis)
		sign, end := 1, side-1
		if links < 0 {
			sign, end = -1, 0
		}
		to := c + links
		if to < -side || to >= 2*side {
			return d.direct(s)
		}
		start := d.at(at)
		if to < 0 || to >= side {
			way, stride := d.heading(axis), d.stride(axis)
			if sign < 0 {
				way = way.reverse()
			}
			last, first := d.at(at+(end-c)*stride).plus(way.starboard(), phaseAside),
				d.at(at+(side-1-end-c)*stride).plus(way.starboard(), phaseAside)
			list = append(list, stretch{start, last.plus(way, phaseOverhang)})
			start, to = first.plus(way, -phaseOverhang), to-sign*side
		}
		at += (to - c) * d.stride(axis)
		list = append(list, stretch{start, d.at(at)})
	}
	if len(list) == 0 || at != int(s.To) {
		return d.direct(s)
	}
	return list
}

// direct returns the way of a send as one stretch.
func (d *phaseDrawing) direct(s exchange.Send) []stretch {
	return []stretch{{d.at(int(s.From)), d.at(int(s.To))}}
}

// legs returns the straight parts of a send around rings, nil if it has none. Where the
// file says no direction, the way is the shorter.
func (d *phaseDrawing) legs(s exchange.Send) []exchange.Leg {
	if s.Path != nil {
		return s.Path
	}
	axis := s.Axis
	if axis < 0 {
		axis = d.axisOf(int(s.From), int(s.To))
	}
	if axis < 0 || axis >= len(d.Head.Axes) || d.Head.Axes[axis].Kind != exchange.Ring || d.Head.Axes[axis].Nodes == 2 {
		return nil
	}
	side := d.Head.Axes[axis].Nodes
	links := (d.coordinate(int(s.To), axis) - d.coordinate(int(s.From), axis) + side) % side
	if s.Dir == core.Minus || s.Dir == 0 && 2*links > side {
		links -= side
	}
	return []exchange.Leg{{Axis: int32(axis), Links: int32(links)}}
}

// axisOf returns the axis along which two nodes differ, -1 if there are more or none.
func (d *phaseDrawing) axisOf(a, b int) int {
	found := -1
	for axis := range d.Head.Axes {
		if d.coordinate(a, axis) != d.coordinate(b, axis) {
			if found >= 0 {
				return -1
			}
			found = axis
		}
	}
	return found
}

// stride returns the difference of the numbers of neighbours along an axis.
func (d *phaseDrawing) stride(axis int) int {
	stride := 1
	for _, a := range d.Head.Axes[axis+1:] {
		stride *= a.Nodes
	}
	return stride
}

func (d *phaseDrawing) coordinate(node, axis int) int {
	return node / d.stride(axis) % d.Head.Axes[axis].Nodes
}

// heading returns where an axis leads in the picture.
func (d *phaseDrawing) heading(axis int) heading {
	if axis == len(d.Head.Axes)-1 {
		return rightwards
	}
	return downwards
}

func (s stretch) length() float64 {
	return math.Hypot(float64(s.to.x-s.from.x), float64(s.to.y-s.from.y))
}

func (s stretch) middle() point { return point{(s.from.x + s.to.x) / 2, (s.from.y + s.to.y) / 2} }

// label returns where the text of a stretch stands: on its bend, or at the end of one that
// leaves at once.
func (s stretch) label() point {
	if s.short() {
		return s.to
	}
	at, control := s.middle(), s.control()
	return point{(at.x + control.x) / 2, (at.y + control.y) / 2}
}

// short reports whether a stretch only joins a node and the border beside it.
func (s stretch) short() bool { return s.length() < phaseOverhang+phaseAside }

// control returns the point towards which a stretch is bent: to the right of its way, so
// that both directions can be told apart, and the farther the longer it is.
func (s stretch) control() point {
	middle := s.middle()
	if s.short() {
		return middle
	}
	length := s.length()
	bend := (12 + length/8) / length
	return point{middle.x - whole(float64(s.to.y-s.from.y)*bend), middle.y + whole(float64(s.to.x-s.from.x)*bend)}
}

// bent writes a stretch that ends a distance before its end, with an arrow head if there
// is one.
func (d *phaseDrawing) bent(s stretch, short int, title string) {
	control := s.control()
	ex, ey := float64(s.to.x-control.x), float64(s.to.y-control.y)
	reach := max(math.Hypot(ex, ey), 1)
	ex, ey = ex/reach, ey/reach
	stop := s.to
	if short > 0 {
		stop = point{s.to.x - whole(ex*float64(short+9)), s.to.y - whole(ey*float64(short+9))}
	}
	d.curve("wire b7", subpath{s.from.x, s.from.y, []heading{control.from(s.from), stop.from(s.from)}}, title)
	if short > 0 {
		left := point{stop.x - whole(ey*4), stop.y + whole(ex*4)}
		right := point{stop.x + whole(ey*4), stop.y - whole(ex*4)}
		tip := point{s.to.x - whole(ex*float64(short)), s.to.y - whole(ey*float64(short))}
		d.area("b7", []subpath{{tip.x, tip.y, []heading{left.from(tip), right.from(left)}}}, title)
	}
}

func whole(v float64) int { return int(math.Round(v)) }
