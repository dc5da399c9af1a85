package texts

import (
	"fmt"
	"maps"
	"math/big"
	"math/bits"
	"slices"
	"strings"

	"leeway/core"
	"leeway/objective"
)

// PatternPrefix begins the name of a pattern among traffics.
const PatternPrefix = "pattern:"

// patterns are the permutations of nodes of the textbooks (Dally and Towles, Principles and Practices of
// Interconnection Networks, section 3.2), by name: where a node of some coordinates sends, nil if the pattern is not
// defined on the network.
var patterns = map[string]func(t *core.Torus) func(c []int) []int{
	"transpose": func(t *core.Torus) func([]int) []int {
		if t.D() != 2 || t.Side(0) != t.Side(1) {
			return nil
		}
		return func(c []int) []int { return []int{c[1], c[0]} }
	},
	"tornado": func(t *core.Torus) func([]int) []int {
		return each(t, func(x, k int) int { return (x + (k+1)/2 - 1) % k })
	},
	"neighbour":      func(t *core.Torus) func([]int) []int { return each(t, func(x, k int) int { return (x + 1) % k }) },
	"bit-complement": numbered(func(v, b int) int { return ^v & (1<<b - 1) }),
	"bit-reversal":   numbered(func(v, b int) int { return int(bits.Reverse64(uint64(v)) >> (64 - b)) }),
	"shuffle":        numbered(func(v, b int) int { return (v<<1 | v>>(b-1)) & (1<<b - 1) }),
}

// nodeOf returns the node of coordinates that lie within the sides.
func nodeOf(t *core.Torus, c []int) int {
	v, err := t.Node(c...)
	if err != nil {
		panic(err)
	}
	return v
}

// each returns the pattern in which a function moves every coordinate.
func each(t *core.Torus, move func(x, side int) int) func([]int) []int {
	return func(c []int) []int {
		to := make([]int, len(c))
		for j, x := range c {
			to[j] = move(x, t.Side(j))
		}
		return to
	}
}

// numbered returns the pattern in which a function moves the bits of the numbers of nodes, of which there is a power
// of 2.
func numbered(move func(v, bits int) int) func(t *core.Torus) func([]int) []int {
	return func(t *core.Torus) func([]int) []int {
		b := bits.TrailingZeros(uint(t.N()))
		if t.N() != 1<<b {
			return nil
		}
		return func(c []int) []int { return t.Coords(move(nodeOf(t, c), b)) }
	}
}

// hotSpot is the pattern in which every node sends 1 to every other, and 4 more to node 0.
const hotSpot = "hot-spot"

// uniform is the pattern in which every node sends 1 to every other.
const uniform = "uniform"

// ParsePattern reads "pattern:transpose" and the like as a matrix with a task for every node of a network: task v is
// what node v sends. Errors are *core.InputError: an unknown name, or a pattern that the network does not have.
func ParsePattern(t *core.Torus, text string) (*objective.Matrix, error) {
	name, _ := strings.CutPrefix(text, PatternPrefix)
	at := core.Part{Text: name, Offset: len(text) - len(name)}
	whole := &core.Text{Whole: text, Hint: "patterns are " + strings.Join(slices.Sorted(maps.Keys(patterns)), ", ") +
		", " + hotSpot + ", " + uniform}
	var pairs [][2]int
	var amounts []*big.Rat
	add := func(from, to int, amount int64) {
		if from != to {
			pairs, amounts = append(pairs, [2]int{from, to}), append(amounts, big.NewRat(amount, 1))
		}
	}
	switch pattern := patterns[name]; {
	case t.N() > MaxPatternNodes:
		return nil, whole.Fail(at, fmt.Sprintf("patterns are for up to %d nodes, %s has %d", MaxPatternNodes, t, t.N()))
	case pattern != nil:
		move := pattern(t)
		if move == nil {
			return nil, whole.Fail(at, fmt.Sprintf("%s does not have this pattern: transpose needs two equal sides, "+
				"patterns of bits a power of 2 of nodes", t))
		}
		for v := range t.N() {
			add(v, nodeOf(t, move(t.Coords(v))), 1)
		}
	case name == hotSpot || name == uniform:
		for from := range t.N() {
			for to := range t.N() {
				amount := int64(1)
				if to == 0 && name == hotSpot {
					amount = 5
				}
				add(from, to, amount)
			}
		}
	default:
		return nil, whole.Fail(at, "unknown pattern")
	}
	return objective.NewMatrix(t.N(), pairs, amounts, func(int) string { return text })
}

// MaxPatternNodes is the most nodes of a network with a pattern.
const MaxPatternNodes = 1 << 12
