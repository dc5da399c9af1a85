package graphs

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"leeway/results"
)

// readNodeLink reads the JSON that node_link_data of NetworkX makes: edges stand in the field "edges" or "links".
func (b *graph) readNodeLink() error {
	const hint = `write {"directed": false, "nodes": [{"id": 0}, ...], "edges": [{"source": 0, "target": 1}, ...]}`
	if err := results.CheckSyntax(b.data); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(b.data))
	d.UseNumber()
	type item struct {
		fields map[string]any
		offset int
	}
	items, directed := map[string][]item{}, false
	if _, err := d.Token(); err != nil {
		return b.fail(0, err.Error(), hint)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return b.fail(int(d.InputOffset()), err.Error(), hint)
		}
		name, _ := key.(string)
		offset := int(d.InputOffset())
		switch name {
		case "nodes", "edges", "links":
			if bracket, err := d.Token(); err != nil || bracket != json.Delim('[') {
				return b.fail(offset, fmt.Sprintf("%q is not a list", name), hint)
			}
			for d.More() {
				offset := b.beyondBlanks(int(d.InputOffset()))
				var fields map[string]any
				if err := d.Decode(&fields); err != nil {
					return b.fail(offset, fmt.Sprintf("an item of %q is not an object", name), hint)
				}
				items[name] = append(items[name], item{fields, offset})
			}
			if _, err := d.Token(); err != nil {
				return b.fail(int(d.InputOffset()), err.Error(), hint)
			}
		default:
			var value any
			if err := d.Decode(&value); err != nil {
				return b.fail(offset, err.Error(), hint)
			}
			if name == "directed" {
				var ok bool
				if directed, ok = value.(bool); !ok {
					return b.fail(offset, `"directed" is neither true nor false`, hint)
				}
			}
		}
	}
	for _, n := range items["nodes"] {
		id := text(n.fields["id"])
		if id == "" {
			return b.fail(n.offset, `a node has no "id"`, hint)
		}
		if err := b.add(id, text(n.fields["coordinates"]), n.offset); err != nil {
			return err
		}
	}
	for _, e := range append(items["edges"], items["links"]...) {
		from, to := text(e.fields["source"]), text(e.fields["target"])
		if from == "" || to == "" {
			return b.fail(e.offset, `an edge has no "source" or no "target"`, hint)
		}
		capacity := ""
		for _, name := range capacityNames {
			if value := e.fields[name]; value != nil && capacity == "" {
				capacity = cmp.Or(text(value), fmt.Sprint(value))
			}
		}
		if err := b.join(from, to, capacity, directed, e.offset, false); err != nil {
			return err
		}
	}
	return nil
}

// beyondBlanks returns the offset of the first byte of an item that begins at or after an offset.
func (b *graph) beyondBlanks(offset int) int {
	return offset + len(b.data[offset:]) - len(bytes.TrimLeft(b.data[offset:], ", \t\r\n"))
}

// text returns what JSON calls a node or a number: a text, a number, or a list of such with commas between them; else
// "".
func text(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case json.Number:
		return value.String()
	case []any:
		parts := make([]string, len(value))
		for i, v := range value {
			if parts[i] = text(v); parts[i] == "" {
				return ""
			}
		}
		return strings.Join(parts, ",")
	}
	return ""
}
