// Package veripb checks proofs that linear constraints over 0 and 1 have no solution, in a part of the format of
// VeriPB, version 2.0 (S. Gocht and J. Nordstroem, Certifying parity reasoning efficiently using pseudo-Boolean proofs,
// AAAI 2021). The formula is in the OPB format. Numbers of constraints count from 1, those of the formula first.
//
//	pseudo-Boolean proof version 2.0
//	f 300                            the formula has 300 constraints, an equation counting twice
//	pol 3 4 2 * + x7 + s 2 d x5 w    adds a sum, in Polish notation, of constraints and of literals (at least 0):
//	                                 + plus, * times, d divided and rounded up, s saturated, w without a variable
//	rup 1 ~x3 2 x5 >= 1 ; ~ 4 300    adds a constraint that follows: if it does not hold (~), the named ones, one
//	                                 after the other, fix literals, and the last one fails
//	red 1 x1 1 ~x99 >= 1 ; x99 -> 0  adds a constraint about a variable that the formula does not have
//	del id 301 302                   forgets constraints
//	output NONE
//	conclusion UNSAT : 303           this one cannot hold
//	end pseudo-Boolean proof
//
// Other rules of the format, names of variables but x1, x2, ..., and steps rup that name no constraints are refused.
//
// # Why an accepted proof is right
//
// Every assignment of the variables so far that satisfies all constraints that are not forgotten can be changed, in
// variables that the formula does not have, so that it satisfies those after the next step. For sums and what follows
// nothing need be changed. "red C ; v -> b": an assignment that satisfies C stays as it is. In one that does not, v
// becomes b. Then C holds, since the term of v alone reaches its degree. A constraint D without v, or with a term of v
// that holds at b, still holds. One with a term that fails is required to follow, without that term, from the opposite
// of C by literals of at least 0 and at most 1; and the opposite did hold. So if the formula had a solution, the
// constraint of the conclusion would hold somewhere, but it cannot.
package veripb

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"leeway/results/check/meter"
)

// The verdicts about a proof.
const (
	Verified   = "verified"
	Wrong      = "wrong"
	Unreadable = "unreadable"
)

// A Refutation is the verdict about a proof that a formula cannot be satisfied.
type Refutation struct {
	Verdict   string // Verified, Wrong or Unreadable
	Steps     int64  // constraints that the proof adds
	InFormula bool   // what is unreadable is the formula
	Line      int    // of the file, where it is not verified
	Reason    string // why not verified; "" if verified
}

// Refute returns the verdict about a proof that a formula has no solution. The error is that of the meter, or of a
// reader; then there is no verdict. Cost: for each step that of the constraints that it names.
func Refute(m *meter.Meter, formula, proof io.Reader) (verdict Refutation, err error) {
	if ended := m.Run(func() { verdict, err = refute(m, formula, proof) }); ended != nil {
		return Refutation{}, ended
	}
	return verdict, err
}

func refute(m *meter.Meter, formula, proof io.Reader) (Refutation, error) {
	c := &checker{meter: m, constraints: map[int]constraint{}, with: map[int][]int{}}
	vars, err := readFormula(m, formula, c.keep)
	if err == nil {
		c.vars, c.given = vars, c.last
		c.lines = newLines(m, false, proof)
		err = c.proof()
	}
	steps := int64(max(c.last-c.given, 0))
	var line *lineError
	var wrong *wrongError
	switch {
	case err == nil:
		return Refutation{Verdict: Verified, Steps: steps}, nil
	case errors.As(err, &wrong):
		return Refutation{Verdict: Wrong, Steps: steps, Line: wrong.line, Reason: wrong.problem}, nil
	case errors.As(err, &line):
		return Refutation{Verdict: Unreadable, Steps: steps, InFormula: line.formula, Line: line.line,
			Reason: line.problem}, nil
	}
	return Refutation{}, err
}

// A wrongError says which line of a proof does not hold, and why.
type wrongError struct{ lineError }

// checker goes through a proof.
type checker struct {
	meter       *meter.Meter
	lines       *lines
	constraints map[int]constraint // by number
	last, given int                // the highest number so far, and that of the formula
	vars        int                // of the formula
	with        map[int][]int      // by variable that the formula does not have: constraints that have it
	value       []int8             // by literal: 1 holds, -1 fails
	fixed       []literal
	sums        []*sum // to use again
}

