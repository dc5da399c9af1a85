package web

import (
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"leeway/results/store"
)

// Slug and Place let tests outside of the package look at addresses.
var (
	Slug  = slug
	Place = place
)

// Looker returns one look of Watch at a time, so that tests need not wait.
func Looker(s *store.Store, to *Live) func(at time.Time) {
	var now time.Time
	w := newWatcher(s, to, func() time.Time { return now })
	return func(at time.Time) { now = at; w.look() }
}

// Folded is what the page of a routing in a static site holds for its script.
type Folded struct {
	Page    string            // HTML: what is on it beside a cell
	Cells   map[string]string // HTML of cells and optima, by what stands after # in their address
	Records map[int]string
}

// Unfold returns what a page of a static site holds for its script as the templates of the server show it. Other pages
// hold nothing.
func (s *Site) Unfold(page string) (f Folded, err error) {
	_, rest, found := strings.Cut(page, `id="bundle">`)
	if !found {
		return f, nil
	}
	text, _, _ := strings.Cut(rest, "<")
	packed, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return f, err
	}
	common, err := s.common()
	if err != nil {
		return f, err
	}
	z := flate.NewReaderDict(bytes.NewReader(packed), common)
	var table sizes
	all := bundle{Body: &table}
	if err := json.NewDecoder(z).Decode(&all); err != nil {
		return f, err
	}
	show := func(part string, body any) string {
		var b bytes.Buffer
		if e := s.pages["cell"].ExecuteTemplate(&b, part, frame{Address: all.Address, Root: all.Root,
			Options: s.options, Trail: all.Trail, Body: body}); e != nil {
			err = e
		}
		return b.String()
	}
	f = Folded{Cells: map[string]string{}, Records: map[int]string{}}
	for i, c := range all.Cells {
		table.Lines = append(table.Lines, c.line)
		if f.Records[c.Size] = all.Records[i]; all.Records[i] != "" {
			var r struct {
				Claim string `json:"claim_sha256"`
			}
			err = json.Unmarshal([]byte(all.Records[i]), &r)
			c.Claim = r.Claim
		}
		if c.Picture != nil {
			c.Loads, c.Idle = c.Picture.tallies()
			c.MoreLoads, c.Total = max(0, len(c.Loads)-maxTallies), strings.Count(c.Picture.Loads, "")-1-
				strings.Count(c.Picture.Loads, string(noLink))
			c.Loads = c.Loads[:len(c.Loads)-c.MoreLoads]
		}
		name := "n" + strconv.Itoa(c.Size)
		f.Cells[name] = show("section", c)
		for _, o := range c.Optima {
			c.One = &o
			f.Cells[name+"-"+strconv.Itoa(o.Number)] = show("one", c)
		}
	}
	for _, part := range []string{"top", "trail", "overview", "bottom"} {
		f.Page += show(part, table)
	}
	return f, err
}

// ExportSome writes files of a site into a folder.
func (s *Site) ExportSome(ctx context.Context, folder string, addresses ...string) (count int, err error) {
	for _, address := range addresses {
		written, err := s.writePage(ctx, folder, address)
		if err != nil || !written {
			return count, cmp.Or(err, ErrNotFound)
		}
		count++
	}
	return count, nil
}
