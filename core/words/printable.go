// Package words writes for people: text without what steers a terminal, and routings in words.
package words

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns text with everything escaped that does not print, except the characters in keep: control
// characters, characters that change the direction of writing, and bytes that are not UTF-8.
func Printable(text, keep string) string {
	odd := func(r rune) bool {
		return r == utf8.RuneError || !unicode.IsPrint(r) && !strings.ContainsRune(keep, r)
	}
	plain := 0 // characters that all print or are kept, at once
	for plain < len(text) && (' ' <= text[plain] && text[plain] <= '~' ||
		text[plain] < utf8.RuneSelf && strings.IndexByte(keep, text[plain]) >= 0) {
		plain++
	}
	if !strings.ContainsFunc(text[plain:], odd) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch _, size := utf8.DecodeRuneInString(text[i:]); {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, "\\x%02x", text[i])
		case r != utf8.RuneError && odd(r):
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
