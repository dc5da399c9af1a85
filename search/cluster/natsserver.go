package cluster

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Listen says how a server of this process is reached.
type Listen struct {
	Host     string
	Port     int    // -1: one that is free
	Token    string // "" without one, on loopback only
	CertFile string // with KeyFile: TLS; "" on loopback only
	KeyFile  string
	Dir      string // where everything is kept; "": nowhere for longer
}

// A Server is a NATS server in this process.
type Server struct {
	server *server.Server
	dir    string // to be removed at the end
}

// An OpenError says that a server would listen to more than this machine without
// token or TLS.
type OpenError struct{ Host string }

// Error names the address.
func (e *OpenError) Error() string {
	return fmt.Sprintf("cluster: %s is not a loopback address: a token and TLS are needed", e.Host)
}

// Start starts a server.
func Start(l Listen) (*Server, error) {
	if !Loopback(l.Host) && (l.Token == "" || l.CertFile == "") {
		return nil, &OpenError{Host: l.Host}
	}
	s := &Server{}
	if l.Dir == "" {
		var err error
		if s.dir, err = os.MkdirTemp("", "leeway-cluster-"); err != nil {
			return nil, err
		}
		l.Dir = s.dir
	}
	o := &server.Options{Host: l.Host, Port: l.Port, JetStream: true, StoreDir: l.Dir, Authorization: l.Token,
		NoLog: true, NoSigs: true, MaxPayload: 2 * maxText, DisableJetStreamBanner: true}
	if l.CertFile != "" {
		cert, err := tls.LoadX509KeyPair(l.CertFile, l.KeyFile)
		if err != nil {
			return nil, err
		}
		o.TLSConfig, o.TLS, o.TLSTimeout = &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}, true, 5
	}
	if l.Port > 0 { // the server itself would only log it
		probe, err := net.Listen("tcp", net.JoinHostPort(l.Host, strconv.Itoa(l.Port)))
		if err != nil {
			return nil, err
		}
		if err := probe.Close(); err != nil {
			return nil, err
		}
	}
	var err error
	if s.server, err = server.NewServer(o); err != nil {
		return nil, err
	}
	s.server.Start()
	if !s.server.ReadyForConnections(30 * time.Second) {
		s.Stop()
		return nil, errors.New("cluster: the server did not start within 30 s")
	}
	return s, nil
}

// Addr returns the host and port on which the server listens.
func (s *Server) Addr() string { return s.server.Addr().String() }

// Stop ends the server.
func (s *Server) Stop() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
	if s.dir != "" {
		_ = os.RemoveAll(s.dir) // of no use any more
	}
}

// Loopback reports whether a host name or address is this machine only.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
