package coordinator

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/search/cluster/queue"
)

// ReadListen reads listen:PORT or listen:HOST:PORT, a server without token and certificate; it is nil for a text that
// begins otherwise. The error is an *core.InputError.
func ReadListen(text string) (*queue.Listen, error) {
	address, ok := strings.CutPrefix(text, "listen:")
	if !ok {
		return nil, nil
	}
	if !strings.Contains(address, ":") {
		address = "127.0.0.1:" + address
	}
	host, portText, err := net.SplitHostPort(address)
	port, errPort := strconv.Atoi(portText)
	if err != nil || errPort != nil || port < 1 || port > 65535 || host == "" {
		return nil, core.Invalid(text, "not an address to listen on").Hinted("write listen:4222 or listen:0.0.0.0:4222")
	}
	return &queue.Listen{Host: host, Port: port}, nil
}

// Reach returns how to reach a server by URLs, with a token, or credentials and certificates to trust in files. Beyond
// loopback a token or credentials, and TLS, are required. The error is an *core.InputError.
func Reach(urls, token, creds, ca string) (queue.Access, error) {
	for _, one := range strings.Split(urls, ",") {
		u, err := url.Parse(one)
		switch {
		case err != nil || u.Scheme != "nats" && u.Scheme != "tls" || u.Hostname() == "" || u.Path != "" || u.User != nil:
			return queue.Access{}, core.Invalid(urls, "%q is not the address of a server", one).
				Hinted("write nats://host:port, or several with commas between")
		case !queue.Loopback(u.Hostname()) && (token == "" && creds == "" || u.Scheme != "tls" && ca == ""):
			return queue.Access{}, core.Invalid(urls,
				"%s is not this machine: a token or credentials, and TLS, are needed", u.Hostname()).
				Hinted("add --token-file FILE and --tls-ca FILE; see docs/cluster.md")
		}
	}
	host, _ := os.Hostname() // "" will do
	a := queue.Access{URLs: urls, Token: token, CredsFile: creds, CAFile: ca, Name: "leeway " + host}
	if token == "" && creds == "" {
		a.TokenOf = func() string { return FoundToken(urls) }
	}
	return a, nil
}

// FoundToken returns the token that a coordinator of this user on this machine left for
// the port of one of some URLs, "" if there is none.
func FoundToken(urls string) string {
	for _, one := range strings.Split(urls, ",") {
		u, err := url.Parse(one)
		if err != nil || !queue.Loopback(u.Hostname()) {
			continue
		}
		for _, dir := range secretDirs() {
			if data, err := os.ReadFile(tokenPath(dir, u.Port())); err == nil {
				return strings.TrimSpace(string(data))
			}
		}
	}
	return ""
}

// secretDirs returns the folders in which secrets of this user may be, the first
// that can be written to.
func secretDirs() (list []string) {
	if dir, err := os.UserConfigDir(); err == nil {
		list = append(list, filepath.Join(dir, "leeway", "cluster"))
	}
	return append(list, filepath.Join(os.TempDir(), fmt.Sprintf("leeway-%d", os.Getuid())))
}

// tokenPath returns the file of the token of the server on a port of this machine; the
// folder may be shared by several.
func tokenPath(dir, port string) string {
	host, _ := os.Hostname() // "" will do
	return filepath.Join(dir, filepath.Base(host+"-"+port+".token"))
}

// writeSecret writes a file that only this user can read, in the first folder that only
// this user can write to.
func writeSecret(dirs []string, path func(dir string) string, text string) (string, error) {
	var failed error
	for _, dir := range dirs {
		err := os.MkdirAll(dir, 0o700)
		if err == nil && runtime.GOOS != "windows" {
			err = os.Chmod(dir, 0o700) // fails for a folder of somebody else
		}
		if err == nil {
			err = replaceSecret(path(dir), text)
		}
		if err == nil {
			return path(dir), nil
		}
		failed = errors.Join(failed, err)
	}
	return "", failed
}

// replaceSecret puts a file in place at once, readable by this user only.
func replaceSecret(path, text string) error {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // of mode 0600
	if err != nil {
		return err
	}
	_, err = temp.WriteString(text)
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return err
}

// keepToken keeps the token of a server that listens for workers of this user on this machine,
// and returns what takes it away.
func keepToken(port int, token string) (remove func(), err error) {
	path, err := writeSecret(secretDirs(), func(dir string) string { return tokenPath(dir, strconv.Itoa(port)) }, token)
	return func() {
		if data, err := os.ReadFile(path); err == nil && string(data) == token { // not that of the next one
			_ = os.Remove(path)
		}
	}, err
}
