package picture

import (
	"bytes"
	"fmt"
	"io"
)

// maxSendLines is how many sends are listed below the grid.
const maxSendLines = 200

// PhaseText writes a phase for a terminal: the grid of nodes with what they do and hold,
// and the sends. Errors are those of w.
func PhaseText(w io.Writer, p PhaseParams) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n%s\n\n", p.name(), p.facts())
	sends, receives := p.ports()
	processors := p.processors()
	width := len(fmt.Sprint(len(p.Held))) + 1
	for v := range p.Held {
		state := "."
		switch {
		case sends[v] && receives[v]:
			state = "x"
		case sends[v]:
			state = "s"
		case receives[v]:
			state = "r"
		}
		if processors[v] {
			state = "[" + state + "]"
		} else {
			state = " " + state + " "
		}
		fmt.Fprintf(&b, " %s%-*d", state, width, p.Held[v])
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
	_, err := w.Write(b.Bytes())
	return err
}
