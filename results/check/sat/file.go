package sat

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check/meter"
)

// maxProofBytes bounds the proof files that are read.
const maxProofBytes = 4 << 30

// PlacementProblem says why the file that a proof names, in the folder dir, does not
// show that no placement of n processors has E_max below the value, "" if it
// does. The file must be one of the folder itself and have the recorded hash. If
// the context ends it says so. Cost: that of Unsat, and reading the file twice.
func PlacementProblem(m *meter.Meter, dir string, r routing.Routing, n int, below *big.Rat, p *results.Proof) string {
	if p.Symmetry == nil {
		return "it does not say whether the formula breaks symmetry"
	}
	question, err := objective.NewProblem(r, n)
	if err != nil {
		return err.Error()
	}
	return FileProblem(m, dir, p.File, p.SHA256, func(proof io.Reader) (Refutation, error) {
		return unsat(m, question, below, *p.Symmetry, p.Format, proof)
	})
}

// FileProblem says why a file of the folder, with the recorded hash, is no proof that
// refute accepts, "" if it is.
func FileProblem(m *meter.Meter, dir, name, hash string, refute func(proof io.Reader) (Refutation, error)) string {
	file, err := openProof(dir, name)
	if err != nil {
		return err.Error()
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil {
		m.Grow(info.Size())
	}
	if problem := hashProblem(m, file, hash); problem != "" {
		return fmt.Sprintf("the file %q %s", name, problem)
	}
	verdict, err := refute(file)
	switch {
	case err != nil:
		return err.Error()
	case verdict.Verdict != Verified:
		return fmt.Sprintf("the file %q is %s: %s", name, verdict.Verdict, verdict.Reason)
	}
	return ""
}

// BareName returns nil if a name is that of a file in a folder and of nothing else: no path, no
// name that is hidden, that a system keeps for a device, or that a terminal would not show as it is.
func BareName(name string) error {
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	device := slices.Contains([]string{"con", "prn", "aux", "nul"}, stem) ||
		len(stem) == 4 && (stem[:3] == "com" || stem[:3] == "lpt") && stem[3] >= '0' && stem[3] <= '9'
	odd := func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }
	if name == "" || name[0] == '.' || strings.ContainsAny(name, "/\\:") || strings.Contains(name, "..") || device || strings.ContainsFunc(name, odd) {
		return fmt.Errorf("%q is no bare name of a file", name)
	}
	return nil
}

// openProof opens a regular file of a folder by its bare name: a record must not
// make its reader open any other.
func openProof(dir, name string) (*os.File, error) {
	if err := BareName(name); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, name)
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("the file %q is not there", name)
	case err != nil:
		return nil, fmt.Errorf("the file %q cannot be read: %w", name, err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%q is no regular file", name)
	case info.Size() > maxProofBytes:
		return nil, fmt.Errorf("the file %q has %d bytes, more than the %d that are read", name, info.Size(), int64(maxProofBytes))
	}
	return os.Open(path)
}

// hashProblem says why a file does not have a SHA-256, "" if it has, and goes
// back to its start.
func hashProblem(m *meter.Meter, file *os.File, want string) string {
	hash := sha256.New()
	if _, err := io.Copy(hash, m.Reader(file)); err != nil {
		return "cannot be read: " + err.Error()
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != want {
		return fmt.Sprintf("has the SHA-256 %s, recorded is %q", got, want)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return "cannot be read: " + err.Error()
	}
	return ""
}
