package atlas

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"leeway/results"
	"leeway/results/check/meter"
	"leeway/results/check/sat"
	"leeway/results/disk"
)

// Folders are where the files that proofs name lie, and where they are copied to. The
// checker has seen before that the names are bare and the hashes right.
type folders struct{ from, to string }

// copyProof copies the file that a proof names and returns the proof with the name of the
// copy, which says what the file is and owes nothing to the record: its hash and the ending
// of its format. Errors are *fileError, and *disk.WriteError for a full disk and the like.
func (c folders) copyProof(p *results.Proof) (*results.Proof, error) {
	if !p.NamesFile() {
		return p, nil
	}
	name, err := proofName(p)
	if err != nil {
		return nil, &fileError{err}
	}
	target := filepath.Join(c.to, name)
	err = c.copy(p, target)
	if errors.Is(err, fs.ErrExist) {
		same := false
		if same, err = holds(target, p.SHA256); err == nil && !same {
			err = &disk.TargetError{Path: target, Problem: "another file is where a proof should go", Hint: "move it away"}
		}
	}
	var full *disk.WriteError
	if errors.As(err, &full) {
		return nil, err // so it would go with all others
	}
	if err != nil {
		return nil, &fileError{err}
	}
	brought := *p
	brought.File = name
	return &brought, nil
}

// A fileError says why the file of one proof cannot be brought along.
type fileError struct{ err error }

func (e *fileError) Error() string { return e.err.Error() }
func (e *fileError) Unwrap() error { return e.err }

// copy copies the file of a proof to a new one; the error is fs.ErrExist if the name is taken.
func (c folders) copy(p *results.Proof, target string) error {
	if _, err := os.Lstat(target); err == nil {
		return fs.ErrExist
	}
	if err := meter.BareName(p.File); err != nil {
		return err
	}
	file, err := openRegular(filepath.Join(c.from, p.File))
	if err != nil {
		return err
	}
	defer file.Close()
	return disk.WriteNew(target, func(w io.Writer) error {
		hash := sha256.New()
		if _, err := io.Copy(io.MultiWriter(w, hash), file); err != nil {
			return err
		}
		if hex.EncodeToString(hash.Sum(nil)) != p.SHA256 {
			return fmt.Errorf("the proof %q changed while it was read", p.File)
		}
		return nil
	})
}

// openRegular opens a regular file. Links are not followed.
func openRegular(path string) (*os.File, error) {
	before, err := os.Lstat(path)
	if err != nil {
		return nil, disk.FileError(path, err)
	}
	if !before.Mode().IsRegular() {
		return nil, &results.ReadError{File: path, Problem: "not a regular file"}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, disk.FileError(path, err)
	}
	if now, err := file.Stat(); err != nil || !os.SameFile(before, now) { // a link took its place meanwhile
		file.Close()
		return nil, &results.ReadError{File: path, Problem: "it changed while it was opened"}
	}
	return file, nil
}

// proofName returns the name of the copy of a proof file.
func proofName(p *results.Proof) (string, error) {
	ending, known := ".lrat", p.Format == sat.FormatLRAT
	if p.Steps != nil {
		ending, known = ".steps", true
	}
	if hash, err := hex.DecodeString(p.SHA256); err != nil || len(hash) != sha256.Size || !known {
		return "", fmt.Errorf("the file %q is not a proof that can be copied: format %q, SHA-256 %q",
			p.File, p.Format, p.SHA256)
	}
	return "proof-" + strings.ToLower(p.SHA256[:32]) + ending, nil
}

// holds reports whether a file has a SHA-256.
func holds(path, want string) (bool, error) {
	file, err := openRegular(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return false, disk.FileError(path, err)
	}
	return hex.EncodeToString(hash.Sum(nil)) == want, nil
}

// isThere reports whether the file that a proof names lies in a folder, or the proof needs none.
func isThere(folder string, p *results.Proof) bool {
	if !p.NamesFile() {
		return true
	}
	info, err := os.Lstat(filepath.Join(folder, p.File))
	return err == nil && info.Mode().IsRegular()
}

// sameEvidence reports whether two proofs say the same, whatever the names of their files.
func sameEvidence(a, b *results.Proof) bool {
	if a.NamesFile() && b.NamesFile() {
		one, two := *a, *b
		one.File, two.File = "", ""
		return reflect.DeepEqual(one, two)
	}
	return reflect.DeepEqual(a, b)
}
