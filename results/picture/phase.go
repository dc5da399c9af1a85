package picture

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"leeway/core"
	"leeway/objective/exchange"
)

// A PhaseParams says which phase of a schedule of complete exchange to draw, and how. Nodes stand in rows along the
// last axis, all other axes downwards. Each shows how many blocks wait there, and an arrow for every send which it
// takes; an arrow around a ring leaves at one border and comes back at the other. Nodes and arrows have titles in SVG;
// in a terminal the sends are listed.
type PhaseParams struct {
	Title  string // any text, "" for the name of the schedule
	Head   exchange.Head
	Number int            // of the phase, from 0
	Phase  exchange.Phase // its sends
	Held   []int          // by node: blocks that wait there for another node when the phase starts
	Theme  Theme
	ASCII  bool // terminal: no characters beyond ASCII
}

// A NoPhaseError says that a schedule has no phase of a number.
type NoPhaseError struct{ Number, Phases int }

// Error names the number and how many phases there are.
func (e *NoPhaseError) Error() string {
	return fmt.Sprintf("%d: the schedule has %d phases, which count from 0", e.Number, e.Phases)
}

// PhaseAt follows a schedule up to a phase and returns what its picture shows, without title and looks. An error is
// that of the phases, a *NoPhaseError, or a *core.InputError: there are too many nodes to draw, or a send joins no two
// nodes.
func PhaseAt(head exchange.Head, phases iter.Seq2[exchange.Phase, error], number int) (PhaseParams, error) {
	held, err := heldAtStart(head)
	if err != nil {
		return PhaseParams{}, err
	}
	at := 0
	for phase, err := range phases {
		if err != nil {
			return PhaseParams{}, err
		}
		p := PhaseParams{Head: head, Number: number, Phase: phase, Held: slices.Clone(held)}
		if err := follow(held, phase); err != nil || at == number {
			return p, err
		}
		at++
	}
	return PhaseParams{}, &NoPhaseError{Number: number, Phases: at}
}

// heldAtStart returns how many blocks wait at each node for another before the first phase, an *core.InputError if
// there are too many nodes to draw.
func heldAtStart(head exchange.Head) ([]int, error) {
	nodes := 1
	for _, a := range head.Axes {
		if a.Nodes < 1 || nodes*a.Nodes > MaxNodes {
			return nil, core.Invalid(head.Name, "pictures are limited to %d nodes", MaxNodes).
				Hinted("draw a schedule of a smaller network")
		}
		nodes *= a.Nodes
	}
	demand, err := head.Blocks()
	if err != nil {
		return nil, core.Invalid(head.Name, "%v", err)
	}
	held := make([]int, nodes)
	for _, v := range demand.Nodes {
		for _, blocks := range demand.From(v) {
			held[v] += blocks
		}
	}
	return held, nil
}

// follow changes what nodes hold by the sends of a phase. A send from or to no node is an *core.InputError.
func follow(held []int, phase exchange.Phase) error {
	for i, s := range phase {
		if min(s.From, s.To) < 0 || int(max(s.From, s.To)) >= len(held) {
			return core.Invalid(fmt.Sprintf("%d -> %d", s.From, s.To), "send %d joins no two "+
				"nodes of the network", i).Hinted("leeway check names the fault")
		}
		held[s.From] -= len(s.Blocks)
		for _, b := range s.Blocks {
			if b.To != s.To {
				held[s.To]++
			}
		}
	}
	return nil
}

// columns returns how many nodes stand in a row.
func (p PhaseParams) columns() int { return p.Head.Axes[len(p.Head.Axes)-1].Nodes }

// name returns the title, or the name of the schedule.
func (p PhaseParams) name() string {
	if p.Title != "" {
		return p.Title
	}
	return fmt.Sprintf("%s, phase %d", p.Head.Name, p.Number)
}

// facts returns on what the phase runs and which it is, and its numbers.
func (p PhaseParams) facts() (network, traffic string) {
	var sides []string
	for _, a := range p.Head.Axes {
		sides = append(sides, fmt.Sprintf("%s %d", a.Kind, a.Nodes))
	}
	sides[len(sides)-1] += " (horizontal)"
	blocks, largest := 0, 0
	sending, receiving, nodes := map[int32]bool{}, map[int32]bool{}, len(p.Held)
	for _, s := range p.Phase {
		blocks, largest = blocks+len(s.Blocks), max(largest, len(s.Blocks))
		sending[s.From], receiving[s.To] = true, true
	}
	return fmt.Sprintf("%s, %s, phase %d", strings.Join(sides, " x "), p.Head.Model, p.Number),
		fmt.Sprintf("%d sends, %d blocks, largest send %d, busy ports %d of %d sending, %d of %d receiving",
			len(p.Phase), blocks, largest, len(sending), nodes, len(receiving), nodes)
}

// processors reports by node whether it exchanges.
func (p PhaseParams) processors() []bool {
	is := make([]bool, len(p.Held))
	demand, _ := p.Head.Blocks() // heldAtStart found no error
	for _, v := range demand.Nodes {
		is[v] = true
	}
	return is
}

