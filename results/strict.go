package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"unicode/utf8"
)

// Limits of what is read. They keep a hostile file from taking more memory than
// a real one.
const (
	MaxFileBytes = 32 << 20
	MaxNesting   = 32
)

// checkSyntax returns nil if data is one JSON document in UTF-8 within the
// limits, otherwise a *ReadError with its place.
func checkSyntax(data []byte) error {
	if len(data) > MaxFileBytes {
		return &ReadError{Problem: fmt.Sprintf("the file has more than %d bytes, the most that is read", MaxFileBytes)}
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return &ReadError{Problem: "the file is empty", Hint: "a record is one JSON document"}
	}
	if bytes.HasPrefix(data, []byte("SQLite format 3\x00")) {
		return &ReadError{Problem: "this is a store, not a JSON document", Hint: "leeway atlas export --store FILE writes its records"}
	}
	if !utf8.Valid(data) {
		return errorAt(data, invalidUTF8(data), "the text is not valid UTF-8", "")
	}
	if json.Valid(data) {
		return nil
	}
	var raw json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil { // it says where
		offset := len(data)
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			offset = int(syntax.Offset) - 1
		}
		return errorAt(data, offset, "not JSON: "+err.Error(), "is the file complete?")
	}
	return nil
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8.
func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(data)
}

// A field is what a document type says about one key of an object.
type field struct {
	name     string
	required bool
	nullable bool
}

// fieldsOf gathers the keys of a document type by the path of their object: ""
// for the document, "found_by", "loads[]".
func fieldsOf(t reflect.Type, path string, into map[string][]field) {
	switch t.Kind() {
	case reflect.Pointer:
		fieldsOf(t.Elem(), path, into)
	case reflect.Slice:
		fieldsOf(t.Elem(), path+"[]", into)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Anonymous {
				fieldsOf(f.Type, path, into)
				continue
			}
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			into[path] = append(into[path], field{name: name,
				required: options == "" && f.Tag.Get("read") != "optional", nullable: f.Type.Kind() == reflect.Pointer})
			fieldsOf(f.Type, join(path, name), into)
		}
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// knownFields remembers the keys of document types, by reflect.Type.
var knownFields sync.Map

// documentFields returns the keys of a document type by the path of their object.
func documentFields(t reflect.Type) map[string][]field {
	if known, ok := knownFields.Load(t); ok {
		return known.(map[string][]field)
	}
	fields := map[string][]field{}
	fieldsOf(t, "", fields)
	knownFields.Store(t, fields)
	return fields
}

// A walker refuses what encoding/json lets pass: keys that stand twice or in
// another case, missing fields, null where a value is needed, deep nesting.
type walker struct {
	tokens
	fields map[string][]field
}

// checkFields returns nil if data, known to be JSON, has the fields of document
// type t and no ambiguous ones, otherwise a *ReadError.
func checkFields(data []byte, t reflect.Type) error {
	w := &walker{tokens{data: data}, documentFields(t)}
	return w.value("", true, false, 0)
}

// fail returns a ReadError at the token read last.
func (w *walker) fail(format string, args ...any) error {
	return errorAt(w.data, w.at-1, fmt.Sprintf(format, args...), "")
}

// value walks the next value. A known path is one that the document type knows.
func (w *walker) value(path string, known, nullable bool, depth int) error {
	first := w.token()
	if depth > MaxNesting {
		return w.fail("the document is nested more than %d deep", MaxNesting)
	}
	switch first {
	case '{':
		return w.object(path, known, depth)
	case '[':
		inner := path + "[]"
		for w.more(']') {
			if err := w.value(inner, known, false, depth+1); err != nil {
				return err
			}
		}
	case 'n':
		if known && !nullable {
			return w.fail("%s is null", describe(path))
		}
	}
	return nil
}

func describe(path string) string {
	if path == "" {
		return "the document"
	}
	return "field " + path
}

// object walks the members of an object whose brace has been read.
func (w *walker) object(path string, known bool, depth int) error {
	seen := map[string]bool{}
	for w.more('}') {
		key := w.key()
		if seen[key] {
			return w.fail("field %s stands twice", join(path, key))
		}
		seen[key] = true
		f, found, err := w.lookUp(path, key, known)
		if err != nil {
			return err
		}
		if err := w.value(join(path, key), found, f.nullable, depth+1); err != nil {
			return err
		}
	}
	if !known {
		return nil
	}
	for _, f := range w.fields[path] {
		if f.required && !seen[f.name] {
			return w.fail("field %s is missing", join(path, f.name))
		}
	}
	return nil
}

// lookUp finds a key among the fields of an object. A key that differs from a
// field in case only is an error: some readers would take it for the field.
func (w *walker) lookUp(path, key string, known bool) (field, bool, error) {
	if !known {
		return field{}, false, nil
	}
	for _, f := range w.fields[path] {
		if f.name == key {
			return f, true, nil
		}
		if strings.EqualFold(f.name, key) {
			return field{}, false, w.fail("field %s must be written %s", join(path, key), f.name)
		}
	}
	return field{}, false, nil
}
