package backend

import "os/exec"

// Clasp is the name of the solver that takes linear constraints and leaves no proof.
const Clasp = "clasp"

// Names lists the solvers that Decide can run, the preferred one first. Those before Clasp prove what they say.
func Names() []string { return []string{"cadical", "kissat", Clasp} }

// Find returns the path of the first of the named solvers that stands on PATH; without names, of all that Decide can
// run. A name with a slash is a path. It fails with an *AbsentError.
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