// blocksOf returns what a send carries: the block of one, or how many.
func blocksOf(s exchange.Send) string {
	if len(s.Blocks) == 1 {
		return fmt.Sprintf("%d>%d", s.Blocks[0].From, s.Blocks[0].To)
	}
	return fmt.Sprintf("%d blocks", len(s.Blocks))
}

// Sizes of the picture of a phase.
const (
	phaseCell   = 84
	phaseNode   = 15
	phaseHead   = 100
	phaseMargin = 32 // around the nodes, where arrows leave and come back
)

// A phaseDrawing is a scene of a phase in the making.
type phaseDrawing struct {
	scene
	PhaseParams
}

func (p PhaseParams) check() error { return checkLook(p.Theme, 0) }

func (p PhaseParams) asScene() *scene {
	d := &phaseDrawing{scene: scene{theme: p.Theme}, PhaseParams: p}
	network, traffic := p.facts()
	about := []string{network, traffic,
		"Blue: processor, grey: router, each with the number of blocks that wait there for other nodes",
		"and, below, the number of the node. On an arrow its block, from>to, or how many it carries: ×3."}
	inner := d.columns() * phaseCell
	for _, line := range about {
		inner = max(inner, letter*len(line))
	}
	d.width = inner + 2*(border+phaseMargin)
	d.height = len(d.Held)/d.columns()*phaseCell + phaseHead + 2*(border+phaseMargin)
	d.scene.name, d.about = p.name(), network+": "+traffic
	d.text(border, border+16, "title", clipped(d.scene.name, (d.width-2*border)/10, "…"))
	for i, line := range about {
		class := "muted"
		if i > 1 {
			class = "muted small"
		}
		d.text(border, border+38+lineHeight*i, class, line)
	}
	d.dx, d.dy = border+phaseMargin+(inner-d.columns()*phaseCell)/2, border+phaseMargin+phaseHead
	d.grid()
	for _, s := range p.Phase {
		d.send(s)
	}
	d.nodes()
	return &d.scene
}

// nodePlace returns where a node lies.
func (d *phaseDrawing) nodePlace(v int) vec {
	return vec{v%d.columns()*phaseCell + phaseCell/2, v/d.columns()*phaseCell + phaseCell/2}
}

// grid writes the links of the last two axes, faintly, as far as they join neighbours in the picture; a ring goes on
// beyond its ends.
func (d *phaseDrawing) grid() {
	var lines []subpath
	for axis := max(0, len(d.Head.Axes)-2); axis < len(d.Head.Axes); axis++ {
		kind := d.Head.Axes[axis].Kind
		if kind != exchange.Ring && kind != exchange.Path {
			continue
		}
		last := d.Head.Axes[axis].Nodes - 1
		for v := range d.Held {
			from, way := d.nodePlace(v), d.heading(axis)
			switch c := d.coordinate(v, axis); {
			case c < last:
				lines = append(lines, subpath{from.x, from.y, []vec{way.times(phaseCell)}})
			case kind == exchange.Ring && last > 1:
				in := d.nodePlace(v - last*d.stride(axis)).plus(way.times(-phaseOverhang))
				end := []vec{way.times(phaseOverhang)}
				lines = append(lines, subpath{from.x, from.y, end}, subpath{in.x, in.y, end})
			}
		}
	}
	if len(lines) > 0 {
		d.line("grid", lines, "")
	}
}

// nodes writes the nodes with what waits there, and their numbers.
func (d *phaseDrawing) nodes() {
	processors := d.processors()
	for v, held := range d.Held {
		at := d.nodePlace(v)
		class, text := "node", "router"
		if processors[v] {
			class, text = "processor", "processor"
		}
		d.circle(class, at.x, at.y, phaseNode, fmt.Sprintf("%s %d, %d blocks wait", text, v, held))
		d.text(at.x, at.y+4, "small mid in-"+class, fmt.Sprint(held))
		d.text(at.x+phaseNode-1, at.y+phaseNode+8, "value muted", fmt.Sprint(v))
	}
}

// phaseOverhang is how far an arrow around a ring goes beyond the last node, phaseAside how far to the right of the
// link.
const (
	phaseOverhang = 40
	phaseAside    = 9
)

// A stretch is a part of the way of a send that the picture shows in one piece.
type stretch struct{ from, to vec }

// send writes the arrow of a send: a bent line for every stretch, a head on the last, the blocks on the longest.
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

