package message

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"

	"leeway/core"
	"leeway/objective"
)

// MaxText is the length in bytes of the longest message.
const MaxText = 1 << 20

// Encode returns v as compact JSON. It panics on a value that JSON cannot hold, which no type of this package has.
func Encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("message: " + err.Error())
	}
	return text
}

// decode reads one JSON document without unknown fields.
func decode(text []byte, v any) error {
	if len(text) > MaxText {
		return fmt.Errorf("%d bytes are more than %d", len(text), MaxText)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something stands behind it")
	}
	return nil
}

// IDOf returns 32 hexadecimal digits of the SHA-256 of a text.
func IDOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// Placement returns the placement of some nodes, an error unless it is one of the problem.
func Placement(p objective.Problem, nodes []int) (core.Placement, error) {
	s, err := p.Place(nodes)
	switch {
	case err != nil:
		return s, err
	case s.Size() != p.Size:
		return s, fmt.Errorf("%d nodes are not a placement of %d processors", s.Size(), p.Size)
	case !p.Admits(s):
		return s, errors.New("it passes over a fixed node or uses a forbidden one")
	}
	return s, nil
}

// ParseValue reads a fraction in lowest terms.
func ParseValue(text string) (*big.Rat, error) {
	// An exponent would make a long number of a short text.
	if len(text) > 1<<12 || strings.Trim(text, "-0123456789/") != "" {
		return nil, fmt.Errorf("%.40q is not a fraction in lowest terms", text)
	}
	v, ok := new(big.Rat).SetString(text)
	if !ok || v.RatString() != text {
		return nil, fmt.Errorf("%.40q is not a fraction in lowest terms", text)
	}
	return v, nil
}
