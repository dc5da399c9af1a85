package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leeway/core/coretest"
)

// TestReference sees that docs/reference.md is what the program says of itself.
func TestReference(t *testing.T) {
	want := coretest.Must(os.ReadFile("../../docs/reference.md"))
	var out, messages bytes.Buffer
	if status := execute(t.Context(), []string{"manual"}, strings.NewReader(""), &out, &messages); status != 0 {
		t.Fatalf("status %d: %s", status, messages.String())
	}
	if !bytes.Equal(out.Bytes(), want) {
		t.Error("docs/reference.md is not what the program says: make docs writes it anew")
	}
}

// TestManPages sees that man pages do not depend on the machine: the number of its
// cores is not in them.
func TestManPages(t *testing.T) {
	folder := t.TempDir()
	var out, messages bytes.Buffer
	status := execute(t.Context(), []string{"manual", "--man", folder}, strings.NewReader(""), &out, &messages)
	if status != 0 {
		t.Fatalf("status %d: %s", status, messages.String())
	}
	for _, command := range []string{"search", "prove", "check", "resume", "restrict", "worker", "audit", "atlas-fill",
		"atlas-merge", "atlas-verify"} {
		page := coretest.Must(os.ReadFile(filepath.Join(folder, "leeway-"+command+".1")))
		if !bytes.Contains(page, []byte("(default all cores)")) {
			t.Errorf("the page of %s names the workers of this machine", command)
		}
	}
}
