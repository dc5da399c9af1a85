package backend

import "os/exec"

// Names lists the solvers that Solve can run, the preferred one first.
func Names() []string { return []string{"cadical", "kissat"} }

// Find returns the path of the first of the named solvers that stands on PATH;
// without names, of all that Solve can run. A name with a slash is a path. It
// fails with an *AbsentError.
func Find(names ...string) (string, error) {
	if len(names) == 0 {
		names = Names()
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", &AbsentError{Names: names}
}
