package web

import (
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
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

// Folded is what a page of a static site shows once its script has filled it in.
type Folded struct {
	HTML   string // as the templates of the server have it
	Sizes  []int  // of the cells of the routing
	Record string // of the cell, on the page of one
}

// Unfold returns what the script makes of the page of a routing or a cell in a static site, nothing for other pages.
func (s *Site) Unfold(address string) (f Folded, err error) {
	address = strings.TrimPrefix(address, "/")
	way, size, deep := strings.Cut(strings.TrimSuffix(address, pageEnding), "/")
	if name, number, isCell := strings.Cut(size, "/"); isCell {
		size, way = number, way+"/"+name
	} else {
		size, way = "", way+"/"+size
	}
	script, err := s.page(context.Background(), way+bundleEnding)
	if !deep || errors.Is(err, ErrNotFound) {
		return f, nil
	}
	if err != nil {
		return f, err
	}
	_, text, _ := strings.Cut(string(script.body), `"`)
	text, _, _ = strings.Cut(text, `"`)
	packed, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return f, err
	}
	common, err := s.common()
	if err != nil {
		return f, err
	}
	var table sizes
	all := bundle{Body: &table}
	if err := json.NewDecoder(flate.NewReaderDict(bytes.NewReader(packed), common)).Decode(&all); err != nil {
		return f, err
	}
	at := frame{Address: all.Address, Root: root(address), Options: s.options, Trail: all.Trail}
	show := func(part string, body any) {
		var b bytes.Buffer
		at.Body = body
		err = cmp.Or(err, s.pages["cell"].ExecuteTemplate(&b, part, at))
		f.HTML += b.String()
	}
	var body any = &table
	part := "overview"
	for i, c := range all.Cells {
		table.Lines = append(table.Lines, c.line)
		f.Sizes = append(f.Sizes, c.Size)
		if strconv.Itoa(c.Size) != size {
			continue
		}
		if f.Record = all.Records[i]; f.Record != "" {
			var r struct {
				Claim string `json:"claim_sha256"`
			}
			err = json.Unmarshal([]byte(f.Record), &r)
			c.Claim = r.Claim
		}
		if c.Picture != nil {
			c.Loads, c.Idle = c.Picture.tallies()
			c.MoreLoads, c.Total = max(0, len(c.Loads)-maxTallies), strings.Count(c.Picture.Loads, "")-1-
				strings.Count(c.Picture.Loads, string(noLink))
			c.Loads = c.Loads[:len(c.Loads)-c.MoreLoads]
		}
		at.Address, at.Trail = "", append(all.Trail, crumb{table.Routing, all.Address})
		body, part = c, "whole"
	}
	for _, name := range []string{"top", "trail", part, "bottom"} {
		show(name, body)
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
