package atlas

import (
	_ "embed"
	"sync"
)

//go:embed atlas.jsonl
var shippedText []byte

// shipped reads the file of the program once: it never changes.
var shipped = sync.OnceValues(func() (*Atlas, error) { return Read(shippedText) })

// Shipped returns the atlas that is part of the program. Every call returns the same.
func Shipped() (*Atlas, error) { return shipped() }
