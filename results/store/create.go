package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"leeway/results"
)

// create makes an empty store aside and links it into place, so that there is
// never a part of one. A file that appears in the meantime stays.
func create(path, full string) error {
	dir, err := os.MkdirTemp(filepath.Dir(full), ".leeway-store-")
	if err != nil {
		return &results.WriteError{Path: path, Err: err}
	}
	defer os.RemoveAll(dir)
	fresh := filepath.Join(dir, "store")
	if err := lay(fresh); err != nil {
		return fail(path, err)
	}
	if err := os.Link(fresh, full); err != nil && !errors.Is(err, fs.ErrExist) {
		return &results.WriteError{Path: path, Err: err}
	}
	if parent, err := os.Open(filepath.Dir(full)); err == nil {
		parent.Sync() // not every file system can; the file is whole either way
		parent.Close()
	}
	return nil
}

// lay writes the tables of an empty store.
func lay(file string) error {
	db, err := database(file, "rwc")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	_, err = db.Exec(fmt.Sprintf("PRAGMA journal_mode = WAL; PRAGMA application_id = %d; PRAGMA user_version = %d;", applicationID, version) +
		"BEGIN;" + tables + "COMMIT;")
	return errors.Join(err, db.Close())
}
