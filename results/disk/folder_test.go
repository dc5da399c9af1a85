package disk

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"leeway/core/coretest"
)

// TestNewFolder: folders that are in use stay, one whose process ended is removed by the next, and so is nothing else.
func TestNewFolder(t *testing.T) {
	place := t.TempDir()
	first, done, err := NewFolder(place, ".part-")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".part-left", "other", ".part-"} {
		coretest.Try(os.Mkdir(filepath.Join(place, name), 0o700))
	}
	for name, text := range map[string]string{".part-left/proof": "cut", ".part-file": "a file"} {
		coretest.Try(os.WriteFile(filepath.Join(place, name), []byte(text), 0o600))
	}
	probe := coretest.Must(os.Open(place))
	defer probe.Close()
	if lock(probe, false) != nil {
		t.Skip("there are no locks here")
	}
	second, gone, err := NewFolder(place, ".part-")
	if err != nil || first == second {
		t.Fatal(first, second, err)
	}
	names := func() string {
		list := []string{}
		for _, e := range coretest.Must(os.ReadDir(place)) {
			list = append(list, strings.NewReplacer(filepath.Base(first), "FIRST", filepath.Base(second), "SECOND").
				Replace(e.Name()))
		}
		return strings.Join(list, " ")
	}
	for _, want := range []string{"FIRST", "SECOND", "other", ".part-file"} {
		if !strings.Contains(names(), want) {
			t.Errorf("%s is gone: %s", want, names())
		}
	}
	if strings.Contains(names(), ".part-left") {
		t.Errorf("what was left stays: %s", names())
	}
	done()
	gone()
	if got := names(); got != ".part-file other" {
		t.Errorf("at the end there are %s", got)
	}
}

// TestHoldFolder: what holds a folder is alone with it.
func TestHoldFolder(t *testing.T) {
	place := t.TempDir()
	count := filepath.Join(place, "count")
	probe := coretest.Must(os.Open(place))
	defer probe.Close()
	if lock(probe, false) != nil {
		t.Skip("there are no locks here")
	}
	probe.Close()
	coretest.Try(os.WriteFile(count, nil, 0o600))
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 50 {
				release := HoldFolder(place)
				text, err := os.ReadFile(count)
				if err = errors.Join(err, os.WriteFile(count, append(text, 'x'), 0o600)); err != nil {
					t.Error(err)
				}
				release()
			}
		})
	}
	wait.Wait()
	if text := coretest.Must(os.ReadFile(count)); len(text) != 400 {
		t.Errorf("%d of 400 were counted", len(text))
	}
	HoldFolder(filepath.Join(place, "none"))()
}

// TestNewFolderAtOnce: many that begin at the same moment each have a folder until they are done.
func TestNewFolderAtOnce(t *testing.T) {
	place := t.TempDir()
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 50 {
				path, done, err := NewFolder(place, "x")
				if err != nil {
					t.Error(err)
					return
				}
				if err := os.WriteFile(filepath.Join(path, "file"), nil, 0o600); err != nil {
					t.Error(err)
				}
				done()
			}
		})
	}
	wait.Wait()
	if left := coretest.Must(os.ReadDir(place)); len(left) > 0 {
		t.Errorf("%d folders are left", len(left))
	}
}
