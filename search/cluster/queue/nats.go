package queue

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"leeway/search/cluster/message"
)

// The names of what the queue keeps on a server.
const (
	unitStream   = "leeway-units"
	resultStream = "leeway-results"
	ledgerStream = "leeway-ledger"
	factBucket   = "leeway"
	factStream   = "KV_" + factBucket
	unitSubject  = "leeway.unit."
	resultTopic  = "leeway.result"
	ledgerTopic  = "leeway.ledger"
	helloTopic   = "leeway.hello"
	statusTopic  = "leeway.status"
)

// What the streams may hold, in bytes and messages. Units and reports are in transit. A unit and its
// report are two lines of the ledger of some 600 bytes each, so that the ledger has room for a million
// units. When a stream is full workers wait, and the coordinator ends with a *FullError.
const (
	transitBytes = 64 << 20
	transitCount = 1 << 17
	ledgerBytes  = 1 << 30
	factBytes    = 16 << 20
	storeBytes   = 2*transitBytes + ledgerBytes + 2*factBytes
)

// Access says how to reach a server.
type Access struct {
	URLs  string // of one server, or of some nodes of one cluster, with commas between
	Token string // "" without one
	// TokenOf, if not nil, returns the token whenever a connection is made, in place of Token.
	TokenOf   func() string
	CredsFile string // of a NATS user, "" without
	CAFile    string // certificates to trust; "" those of the system
	Name      string // of the connection
	// Server is a server of this process, nil to go by URLs.
	Server *Server
	// Replicas is on how many nodes everything is kept; 0: one.
	Replicas int
	// Lead says that this is the coordinator: it makes the streams, and the others wait for them.
	Lead bool
	// Patience is after what time without a sign of life a unit is delivered again; 0: 30 s. Only that
	// of the coordinator counts.
	Patience time.Duration
	// Changed is called when the connection is lost, and with nil when it is back; nil: not at all.
	Changed func(error)
}

// Nats is a queue on a NATS server with JetStream.
type Nats struct {
	conn     *nats.Conn
	js       jetstream.JetStream
	access   Access
	patience time.Duration
	units    jetstream.Consumer
	results  jetstream.Consumer
	facts    jetstream.KeyValue
}

// Absent reports whether an error of Dial says that no server answers yet.
func Absent(err error) bool {
	var late net.Error
	return errors.Is(err, nats.ErrNoServers) || errors.As(err, &late) && late.Timeout()
}

// Dial connects to a server and opens the queue there. The connection is taken up again whenever it is lost.
func Dial(ctx context.Context, a Access) (*Nats, error) {
	q, err := Reach(a)
	if err != nil {
		return nil, err
	}
	if err := q.open(ctx); err != nil {
		q.conn.Close()
		return nil, fmt.Errorf("cluster: %s: %w", a.URLs, err)
	}
	return q, nil
}

// Reach connects to a server without opening the queue: only Ask and Close may be called.
func Reach(a Access) (*Nats, error) {
	options, err := a.options()
	if err != nil {
		return nil, err
	}
	q := &Nats{access: a}
	if q.conn, err = nats.Connect(a.URLs, options...); err != nil {
		return nil, fmt.Errorf("cluster: %s: %w", a.URLs, err)
	}
	q.js, err = jetstream.New(q.conn, jetstream.WithDefaultTimeout(callTimeout))
	return q, err
}