// keep adds a constraint.
func (c *checker) keep(k constraint) {
	c.last++
	c.meter.Charge(64 + 16*int64(len(k.terms)))
	c.constraints[c.last] = k
	if c.lines == nil {
		return
	}
	for i := len(k.terms) - 1; i >= 0; i-- {
		v := k.terms[i].literal.variable()
		if v <= c.vars {
			break
		}
		c.with[v] = append(c.with[v], c.last)
	}
}

func (c *checker) wrong(format string, args ...any) error {
	return &wrongError{lineError{false, c.lines.line, fmt.Sprintf(format, args...)}}
}

// line reads the next line, which has to be there.
func (c *checker) line() ([]string, error) {
	more, err := c.lines.next()
	if err == nil && !more {
		err = c.lines.fail("the proof ends before its conclusion")
	}
	return c.lines.words, err
}

// exactly reads a line that has to consist of these words; "" stands for any.
func (c *checker) exactly(want ...string) ([]string, error) {
	words, err := c.line()
	if err != nil {
		return nil, err
	}
	ok := len(words) == len(want)
	for i := range want {
		ok = ok && (want[i] == "" || words[i] == want[i])
	}
	if !ok {
		return nil, c.lines.fail("it should be %q", want)
	}
	return words, nil
}

func (c *checker) proof() error {
	if _, err := c.exactly("pseudo-Boolean", "proof", "version", "2.0"); err != nil {
		return err
	}
	words, err := c.exactly("f", "")
	if err != nil {
		return err
	}
	if n, ok := number(words[1], 0); !ok || int(n) != c.given {
		return c.wrong("the formula has %d constraints, not %s: the proof is of another", c.given, words[1])
	}
	for {
		words, err := c.line()
		if err != nil {
			return err
		}
		switch words[0] {
		case "pol":
			err = c.sum(words[1:])
		case "rup":
			err = c.follows(words[1:])
		case "red":
			err = c.define(words[1:])
		case "del":
			err = c.remove(words[1:])
		case "output":
			return c.end(words)
		default:
			err = c.lines.fail("%q is none of pol, rup, red, del and output", words[0])
		}
		if err != nil {
			return err
		}
	}
}

// end reads the conclusion.
func (c *checker) end(words []string) error {
	if !slices.Equal(words, []string{"output", "NONE"}) {
		return c.lines.fail("it should be output NONE")
	}
	words, err := c.exactly("conclusion", "UNSAT", ":", "")
	if err != nil {
		return err
	}
	k, err := c.named(words[3])
	if err != nil {
		return err
	}
	if !k.contradicts() {
		return c.wrong("constraint %s can hold", words[3])
	}
	if _, err := c.exactly("end", "pseudo-Boolean", "proof"); err != nil {
		return err
	}
	more, err := c.lines.next()
	if err == nil && more {
		err = c.lines.fail("%q stands behind the end of the proof", c.lines.words[0])
	}
	return err
}

// named returns the constraint with a number.
func (c *checker) named(word string) (constraint, error) {
	n, ok := number(word, 1)
	if !ok {
		return constraint{}, c.lines.fail("%q is no number of a constraint", word)
	}
	k, ok := c.constraints[int(n)]
	if !ok {
		return constraint{}, c.wrong("there is no constraint %d", n)
	}
	return k, nil
}

// remove forgets constraints.
func (c *checker) remove(words []string) error {
	if len(words) < 2 || words[0] != "id" {
		return c.lines.fail("it should be del id and numbers")
	}
	for _, word := range words[1:] {
		k, err := c.named(word)
		if err != nil {
			return err
		}
		n, _ := number(word, 1)
		if int(n) <= c.given {
			return c.lines.fail("constraint %d is of the formula, which stays", n)
		}
		delete(c.constraints, int(n))
		for _, t := range k.terms {
			if v := t.literal.variable(); v > c.vars {
				list := c.with[v]
				c.meter.Charge(int64(len(list)))
				c.with[v] = slices.Delete(list, slices.Index(list, int(n)), slices.Index(list, int(n))+1)
			}
		}
	}
	return nil
}

