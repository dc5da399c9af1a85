package store

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"strings"

	"leeway/results/disk"
)

// A Column of a table has a name and a type of SQLite, "text", "integer" or "real" and what else belongs to it.
type Column struct{ Name, Type string }

// WriteTable writes rows as a table of a new SQLite file: for other programs, not a store. A row has a value for each
// column, nil for none. Errors are those of the rows, *disk.TargetError for a file that is there already, and those of
// writing; then there is no file.
func WriteTable(path, name string, columns []Column, rows iter.Seq2[[]any, error]) (err error) {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return &disk.TargetError{Path: path, Problem: "it exists already", Hint: "name a new file; nothing is overwritten"}
	}
	db, err := database(path, "rwc")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	defer func() {
		if err = errors.Join(err, db.Close()); err != nil {
			os.Remove(path)
		}
	}()
	tx, err := db.Begin()
	if err != nil {
		return fail(path, err)
	}
	return errors.Join(fillTable(tx, name, columns, rows), tx.Commit())
}

func fillTable(tx *sql.Tx, name string, columns []Column, rows iter.Seq2[[]any, error]) error {
	var defined []string
	for _, c := range columns {
		defined = append(defined, c.Name+" "+c.Type)
	}
	if _, err := tx.Exec(fmt.Sprintf("CREATE TABLE %s (%s)", name, strings.Join(defined, ", "))); err != nil {
		return err
	}
	places := strings.TrimSuffix(strings.Repeat("?,", len(columns)), ",")
	insert, err := tx.Prepare(fmt.Sprintf("INSERT INTO %s VALUES (%s)", name, places))
	if err != nil {
		return err
	}
	for row, err := range rows {
		if err == nil {
			_, err = insert.Exec(row...)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
