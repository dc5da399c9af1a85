package atlas

import (
	"context"
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
	if err = c.copy(p, target); errors.Is(err, fs.ErrExist) {
		if err = c.holds(name, p.SHA256); err != nil {
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
	file, err := meter.OpenNamed(c.from, p.File)
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

// holds fails unless a file of the folder has a SHA-256.
func (c folders) holds(name, hash string) error {
	file, err := meter.OpenNamed(c.to, name)
	if err != nil {
		return err
	}
	defer file.Close()
	if problem := meter.Unlimited(context.Background()).HashProblem(file, hash); problem != "" {
		return errors.New(problem)
	}
	return nil
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
