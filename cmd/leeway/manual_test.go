package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestReference sees that docs/reference.md is what the program says of itself.
func TestReference(t *testing.T) {
	want, err := os.ReadFile("../../docs/reference.md")
	if err != nil {
		t.Fatal(err)
	}
	var out, messages bytes.Buffer
	if status := run(t.Context(), []string{"manual"}, strings.NewReader(""), &out, &messages); status != 0 {
		t.Fatalf("status %d: %s", status, messages.String())
	}
	if !bytes.Equal(out.Bytes(), want) {
		t.Error("docs/reference.md is not what the program says: make docs writes it anew")
	}
}
