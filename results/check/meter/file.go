package meter

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxFileBytes bounds the files of proofs that are read.
const MaxFileBytes = 4 << 30

// FileProblem says why a file of a folder, with the recorded hash, is not a proof, "" if it is: judge says what is
// wrong with what it reads, as "wrong: why".
func (m *Meter) FileProblem(dir, name, hash string, judge func(proof io.Reader) (problem string, err error)) string {
	file, err := OpenNamed(dir, name)
	if err != nil {
		return err.Error()
	}
	defer file.Close()
	if problem := m.HashProblem(file, hash); problem != "" {
		return fmt.Sprintf("the file %q %s", name, problem)
	}
	switch problem, err := judge(file); {
	case err != nil:
		m.Must()
		return err.Error()
	case problem != "":
		return fmt.Sprintf("the file %q is %s", name, problem)
	}
	return ""
}

// BareName returns nil if a name is that of a file in a folder and of nothing else: no path, no name that is hidden,
// that a system keeps for a device, or that a terminal would not show as it is.
func BareName(name string) error {
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	device := slices.Contains([]string{"con", "prn", "aux", "nul"}, stem) ||
		len(stem) == 4 && (stem[:3] == "com" || stem[:3] == "lpt") && stem[3] >= '0' && stem[3] <= '9'
	odd := func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }
	if name == "" || name[0] == '.' || strings.ContainsAny(name, "/\\:") || strings.Contains(name, "..") || device ||
		strings.ContainsFunc(name, odd) {
		return fmt.Errorf("%q is no bare name of a file", name)
	}
	return nil
}

// OpenNamed opens a regular file of a folder by its bare name: a record must not make its reader open any other.
func OpenNamed(dir, name string) (*os.File, error) {
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
	case info.Size() > MaxFileBytes:
		return nil, fmt.Errorf("the file %q has %d bytes, more than the %d that are read",
			name, info.Size(), int64(MaxFileBytes))
	}
	return os.Open(path)
}

// HashProblem says why a file does not have a SHA-256, "" if it has, and goes back to its start.
func (m *Meter) HashProblem(file *os.File, want string) string {
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
