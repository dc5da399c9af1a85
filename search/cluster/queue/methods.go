package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"leeway/search/cluster/message"
)

// notStored is the code of the server for a message that a stream does not take: a unit that is there
// already, as the description says, or any message when the stream is full.
const (
	notStored  jetstream.ErrorCode = 10077
	perSubject                     = "maximum messages per subject exceeded"
)

// A FullError says that a stream of the queue is full: of messages that somebody with the token put
// there, or of the lines of a very long job.
type FullError struct{ Stream string }

// Error names the stream.
func (e *FullError) Error() string {
	return fmt.Sprintf("cluster: the stream %s is full: somebody who may write to the server fills it, "+
		"or the job has more units than are kept", e.Stream)
}

// Issue implements Queue. Each unit has a subject of its own, which holds one message at most.
func (q *Nats) Issue(ctx context.Context, id string, text []byte) error {
	return q.publish(ctx, unitStream, unitSubject+id, text)
}

// Append implements Queue. A line that is sent again because the answer was lost is there twice.
func (q *Nats) Append(ctx context.Context, line []byte) error {
	return q.publish(ctx, ledgerStream, ledgerTopic, line)
}

// Submit implements Queue. While the stream of reports is full it waits until the coordinator has taken
// some. A report that is sent again because the answer was lost is there twice.
func (q *Nats) Submit(ctx context.Context, text []byte) error {
	return q.publish(ctx, resultStream, resultTopic, text)
}

// publish waits until a stream has a message. Only for reports it also waits while the stream is full.
func (q *Nats) publish(ctx context.Context, stream, subject string, text []byte) error {
	return q.retry(ctx, func(ctx context.Context) error {
		_, err := q.js.Publish(ctx, subject, text)
		var api *jetstream.APIError
		switch {
		case stream == resultStream || !errors.As(err, &api) || api.ErrorCode != notStored:
			return err
		case api.Description == perSubject: // the unit is there
			return nil
		case strings.Contains(api.Description, "maximum"):
			return &FullError{Stream: stream}
		}
		return err
	})
}

// Take implements Queue.
func (q *Nats) Take(ctx context.Context) (Delivery, error) { return q.next(ctx, q.units) }

// Result implements Queue.
func (q *Nats) Result(ctx context.Context) (Delivery, error) { return q.next(ctx, q.results) }

// pullTimeout is how long one request for a message waits at the server.
const pullTimeout = 20 * time.Second

// next waits for a message of a consumer.
func (q *Nats) next(ctx context.Context, from jetstream.Consumer) (Delivery, error) {
	for {
		limited, cancel := context.WithTimeout(ctx, pullTimeout)
		batch, err := from.Fetch(1, jetstream.FetchContext(limited))
		if err == nil {
			for m := range batch.Messages() {
				cancel()
				return q.deliver(m)
			}
			err = batch.Error()
		}
		cancel()
		if ctx.Err() != nil {
			return Delivery{}, ctx.Err()
		}
		if err != nil && !transient(err) && !errors.Is(err, context.Canceled) || q.conn.IsClosed() {
			return Delivery{}, errors.Join(err, nats.ErrConnectionClosed)
		}
		if err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, nats.ErrTimeout) {
			select {
			case <-ctx.Done():
			case <-time.After(retryPause):
			}
		}
	}
}

func (q *Nats) deliver(m jetstream.Msg) (Delivery, error) {
	meta, err := m.Metadata()
	if err != nil {
		return Delivery{}, err
	}
	return Delivery{Text: m.Data(), Attempt: int(meta.NumDelivered), Renew: m.InProgress, Patience: q.patience,
		// Where this is lost with the connection, the delivery comes again and is refused as known.
		Done: func(context.Context) error { _ = m.Ack(); return nil }}, nil
}

// Ledger implements Queue.
func (q *Nats) Ledger(ctx context.Context, each func([]byte) error) error {
	stream, err := q.js.Stream(ctx, ledgerStream)
	if err != nil {
		return err
	}
	info, err := stream.Info(ctx)
	if err != nil || info.State.Msgs == 0 {
		return err
	}
	consumer, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{})
	if err != nil {
		return err
	}
	messages, err := consumer.Messages()
	if err != nil {
		return err
	}
	defer messages.Stop()
	for {
		m, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return err
		}
		if err := each(m.Data()); err != nil {
			return err
		}
		meta, err := m.Metadata()
		if err != nil || meta.Sequence.Stream >= info.State.LastSeq {
			return err
		}
	}
}

// Put implements Queue.
func (q *Nats) Put(ctx context.Context, key string, value []byte, revision uint64) error {
	return q.retry(ctx, func(ctx context.Context) error {
		var err error
		if revision == Any {
			_, err = q.facts.Put(ctx, key, value)
		} else {
			_, err = q.facts.Update(ctx, key, value, revision)
		}
		var api *jetstream.APIError
		if errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence {
			return ErrChanged
		}
		return err
	})
}

// Get implements Queue.
func (q *Nats) Get(ctx context.Context, key string) (f Fact, err error) {
	err = q.retry(ctx, func(ctx context.Context) error {
		e, err := q.facts.Get(ctx, key)
		switch {
		case errors.Is(err, jetstream.ErrKeyNotFound):
			f = Fact{}
			return nil
		case err == nil:
			f = Fact{Value: e.Value(), Revision: e.Revision()}
		}
		return err
	})
	return f, err
}

