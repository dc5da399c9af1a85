package store

import (
	"database/sql"
	"path/filepath"
	"testing"

	"leeway/core/coretest"
)

// TestPatience: a try ends in vain only if the process that holds the lock wrote nothing
// during it. Tries take no time here.
func TestPatience(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.store")
	s := coretest.Must(Open(path))
	defer s.Close()
	other := coretest.Must(Open(path))
	defer other.Close()
	coretest.Must(s.write.Exec("PRAGMA busy_timeout = 0"))
	var held *sql.Tx
	hold := func() { held = coretest.Must(other.write.Begin()) }
	release := func(write bool) {
		if write {
			coretest.Must(held.Exec(`INSERT INTO problems (torus, routing, "table", size)
				VALUES ('x', 'y', '', (SELECT count(*) FROM problems))`))
		}
		coretest.Try(held.Commit())
	}

	hold()
	if _, err := s.begin(); !busy(err) {
		t.Errorf("the lock is held and nothing is written: %v", err)
	}
	tries := 0
	err := s.patiently(func() error {
		tx, err := s.write.Begin()
		if tries++; tries < 4 { // written, and taken again before the next try
			release(true)
			hold()
		} else if tries == 4 { // written, and left to others
			release(true)
		}
		if err == nil {
			err = tx.Rollback()
		}
		return err
	})
	if err != nil || tries != 5 {
		t.Errorf("the holder gets on: %d tries, %v", tries, err)
	}
}
