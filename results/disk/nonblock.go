//go:build !js

package disk

import "syscall"

// nonblock opens a pipe that nobody reads with an error instead of waiting.
const nonblock = syscall.O_NONBLOCK
