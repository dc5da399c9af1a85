package kernel

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
)

// A Slice is a branch of a proof in several streams. Its zero value is all that the question asks.
type Slice struct {
	Name   []int   // by which an engine finds it
	Bounds []Bound // that it has beyond those of the question
	Sets   string  // SHA-256 of the sets, sums and keys: bounds name sets by number, turns go by keys
}

// CheckSlice is Check for a stream that refutes a slice but for the slices that it leaves to other streams, which it
// returns. A proof is complete when a stream is accepted for all that is asked, and one for each slice.
func (p *Prepared) CheckSlice(s Slice, stream io.Reader, spend Spender) (Result, []Slice, error) {
	c := newChecker(p, false, stream, spend)
	c.slicing, c.slice = true, s
	result, err := c.check()
	return result, c.left, err
}

// enter goes from the first branch of the question to that of the slice.
func (c *checker) enter() {
	hash := sha256.New()
	fmt.Fprintln(hash, c.sets, c.branch.rows, c.keys)
	defined := hex.EncodeToString(hash.Sum(nil))
	if len(c.slice.Bounds) > 0 && c.slice.Sets != defined {
		c.wrong("the sets, sums and keys are not those of the proof to which the slice belongs")
		return
	}
	c.slice.Sets = defined
	for _, b := range c.slice.Bounds {
		c.assume(b)
	}
}

// leave leaves the branch open, with all bounds that it has beyond those of the question. It closes the branch here.
func (c *checker) leave() string {
	s := Slice{Sets: c.slice.Sets}
	c.list(func() {
		s.Name = append(s.Name, int(c.number(mostNumber)))
		c.pay(8)
	})
	if !c.slicing || c.deep > 0 {
		c.wrong("a branch is left open only in a proof of several streams, and not within a lemma")
	}
	if c.err != nil || c.branch.crossed {
		return ""
	}
	for i := range c.sets {
		if lo, hi := c.branch.lo(i), c.branch.hi(i); lo != c.root.lo(i) || hi != c.root.hi(i) {
			s.Bounds = append(s.Bounds, Bound{i, lo, hi})
		}
	}
	c.pay(int64(len(c.sets) + 24*cap(s.Bounds)))
	c.left = append(c.left, s)
	return ""
}
