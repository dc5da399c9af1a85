package queue

import (
	"cmp"
	"crypto/rand"
	"crypto/subtle"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"leeway/search/cluster/message"
)

// Listen says how a server of this process is reached.
type Listen struct {
	Host     string
	Port     int    // -1: one that is free
	Token    string // that workers show; "" on loopback only: a new one
	CertFile string // with KeyFile: TLS; "" on loopback only
	KeyFile  string
	Dir      string // where everything is kept; "": a temporary folder, until Stop
	// Announce, if not nil, is told the token when the address is known to be free and before anybody can connect.
	Announce func(token string) error
}

// A Server is a NATS server in this process.
type Server struct {
	server *server.Server
	dir    string // to be removed at the end
	token  string // of workers
	secret string // of the coordinator, which is in this process
}

// leader is the user name with which the coordinator connects to its own server.
const leader = "coordinator"

// Check implements server.Authentication. Whoever knows the secret may do everything; whoever has the
// token may do what workers need.
func (s *Server) Check(c server.ClientAuthentication) bool {
	if c.Kind() != server.CLIENT {
		return false
	}
	o := c.GetOpts()
	switch {
	case o.Username == leader && equal(o.Password, s.secret):
		c.RegisterUser(&server.User{Username: leader})
	case o.Username == "" && equal(o.Token, s.token):
		c.RegisterUser(&server.User{Username: "worker", Permissions: &server.Permissions{
			Publish:   &server.SubjectPermission{Allow: workerMayPublish},
			Subscribe: &server.SubjectPermission{Allow: workerMaySubscribe}}})
	default:
		return false
	}
	return true
}

// equal compares secrets in a time that does not depend on them.
func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// What workers may do: take units, hand in reports and incumbents, say hello and ask for the status.
// They may not write units, the ledger, the job or the question, nor make, change or delete a stream.
var (
	workerMayPublish = []string{resultTopic, helloTopic, statusTopic, "$KV." + factBucket + "." + message.KeyBest,
		"$JS.API.CONSUMER.INFO." + unitStream + ".workers", "$JS.API.CONSUMER.MSG.NEXT." + unitStream + ".workers",
		"$JS.ACK." + unitStream + ".workers.>",
		"$JS.API.STREAM.INFO." + factStream, "$JS.API.STREAM.MSG.GET." + factStream,
		"$JS.API.DIRECT.GET." + factStream, "$JS.API.DIRECT.GET." + factStream + ".>",
		"$JS.API.CONSUMER.CREATE." + factStream, "$JS.API.CONSUMER.CREATE." + factStream + ".>",
		"$JS.API.CONSUMER.INFO." + factStream + ".>", "$JS.API.CONSUMER.DELETE." + factStream + ".>",
		"$JS.API.CONSUMER.MSG.NEXT." + factStream + ".>", "$JS.FC." + factStream + ".>"}
	workerMaySubscribe = []string{"_INBOX.>"}
)

// An OpenError says that a server without token or TLS would be open to other machines.
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
	s := &Server{token: cmp.Or(l.Token, rand.Text()), secret: rand.Text()}
	if l.Dir == "" {
		var err error
		if s.dir, err = os.MkdirTemp("", "leeway-cluster-"); err != nil {
			return nil, err
		}
		l.Dir = s.dir
	}
	o := &server.Options{Host: l.Host, Port: l.Port, CustomClientAuthentication: s, NoLog: true, NoSigs: true,
		MaxPayload: message.MaxText + 1<<14, MaxSubs: 4096,
		JetStream: true, StoreDir: l.Dir, JetStreamMaxStore: 2 * storeBytes, DisableJetStreamBanner: true}
	if l.CertFile != "" {
		cert, err := tls.LoadX509KeyPair(l.CertFile, l.KeyFile)
		if err != nil {
			return nil, err
		}
		o.TLSConfig = &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
		o.TLS, o.TLSTimeout = true, 5
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
	if l.Announce != nil {
		if err := l.Announce(s.token); err != nil {
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
	account, err := s.server.LookupAccount(server.DEFAULT_GLOBAL_ACCOUNT)
	if err == nil {
		err = account.UpdateJetStreamLimits(map[string]server.JetStreamAccountLimits{"": {MaxMemory: 1 << 24,
			MaxStore: storeBytes, MaxStreams: 4, MaxConsumers: 25_000,
			MaxAckPending: -1, MemoryMaxStreamBytes: -1, StoreMaxStreamBytes: -1}})
	}
	if err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// Token returns the token that workers have to show.
func (s *Server) Token() string { return s.token }

// Addr returns the host and port on which the server listens.
func (s *Server) Addr() string { return s.server.Addr().String() }

// Stop ends the server.
func (s *Server) Stop() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
	if s.dir != "" {
		_ = os.RemoveAll(s.dir)
	}
}

// Loopback reports whether a host name or address can be reached from this machine only.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
