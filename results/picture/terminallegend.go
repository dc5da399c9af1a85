package picture

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// legend returns the facts and what the signs mean, within the width.
func (s *sketch) legend() string {
	separator := " · "
	if s.params.ASCII {
		separator = " | "
	}
	text := s.wrapped(s.params.facts(), separator)
	if s.remark != "" {
		text += s.wrapped(strings.Fields(s.remark), " ")
	}
	text += s.wrapped(s.signs(), "   ")
	if s.panels > 1 {
		text += s.wrapped(strings.Fields(s.panelLine()), " ")
	}
	return text
}

// signs returns the meaning of every sign that the picture uses.
func (s *sketch) signs() []string {
	signs := []string{s.glyphs.processor + " processor", s.glyphs.node + " other node"}
	if s.rowDim >= 0 {
		signs = append(signs, fmt.Sprintf("rows: dimension %d", s.rowDim))
	}
	signs = append(signs, fmt.Sprintf("columns: dimension %d", s.colDim))
	if s.form.text == noLoads {
		return signs
	}
	arrows := s.glyphs.right + s.glyphs.left
	if s.rowDim >= 0 {
		arrows += s.glyphs.down + s.glyphs.up
	}
	what := "load of the link that way"
	if s.form.text == levels {
		what = "load in ninths of E_max, rounded up"
	}
	return append(signs, arrows+" "+what, "* at E_max", "idle links are left out")
}

// panelLine says what the panels and their further lines are.
func (s *sketch) panelLine() string {
	line := fmt.Sprintf("panels: dimension%s", s.otherDims())
	if s.form.text == noLoads {
		return line
	}
	line += "; + and -: links to the next and the previous"
	if s.rowDim > 1 {
		line += ", lines in the order of the dimensions"
	}
	return line
}

// otherDims returns the numbers of the dimensions that panels do not show.
func (s *sketch) otherDims() string {
	if s.rowDim == 1 {
		return " 0"
	}
	return fmt.Sprintf("s 0 to %d", s.rowDim-1)
}

// wrapped joins items and starts a new line where the width is reached; an item
// that alone is too long is broken.
func (s *sketch) wrapped(items []string, separator string) string {
	var b strings.Builder
	length, gap := 0, utf8.RuneCountInString(separator)
	for _, item := range s.pieces(items) {
		n := utf8.RuneCountInString(item)
		switch {
		case length == 0:
		case length+gap+n > s.width:
			b.WriteByte('\n')
			length = 0
		default:
			b.WriteString(separator)
			length += gap
		}
		b.WriteString(item)
		length += n
	}
	return b.String() + "\n"
}

// pieces returns the items in printable characters, those longer than a line cut
// into lines.
func (s *sketch) pieces(items []string) []string {
	var list []string
	for _, item := range items {
		runes := []rune(s.printable(item))
		for len(runes) > s.width {
			list = append(list, string(runes[:s.width]))
			runes = runes[s.width:]
		}
		list = append(list, string(runes))
	}
	return list
}