// Watch implements Queue. It begins anew whenever the connection was lost: the server may be another
// one then, whose revisions are lower.
func (q *Nats) Watch(ctx context.Context, key string, each func(Fact)) error {
	back := q.conn.StatusChanged(nats.CONNECTED)
	watcher, err := q.watch(ctx, key)
	if err != nil {
		q.conn.RemoveStatusListener(back)
		return err
	}
	go func() {
		defer q.conn.RemoveStatusListener(back)
		for updates := watcher.Updates(); ctx.Err() == nil; {
			select {
			case <-ctx.Done():
			case e, open := <-updates:
				if !open {
					updates = nil // until the connection is back
				} else if e != nil { // nil parts what was there from what comes
					each(Fact{Value: e.Value(), Revision: e.Revision()})
				}
			case <-back:
				_ = watcher.Stop() // it may have ended
				if watcher, err = q.watch(ctx, key); err != nil {
					return // closed for good
				}
				updates = watcher.Updates()
			}
		}
	}()
	return nil
}

func (q *Nats) watch(ctx context.Context, key string) (w jetstream.KeyWatcher, err error) {
	err = q.retry(ctx, func(context.Context) error { // whose end would end the watch
		w, err = q.facts.Watch(ctx, key)
		return err
	})
	return w, err
}

// Say implements Queue.
func (q *Nats) Say(_ context.Context, text []byte) error { return q.conn.Publish(helloTopic, text) }

// Hear implements Queue.
func (q *Nats) Hear(ctx context.Context, each func([]byte)) error {
	return q.subscribe(ctx, helloTopic, func(m *nats.Msg) { each(m.Data) })
}

func (q *Nats) subscribe(ctx context.Context, subject string, each nats.MsgHandler) error {
	s, err := q.conn.Subscribe(subject, each)
	if err == nil {
		context.AfterFunc(ctx, func() { _ = s.Unsubscribe() }) // fails on a closed connection only
	}
	return err
}

// Ask implements Queue.
func (q *Nats) Ask(ctx context.Context) ([]byte, error) {
	m, err := q.conn.RequestWithContext(ctx, statusTopic, nil)
	if errors.Is(err, nats.ErrNoResponders) {
		return nil, ErrNobody
	}
	if err != nil {
		return nil, err
	}
	return m.Data, nil
}

// Answer implements Queue.
func (q *Nats) Answer(ctx context.Context, answer func() []byte) error {
	return q.subscribe(ctx, statusTopic, func(m *nats.Msg) { _ = m.Respond(answer()) })
}

// Clear implements Queue.
func (q *Nats) Clear(ctx context.Context) error {
	for _, name := range []string{unitStream, resultStream, ledgerStream} {
		if err := q.retry(ctx, func(ctx context.Context) error {
			stream, err := q.js.Stream(ctx, name)
			if err == nil {
				err = stream.Purge(ctx)
			}
			return err
		}); err != nil {
			return err
		}
	}
	for _, key := range []string{message.KeyJob, message.KeyQuestion, message.KeyBest} {
		if err := q.Put(ctx, key, nil, Any); err != nil {
			return err
		}
	}
	return nil
}

// How long one call to the server may take, and how long to wait after one that failed.
const (
	callTimeout = 5 * time.Second
	retryPause  = 250 * time.Millisecond
)

// retry repeats a call until it succeeds, the context ends, or it fails for a reason that will not go away.
func (q *Nats) retry(ctx context.Context, call func(context.Context) error) error {
	for {
		limited, cancel := context.WithTimeout(ctx, callTimeout)
		err := call(limited)
		cancel()
		again := transient(err) || !q.access.Lead && notMadeYet(err)
		if err == nil || ctx.Err() != nil || !again || q.conn.IsClosed() {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(retryPause):
		}
	}
}

// transient reports whether an error may go away by itself: the network is cut, a server starts, a
// cluster elects its leader.
func transient(err error) bool {
	if isAny(err, context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected,
		nats.ErrConnectionReconnecting, nats.ErrReconnectBufExceeded, nats.ErrStaleConnection,
		jetstream.ErrNoStreamResponse, nats.ErrNoStreamResponse, jetstream.ErrNoHeartbeat,
		jetstream.ErrConsumerLeadershipChanged, jetstream.ErrServerShutdown, jetstream.ErrConnectionClosed,
		jetstream.ErrJetStreamNotEnabled) {
		return true
	}
	var api *jetstream.APIError
	var watch *nats.APIError
	return errors.As(err, &api) && api.Code == 503 || errors.As(err, &watch) && watch.Code == 503
}

// notMadeYet reports whether an error says that no coordinator has made the streams.
func notMadeYet(err error) bool {
	return isAny(err, jetstream.ErrStreamNotFound, nats.ErrStreamNotFound, jetstream.ErrConsumerNotFound,
		jetstream.ErrBucketNotFound)
}

func isAny(err error, list ...error) bool {
	return slices.ContainsFunc(list, func(e error) bool { return errors.Is(err, e) })
}
