package picture

import (
	"bytes"
	"fmt"
	"io"
	"math"
)

// Sizes of the picture of a phase.
const (
	phaseCell = 84
	phaseNode = 15
	phaseHead = 84
)

// PhaseSVG writes a phase as one SVG document: nodes with the blocks that wait there, and
// an arrow for every send, with its blocks. Each has a title. Errors are those of w.
func PhaseSVG(w io.Writer, p PhaseParams) error {
	var b bytes.Buffer
	columns := p.columns()
	rows := len(p.Held) / columns
	width, height := max(columns*phaseCell, 7*len(p.facts()))+2*border, rows*phaseCell+phaseHead+2*border
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"%[1]s\" width=\"%[2]d\" height=\"%[3]d\" viewBox=\"0 0 %[2]d %[3]d\" role=\"img\" aria-label=\"%[4]s\">\n",
		rootClass(p.Theme), width, height, escaped(p.name()))
	fmt.Fprintf(&b, "<title>%s</title>\n<desc>%s</desc>\n<style>\n%s</style>\n", escaped(p.name()), escaped(p.facts()), escaped(StyleSheet(p.Theme)))
	fmt.Fprintf(&b, "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n", width, height)
	fmt.Fprintf(&b, "<text class=\"title\" x=\"%d\" y=\"%d\">%s</text>\n", border, border+16, escaped(p.name()))
	fmt.Fprintf(&b, "<text class=\"muted\" x=\"%d\" y=\"%d\">%s</text>\n", border, border+38, escaped(p.facts()))
	fmt.Fprintf(&b, "<text class=\"muted small\" x=\"%d\" y=\"%d\">Blue: processor, grey: router; in it the blocks that wait there for others. On an arrow the block it takes, or how many.</text>\n", border, border+56)
	at := func(v int32) (x, y int) {
		return border + int(v)%columns*phaseCell + phaseCell/2, border + phaseHead + int(v)/columns*phaseCell + phaseCell/2
	}
	for _, s := range p.Phase {
		x1, y1 := at(s.From)
		x2, y2 := at(s.To)
		writeArrow(&b, x1, y1, x2, y2, fmt.Sprintf("%d -> %d: %s", s.From, s.To, blocksOf(s)), blocksOf(s))
	}
	processors := p.processors()
	for v, held := range p.Held {
		x, y := at(int32(v))
		class, text := "node", "router"
		if processors[v] {
			class, text = "processor", "processor"
		}
		fmt.Fprintf(&b, "<g><title>%s %d, %d blocks wait</title><circle class=\"%s\" cx=\"%d\" cy=\"%d\" r=\"%d\"/>", text, v, held, class, x, y, phaseNode)
		fmt.Fprintf(&b, "<text class=\"small mid\" x=\"%d\" y=\"%d\" style=\"fill:#fff\">%d</text></g>\n", x, y+4, held)
	}
	b.WriteString("</svg>\n")
	_, err := w.Write(b.Bytes())
	return err
}

// writeArrow draws a bent arrow between two nodes, bent the more the farther apart they
// are, to the right of its way, so that those of both directions can be told apart.
func writeArrow(b *bytes.Buffer, x1, y1, x2, y2 int, title, label string) {
	dx, dy := float64(x2-x1), float64(y2-y1)
	length := math.Max(math.Hypot(dx, dy), 1)
	bend := 12 + length/8
	cx, cy := float64(x1+x2)/2-dy/length*bend, float64(y1+y2)/2+dx/length*bend
	// The tip stands at the rim of the node, on the way from the bend.
	ex, ey := float64(x2)-cx, float64(y2)-cy
	reach := math.Max(math.Hypot(ex, ey), 1)
	ex, ey = ex/reach, ey/reach
	tx, ty := float64(x2)-ex*phaseNode, float64(y2)-ey*phaseNode
	px, py := tx-ex*9, ty-ey*9
	whole := func(v float64) int { return int(math.Round(v)) }
	fmt.Fprintf(b, "<g><title>%s</title><path class=\"wire b2\" d=\"M%d %dQ%d %d %d %d\"/>", escaped(title), x1, y1, whole(cx), whole(cy), whole(px), whole(py))
	fmt.Fprintf(b, "<polygon class=\"b2\" points=\"%d,%d %d,%d %d,%d\"/>", whole(tx), whole(ty),
		whole(px-ey*4), whole(py+ex*4), whole(px+ey*4), whole(py-ex*4))
	fmt.Fprintf(b, "<text class=\"value mid\" x=\"%d\" y=\"%d\">%s</text></g>\n", whole((float64(x1+x2)/2+cx)/2), whole((float64(y1+y2)/2+cy)/2)+3, escaped(label))
}