// An operand is a number, a constraint so many times, or a sum.
type operand struct {
	of    constraint
	times int64
	sum   *sum
	alone bool    // a number, in times, that may be a constraint's
	lit   literal // of a literal alone
}

// sum adds what a sequence in Polish notation makes.
func (c *checker) sum(words []string) error {
	var stack []operand
	defer func() {
		for _, o := range stack {
			c.release(o)
		}
	}()
	pop := func() operand {
		o := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		return o
	}
	for _, word := range words {
		if need := map[string]int{"+": 2, "*": 2, "d": 2, "w": 2, "s": 1}[word]; need > len(stack) {
			return c.lines.fail("%q has not enough before it", word)
		}
		var problem string
		var err error
		switch word {
		case "+":
			b, a := pop(), pop()
			if a, err = c.asSum(a); err == nil {
				problem, err = c.plus(a.sum, b)
			}
			stack = append(stack, a)
		case "s":
			var a operand
			if a, err = c.asSum(pop()); err == nil {
				c.meter.Charge(int64(len(a.sum.used)))
				a.sum.saturate()
			}
			stack = append(stack, a)
		case "*", "d":
			b, a := pop(), pop()
			if !b.alone || b.times < 1 {
				c.release(b)
				stack = append(stack, a)
				return c.lines.fail("%q needs a number, at least 1, before it", word)
			}
			if a, err = c.asSum(a); err == nil {
				c.meter.Charge(int64(len(a.sum.used)))
				if word == "d" {
					a.sum.divide(b.times)
				} else {
					problem = a.sum.multiply(b.times)
				}
			}
			stack = append(stack, a)
		case "w":
			b, a := pop(), pop()
			if b.lit == 0 || b.lit&1 != 0 {
				c.release(b)
				stack = append(stack, a)
				return c.lines.fail("w needs a variable before it")
			}
			if a, err = c.asSum(a); err == nil {
				problem = a.sum.weaken(b.lit.variable())
			}
			stack = append(stack, a)
		default:
			var o operand
			if o, err = c.operand(word); err == nil {
				stack = append(stack, o)
			}
		}
		if problem != "" {
			return c.lines.fail("%s", problem)
		}
		if err != nil {
			return err
		}
	}
	if len(stack) != 1 {
		return c.lines.fail("it leaves %d constraints, not one", len(stack))
	}
	a, err := c.asSum(pop())
	if err != nil {
		return err
	}
	c.meter.Charge(8 * int64(len(a.sum.used)))
	k := a.sum.constraint()
	c.release(a)
	if problem := k.problem(); problem != "" {
		return c.lines.fail("%s", problem)
	}
	c.keep(k)
	return nil
}

// operand reads a number or a literal.
func (c *checker) operand(word string) (operand, error) {
	if n, ok := number(word, 1); ok {
		return operand{times: n, alone: true}, nil
	}
	if l, ok := literalOf(word); ok {
		return operand{of: constraint{terms: []term{{l, 1}}}, times: 1, lit: l}, nil
	}
	return operand{}, c.lines.fail("%q is no number, literal or one of + * d s w", word)
}

// resolve turns a number into the constraint that has it.
func (c *checker) resolve(o operand) (operand, error) {
	if !o.alone {
		return o, nil
	}
	k, ok := c.constraints[int(o.times)]
	if !ok {
		return o, c.wrong("there is no constraint %d", o.times)
	}
	return operand{of: k, times: 1}, nil
}

// asSum turns an operand into a sum.
func (c *checker) asSum(o operand) (operand, error) {
	o, err := c.resolve(o)
	if err != nil || o.sum != nil {
		return o, err
	}
	s := &sum{}
	if n := len(c.sums); n > 0 {
		s, c.sums = c.sums[n-1], c.sums[:n-1]
	}
	result := operand{sum: s}
	problem, err := c.plus(s, o)
	if problem != "" {
		err = c.lines.fail("%s", problem)
	}
	return result, err
}

// sumSteps is what a variable takes in a sum, most of it memory: 9 bytes, and as much again while it grows.
const sumSteps = 32

