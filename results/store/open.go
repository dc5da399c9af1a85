package store

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"leeway/results/compose"
	"leeway/results/disk"
)

// busySeconds is how long a writer waits while other processes hold the lock and nothing
// is written. A change takes milliseconds.
const busySeconds = 20

// A Store is an open store. Its methods may be called from any goroutine; changes queue up, readers do not wait. Errors
// of all methods: *CorruptError for a damaged file, *disk.WriteError for a full disk and the like, after which the
// store holds what it held before the call.
type Store struct {
	path  string
	file  os.FileInfo
	write *sql.DB // one connection, so that the writers of this process take turns
	read  *sql.DB
}

// Open opens the store in a file, or starts one where there is no file. Errors besides those of all methods:
// *VersionError for a store of a newer version, *CorruptError also for a file that is not a store, *disk.TargetError
// for a place that cannot be written to. No file is ever overwritten.
func Open(path string) (*Store, error) {
	if err := disk.CheckTarget(path); err != nil {
		return nil, err
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return nil, &disk.TargetError{Path: path, Problem: err.Error()}
	}
	if _, err := os.Stat(full); errors.Is(err, fs.ErrNotExist) {
		if err := create(path, full); err != nil {
			return nil, err
		}
	}
	s := &Store{path: path}
	if s.file, err = admit(path, full); err != nil {
		return nil, err
	}
	if err := s.connect(full); err != nil {
		return nil, errors.Join(fail(path, err), s.Close())
	}
	return s, nil
}

// create makes an empty store aside and links it into place, so that there is
// never a part of one. A file that appears in the meantime stays.
func create(path, full string) error {
	dir, err := os.MkdirTemp(filepath.Dir(full), ".leeway-store-")
	if err != nil {
		return &disk.WriteError{Path: path, Err: err}
	}
	defer os.RemoveAll(dir)
	fresh := filepath.Join(dir, "store")
	if err := lay(fresh); err != nil {
		return fail(path, err)
	}
	if err := os.Link(fresh, full); err != nil && !errors.Is(err, fs.ErrExist) {
		return &disk.WriteError{Path: path, Err: err}
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
	_, err = db.Exec(fmt.Sprintf("PRAGMA journal_mode = WAL; PRAGMA application_id = %d; PRAGMA user_version = %d;",
		applicationID, version) + "BEGIN;" + tables + "COMMIT;")
	return errors.Join(err, db.Close())
}

// connect makes the connections and looks at the store through those that cannot write before it lets any write.
func (s *Store) connect(full string) error {
	var err error
	if s.read, err = database(full, "ro"); err != nil {
		return err
	}
	if s.write, err = database(full, "rw"); err != nil {
		return err
	}
	s.write.SetMaxOpenConns(1)
	return s.examine()
}

// database prepares connections; the first is made when it is needed. Only a
// commit that is on the disk returns (synchronous FULL).
func database(full, mode string) (*sql.DB, error) {
	query := fmt.Sprintf("mode=%s&_txlock=immediate&_pragma=busy_timeout(%d)&_pragma=synchronous(FULL)"+
		"&_pragma=foreign_keys(1)", mode, busySeconds*1000)
	file := url.URL{Path: filepath.ToSlash(full)}
	return sql.Open("sqlite", "file:"+file.EscapedPath()+"?"+query)
}

// examine returns nil if the file, which starts as a store, is a sound one of this version that can be written to.
func (s *Store) examine() error {
	var have int
	if err := s.read.QueryRow("PRAGMA user_version").Scan(&have); err != nil {
		return err
	}
	if err := checkVersion(s.path, have); err != nil {
		return err
	}
	if err := s.sound("quick_check(1)"); err != nil {
		return err
	}
	_, err := s.change(func(tx *sql.Tx) (bool, error) {
		_, err := tx.Exec(`UPDATE problems SET size = size WHERE false`) // fails in a file that may only be read
		return false, err
	})
	return err
}

// sound returns nil if the database finds itself in order.
func (s *Store) sound(check string) error {
	var verdict string
	if err := s.read.QueryRow("PRAGMA " + check).Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return s.damaged("%s", verdict)
	}
	return nil
}

// Folder returns the folder of the store, in which the files lie that its proofs name.
func (s *Store) Folder() string { return filepath.Dir(s.path) }

// Close closes the store. Everything is in the file before.
func (s *Store) Close() error {
	var err error
	for _, db := range []*sql.DB{s.read, s.write} { // the last to be closed tidies up, which the first could not
		if db != nil {
			err = errors.Join(err, db.Close())
		}
	}
	dismiss(s.file)
	s.file = nil
	return fail(s.path, err)
}

// change does a transaction and reports what it reports. It holds the lock of all
// processes from the start, so that what it reads stays true until it has written.
func (s *Store) change(do func(*sql.Tx) (bool, error)) (bool, error) {
	tx, err := s.begin()
	if err != nil {
		return false, fail(s.path, err)
	}
	changed, err := do(tx)
	if err == nil {
		err = tx.Commit()
	}
	if err != nil {
		tx.Rollback() // of no use after a failed commit, and harmless
		return false, fail(s.path, err)
	}
	return changed, nil
}

// begin takes the lock of all processes. Who gets it next is a matter of luck, so that among many writers on a slow
// disk one may go away empty for long: it waits for as long as the others get on.
func (s *Store) begin() (tx *sql.Tx, err error) {
	err = s.patiently(func() error {
		tx, err = s.write.Begin()
		return err
	})
	return tx, err
}

// patiently tries to get the lock until it has it, or nobody writes during a whole try.
func (s *Store) patiently(try func() error) error {
	for {
		before, err := s.written()
		if err != nil {
			return err
		}
		if err = try(); !busy(err) {
			return err
		}
		if after, failed := s.written(); failed != nil || after == before {
			return err
		}
	}
}

// written returns a number that changes when another connection has written.
func (s *Store) written() (version int64, err error) {
	err = s.write.QueryRow("PRAGMA data_version").Scan(&version)
	return version, err
}

// now returns the time of an entry. No result depends on it.
func now() string { return compose.FormatTime(time.Now()) }

// A querier is the database or a transaction.
type querier interface {
	Query(query string, args ...any) (*sql.Rows, error)
}

// collect returns what read makes of every row of a query Its errors are those of the database and of read.
func collect[T any](in querier, read func(scan func(...any) error) (T, error), query string, args ...any) ([]T, error) {
	rows, err := in.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []T
	for rows.Next() {
		v, err := read(rows.Scan)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, rows.Err()
}