func (a Access) options() ([]nats.Option, error) {
	list := []nats.Option{nats.Name(a.Name),
		nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond), nats.Timeout(5 * time.Second),
		nats.PingInterval(10 * time.Second), nats.MaxPingsOutstanding(2), nats.IgnoreAuthErrorAbort(),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil && a.Changed != nil { // nil: this side has ended the connection
				a.Changed(err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			if a.Changed != nil {
				a.Changed(nil)
			}
		}),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})} // told by the calls that fail
	if a.Server != nil {
		list = append(list, nats.InProcessServer(a.Server.server), nats.UserInfo(leader, a.Server.secret))
	} else if a.TokenOf != nil {
		list = append(list, nats.TokenHandler(a.TokenOf))
	} else if a.Token != "" {
		list = append(list, nats.Token(a.Token))
	}
	if a.CredsFile != "" {
		list = append(list, nats.UserCredentials(a.CredsFile))
	}
	if a.Server == nil && (a.CAFile != "" || strings.Contains(a.URLs, "tls://")) {
		config := &tls.Config{MinVersion: tls.VersionTLS12}
		if a.CAFile != "" {
			pem, err := os.ReadFile(a.CAFile)
			if err != nil {
				return nil, err
			}
			if config.RootCAs = x509.NewCertPool(); !config.RootCAs.AppendCertsFromPEM(pem) {
				return nil, fmt.Errorf("cluster: %s holds no certificate", a.CAFile)
			}
		}
		list = append(list, nats.Secure(config))
	}
	return list, nil
}

// open finds the streams and consumers. A coordinator makes those that are missing.
func (q *Nats) open(ctx context.Context) error {
	if q.access.Lead {
		if err := q.make(ctx); err != nil {
			return err
		}
	}
	return q.retry(ctx, func(ctx context.Context) (err error) {
		if q.units, err = q.js.Consumer(ctx, unitStream, "workers"); err != nil {
			return err
		}
		if q.access.Lead {
			if q.results, err = q.js.Consumer(ctx, resultStream, "coordinator"); err != nil {
				return err
			}
		}
		q.patience = q.units.CachedInfo().Config.AckWait
		q.facts, err = q.js.KeyValue(ctx, factBucket)
		return err
	})
}

// make makes streams, consumers and the bucket of facts where they are missing, and gives those that are there today's
// bounds.
func (q *Nats) make(ctx context.Context) error {
	replicas, patience := max(1, q.access.Replicas), cmp.Or(q.access.Patience, 30*time.Second)
	stream := func(name, subject string, policy jetstream.RetentionPolicy, bytes, count int64) jetstream.StreamConfig {
		return jetstream.StreamConfig{Name: name, Subjects: []string{subject}, Retention: policy,
			Storage: jetstream.FileStorage, Replicas: replicas,
			MaxBytes: bytes, MaxMsgs: count, MaxMsgSize: message.MaxText, Discard: jetstream.DiscardNew}
	}
	units := stream(unitStream, unitSubject+"*", jetstream.WorkQueuePolicy, transitBytes, transitCount)
	units.MaxMsgsPerSubject, units.DiscardNewPerSubject = 1, true
	consumer := func(name string) jetstream.ConsumerConfig {
		return jetstream.ConsumerConfig{Durable: name, AckPolicy: jetstream.AckExplicitPolicy, AckWait: patience,
			MaxDeliver: -1, MaxAckPending: 200_000}
	}
	for _, s := range []jetstream.StreamConfig{units,
		stream(resultStream, resultTopic, jetstream.WorkQueuePolicy, transitBytes, transitCount),
		stream(ledgerStream, ledgerTopic, jetstream.LimitsPolicy, ledgerBytes, -1)} {
		if err := q.retry(ctx, func(ctx context.Context) error {
			_, err := q.js.CreateOrUpdateStream(ctx, s)
			return err
		}); err != nil {
			return err
		}
	}
	return q.retry(ctx, func(ctx context.Context) error {
		if _, err := q.js.CreateOrUpdateConsumer(ctx, unitStream, consumer("workers")); err != nil {
			return err
		}
		if _, err := q.js.CreateOrUpdateConsumer(ctx, resultStream, consumer("coordinator")); err != nil {
			return err
		}
		_, err := q.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: factBucket,
			Storage: jetstream.FileStorage, Replicas: replicas, MaxBytes: factBytes, MaxValueSize: message.MaxText})
		return err
	})
}

// Close implements Queue.
func (q *Nats) Close() error {
	q.conn.Close()
	return nil
}
