package exchange

import (
	"fmt"
	"strconv"
	"strings"

	"leeway/core"
)

const networkHint = "write factors as ring:6,path:3,complete:4,circulant:12:1+3 or graph:0-1+1-2"

// ParseNetwork reads factors joined by commas: ring:6, path:3, complete:4,
// circulant:12:1+3, which joins nodes 1 and 3 apart modulo 12, and graph:0-1+1-2+2-0, a
// graph by its edges with nodes from 0. Errors are
// *core.InputError and name the factor.
func ParseNetwork(text string) (*Network, error) {
	var factors []Factor
	offset := 0
	for part := range strings.SplitSeq(text, ",") {
		f, problem := parseFactor(part)
		if problem != "" {
			return nil, &core.InputError{Text: text, Part: part, Offset: offset, Problem: problem, Hint: networkHint}
		}
		factors = append(factors, f)
		offset += len(part) + 1
	}
	return NewNetwork(factors...)
}

// parseFactor returns a factor, or what is wrong with it.
func parseFactor(text string) (Factor, string) {
	kind, rest, _ := strings.Cut(text, ":")
	f := Factor{Kind: FactorKind(kind)}
	switch f.Kind {
	case GraphFactor:
		return parseGraph(rest)
	case CirculantFactor:
		return parseCirculant(rest)
	case RingFactor, PathFactor, CompleteFactor:
		n, ok := plainNumber(rest)
		if !ok || n < 1 || n > MaxNetworkNodes {
			return f, fmt.Sprintf("a %s has 1 to %d nodes", kind, MaxNetworkNodes)
		}
		f.Nodes = n
		return f, ""
	}
	return f, "unknown factor"
}

func parseGraph(text string) (Factor, string) {
	f := Factor{Kind: GraphFactor}
	for edge := range strings.SplitSeq(text, "+") {
		one, other, _ := strings.Cut(edge, "-")
		u, ok := plainNumber(one)
		v, also := plainNumber(other)
		if !ok || !also || max(u, v) >= MaxNetworkNodes || u == v {
			return f, fmt.Sprintf("the edge %q does not join two nodes in 0..%d", edge, MaxNetworkNodes-1)
		}
		f.Edges = append(f.Edges, [2]int{u, v})
		f.Nodes = max(f.Nodes, u+1, v+1)
	}
	return f, ""
}

// plainNumber reads digits without a sign or a leading zero.
func plainNumber(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && strconv.Itoa(n) == text
}

// String returns the text that ParseNetwork reads.
func (n *Network) String() string {
	var parts []string
	for _, f := range n.factors {
		parts = append(parts, f.String())
	}
	return strings.Join(parts, ",")
}

// String returns the factor as ParseNetwork reads it.
func (f Factor) String() string {
	if f.Kind == CirculantFactor {
		return f.circulantText()
	}
	if f.Kind != GraphFactor {
		return fmt.Sprintf("%s:%d", f.Kind, f.Nodes)
	}
	var edges []string
	for _, e := range f.Edges {
		edges = append(edges, fmt.Sprintf("%d-%d", e[0], e[1]))
	}
	return string(f.Kind) + ":" + strings.Join(edges, "+")
}

func factorError(f Factor, problem, hint string) error {
	return &core.InputError{Text: f.String(), Problem: problem, Hint: hint}
}
