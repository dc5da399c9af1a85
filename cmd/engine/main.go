//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "engine: it runs in browsers only: tools/engine.sh FILE builds it for them")
	os.Exit(2)
}
