package web_test

import (
	"encoding/xml"
	"errors"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"leeway/core/coretest"
)

// What HTML may write shorter than XML: elements that have no end, and attributes without a value.
var (
	void = regexp.MustCompile(`<(meta|link|input|br|img)\b([^>]*)>`)
	bare = regexp.MustCompile(` (defer|download)([ >])`)
)

// walk reads a page as strict text of nested elements, which ours are, and calls visit for every element. It fails on
// tags that do not match.
func walk(t *testing.T, page, body string, visit func(path []string, e xml.StartElement)) {
	t.Helper()
	text, ok := strings.CutPrefix(body, "<!DOCTYPE html>")
	if !ok {
		t.Errorf("%s: no document type", page)
	}
	text = void.ReplaceAllString(bare.ReplaceAllString(text, ` $1=""$2`), "<$1$2/>")
	d := xml.NewDecoder(strings.NewReader(text))
	d.Entity = xml.HTMLEntity
	var path []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Errorf("%s: %v", page, err)
			return
		}
		switch e := token.(type) {
		case xml.StartElement:
			visit(path, e)
			path = append(path, e.Name.Local)
		case xml.EndElement:
			if len(path) == 0 || path[len(path)-1] != e.Name.Local {
				t.Errorf("%s: </%s> ends %v", page, e.Name.Local, path)
				return
			}
			path = path[:len(path)-1]
		}
	}
	if len(path) > 0 {
		t.Errorf("%s: %v is not ended", page, path)
	}
}

func attribute(e xml.StartElement, name string) (string, bool) {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value, true
		}
	}
	return "", false
}

// checkHTML looks at what makes a page valid and readable for everyone: matching tags, single ids that labels lead
// to, one main and one h1, names of controls.
func checkHTML(t *testing.T, page, body string) {
	t.Helper()
	ids, wanted := map[string]bool{}, map[string]bool{}
	count := map[string]int{}
	walk(t, page, body, func(path []string, e xml.StartElement) {
		count[e.Name.Local]++
		if id, ok := attribute(e, "id"); ok {
			if ids[id] {
				t.Errorf("%s: id %q stands twice", page, id)
			}
			ids[id] = true
		}
		for _, name := range []string{"for", "aria-labelledby"} {
			if id, ok := attribute(e, name); ok {
				wanted[id] = true
			}
		}
		if _, ok := attribute(e, "style"); ok {
			t.Errorf("%s: a style attribute, which the policy forbids", page)
		}
		for _, a := range e.Attr {
			if strings.HasPrefix(strings.ToLower(a.Name.Local), "on") {
				t.Errorf("%s: handler %s", page, a.Name.Local)
			}
		}
		_, labelled := attribute(e, "aria-label")
		_, labelledBy := attribute(e, "aria-labelledby")
		if role, _ := attribute(e, "role"); role == "region" && !labelled && !labelledBy {
			t.Errorf("%s: a region without a name", page)
		}
		if alt, ok := attribute(e, "alt"); e.Name.Local == "img" && (!ok || alt == "") {
			t.Errorf("%s: an image without a text", page)
		}
		if e.Name.Local == "th" && !slices.Contains(path, "svg") {
			if scope, _ := attribute(e, "scope"); scope == "" {
				t.Errorf("%s: a table header without a scope", page)
			}
		}
		if source, ok := attribute(e, "src"); ok && strings.Contains(source, ":") {
			t.Errorf("%s: %s comes from elsewhere", page, source)
		}
	})
	for id := range wanted {
		if !ids[id] {
			t.Errorf("%s: something is named by %q, which is not there", page, id)
		}
	}
	for _, name := range []string{"main", "h1"} {
		if count[name] != 1 {
			t.Errorf("%s: %d elements %s", page, count[name], name)
		}
	}
}

// linksOf returns what the links and sources of a page lead to, as addresses from the root.
func linksOf(t *testing.T, page, body string) []string {
	t.Helper()
	base := coretest.Must(url.Parse(page))
	var list []string
	walk(t, page, body, func(_ []string, e xml.StartElement) {
		for _, name := range []string{"href", "src", "data-from"} {
			text, ok := attribute(e, name)
			if !ok || strings.HasPrefix(text, "#") {
				continue
			}
			target, err := base.Parse(text)
			if err != nil || target.Host != "" {
				t.Errorf("%s: link %q", page, text)
				continue
			}
			list = append(list, target.RequestURI())
		}
	})
	slices.Sort(list)
	return slices.Compact(list)
}
