package disk_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"leeway/core/coretest"
	"leeway/results/disk"
)

// names returns what stands in a folder.
func names(t *testing.T, dir string) string {
	entries := coretest.Must(os.ReadDir(dir))
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	for _, text := range []string{"one", "two, longer", ""} {
		coretest.Try(disk.WriteFile(path, []byte(text)))
		if have, _ := os.ReadFile(path); string(have) != text {
			t.Errorf("wrote %q, read %q", text, have)
		}
	}
	if have := names(t, dir); have != "a.json" {
		t.Errorf("the folder holds %s", have)
	}
}

func TestWriteFileKeepsLinksAndPermissions(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	coretest.Try(os.WriteFile(real, []byte("old"), 0o640))
	coretest.Try(os.Symlink(real, link))
	coretest.Try(disk.WriteFile(link, []byte("new")))
	info, err := os.Lstat(real)
	if text, _ := os.ReadFile(real); err != nil || string(text) != "new" || info.Mode().Perm() != 0o640 {
		t.Errorf("%q, %v, %v", text, info.Mode(), err)
	}
	if info, _ := os.Lstat(link); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
}

func TestWrongTargets(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	coretest.Try(os.WriteFile(file, nil, 0o600))
	for path, want := range map[string]string{
		filepath.Join(dir, "none", "a.json"): "does not exist", dir: "folder", filepath.Join(file, "a.json"): "not a",
		"": "not the name",
		filepath.Join(dir, strings.Repeat("x", 300)): "too long", dir + "/": "not the name",
	} {
		for _, err := range []error{disk.CheckTarget(path), disk.WriteFile(path, []byte("x"))} {
			var wrong *disk.TargetError
			if !errors.As(err, &wrong) || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: error %v, want a TargetError with %q", path, err, want)
			}
		}
	}
	if have := names(t, dir); have != "file" {
		t.Errorf("the folder holds %s", have)
	}
}

func TestFolderWithoutPermission(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write anywhere")
	}
	dir := t.TempDir()
	coretest.Try(os.Chmod(dir, 0o500))
	var wrong *disk.TargetError
	if err := disk.CheckTarget(filepath.Join(dir, "a.json")); !errors.As(err, &wrong) {
		t.Errorf("error %v", err)
	}
}

func TestCheckTargetLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	if err := disk.CheckTarget(path); err != nil || names(t, dir) != "" {
		t.Errorf("error %v, the folder holds %q", err, names(t, dir))
	}
	coretest.Try(os.WriteFile(path, []byte("kept"), 0o600))
	if err := disk.CheckTarget(path); err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "kept" {
		t.Errorf("the file became %q", text)
	}
}

// TestFullDisk uses the device that is always full.
func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full")
	}
	if err := disk.CheckTarget("/dev/full"); err != nil {
		t.Error(err)
	}
	err := disk.WriteFile("/dev/full", []byte("x"))
	var failed *disk.WriteError
	if !errors.As(err, &failed) || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error %v", err)
	}
	if info, _ := os.Stat("/dev/full"); info.Mode().IsRegular() {
		t.Fatal("the device was replaced")
	}
}

func TestWriteNewFileNeverReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new.json")
	coretest.Try(disk.WriteNewFile(path, []byte("one")))
	if err := disk.WriteNewFile(path, []byte("two")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("second write: %v", err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "one" {
		t.Errorf("file holds %q, %v", data, err)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("%d files left in the folder, want 1", len(left))
	}
}

// TestWriteNumbered writes three files of one name.
func TestWriteNumbered(t *testing.T) {
	base := filepath.Join(t.TempDir(), "a")
	for _, want := range []string{base + ".json", base + "-2.json", base + "-3.json"} {
		if name, err := disk.WriteNumbered(base, ".json", []byte("{}\n")); err != nil || name != want {
			t.Errorf("%q, %v instead of %q", name, err, want)
		}
	}
}
