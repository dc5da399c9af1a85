package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"leeway/core"
	"leeway/objective"
	"leeway/results"
)

// publish writes the record to its file and, without --json, shows it.
// base names the file where the flags do not.
func (a *app) publish(h *hunt, base string, r results.Record) error {
	failed := a.save(h, base, r)
	if !h.asJSON {
		a.printRecord(r) // what could not be written still goes to stdout
	}
	return failed
}

// save writes a record to the file of --out, or to a new one.
func (a *app) save(h *hunt, base string, r results.Record) error {
	if h.out == "" && (h.asJSON || h.inStore) {
		return nil
	}
	data, err := r.Encode()
	if err != nil {
		return err
	}
	name := h.out
	if name == "" {
		name, err = writeNewRecord(base, data)
	} else {
		err = results.WriteFile(name, data)
	}
	if err != nil {
		return err
	}
	a.remark("wrote %s", name)
	return nil
}

// recordBase returns the name of a record file without its ending.
func recordBase(p objective.Problem, seed uint64) string {
	return fileBase(p.Torus(), p.Size, p.Routing.String(), seed)
}

// fileBase is recordBase for a routing in the words of the command line.
func fileBase(t *core.Torus, size int, routing string, seed uint64) string {
	r := strings.NewReplacer(":", "-", "=", "-", "+", "-", ",", "").Replace(routing)
	return fmt.Sprintf("leeway-%s-n%d-%s-seed%d", t, size, r, seed)
}

// writeNewRecord writes a record to a file named base.json or, where that is
// taken, base-2.json and so on, and returns the name.
func writeNewRecord(base string, data []byte) (string, error) {
	name := base + ".json"
	for i := 2; ; i++ {
		if err := results.WriteNewFile(name, data); !errors.Is(err, fs.ErrExist) {
			return name, err
		}
		name = fmt.Sprintf("%s-%d.json", base, i)
	}
}
