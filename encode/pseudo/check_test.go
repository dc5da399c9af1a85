package pseudo_test

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// A row says that the sum of its variables, each times a number, is at least a bound.
type row struct {
	terms map[string]*big.Int
	bound *big.Int
}

func newRow() *row { return &row{map[string]*big.Int{}, new(big.Int)} }

func (r *row) add(variable string, coef *big.Int) {
	if r.terms[variable] == nil {
		r.terms[variable] = new(big.Int)
	}
	if r.terms[variable].Add(r.terms[variable], coef).Sign() == 0 {
		delete(r.terms, variable)
	}
}

// literal adds a literal: ~x is 1 - x.
func (r *row) literal(name string, coef *big.Int) {
	if rest, negated := strings.CutPrefix(name, "~"); negated {
		r.add(rest, new(big.Int).Neg(coef))
		r.bound.Sub(r.bound, coef)
		return
	}
	r.add(name, coef)
}

func (r *row) plus(s *row, times *big.Int) *row {
	sum := newRow()
	for _, of := range []struct {
		*row
		times *big.Int
	}{{r, big.NewInt(1)}, {s, times}} {
		for v, c := range of.terms {
			sum.add(v, new(big.Int).Mul(c, of.times))
		}
		sum.bound.Add(sum.bound, new(big.Int).Mul(of.bound, of.times))
	}
	return sum
}

// degree is the bound where negative numbers are those of negated variables.
func (r *row) degree() *big.Int {
	d := new(big.Int).Set(r.bound)
	for _, c := range r.terms {
		if c.Sign() < 0 {
			d.Sub(d, c)
		}
	}
	return d
}

// each maps the numbers and the degree of a row in that form.
func (r *row) each(number func(*big.Int) *big.Int, degree *big.Int) *row {
	s := newRow()
	s.bound.Set(degree)
	for v, c := range r.terms {
		to := number(new(big.Int).Abs(c))
		if c.Sign() < 0 {
			s.bound.Sub(s.bound, to)
			to.Neg(to)
		}
		s.add(v, to)
	}
	return s
}

func (r *row) saturated() *row {
	most := r.degree()
	if most.Sign() < 0 {
		most.SetInt64(0)
	}
	return r.each(func(c *big.Int) *big.Int {
		if c.Cmp(most) > 0 {
			c.Set(most)
		}
		return c
	}, r.degree()) // below 0 too: nothing is gained by that
}

func (r *row) divided(by *big.Int) *row {
	up := func(c *big.Int) *big.Int {
		return new(big.Int).Neg(new(big.Int).Div(new(big.Int).Neg(c), by))
	}
	return r.each(up, up(r.degree()))
}

func (r *row) weakened(v string) *row {
	s := r.plus(newRow(), big.NewInt(1))
	if c := s.terms[v]; c != nil {
		if c.Sign() > 0 {
			s.bound.Sub(s.bound, c)
		}
		delete(s.terms, v)
	}
	return s
}

func (r *row) negated() *row {
	s := newRow().plus(r, big.NewInt(-1))
	s.bound.Add(s.bound, big.NewInt(1))
	return s
}

// slack is by how much a row misses its bound at least.
func (r *row) slack() *big.Int {
	d := new(big.Int).Set(r.bound)
	for _, c := range r.terms {
		if c.Sign() > 0 {
			d.Sub(d, c)
		}
	}
	return d
}

// implies reports whether another row always holds, or is what remains of this one when variables are taken out.
func (r *row) implies(s *row) bool {
	return s.degree().Sign() <= 0 || r.plus(s, big.NewInt(-1)).slack().Sign() >= 0
}

func (r *row) contradiction() bool { return r.slack().Sign() > 0 }

// substitute replaces variables by others, or by "0" and "1".
func (r *row) substitute(by map[string]string) *row {
	s := newRow()
	s.bound.Set(r.bound)
	for v, c := range r.terms {
		switch to, there := by[v]; {
		case !there:
			s.add(v, c)
		case to == "1":
			s.bound.Sub(s.bound, c)
		case to != "0":
			s.add(to, c)
		}
	}
	return s
}

func (r *row) touched(by map[string]string) bool {
	for v := range r.terms {
		if _, there := by[v]; there {
			return true
		}
	}
	return false
}

func (r *row) String() string {
	var parts []string
	for v, c := range r.terms {
		parts = append(parts, c.String()+v)
	}
	slices.Sort(parts)
	return fmt.Sprint(parts, ">=", r.bound)
}

// A judge checks a proof in the part of VeriPB's format 3 that Translate writes, rule by rule and without any speed.
type judge struct {
	core        []*row // of the formula
	rows        []*row // all that were ever derived, nil once deleted
	named       map[string]int
	left, right []string
	order       *row     // about left and right
	loaded      []string // the variables it is about now
	proves      bool
}

