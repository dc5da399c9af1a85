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

// Limits of what is read. They keep a hostile file from taking more memory than a real one.
const (
	MaxFileBytes = 32 << 20
	MaxNesting   = 32
)

// CheckSyntax returns nil if data is one JSON document in UTF-8 within the limits, otherwise a *ReadError with its
// place.
func CheckSyntax(data []byte) error {
	if len(data) > MaxFileBytes {
		return &ReadError{Problem: fmt.Sprintf("the file has more than %d bytes, the most that is read", MaxFileBytes)}
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return &ReadError{Problem: "the file is empty", Hint: "a record is one JSON document"}
	}
	if bytes.HasPrefix(data, []byte("SQLite format 3\x00")) {
		return &ReadError{Problem: "this is a store, not a JSON document",
			Hint: "leeway atlas export --store FILE writes its records"}
	}
	if !utf8.Valid(data) {
		return ErrorAt(data, invalidUTF8(data), "the text is not valid UTF-8", "")
	}
	if json.Valid(data) {
		return nil
	}
	err, offset := json.Unmarshal(data, new(any)), len(data)
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		offset = int(syntax.Offset) - 1
	}
	return ErrorAt(data, offset, "not JSON: "+err.Error(), "is the file complete?")
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

// Decode reads data strictly into document, which must have the given schema.
func Decode(data []byte, schema string, document any) error {
	if err := CheckSyntax(data); err != nil {
		return err
	}
	switch have, err := schemaOf(data); {
	case err != nil:
		return err
	case have != schema:
		return UnknownSchema(have, schema)
	}
	if err := checkFields(data, reflect.TypeOf(document).Elem()); err != nil {
		return err
	}
	return typeError(data, json.Unmarshal(data, document))
}

// UnknownSchema returns the error about a schema version that is not the wanted one.
func UnknownSchema(have, want string) error {
	return &ReadError{Problem: fmt.Sprintf("unknown schema %q", Shorten(have)), Hint: "this program reads " + want}
}

// SchemaOf returns the schema version that a JSON document names. Errors are *ReadError.
func SchemaOf(data []byte) (string, error) {
	if err := CheckSyntax(data); err != nil {
		return "", err
	}
	return schemaOf(data)
}

// schemaOf returns the schema version of a document known to be JSON. It is looked at first, so that a newer version
// is refused by its name and not for a field that it no longer has.
func schemaOf(data []byte) (string, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil || members == nil {
		return "", &ReadError{Problem: "the document is not a JSON object",
			Hint: `documents of this program start with {"schema": "leeway/...`}
	}
	raw, ok := members["schema"]
	if !ok {
		return "", &ReadError{Problem: "field schema is missing",
			Hint: `documents of this program start with {"schema": "leeway/...`}
	}
	var schema *string
	if err := json.Unmarshal(raw, &schema); err != nil || schema == nil {
		return "", &ReadError{Problem: "field schema is not a text"}
	}
	return *schema, nil
}

// typeError turns the error of the decoder into a *ReadError.
func typeError(data []byte, err error) error {
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong):
		return ErrorAt(data, int(wrong.Offset)-1, fmt.Sprintf("field %s: %s where %s is needed", wrong.Field,
			Shorten(wrong.Value), kindName(wrong.Type)), "")
	default:
		return &ReadError{Problem: err.Error()}
	}
}

// kindName returns the words for a Go type that a reader of JSON knows.
func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Uint64:
		return "a whole number of at least 0"
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	default:
		return "an object"
	}
}

// fieldsOf gathers the keys of a document type by the path of their object: "" for the document, "found_by", "loads[]".
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
			if name == "-" {
				continue
			}
			required := options == "" && f.Tag.Get("read") != "optional"
			into[path] = append(into[path], field{name, required, f.Type.Kind() == reflect.Pointer})
			fieldsOf(f.Type, join(path, name), into)
		}
	}
}

// knownFields remembers the keys of document types, by reflect.Type.
var knownFields sync.Map

// checkFields returns nil if data, known to be JSON, has the fields of document type t and no ambiguous ones,
// otherwise a *ReadError.
func checkFields(data []byte, t reflect.Type) error {
	fields, ok := knownFields.Load(t)
	if !ok {
		made := map[string][]field{}
		fieldsOf(t, "", made)
		fields, _ = knownFields.LoadOrStore(t, made)
	}
	w := &walker{data: data, dec: json.NewDecoder(bytes.NewReader(data)), fields: fields.(map[string][]field)}
	w.dec.UseNumber() // a number is judged by the field that it is decoded into
	return w.value("", true, false, 0)
}

// A field is what a document type says about one key of an object.
type field struct {
	name               string
	required, nullable bool
}

// A walker goes through a document token by token. It refuses what encoding/json lets pass: keys that
// stand twice or in another case, missing fields, null where a value is needed, deep nesting.
type walker struct {
	data   []byte
	dec    *json.Decoder
	fields map[string][]field
}

// fail returns a ReadError at the token read last.
func (w *walker) fail(format string, args ...any) error {
	return ErrorAt(w.data, int(w.dec.InputOffset())-1, fmt.Sprintf(format, args...), "")
}

// value walks the next value. A known path is one that the document type knows.
func (w *walker) value(path string, known, nullable bool, depth int) error {
	token, err := w.dec.Token()
	if err != nil {
		return w.fail("not JSON: %v", err)
	}
	if depth > MaxNesting {
		return w.fail("the document is nested more than %d deep", MaxNesting)
	}
	switch token {
	case json.Delim('{'):
		return w.object(path, known, depth)
	case json.Delim('['):
		for w.dec.More() {
			if err := w.value(path+"[]", known, false, depth+1); err != nil {
				return err
			}
		}
		_, err := w.dec.Token()
		return err
	case nil:
		switch {
		case known && !nullable && path == "":
			return w.fail("the document is null")
		case known && !nullable:
			return w.fail("field %s is null", path)
		}
	}
	return nil
}

// object walks the members of an object whose brace has been read.
func (w *walker) object(path string, known bool, depth int) error {
	seen := map[string]bool{}
	for w.dec.More() {
		token, err := w.dec.Token()
		if err != nil {
			return w.fail("not JSON: %v", err)
		}
		key := token.(string)
		if seen[key] {
			return w.fail("field %s is repeated", join(path, key))
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
	if _, err := w.dec.Token(); err != nil || !known {
		return err
	}
	for _, f := range w.fields[path] {
		if f.required && !seen[f.name] {
			return w.fail("field %s is missing", join(path, f.name))
		}
	}
	return nil
}

// lookUp finds a key among the fields of an object. A key that differs from a field in case only is an error: some
// readers would take it for the field.
func (w *walker) lookUp(path, key string, known bool) (field, bool, error) {
	if !known {
		return field{}, false, nil
	}
	for _, f := range w.fields[path] {
		if f.name == key {
			return f, true, nil
		}
		if bytes.EqualFold([]byte(f.name), []byte(key)) {
			return field{}, false, w.fail("field %s must be written %s", join(path, key), f.name)
		}
	}
	return field{}, false, nil
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
