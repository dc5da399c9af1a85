package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template/parse"
)

// scriptOf returns the templates of some files as a script, so that a static site, whose pages have cells as data,
// shows what a server does: const Parts has a function for each name, from data to HTML. assets/cell.js has the
// functions that templates call. Variables, and what else the templates of cells do not need, are an error.
func scriptOf(names ...string) ([]byte, error) {
	var b strings.Builder
	b.WriteString("\"use strict\";\nconst Parts = {\n")
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		tree, trees := parse.New(name), map[string]*parse.Tree{}
		tree.Mode = parse.SkipFuncCheck // those of the script are others
		if _, err := tree.Parse(string(text), "", "", trees); err != nil {
			return nil, err
		}
		for _, part := range slices.Sorted(maps.Keys(trees)) {
			if part == name || part == "main" || part == "head" {
				continue // text between the parts, and what belongs to a page
			}
			body, err := scriptOfNode(trees[part].Root)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", part, err)
			}
			fmt.Fprintf(&b, "%s: (d) => { const root = d; return %s; },\n", part, body)
		}
	}
	b.WriteString("};\n")
	return []byte(b.String()), nil
}

// scriptOfNode returns a part of a template as an expression. The dot is d, $ is root; Fill.is says what counts as
// true, Fill.text escapes.
func scriptOfNode(n parse.Node) (string, error) {
	switch n := n.(type) {
	case *parse.ListNode:
		parts := []string{`""`}
		for _, node := range n.Nodes {
			part, err := scriptOfNode(node)
			if err != nil {
				return "", err
			}
			parts = append(parts, part)
		}
		return strings.Join(parts, " + "), nil
	case *parse.TextNode:
		text, err := json.Marshal(string(n.Text))
		return string(text), err
	case *parse.ActionNode:
		value, err := scriptOfNode(n.Pipe)
		return "Fill.text(" + value + ")", err
	case *parse.TemplateNode:
		value, err := scriptOfNode(n.Pipe)
		return "Parts." + n.Name + "(" + value + ")", err
	case *parse.IfNode:
		return scriptOfBranch("Fill.when", n.BranchNode)
	case *parse.WithNode:
		return scriptOfBranch("Fill.within", n.BranchNode)
	case *parse.RangeNode:
		return scriptOfBranch("Fill.each", n.BranchNode)
	case *parse.PipeNode:
		if len(n.Cmds) == 1 && len(n.Decl) == 0 {
			return scriptOfNode(n.Cmds[0])
		}
	case *parse.CommandNode:
		return scriptOfCommand(n)
	case *parse.DotNode:
		return "d", nil
	case *parse.FieldNode:
		return "d." + strings.Join(n.Ident, "."), nil
	case *parse.VariableNode:
		if n.Ident[0] == "$" {
			return strings.Join(append([]string{"root"}, n.Ident[1:]...), "."), nil
		}
	case *parse.StringNode:
		return n.Quoted, nil
	case *parse.NumberNode:
		return n.Text, nil
	}
	return "", fmt.Errorf("%q is nothing that a script does", n)
}

// scriptOfBranch returns a condition or loop.
func scriptOfBranch(how string, n parse.BranchNode) (string, error) {
	value, err := scriptOfNode(n.Pipe)
	if err != nil {
		return "", err
	}
	text, err := scriptOfNode(n.List)
	if err != nil {
		return "", err
	}
	other := `""`
	if n.ElseList != nil {
		if other, err = scriptOfNode(n.ElseList); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%s(d, %s, (d) => %s, (d) => %s)", how, value, text, other), nil
}

// scriptOfCommand returns a value, or the call of a function.
func scriptOfCommand(n *parse.CommandNode) (string, error) {
	var parts []string
	for i, arg := range n.Args {
		if name, ok := arg.(*parse.IdentifierNode); ok && i == 0 {
			parts = append(parts, "Fill."+name.Ident)
			continue
		}
		part, err := scriptOfNode(arg)
		if err != nil {
			return "", err
		}
		parts = append(parts, part)
	}
	if _, ok := n.Args[0].(*parse.IdentifierNode); ok {
		return parts[0] + "(" + strings.Join(parts[1:], ", ") + ")", nil
	}
	if len(parts) > 1 {
		return "", fmt.Errorf("%q is nothing that a script does", n)
	}
	return parts[0], nil
}