// stretches returns the way of a send. Where the file does not say a way that leads to the receiver, it is one
// stretch.
func (d *phaseDrawing) stretches(s exchange.Send) []stretch {
	direct := []stretch{{d.nodePlace(int(s.From)), d.nodePlace(int(s.To))}}
	var list []stretch
	at := int(s.From)
	for _, leg := range d.legs(s) {
		axis, links := int(leg.Axis), int(leg.Links)
		if axis < 0 || axis >= len(d.Head.Axes) || links == 0 {
			return direct
		}
		side, stride, c := d.Head.Axes[axis].Nodes, d.stride(axis), d.coordinate(at, axis)
		switch to := c + links; {
		case to < -side || to >= 2*side:
			return direct
		case to >= 0 && to < side:
			list = append(list, stretch{d.nodePlace(at), d.nodePlace(at + links*stride)})
			at += links * stride
		default: // around the ring
			way, last := d.heading(axis), side-1
			if to < 0 {
				way, last = way.times(-1), 0
			}
			aside, beyond := way.right().times(phaseAside), way.times(phaseOverhang)
			start, first := d.nodePlace(at), at-c*stride // first: the node with coordinate 0
			leave, enter := d.nodePlace(first+last*stride), d.nodePlace(first+(side-1-last)*stride)
			at = first + (to+side)%side*stride
			list = append(list, stretch{start, leave.plus(aside).plus(beyond)},
				stretch{enter.plus(aside).minus(beyond), d.nodePlace(at)})
		}
	}
	if len(list) == 0 || at != int(s.To) {
		return direct
	}
	return list
}

// legs returns the straight parts of a send around rings, nil if it has none. Where the file says no direction, the
// way is the shorter.
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
func (d *phaseDrawing) heading(axis int) vec {
	if axis == len(d.Head.Axes)-1 {
		return rightwards
	}
	return downwards
}

func (s stretch) length() float64 {
	return math.Hypot(float64(s.to.x-s.from.x), float64(s.to.y-s.from.y))
}

func (s stretch) middle() vec { return vec{(s.from.x + s.to.x) / 2, (s.from.y + s.to.y) / 2} }

// label returns where the text of a stretch stands: on its bend, or at the end of one that leaves at once.
func (s stretch) label() vec {
	if s.short() {
		return s.to
	}
	at, control := s.middle(), s.control()
	return vec{(at.x + control.x) / 2, (at.y + control.y) / 2}
}

// short reports whether a stretch only joins a node and the border beside it.
func (s stretch) short() bool { return s.length() < phaseOverhang+phaseAside }

// control returns the point towards which a stretch is bent: to the right of its way, so that both directions can be
// told apart, and the farther the longer it is.
func (s stretch) control() vec {
	if s.short() {
		return s.middle()
	}
	length := s.length()
	return s.middle().plus(scaled(s.to.minus(s.from).right(), (12+length/8)/length))
}

// bent writes a stretch that ends a distance before its end, with an arrow head if there is one.
func (d *phaseDrawing) bent(s stretch, short int, title string) {
	control, stop := s.control(), s.to
	way := s.to.minus(control)
	unit := 1 / max(math.Hypot(float64(way.x), float64(way.y)), 1)
	if short > 0 {
		stop = s.to.minus(scaled(way, unit*float64(short+9)))
	}
	d.curve("wire b7", subpath{s.from.x, s.from.y, []vec{control.minus(s.from), stop.minus(s.from)}}, title)
	if short > 0 {
		aside := scaled(way.right(), unit*4)
		tip, left, right := s.to.minus(scaled(way, unit*float64(short))), stop.plus(aside), stop.minus(aside)
		d.area("b7", []subpath{{tip.x, tip.y, []vec{left.minus(tip), right.minus(left)}}}, title)
	}
}

// scaled returns a vector times a factor, rounded.
func scaled(v vec, by float64) vec {
	return vec{int(math.Round(float64(v.x) * by)), int(math.Round(float64(v.y) * by))}
}

// maxSendLines is how many sends are listed below the grid.
const maxSendLines = 200

// asText returns the grid of nodes with what they do and hold, and the sends.
func (p PhaseParams) asText() string {
	var b strings.Builder
	network, traffic := p.facts()
	fmt.Fprintf(&b, "%s\n%s: %s\n\n", p.name(), network, traffic)
	states := bytes.Repeat([]byte{'.'}, len(p.Held))
	for _, s := range p.Phase {
		states[s.From] = 's'
	}
	for _, s := range p.Phase {
		switch states[s.To] {
		case '.':
			states[s.To] = 'r'
		case 's':
			states[s.To] = 'x'
		}
	}
	processors := p.processors()
	width := len(fmt.Sprint(len(p.Held))) + 1
	for v, held := range p.Held {
		form := "  %c %-*d"
		if processors[v] {
			form = " [%c]%-*d"
		}
		fmt.Fprintf(&b, form, states[v], width, held)
		if (v+1)%p.columns() == 0 {
			b.WriteString("\n")
		}
	}
	b.WriteString("\n[ ] processor, s sends, r receives, x both; the number is the blocks that wait there for others\n\n")
	arrow := "→"
	if p.ASCII {
		arrow = "->"
	}
	for i, s := range p.Phase {
		if i == maxSendLines {
			fmt.Fprintf(&b, "and %d sends more\n", len(p.Phase)-i)
			break
		}
		fmt.Fprintf(&b, "%d %s %d  %s\n", s.From, arrow, s.To, blocksOf(s))
	}
	return b.String()
}
