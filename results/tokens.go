package results

import (
	"bytes"
	"encoding/json"
)

// Tokens goes through a document that is known to be JSON, token by token. It
// does what json.Decoder.Token does, without making a value of every token: records
// are read by the hundred thousand.
type tokens struct {
	data []byte
	at   int // after the token read last
}

// space goes to the next token, past commas and colons.
func (s *tokens) space() {
	for s.at < len(s.data) && bytes.IndexByte([]byte(" \t\r\n,:"), s.data[s.at]) >= 0 {
		s.at++
	}
}

// token reads a bracket or a whole scalar and returns its first byte.
func (s *tokens) token() byte {
	s.space()
	if s.at >= len(s.data) {
		return 0
	}
	first := s.data[s.at]
	switch first {
	case '{', '[':
		s.at++
	case '"':
		s.text()
	default:
		for s.at < len(s.data) && bytes.IndexByte([]byte(" \t\r\n,]}"), s.data[s.at]) < 0 {
			s.at++
		}
	}
	return first
}

// text reads a text and returns it with its quotes.
func (s *tokens) text() []byte {
	start := s.at
	for s.at++; s.at < len(s.data) && s.data[s.at] != '"'; s.at++ {
		if s.data[s.at] == '\\' {
			s.at++
		}
	}
	s.at = min(s.at+1, len(s.data))
	return s.data[start:s.at]
}

// key reads the name of a member.
func (s *tokens) key() string {
	s.space()
	quoted := s.text()
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	var name string
	if err := json.Unmarshal(quoted, &name); err != nil {
		panic("results: the tokens are those of what is known to be JSON")
	}
	return name
}

// more reports whether another value or member stands before the closing bracket, which
// it reads if not.
func (s *tokens) more(closing byte) bool {
	s.space()
	if s.at < len(s.data) && s.data[s.at] != closing {
		return true
	}
	s.at++
	return false
}