// parse reads a row in OPB from words, up to one that begins with a colon.
func parse(words []string) (r *row, rest []string, err error) {
	r = newRow()
	for len(words) > 1 && words[0] != ">=" {
		c, ok := new(big.Int).SetString(strings.TrimPrefix(words[0], "+"), 10)
		if !ok {
			return nil, nil, fmt.Errorf("%s is no number", words[0])
		}
		r.literal(words[1], c)
		words = words[2:]
	}
	if len(words) < 2 {
		return nil, nil, errors.New("a row without >=")
	}
	bound, ok := new(big.Int).SetString(words[1], 10)
	if !ok {
		return nil, nil, fmt.Errorf("%s is no number", words[1])
	}
	r.bound.Add(r.bound, bound)
	return r, words[2:], nil
}

// judged returns nil if the proof refutes the formula.
func judged(formula, proof string) (err error) {
	j := &judge{named: map[string]int{}}
	for line := range strings.Lines(formula) {
		if strings.HasPrefix(line, "*") {
			continue
		}
		r, _, err := parse(strings.Fields(strings.TrimSuffix(strings.TrimSpace(line), ";")))
		if err != nil {
			return err
		}
		j.core, j.rows = append(j.core, r), append(j.rows, r)
	}
	proof, found := strings.CutPrefix(proof, "pseudo-Boolean proof version 3.0\n")
	if !found {
		return errors.New("no header")
	}
	statements := strings.Split(proof, ";")
	for i := 0; i < len(statements); i++ {
		words := strings.Fields(statements[i])
		if len(words) == 0 {
			continue
		}
		switch {
		case words[0] == "def_order":
			end := i + slices.IndexFunc(statements[i:], func(s string) bool { return strings.Contains(s, "load_order") })
			if end < i {
				return errors.New("an order that is not loaded")
			}
			err = j.define(statements[i:end])
			i = end - 1
		case len(words) > 1 && words[1] == "dom":
			if i+2 >= len(statements) {
				return errors.New("dom without its proof")
			}
			err = j.dominate(words, strings.TrimSpace(statements[i+1]), strings.TrimSpace(statements[i+2]))
			i += 2
		default:
			err = j.take(words)
		}
		if err != nil {
			return fmt.Errorf("%q: %w", strings.TrimSpace(statements[i]), err)
		}
	}
	if !j.proves {
		return errors.New("it concludes nothing")
	}
	return nil
}

// keep numbers a row.
func (j *judge) keep(name string, r *row) {
	j.rows = append(j.rows, r)
	if name != "" {
		j.named[name] = len(j.rows) - 1
	}
}

// find returns a row by its name or number; below 0 it counts from the last of the list.
func (j *judge) find(name string) (*row, error) {
	i, there := j.named[name]
	if !there {
		number, err := strconv.Atoi(name)
		if err != nil {
			return nil, err
		}
		if i = number - 1; number < 0 {
			i = len(j.rows) + number
		}
	}
	if i < 0 || i >= len(j.rows) || j.rows[i] == nil {
		return nil, fmt.Errorf("there is no row %s", name)
	}
	return j.rows[i], nil
}

func (j *judge) take(words []string) error {
	name := ""
	if strings.HasPrefix(words[0], "@") {
		name, words = words[0], words[1:]
	}
	if len(words) == 0 || len(words) == 1 && words[0] != "end" {
		return errors.New("a rule without arguments")
	}
	switch words[0] {
	case "f":
		if words[1] != strconv.Itoa(len(j.core)) {
			return fmt.Errorf("the formula has %d rows", len(j.core))
		}
	case "pol":
		r, err := j.sum(words[1:])
		if err != nil {
			return err
		}
		j.keep(name, r)
	case "red":
		r, rest, err := parse(words[1:])
		if err != nil || len(rest) != 4 || rest[0] != ":" || rest[2] != "->" || rest[3] != "0" && rest[3] != "1" {
			return fmt.Errorf("red %v: %w", rest, err)
		}
		by := map[string]string{rest[1]: rest[3]}
		if slices.Contains(j.loaded, rest[1]) {
			return errors.New("the variable is in the order")
		}
		not := r.negated()
		for _, old := range append(j.rows[:len(j.rows):len(j.rows)], r) {
			if old == nil || !old.touched(by) {
				continue
			}
			if goal := old.substitute(by); !not.implies(goal) {
				return fmt.Errorf("not implied: %v", goal)
			}
		}
		j.keep(name, r)
	case "del":
		for _, of := range words[2:] {
			if _, err := j.find(of); err != nil || j.named[of] == 0 {
				return fmt.Errorf("deletion of %s: %w", of, err)
			}
			j.rows[j.named[of]] = nil
			delete(j.named, of)
		}
	case "load_order":
		if len(j.rows) > len(j.core) || len(words)-2 != len(j.left) {
			return errors.New("an order is loaded first, for as many variables as it has")
		}
		j.loaded = words[2:]
	case "conclusion":
		r, err := j.find(words[len(words)-1])
		if err != nil || words[1] != "UNSAT" || !r.contradiction() {
			return errors.New("that is no contradiction")
		}
		j.proves = true
	case "output", "end":
	default:
		return errors.New("unknown rule")
	}
	return nil
}

