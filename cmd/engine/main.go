//go:build !js

// Outside of browsers the command packs itself: with the name of Go's wasm_exec.js it reads the WebAssembly module,
// compressed, and writes the script that pages load.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
)

// maxPacked is how many bytes the module may have, packed.
const maxPacked = 3_000_000

func main() {
	runner, err := os.ReadFile(strings.Join(os.Args[1:], " "))
	if err == nil {
		err = pack(os.Stdout, runner, os.Stdin)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "engine: it runs in browsers only, and tools/engine.sh FILE makes it for them:", err)
		os.Exit(1)
	}
}

// pack writes the script: const LeewayEngine, with what runs a module and the module, compressed, as a text.
func pack(to io.Writer, runner []byte, module io.Reader) error {
	packed, err := io.ReadAll(module)
	if err != nil {
		return err
	}
	if len(packed) > maxPacked {
		return fmt.Errorf("%d bytes packed, of at most %d: leave something out of it", len(packed), maxPacked)
	}
	_, err = fmt.Fprintf(to, "const LeewayEngine = {\nrun: () => {\n%s\n},\npacked: \"%s\"};\n", runner, sevens(packed))
	return err
}

// sevens writes bytes as characters of seven bits each, the last filled up by zeros. Those that end a line or a string
// are 128 further on. A tenth shorter than base64 in a file of UTF-8.
func sevens(data []byte) string {
	var text bytes.Buffer
	var bits, count uint
	write := func(c rune) {
		if c == 0 || c == '\n' || c == '\r' || c == '"' || c == '\\' {
			c += 128
		}
		text.WriteRune(c)
	}
	for _, b := range data {
		bits, count = bits<<8|uint(b), count+8
		for count >= 7 {
			count -= 7
			write(rune(bits >> count & 127))
		}
		bits &= 1<<count - 1
	}
	if count > 0 {
		write(rune(bits << (7 - count) & 127))
	}
	return text.String()
}