// plus adds an operand to a sum.
func (c *checker) plus(s *sum, o operand) (problem string, err error) {
	if o, err = c.resolve(o); err != nil {
		return "", err
	}
	k := o.of
	if o.sum != nil {
		k, o.times = o.sum.constraint(), 1
		if problem := k.problem(); problem != "" {
			return problem, nil
		}
		c.release(o)
	}
	c.meter.Charge(2 * int64(1+len(k.terms)))
	if n := len(k.terms); n > 0 {
		if grow := k.terms[n-1].literal.variable() + 1 - len(s.coefs); grow > 0 {
			c.meter.Charge(sumSteps * int64(grow))
		}
	}
	return s.add(k, o.times), nil
}

// release takes a sum back.
func (c *checker) release(o operand) {
	if o.sum != nil {
		o.sum.clear()
		c.sums = append(c.sums, o.sum)
	}
}

// stated reads a constraint of a step.
func (c *checker) stated(words []string) (constraint, []string, error) {
	r, rest, err := c.lines.relation(words)
	if err == nil && r.equal {
		err = c.lines.fail("a step adds no equation")
	}
	if err != nil {
		return constraint{}, nil, err
	}
	k, problem := normal(r.terms, r.bound)
	if problem != "" {
		return k, nil, c.lines.fail("%s", problem)
	}
	return k, rest, nil
}

// follows adds a constraint that unit propagation through the named ones shows.
func (c *checker) follows(words []string) error {
	k, hints, err := c.stated(words)
	if err != nil {
		return err
	}
	if len(hints) == 0 {
		return c.lines.fail("rup names no constraints behind ;")
	}
	defer func() {
		for _, l := range c.fixed {
			c.value[l], c.value[l.not()] = 0, 0
		}
		c.fixed = c.fixed[:0]
	}()
	opposite := k.negation()
	for _, word := range hints {
		h := opposite
		if word != "~" {
			if h, err = c.named(word); err != nil {
				return err
			}
		}
		c.meter.Charge(2 * int64(1+len(h.terms)))
		if !c.propagate(h) {
			c.keep(k)
			return nil
		}
	}
	return c.wrong("the named constraints lead to no contradiction")
}

// propagate fixes the literals without which a constraint cannot hold; false if it cannot hold at all.
func (c *checker) propagate(k constraint) bool {
	if n := len(k.terms); n > 0 {
		if grow := int(k.terms[n-1].literal|1) + 1 - len(c.value); grow > 0 {
			c.meter.Charge(int64(grow))
			c.value = append(c.value, make([]int8, grow)...)
		}
	}
	slack := -k.degree // how much may fail
	for _, t := range k.terms {
		if c.value[t.literal] >= 0 {
			slack += t.coef
		}
	}
	if slack < 0 {
		return false
	}
	for _, t := range k.terms {
		if t.coef > slack && c.value[t.literal] == 0 {
			c.value[t.literal], c.value[t.literal.not()] = 1, -1
			c.fixed = append(c.fixed, t.literal)
		}
	}
	return true
}

// define adds a constraint about a variable that the formula does not have.
func (c *checker) define(words []string) error {
	k, rest, err := c.stated(words)
	if err != nil {
		return err
	}
	if len(rest) != 3 || rest[1] != "->" || rest[2] != "0" && rest[2] != "1" {
		return c.lines.fail("red should end with a variable, -> and 0 or 1")
	}
	l, ok := literalOf(rest[0])
	if !ok || l&1 != 0 {
		return c.lines.fail("%q is no variable x1, x2, ..., up to %d", rest[0], maxVariable)
	}
	if rest[2] == "0" {
		l = l.not()
	}
	if l.variable() <= c.vars {
		return c.lines.fail("%s is one of the %d variables of the formula", rest[0], c.vars)
	}
	if k.coef(l) < k.degree {
		return c.wrong("%s -> %s alone does not make it hold", rest[0], rest[2])
	}
	opposite := k.negation()
	for _, n := range c.with[l.variable()] {
		d := c.constraints[n]
		c.meter.Charge(32 * int64(1+len(d.terms)+len(k.terms)))
		if d.coef(l.not()) == 0 {
			continue
		}
		left := constraint{degree: d.degree}
		for _, t := range d.terms {
			if t.literal != l.not() {
				left.terms = append(left.terms, t)
			}
		}
		if left.degree > 0 && !opposite.implies(left) {
			return c.wrong("%s -> %s may break constraint %d", rest[0], rest[2], n)
		}
	}
	c.keep(k)
	return nil
}
