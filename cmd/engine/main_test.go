//go:build !js

package main

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"
)

// TestPack: what is too large packed is refused, and seven bits of each character are the bytes.
func TestPack(t *testing.T) {
	noise := rand.NewChaCha8([32]byte{7})
	if err := pack(io.Discard, nil, io.LimitReader(noise, maxPacked+1)); err == nil {
		t.Errorf("a module of %d bytes is taken", maxPacked+1)
	}
	var script bytes.Buffer
	if err := pack(&script, []byte("run"), io.LimitReader(noise, maxPacked)); err != nil || script.Len() < maxPacked {
		t.Errorf("one byte less gives %d bytes, %v", script.Len(), err)
	}
	data := make([]byte, 1000)
	noise.Read(data)
	var bits string
	for _, c := range sevens(data) {
		if bytes.ContainsRune([]byte("\x00\n\r\"\\"), c) {
			t.Errorf("the text has %q", c)
		}
		for i := 6; i >= 0; i-- {
			bits += string('0' + c>>i&1)
		}
	}
	for i, b := range data {
		got := 0
		for _, bit := range bits[8*i : 8*i+8] {
			got = got<<1 | int(bit-'0')
		}
		if got != int(b) {
			t.Fatalf("byte %d is %d, want %d", i, got, b)
		}
	}
}
