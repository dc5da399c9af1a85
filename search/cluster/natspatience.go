package cluster

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// How long one call to the server may take, and how long to wait after one that
// failed.
const (
	callTime  = 5 * time.Second
	pauseTime = 250 * time.Millisecond
)

// patiently repeats a call until it succeeds, the context ends, or the server says
// what time will not change.
func (q *Nats) patiently(ctx context.Context, call func(context.Context) error) error {
	for {
		limited, cancel := context.WithTimeout(ctx, callTime)
		err := call(limited)
		cancel()
		if err == nil || ctx.Err() != nil || !passing(err) && (q.access.Lead || !missing(err)) || q.conn.IsClosed() {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pauseTime):
		}
	}
}

// passing reports whether an error may go away by itself: a network that is cut, a
// server that starts, a cluster that elects a leader.
func passing(err error) bool {
	for _, e := range []error{context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrConnectionReconnecting,
		nats.ErrReconnectBufExceeded, nats.ErrStaleConnection, jetstream.ErrNoStreamResponse, nats.ErrNoStreamResponse, jetstream.ErrNoHeartbeat,
		jetstream.ErrConsumerLeadershipChanged, jetstream.ErrServerShutdown, jetstream.ErrConnectionClosed, jetstream.ErrJetStreamNotEnabled} {
		if errors.Is(err, e) {
			return true
		}
	}
	var api *jetstream.APIError
	var watch *nats.APIError
	return errors.As(err, &api) && api.Code == 503 || errors.As(err, &watch) && watch.Code == 503
}

// missing reports whether an error says that the coordinator has not come yet.
func missing(err error) bool {
	return errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, nats.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrBucketNotFound)
}
