package store

import (
	"fmt"
	"math/big"

	"leeway/objective/texts"
	"leeway/results/disk"
)

// A VersionError says that a store was written by a newer version of the program. The file is as it was.
type VersionError struct {
	Path string
	Have string // the schema of the file
	Want string // the schema that this program reads
}

// Error names the file and both versions.
func (e *VersionError) Error() string {
	return fmt.Sprintf("%s: the store has schema %q, this program reads %q: use the newer program", e.Path, e.Have, e.Want)
}

// A CorruptError says that a file is not a store, or a damaged one. The file is as it was.
type CorruptError struct {
	Path    string
	Problem string
	Hint    string
}

// Error names the file and the problem; the hint is left to the caller.
func (e *CorruptError) Error() string { return fmt.Sprintf("%s: %s", e.Path, e.Problem) }

const (
	strangerHint = "nothing was changed; name another file, or one that does not exist yet to start a store"
	writableHint = "a store and its folder must be writable; copy it to a place that is"
	damagedHint  = "nothing was repaired; put a copy back, or move the file away so that a new store is started"
)

func stranger(path, problem string) *CorruptError {
	return &CorruptError{Path: path, Problem: "not a store: " + problem, Hint: strangerHint}
}

func damaged(path, problem string) *CorruptError {
	return &CorruptError{Path: path, Problem: "the store is damaged: " + problem, Hint: damagedHint}
}

// damaged says what is wrong with the store.
func (s *Store) damaged(format string, args ...any) error {
	return damaged(s.path, fmt.Sprintf(format, args...))
}

// A ConflictError says that a claim cannot be right together with one that the store holds: a placement below a lower
// bound. One of the two is wrong. Nothing was stored.
type ConflictError struct {
	Path    string
	Problem texts.Key
	Load    *big.Rat // of a placement
	Bound   *big.Rat // above it
	Reason  string   // of the bound
}

// Error names the file, the problem and both claims.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s: %s: a placement with load %s contradicts the lower bound %s (%s): one of them is wrong",
		e.Path, e.Problem, e.Load.RatString(), e.Bound.RatString(), e.Reason)
}

// unwritable says why the file cannot be written to.
func unwritable(path string, err error) error {
	return &disk.TargetError{Path: path, Problem: "the store cannot be written to: " + err.Error(), Hint: writableHint}
}
