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

// checkSyntax returns nil if data is one JSON document in UTF-8 within the limits, otherwise a *ReadError with its
// place.
func checkSyntax(data []byte) error {
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
		return errorAt(data, invalidUTF8(data), "the text is not valid UTF-8", "")
	}
	if json.Valid(data) {
		return nil
	}
	err, offset := json.Unmarshal(data, new(any)), len(data)
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		offset = int(syntax.Offset) - 1
	}
	return errorAt(data, offset, "not JSON: "+err.Error(), "is the file complete?")
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
	if err := checkSyntax(data); err != nil {
		return err
	}
	switch have, err := schemaOf(data); {
	case err != nil:
		return err
	case have != schema:
		return unknownSchema(have, schema)
	}
	if err := checkFields(data, reflect.TypeOf(document).Elem()); err != nil {
		return err
	}
	return typeError(data, json.Unmarshal(data, document))
}

func unknownSchema(have, want string) error {
	return &ReadError{Problem: fmt.Sprintf("unknown schema %q", Shorten(have)), Hint: "this program reads " + want}
}

// SchemaOf returns the schema version that a JSON document names. Errors are *ReadError.
func SchemaOf(data []byte) (string, error) {
	if err := checkSyntax(data); err != nil {
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
		return errorAt(data, int(wrong.Offset)-1, fmt.Sprintf("field %s: %s where %s is needed", wrong.Field,
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
func fieldsOf(t reflect.Type, path string, into map[string][]Field) {
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
			required := options == "" && f.Tag.Get("read") != "optional"
			into[path] = append(into[path], Field{name, required, f.Type.Kind() == reflect.Pointer})
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
		made := map[string][]Field{}
		fieldsOf(t, "", made)
		fields, _ = knownFields.LoadOrStore(t, made)
	}
	s := &Scanner{data: data}
	first, err := s.Token()
	if err != nil {
		return err
	}
	return s.value(first, "", fields.(map[string][]Field), false, 0)
}
