// Package forms writes texts by templates: pages, answers for people, files of other programs.
package forms

import (
	"io"
	"regexp"
	"strings"
	"text/template"
)

// alone matches a line with nothing but an action that prints nothing.
const alone = `(?m)^ *(\{\{(?:if |else|end|with |range |define |template |/\*|\$\w+ :?= ).*\}\})\n`

// Parse returns the templates that a text defines, as package text/template reads it, but for lines that begin with an
// action which prints nothing, such as if or end: these hold nothing else, and leave no line behind. It panics on a
// text that cannot be read.
func Parse(text string, functions template.FuncMap) *template.Template {
	return template.Must(template.New("").Funcs(functions).Parse(
		regexp.MustCompile(alone).ReplaceAllString(text, "$1")))
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
