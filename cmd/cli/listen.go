package cli

import (
	"errors"
	"fmt"
	"net"
	"syscall"
)

// A BusyError says that an address is in use.
type BusyError struct{ flag, address string }

func (e *BusyError) Error() string {
	return fmt.Sprintf("--%s %s: the address is in use by another program", e.flag, e.address)
}

// Listen opens the address of a flag, HOST:PORT as in the example. The error of a malformed address is an *Error, that
// of one in use a *BusyError.
func Listen(flag, address, example string) (net.Listener, error) {
	hint := "write for instance " + example
	if _, _, err := net.SplitHostPort(address); err != nil {
		return nil, Errorf("--%s %q: not HOST:PORT", flag, address).Hinted(hint)
	}
	l, err := net.Listen("tcp", address)
	var port *net.AddrError
	var host *net.DNSError
	switch {
	case errors.As(err, &port), errors.As(err, &host), errors.Is(err, syscall.EADDRNOTAVAIL):
		return nil, Errorf("--%s %q: not an address of this machine: %w", flag, address, err).Hinted(hint)
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, &BusyError{flag, address}
	case err != nil:
		return nil, InFlag(flag, err)
	}
	return l, nil
}
