package store_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/results/disk"
	"leeway/results/store"
)

// filled makes a store with some records and a state, closes it, and returns its bytes.
func filled(t *testing.T, path string) []byte {
	t.Helper()
	s := open(t, path)
	for size := 1; size <= 12; size++ {
		for load := int64(30); load > 25; load-- {
			coretest.Must(s.AddRecord(record(t, problem(t, size), big.NewRat(load, 1), nil, nil, uint64(load))))
		}
	}
	checkpoint(t, s, aRun(t, 4, 1), `"`+strings.Repeat("long ", 5000)+`"`)
	coretest.Try(s.Close())
	return coretest.Must(os.ReadFile(path))
}

// pragma changes a database by hand.
func pragma(t *testing.T, path, text string) {
	t.Helper()
	db := coretest.Must(sql.Open("sqlite", path))
	defer db.Close()
	coretest.Must(db.Exec(text))
}

// TestOpenRefuses: what is not a sound store is refused by its name and stays as it is.
func TestOpenRefuses(t *testing.T) {
	good := filled(t, filepath.Join(t.TempDir(), "good.db"))
	write := func(data []byte) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			coretest.Try(os.WriteFile(path, data, 0o644))
		}
	}
	spoilt := bytes.Clone(good)
	rng := rand.New(rand.NewPCG(1, 0))
	for i := 4096; i < 5*4096; i++ {
		spoilt[i] = byte(rng.Uint32())
	}
	tests := map[string]struct {
		make func(*testing.T, string)
		want string
	}{
		"empty":       {write(nil), "the file is empty"},
		"text":        {write([]byte(strings.Repeat("not a store\n", 1000))), "not a store"},
		"short text":  {write([]byte("{}")), "not a store"},
		"first bytes": {write(good[:50]), "not a store"},
		"half":        {write(good[:len(good)/2]), "the store is damaged"},
		"first page":  {write(good[:4096]), "the store is damaged"},
		"last page":   {write(good[:len(good)-4096]), "the store is damaged"},
		"half a page": {write(good[:len(good)-2048]), "the store is damaged"},
		"overwritten": {write(spoilt), "the store is damaged"},
		"zeros":       {write(append(bytes.Clone(good[:4096]), make([]byte, len(good)-4096)...)), "the store is damaged"},
		"of another program": {func(t *testing.T, path string) {
			pragma(t, path, "CREATE TABLE cats (name TEXT); PRAGMA user_version = 1")
		},
			"not a store but a database of another program"},
		"without version": {func(t *testing.T, path string) {
			write(good)(t, path)
			pragma(t, path,
				"PRAGMA user_version = 0")
		}, `its schema is "leeway/store/0"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.db")
			test.make(t, path)
			err := refused(t, path)
			var corrupt *store.CorruptError
			if !errors.As(err, &corrupt) || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), path) ||
				corrupt.Hint == "" {
				t.Errorf("%v", err)
			}
		})
	}
}

// refused opens a file that is not a store and sees that file and folder stay as they are.
func refused(t *testing.T, path string) error {
	t.Helper()
	before := coretest.Must(os.ReadFile(path))
	s, refusal := store.Open(path)
	if refusal == nil {
		s.Close()
		t.Fatal("it was opened")
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file was changed: %v", err)
	}
	list := coretest.Must(os.ReadDir(filepath.Dir(path)))
	for _, e := range list { // a damaged store may have been given the helpers of a store
		if name := e.Name(); name != "a.db" && !(strings.Contains(refusal.Error(), "the store is damaged") &&
			strings.HasPrefix(name, "a.db-")) {
			t.Errorf("the folder holds %s", name)
		}
	}
	return refusal
}

func TestOpenNewer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	filled(t, path)
	pragma(t, path, "PRAGMA user_version = 2")
	var newer *store.VersionError
	if err := refused(t, path); !errors.As(err, &newer) || newer.Have != "leeway/store/2" ||
		newer.Want != "leeway/store/1" || newer.Path != path {
		t.Errorf("%v", err)
	}
}

func TestOpenTargets(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{"", dir, filepath.Join(dir, "none", "a.db"), "/dev/full", "/dev/null"} {
		var target *disk.TargetError
		if _, err := store.Open(path); !errors.As(err, &target) || target.Path != path {
			t.Errorf("%q: %v", path, err)
		}
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		t.Errorf("the folder holds %v, %v", list, err)
	}
}

// TestOpenNames: names that mean something in an address, relative names, links.
func TestOpenNames(t *testing.T) {
	t.Chdir(t.TempDir())
	for i, path := range []string{"a b?mode=ro#c%41.db", "./ä:;&+=.db", filepath.Join(t.TempDir(), "file:x.db")} {
		for range 2 {
			checkpoint(t, open(t, path), aRun(t, 4, uint64(i)), `1`)
		}
		coretest.Try(os.Symlink(path, fmt.Sprint("link", i)))
		resumes(t, open(t, fmt.Sprint("link", i)), aRun(t, 4, uint64(i)), `1`)
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

// TestFlippedBytes changes a few bytes at random: whatever they are, an open or a
// verification says so in its own words, or everything can be read.
func TestFlippedBytes(t *testing.T) {
	dir := t.TempDir()
	good := filled(t, filepath.Join(dir, "good.db"))
	rng := rand.New(rand.NewPCG(2, 0))
	rounds := 60
	if testing.Short() {
		rounds = 20
	}
	var refusals, faulty, fine int
	for i := range rounds {
		data := bytes.Clone(good)
		for range 1 + rng.IntN(3) {
			data[rng.IntN(len(data))] ^= byte(1 + rng.IntN(255))
		}
		path := filepath.Join(dir, fmt.Sprintf("%d.db", i))
		coretest.Try(os.WriteFile(path, data, 0o644))
		s, err := store.Open(path)
		if err != nil {
			refusals++
			typed(t, err)
			continue
		}
		if faults, err := s.Verify(); err != nil {
			refusals++
			typed(t, err)
		} else if len(faults) > 0 {
			faulty++
		} else {
			fine++
			for _, err := range s.All() {
				if err != nil {
					t.Errorf("verified, but %v", err)
				}
			}
		}
		s.Close()
	}
	if refusals == 0 || faulty == 0 || fine == 0 {
		t.Errorf("%d refused, %d with faults, %d fine: some kind never came", refusals, faulty, fine)
	}
}

// typed fails the test unless the error is one of those that Open and Verify document.
func typed(t *testing.T, err error) {
	t.Helper()
	var corrupt *store.CorruptError
	var newer *store.VersionError
	var target *disk.TargetError
	if !errors.As(err, &corrupt) && !errors.As(err, &newer) && !errors.As(err, &target) {
		t.Errorf("%T: %v", err, err)
	}
}
