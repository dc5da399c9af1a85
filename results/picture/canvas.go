package picture

import "strings"

// A canvas is text in the making: every place holds a character and the ANSI
// code that colours it.
type canvas struct {
	rows [][]spot
}

type spot struct {
	char rune
	code string // "" for none
}

// put writes text at a place, growing the canvas as needed.
func (c *canvas) put(x, y int, text, code string) {
	for len(c.rows) <= y {
		c.rows = append(c.rows, nil)
	}
	for _, char := range text {
		for len(c.rows[y]) <= x {
			c.rows[y] = append(c.rows[y], spot{char: ' '})
		}
		c.rows[y][x] = spot{char: char, code: code}
		x++
	}
}

// String returns the lines without blanks at their ends. Codes are set before
// the first and reset after the last character that they colour.
func (c *canvas) String() string {
	var b strings.Builder
	for _, row := range c.rows {
		for len(row) > 0 && row[len(row)-1].char == ' ' {
			row = row[:len(row)-1]
		}
		code := ""
		for _, s := range row {
			if s.code != code {
				changeCode(&b, code, s.code)
				code = s.code
			}
			b.WriteRune(s.char)
		}
		changeCode(&b, code, "")
		b.WriteByte('\n')
	}
	return b.String()
}

// changeCode ends one code and begins another; "" is none.
func changeCode(b *strings.Builder, from, to string) {
	if from != "" {
		b.WriteString("\x1b[0m")
	}
	if to != "" {
		b.WriteString("\x1b[" + to + "m")
	}
}
