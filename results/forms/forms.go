// Package forms writes texts by templates: pages, answers for people, files of other programs.
package forms

import (
	"io"
	"slices"
	"strings"
	"text/template"
)

// silent begin the actions that print nothing, but for those that set a variable.
var silent = []string{"if ", "else", "end", "with ", "range ", "define ", "template ", "/*"}

// alone reports whether a line has nothing but an action that prints nothing.
func alone(line string) bool {
	action, opens := strings.CutPrefix(line, "{{")
	if !opens || !strings.HasSuffix(line, "}}\n") {
		return false
	}
	_, value, _ := strings.Cut(action, " ")
	sets := action[0] == '$' && (strings.HasPrefix(value, "= ") || strings.HasPrefix(value, ":= "))
	return sets || slices.ContainsFunc(silent, func(begin string) bool { return strings.HasPrefix(action, begin) })
}

// Parse returns the templates that a text defines, as package text/template reads it, but for lines that begin with an
// action which prints nothing, such as if or end: these hold nothing else, and leave no line behind. It panics on a
// text that cannot be read.
func Parse(text string, functions template.FuncMap) *template.Template {
	var lines strings.Builder
	for line := range strings.Lines(text) {
		if action := strings.TrimLeft(line, " "); alone(action) {
			line = strings.TrimSuffix(action, "\n")
		}
		lines.WriteString(line)
	}
	return template.Must(template.New("").Funcs(functions).Parse(lines.String()))
}

// Of returns of a text the definition of a template, with those that it uses: less to read where a text defines many.
// Definitions begin at the beginning of a line.
func Of(text, name string) string {
	var list strings.Builder
	seen := map[string]bool{}
	var add func(name string)
	add = func(name string) {
		_, definition, found := strings.Cut("\n"+text, "\n{{define \""+name+"\"}}")
		if seen[name] || !found {
			return
		}
		seen[name] = true
		definition, _, _ = strings.Cut(definition, "\n{{define ")
		list.WriteString("{{define \"" + name + "\"}}" + definition + "\n")
		for _, use := range strings.Split(definition, "{{template \"")[1:] {
			used, _, _ := strings.Cut(use, "\"")
			add(used)
		}
	}
	add(name)
	return list.String()
}

// Write writes some data by the template of a name. It panics where the two do not fit together; errors are those of w.
func Write(w io.Writer, t *template.Template, name string, data any) error {
	var text strings.Builder
	if err := t.ExecuteTemplate(&text, name, data); err != nil {
		panic("forms: " + err.Error())
	}
	_, err := io.WriteString(w, text.String())
	return err
}
