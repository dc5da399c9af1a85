package disk

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/results"
	"leeway/results/answers"
	"leeway/results/compose"
)

// ReadPlacement returns the placement on t that data holds: a record, an evaluation, or a plain JSON list of
// coordinate lists. A document that names another torus is refused. Errors are *ReadError.
func ReadPlacement(data []byte, t *core.Torus) (core.Placement, error) {
	if err := results.CheckSyntax(data); err != nil {
		return core.Placement{}, err
	}
	nodes, err := readNodes(data, t)
	if err != nil {
		return core.Placement{}, err
	}
	p, err := core.PlacementFromCoords(t, nodes)
	if wrong, ok := err.(*core.InputError); ok {
		return core.Placement{}, &results.ReadError{Problem: wrong.Error(), Hint: wrong.Hint}
	}
	return p, err
}

// ReadPlacementFile is ReadPlacement on a file; errors name it.
func ReadPlacementFile(ctx context.Context, path string, t *core.Torus) (core.Placement, error) {
	data, err := ReadFile(ctx, path)
	if err != nil {
		return core.Placement{}, err
	}
	p, err := ReadPlacement(data, t)
	return p, results.InFile(err, path)
}

// readNodes returns the coordinate lists of a document known to be JSON.
func readNodes(data []byte, t *core.Torus) ([][]int, error) {
	if bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("[")) {
		return readNodeList(data)
	}
	schema, err := results.SchemaOf(data)
	if err != nil {
		return nil, err
	}
	switch schema {
	case results.RecordSchema:
		r, err := results.ReadRecord(data)
		return onTorus(r.Nodes, r.Torus, t, err)
	case compose.EvaluationSchema:
		var e compose.Evaluation
		err := results.Decode(data, compose.EvaluationSchema, &e)
		return onTorus(e.Nodes, e.Torus, t, err)
	case answers.WorstSchema:
		d, err := answers.ReadWorst(data)
		return onTorus(d.Nodes, d.Torus, t, err)
	default:
		return nil, results.UnknownSchema(schema,
			results.RecordSchema+", "+compose.EvaluationSchema+", "+answers.WorstSchema+" and plain lists of coordinate lists")
	}
}

func readNodeList(data []byte) ([][]int, error) {
	const hint = "write the nodes as [[0,0],[1,3]]"
	var list [][]*int // null decodes into an int as 0
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, &results.ReadError{Problem: "the file is not a list of coordinate lists", Hint: hint}
	}
	nodes := make([][]int, len(list))
	for i, node := range list {
		for _, c := range node {
			if c == nil {
				return nil, &results.ReadError{Problem: "a coordinate is null", Hint: hint}
			}
			nodes[i] = append(nodes[i], *c)
		}
	}
	return nodes, nil
}

// onTorus passes the nodes on if the document is about a torus with the sides of t.
func onTorus(nodes [][]int, dims []int, t *core.Torus, err error) ([][]int, error) {
	if err != nil {
		return nil, err
	}
	own, err := core.NewTorus(dims...)
	if err != nil {
		return nil, &results.ReadError{Problem: "the torus of the file: " + err.Error()}
	}
	if !slices.Equal(dims, t.Dims()) { // nodes are the same whether dimensions are open or not
		return nil, &results.ReadError{Problem: fmt.Sprintf("the file holds a placement on torus %s, not on %s", own, t),
			Hint: "use --torus " + own.String()}
	}
	return nodes, nil
}

// ReadRecordFile is results.ReadRecord on a file; errors name it.
func ReadRecordFile(ctx context.Context, path string) (results.Record, error) {
	data, err := ReadFile(ctx, path)
	if err != nil {
		return results.Record{}, err
	}
	r, err := results.ReadRecord(data)
	return r, results.InFile(err, path)
}

// ReadTable returns the routing table for torus t that data spells. Errors are *ReadError: those of ReadRecord,
// another torus, or paths that are not allowed.
func ReadTable(data []byte, t *core.Torus) (routing.Routing, error) {
	var d results.Table
	schema := results.TableSchema
	if of, err := results.SchemaOf(data); err == nil && of == results.WeightedSchema {
		schema = of
	}
	if err := results.Decode(data, schema, &d); err != nil {
		return nil, err
	}
	r, err := d.Routing(t)
	if wrong, ok := err.(*core.InputError); ok {
		return nil, &results.ReadError{Problem: wrong.Error(), Hint: wrong.Hint}
	}
	return r, err
}

// ReadTableFile is ReadTable on a file; errors name it.
func ReadTableFile(ctx context.Context, path string, t *core.Torus) (routing.Routing, error) {
	data, err := ReadFile(ctx, path)
	if err != nil {
		return nil, err
	}
	r, err := ReadTable(data, t)
	return r, results.InFile(err, path)
}
