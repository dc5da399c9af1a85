//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package disk

import (
	"errors"
	"os"
)

// lock takes no lock: there is none that every such system has.
func lock(*os.File, bool) error { return errors.ErrUnsupported }
