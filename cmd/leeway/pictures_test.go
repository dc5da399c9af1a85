package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"leeway/core/coretest"
)

// TestPictures sees that the pictures of the documentation are what the program draws, but for those of measurements.
// The Makefile says how.
func TestPictures(t *testing.T) {
	text := coretest.Must(os.ReadFile("../../Makefile"))
	drawn := map[string]bool{}
	command := regexp.MustCompile(`\tbin/leeway (draw .*) --out (docs/pictures/\S+)`)
	for _, m := range command.FindAllStringSubmatch(string(text), -1) {
		var out, messages bytes.Buffer
		args := append(quoted(m[1]), "--format", "svg")
		if status := execute(t.Context(), args, strings.NewReader(""), &out, &messages); status != 0 {
			t.Fatalf("%s: status %d: %s", m[1], status, messages.String())
		}
		want, err := os.ReadFile("../../" + m[2])
		if err != nil || !bytes.Equal(out.Bytes(), want) {
			t.Errorf("%s is not what the program draws (%v): make pictures draws it again", m[2], err)
		}
		drawn[filepath.Base(m[2])] = true
	}
	files, err := filepath.Glob("../../docs/pictures/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no pictures: %v", err)
	}
	for _, file := range files {
		if name := filepath.Base(file); !drawn[name] && !strings.HasPrefix(name, "cost-") {
			t.Errorf("make pictures does not draw %s", file)
		}
	}
}

// quoted splits a command line in which quotation marks keep words together.
func quoted(line string) []string {
	var list []string
	for _, m := range regexp.MustCompile(`"([^"]*)"|(\S+)`).FindAllStringSubmatch(line, -1) {
		list = append(list, m[1]+m[2])
	}
	return list
}
