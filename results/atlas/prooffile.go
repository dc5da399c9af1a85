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
	"strings"

	"leeway/results"
)

// A courier brings the files that proofs name from one folder into another. The
// checker has seen before that the names are bare and the hashes right.
type courier struct{ from, to string }

// bring copies the file that a proof names and returns the proof with the name of the
// copy. A file of that name with other content stays as it is: then the name of the
// copy has the start of its hash.
func (c courier) bring(p *results.Proof) (*results.Proof, error) {
	if !p.NamesFile() {
		return p, nil
	}
	for _, name := range []string{p.File, hashedName(p)} {
		err := c.copy(p, name)
		if errors.Is(err, fs.ErrExist) {
			same, err := holds(filepath.Join(c.to, name), p.SHA256)
			if err != nil {
				return nil, err
			}
			if !same {
				continue
			}
		} else if err != nil {
			return nil, err
		}
		brought := *p
		brought.File = name
		return &brought, nil
	}
	return nil, &results.TargetError{Path: filepath.Join(c.to, hashedName(p)), Problem: "another file is where a proof should go", Hint: "move it away"}
}

// copy copies the file of a proof to a new one; the error is fs.ErrExist if the name is
// taken.
func (c courier) copy(p *results.Proof, name string) error {
	if _, err := os.Lstat(filepath.Join(c.to, name)); err == nil {
		return fs.ErrExist
	}
	file, err := os.Open(filepath.Join(c.from, p.File))
	if err != nil {
		return openProblem(filepath.Join(c.from, p.File), err)
	}
	defer file.Close()
	return results.WriteNew(filepath.Join(c.to, name), func(w io.Writer) error {
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

// hashedName returns the name of a proof file with the start of its hash.
func hashedName(p *results.Proof) string {
	ending := filepath.Ext(p.File)
	return strings.TrimSuffix(p.File, ending) + "-" + p.SHA256[:min(len(p.SHA256), 12)] + ending
}

// holds reports whether a file has a SHA-256.
func holds(path, want string) (bool, error) {
	file, err := os.Open(path)
	if err != nil {
		return false, openProblem(path, err)
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return false, openProblem(path, err)
	}
	return hex.EncodeToString(hash.Sum(nil)) == want, nil
}

// isThere reports whether the file that a proof names lies in a folder, or the proof
// needs none.
func isThere(folder string, p *results.Proof) bool {
	if !p.NamesFile() {
		return true
	}
	_, err := os.Stat(filepath.Join(folder, p.File))
	return err == nil
}

// sameEvidence reports whether two proofs say the same, whatever the names of their
// files.
func sameEvidence(a, b *results.Proof) bool {
	if a.NamesFile() && b.NamesFile() {
		one, two := *a, *b
		one.File, two.File = "", ""
		return sameProof(&one, &two)
	}
	return sameProof(a, b)
}
