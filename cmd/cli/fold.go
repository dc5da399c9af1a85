package cli

import (
	"strings"
	"unicode/utf8"
)

// leastWidth is the narrowest terminal for which lines are folded.
const leastWidth = 40

// fold folds the lines of a text that are wider than a terminal: at spaces, and lists without spaces after + or a
// comma. What follows is indented as the text after the first two spaces in a line is, that of a label; a command goes
// on after a backslash. What cannot be folded stays.
func fold(text string, width int) string {
	if width < leastWidth || !strings.ContainsFunc(text, func(r rune) bool { return r != '\n' }) {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if utf8.RuneCountInString(line) > width && !strings.Contains(line, "\t") {
			lines[i] = folded(line, width)
		}
	}
	return strings.Join(lines, "\n")
}

func folded(line string, width int) string {
	begin := len(line) - len(strings.TrimLeft(line, " "))
	hang := begin + 2
	if gap := strings.Index(line[begin:], "  "); gap >= 0 {
		after := strings.TrimLeft(line[begin+gap:], " ")
		if at := len(line) - len(after); at <= width/2 {
			begin, hang = at, at
		}
	}
	return foldLine(line, begin, hang, width)
}

// foldLine folds a line whose text begins at a place; what follows is indented.
func foldLine(line string, begin, hang, width int) string {
	if width < leastWidth || width-hang < leastWidth/2 {
		return line
	}
	end := ""
	if strings.HasPrefix(line[begin:], "leeway ") {
		end, hang = " \\", begin+4
	}
	var out strings.Builder
	for rest := line; ; {
		at := placeToFold(rest, begin, width-len(end), end != "")
		if at < 0 {
			return out.String() + rest
		}
		out.WriteString(strings.TrimRight(rest[:at], " ") + end + "\n")
		rest = strings.Repeat(" ", hang) + strings.TrimLeft(rest[at:], " ")
		begin = hang
	}
}

// placeToFold returns where a line is folded so that its first part is at most so wide, after a place where its text
// begins; -1 where it need not be, or cannot.
func placeToFold(line string, begin, width int, command bool) int {
	if utf8.RuneCountInString(line) <= width {
		return -1
	}
	limit := len(string([]rune(line)[:width]))
	space := strings.LastIndex(line[:limit+1], " ")
	if flag := strings.LastIndex(line[:limit+1], " --"); command && flag > begin {
		space = flag
	}
	next := line[max(space, 0)+1:]
	if i := strings.Index(next, " "); i >= 0 {
		next = next[:i]
	}
	if space > begin && (command || utf8.RuneCountInString(next) <= width-begin) {
		return space
	}
	for _, mark := range []string{"+", ","} {
		if at := strings.LastIndex(line[:limit], mark); at > begin && !command {
			return at + 1
		}
	}
	if space > begin {
		return space
	}
	if at := strings.Index(line[limit:], " "); at >= 0 { // a word that is too wide is alone
		return limit + at
	}
	return -1
}