// sum returns the row that a sum in reverse Polish notation yields.
func (j *judge) sum(words []string) (*row, error) {
	var stack []any // rows and numbers
	for i, w := range words {
		n := len(stack)
		operator := strings.Contains("+*dsw", w)
		var top any
		if operator && n > 0 {
			top, stack = stack[n-1], stack[:n-1]
		}
		below := func() *row {
			if m := len(stack); m > 0 {
				if r, ok := stack[m-1].(*row); ok {
					stack = stack[:m-1]
					return r
				}
			}
			return nil
		}
		var to any
		switch w {
		case "+":
			if b, ok := top.(*row); ok {
				if a := below(); a != nil {
					to = a.plus(b, big.NewInt(1))
				}
			}
		case "*", "d":
			if number, ok := top.(*big.Int); ok && number.Sign() > 0 {
				if a := below(); a != nil && w == "*" {
					to = newRow().plus(a, number)
				} else if a != nil {
					to = a.divided(number)
				}
			}
		case "s":
			if a, ok := top.(*row); ok {
				to = a.saturated()
			}
		case "w":
			if v, ok := top.(string); ok {
				if a := below(); a != nil {
					to = a.weakened(v)
				}
			}
		default:
			next := ""
			if i+1 < len(words) {
				next = words[i+1]
			}
			switch number, ok := new(big.Int).SetString(w, 10); {
			case next == "w":
				to = w
			case ok && (next == "*" || next == "d"):
				to = number
			case strings.HasPrefix(w, "x") || strings.HasPrefix(w, "~x"):
				r := newRow()
				r.literal(w, big.NewInt(1))
				to = r
			default:
				r, err := j.find(w)
				if err != nil {
					return nil, err
				}
				to = r
			}
		}
		if to == nil {
			return nil, fmt.Errorf("nothing for %s", w)
		}
		stack = append(stack, to)
	}
	if len(stack) == 1 {
		if r, ok := stack[0].(*row); ok {
			return r, nil
		}
	}
	return nil, errors.New("a sum that leaves more than a row")
}

// define reads the definition of an order and follows the proof that it is transitive.
func (j *judge) define(statements []string) error {
	var words []string
	for _, s := range statements {
		words = append(append(words, strings.Fields(s)...), ";")
	}
	list := func(name string) (vars []string) {
		for i := slices.Index(words, name) + 1; i < len(words) && words[i] != ";"; i++ {
			vars = append(vars, words[i])
		}
		return vars
	}
	var third []string
	var err error
	j.left, j.right, third = list("left"), list("right"), list("fresh_right")
	if j.order, _, err = parse(list("def")); err != nil {
		return err
	}
	if len(j.left) != len(j.right) || len(j.left) != len(third) {
		return errors.New("lists of different lengths")
	}
	one, two, three := map[string]string{}, map[string]string{}, map[string]string{}
	for i := range j.left {
		one[j.left[i]], one[j.right[i]] = j.right[i], third[i] // of v and w
		two[j.right[i]] = third[i]                             // of u and w
		three[j.right[i]] = j.left[i]                          // of u and u
	}
	if r := j.order.substitute(three); len(r.terms) > 0 || r.bound.Sign() > 0 {
		return errors.New("the order is not reflexive")
	}
	inside := &judge{rows: []*row{j.order, j.order.substitute(one), j.order.substitute(two).negated()}}
	r, err := inside.sum(list("pol"))
	if err != nil || !r.contradiction() {
		return fmt.Errorf("the order is not transitive: %w", err)
	}
	return nil
}

// dominate follows a step by dominance: words are the constraint and the witness, then what proves the second goal.
func (j *judge) dominate(words []string, end, last string) error {
	r, rest, err := parse(words[2:])
	if err != nil || j.loaded == nil || len(rest) == 0 {
		return fmt.Errorf("without an order: %w", err)
	}
	by := map[string]string{}
	for rest = rest[1:]; len(rest) > 2 && rest[1] == "->"; rest = rest[3:] {
		by[rest[0]] = rest[2]
	}
	proof, found := strings.CutPrefix(strings.Join(rest, " "), ": subproof proofgoal #2 pol ")
	if !found || end != "qed #2 : -1" || last != "qed" {
		return errors.New("that is no proof by dominance")
	}
	there := map[string]bool{}
	for _, old := range j.rows {
		if old != nil {
			there[old.String()] = true
		}
	}
	for _, old := range j.core {
		if goal := old.substitute(by); !there[goal.String()] {
			return fmt.Errorf("%v is not in the formula", goal)
		}
	}
	better, worse := map[string]string{}, map[string]string{} // the image, or what was there, on the left
	for i, v := range j.loaded {
		image := v
		if to, moved := by[v]; moved {
			image = to
		}
		better[j.left[i]], better[j.right[i]] = image, v
		worse[j.left[i]], worse[j.right[i]] = v, image
	}
	not := r.negated()
	if goal := j.order.substitute(better); !not.implies(goal) {
		return fmt.Errorf("the image need not be as good: %v", goal)
	}
	inside := &judge{rows: []*row{not, j.order.substitute(worse)}}
	if s, err := inside.sum(strings.Fields(proof)); err != nil || !s.contradiction() {
		return fmt.Errorf("the image need not be better: %w", err)
	}
	j.keep(words[0], r)
	return nil
}
