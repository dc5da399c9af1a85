package results

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// ReadRecord returns the record that data spells. Fields that this program does
// not know are ignored. Errors are *ReadError: no JSON, an unknown schema
// version, a field that is missing, stands twice or has the wrong type. Whether
// the record is right is for package check to say.
func ReadRecord(data []byte) (Record, error) {
	var r Record
	err := Decode(data, RecordSchema, &r)
	return r, err
}

// ReadEvaluation returns the evaluation that data spells, with the errors of
// ReadRecord.
func ReadEvaluation(data []byte) (Evaluation, error) {
	var e Evaluation
	err := Decode(data, EvaluationSchema, &e)
	return e, err
}

// ReadRecordFile is ReadRecord on a file; errors name it.
func ReadRecordFile(ctx context.Context, path string) (Record, error) {
	data, err := ReadFile(ctx, path)
	if err != nil {
		return Record{}, err
	}
	r, err := ReadRecord(data)
	return r, InFile(err, path)
}

// InFile returns err with the name of the file it is about, if it is a
// *ReadError; other errors and nil come back as they are.
func InFile(err error, path string) error {
	var e *ReadError
	if !errors.As(err, &e) {
		return err
	}
	named := *e
	named.File = path
	return &named
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

// schemaOf returns the schema version of a document known to be JSON. It is
// looked at first, so that a newer version is refused by its name and not for a
// field that it no longer has.
func schemaOf(data []byte) (string, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil || members == nil {
		return "", &ReadError{Problem: "the document is not a JSON object", Hint: `documents of this program start with {"schema": "leeway/...`}
	}
	raw, ok := members["schema"]
	if !ok {
		return "", &ReadError{Problem: "field schema is missing", Hint: `documents of this program start with {"schema": "leeway/...`}
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
		return errorAt(data, int(wrong.Offset)-1, fmt.Sprintf("field %s: %s where %s is needed", wrong.Field, Shorten(wrong.Value), kindName(wrong.Type)), "")
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
