package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"leeway/objective"
	"leeway/results"
	"leeway/results/check"
	"leeway/search"
	"leeway/search/backend"
)

// The endings of a proof, and of one that is being written.
const (
	proofEnding = ".drat"
	partEnding  = ".part"
)

// outside returns the method that asks an installed solver, with the file of its
// proof next to the record.
func (h *proving) outside(p objective.Problem) (search.Method, error) {
	solver, err := backend.Find(h.backend)
	if err != nil {
		return nil, inFlag("backend", err)
	}
	m := backend.Method{Solver: solver, Below: h.limit}
	if filepath.Base(solver) == backend.Clasp {
		return m, m.Supports(p) // logs no proof
	}
	target := strings.TrimSuffix(h.out, ".json")
	if h.out == "" {
		target = unused(recordBase(p, 0), proofEnding)
	}
	m.Proof = target + proofEnding + partEnding
	return m, m.Supports(p)
}

// unused returns base, or base-2 and so on where there is a file of that name and
// ending: it may belong to a record.
func unused(base, ending string) string {
	name := base
	for i := 2; ; i++ {
		if _, err := os.Lstat(name + ending); err != nil {
			return name
		}
		name = fmt.Sprintf("%s-%d", base, i)
	}
}

// unsatProof gives the file that a solver wrote its name and returns the proof
// that names it.
func unsatProof(r *search.Refutation) (*results.Proof, error) {
	target := strings.TrimSuffix(r.File, partEnding)
	if err := os.Rename(r.File, target); err != nil {
		return nil, err
	}
	sum, err := hashFile(target)
	if err != nil {
		return nil, err
	}
	symmetry := true
	return &results.Proof{Kind: results.ProofUnsat, Engine: r.Engine, Below: r.Below.RatString(),
		Format: check.FormatDRAT, File: filepath.Base(target), SHA256: sum, Symmetry: &symmetry}, nil
}

func hashFile(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
