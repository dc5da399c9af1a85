package graphs

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"leeway/results"
)

// An xmlKey declares an attribute.
type xmlKey struct {
	ID   string `xml:"id,attr"`
	For  string `xml:"for,attr"`
	Name string `xml:"attr.name,attr"`
}

// An xmlItem is a node or an edge.
type xmlItem struct {
	ID       string `xml:"id,attr"`
	Source   string `xml:"source,attr"`
	Target   string `xml:"target,attr"`
	Directed string `xml:"directed,attr"`
	Data     []struct {
		Key  string `xml:"key,attr"`
		Text string `xml:",chardata"`
	} `xml:"data"`
	Graph *struct{} `xml:"graph"`
}

// readGraphML reads a file of GraphML with one graph, without hyperedges and graphs in nodes.
func (b *graph) readGraphML() error {
	const hint = "write <graphml> with one <graph> of <node> and <edge> elements"
	d := xml.NewDecoder(bytes.NewReader(b.data))
	keys, directed, graphs := map[string]xmlKey{}, false, 0
	type late struct {
		item   xmlItem
		offset int
	}
	var edges []late // nodes may be declared after them
	for {
		offset := int(d.InputOffset())
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return b.fail(int(d.InputOffset()), "not XML: "+err.Error(), hint)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "key":
			var k xmlKey
			if err := d.DecodeElement(&k, &start); err != nil {
				return b.fail(offset, err.Error(), hint)
			}
			keys[k.ID] = k
		case "graph":
			if graphs++; graphs > 1 {
				return b.fail(offset, "the file has several graphs", hint)
			}
			i := slices.IndexFunc(start.Attr, func(a xml.Attr) bool { return a.Name.Local == "edgedefault" })
			if i < 0 || start.Attr[i].Value != "directed" && start.Attr[i].Value != "undirected" {
				return b.fail(offset, "edgedefault is neither directed nor undirected", hint)
			}
			directed = start.Attr[i].Value == "directed"
		case "node", "edge":
			var item xmlItem
			if err := d.DecodeElement(&item, &start); err != nil {
				return b.fail(offset, err.Error(), hint)
			}
			if start.Name.Local == "edge" {
				edges = append(edges, late{item, offset})
				continue
			}
			if item.Graph != nil {
				return b.fail(offset, "a node has a graph inside", hint)
			}
			name := item.attribute(keys, "coordinates")
			if err := b.add(item.ID, name, offset); err != nil {
				return err
			}
		case "hyperedge":
			return b.fail(offset, "a hyperedge is not a link between two nodes", hint)
		case "graphml", "data", "desc", "default":
		default:
			return b.fail(offset, fmt.Sprintf("unknown element <%s>", results.Shorten(start.Name.Local)), hint)
		}
	}
	for _, e := range edges {
		oneWay := directed
		if e.item.Directed != "" {
			var ok bool
			if oneWay, ok = flag(e.item.Directed); !ok {
				return b.fail(e.offset, "directed is neither true nor false", hint)
			}
		}
		capacity := e.item.attribute(keys, capacityNames...)
		if err := b.join(e.item.Source, e.item.Target, capacity, oneWay, e.offset, false); err != nil {
			return err
		}
	}
	return nil
}

// attribute returns the value of the attribute that has one of some names, the first of these that there is, else "".
func (i xmlItem) attribute(keys map[string]xmlKey, names ...string) string {
	for _, name := range names {
		for _, d := range i.Data {
			if keys[d.Key].Name == name {
				return strings.TrimSpace(d.Text)
			}
		}
	}
	return ""
}
