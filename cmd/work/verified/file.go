package verified

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/disk"
)

// A File is a table in a file, which several runs may fill at once.
type File struct {
	*atlas.VerifiedTable
	path string
	held []byte // what the file had last
}

// Open reads the table of a file, an empty one if there is no such file. Errors are those of reading and of a place
// where there can be no file.
func Open(ctx context.Context, path string) (*File, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return &File{VerifiedTable: atlas.NewVerified(), path: path}, disk.CheckTarget(path)
	}
	data, err := disk.ReadFile(ctx, path)
	if err != nil {
		return nil, err
	}
	table, err := atlas.ReadVerified(data)
	return &File{VerifiedTable: table, path: path, held: data}, results.InFile(err, path)
}

// Save writes the table, together with the cells that another run added to the file in the meantime. Two runs that save
// at the same moment do so in turn, where the system has locks.
func (f *File) Save(ctx context.Context) error {
	defer disk.HoldFolder(filepath.Dir(f.path))()
	if _, err := os.Stat(f.path); !errors.Is(err, fs.ErrNotExist) {
		now, err := disk.ReadFile(ctx, f.path)
		if err == nil && !bytes.Equal(now, f.held) {
			err = results.InFile(f.Rebase(now), f.path)
		}
		if err != nil {
			return err
		}
	}
	data, err := f.Encode()
	if err == nil {
		err = disk.WriteFile(f.path, data)
	}
	f.held = data
	return err
}

// Verified returns how many questions the table answers.
func (f *File) Verified(list []Question) (have int) {
	for _, q := range list {
		c, ok := f.Get(q.Key, q.Labelled > 0)
		if ok && c.Open == "" && c.Below == q.Below.RatString() && c.Labelled == q.Labelled {
			have++
		}
	}
	return have
}
