package results

import _ "embed"

//go:embed table.schema.json
var tableSchema []byte

// TableJSONSchema returns the JSON Schema (draft 2020-12) of routing tables. It
// states the shape of a table; whether its paths are shortest ones is for
// Table.Routing to say.
func TableJSONSchema() []byte { return append([]byte(nil), tableSchema...) }

//go:embed record.schema.json
var recordSchema []byte

// RecordJSONSchema returns the JSON Schema (draft 2020-12) of records. It states
// the shape of a record; whether its numbers are right is for package check.
func RecordJSONSchema() []byte { return append([]byte(nil), recordSchema...) }
