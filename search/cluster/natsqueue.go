package cluster

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// notStored is the server's code for what a stream has no room for: a unit that is there
// already, as its text says, or anything when the stream is full.
const (
	notStored  jetstream.ErrorCode = 10077
	perSubject                     = "maximum messages per subject exceeded"
)

// A FullError says that a stream of the queue is full: of messages that somebody with
// the token put there, or of the entries of a very long job.
type FullError struct{ Stream string }

// Error names the stream.
func (e *FullError) Error() string {
	return fmt.Sprintf("cluster: the stream %s is full: somebody who may write to the server fills it, or the job has more units than are kept", e.Stream)
}

// full reports whether a stream has no room for a message.
func full(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && api.ErrorCode == notStored && strings.Contains(api.Description, "maximum")
}

// Issue implements Queue: a subject of its own for each unit, which holds one
// message at most.
func (q *Nats) Issue(ctx context.Context, id string, text []byte) error {
	return q.patiently(ctx, func(ctx context.Context) error {
		_, err := q.js.Publish(ctx, unitSubject+id, text)
		var api *jetstream.APIError
		switch {
		case errors.As(err, &api) && api.ErrorCode == notStored && api.Description == perSubject:
			return nil
		case full(err):
			return &FullError{Stream: unitStream}
		}
		return err
	})
}

// Take implements Queue.
func (q *Nats) Take(ctx context.Context) (Delivery, error) { return q.next(ctx, q.units) }

// Result implements Queue.
func (q *Nats) Result(ctx context.Context) (Delivery, error) { return q.next(ctx, q.results) }

// Give implements Queue.
// Where results are many it waits until the coordinator has taken some.
func (q *Nats) Give(ctx context.Context, text []byte) error { return q.publish(ctx, resultTopic, text) }

// Append implements Queue.
func (q *Nats) Append(ctx context.Context, entry []byte) error {
	err := q.patiently(ctx, func(ctx context.Context) error {
		_, err := q.js.Publish(ctx, ledgerTopic, entry)
		if full(err) {
			return &FullError{Stream: ledgerStream}
		}
		return err
	})
	return err
}

// publish waits until the server has a message. One that was sent again after the
// answer was lost is there twice: entries and results may be.
func (q *Nats) publish(ctx context.Context, subject string, text []byte) error {
	return q.patiently(ctx, func(ctx context.Context) error {
		_, err := q.js.Publish(ctx, subject, text)
		return err
	})
}

// pullTime is how long one request for a message waits at the server.
const pullTime = 20 * time.Second

// next waits for a message of a consumer.
func (q *Nats) next(ctx context.Context, from jetstream.Consumer) (Delivery, error) {
	for {
		limited, cancel := context.WithTimeout(ctx, pullTime)
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
		if err != nil && !passing(err) && !errors.Is(err, context.Canceled) || q.conn.IsClosed() {
			return Delivery{}, errors.Join(err, nats.ErrConnectionClosed)
		}
		if err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, nats.ErrTimeout) {
			select {
			case <-ctx.Done():
			case <-time.After(pauseTime):
			}
		}
	}
}

func (q *Nats) deliver(m jetstream.Msg) (Delivery, error) {
	meta, err := m.Metadata()
	if err != nil {
		return Delivery{}, err
	}
	return Delivery{Text: m.Data(), Attempt: int(meta.NumDelivered), Beat: m.InProgress, Patience: q.patience,
		// Lost with the connection, it comes again and is refused as known.
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
	return q.patiently(ctx, func(ctx context.Context) error {
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
	err = q.patiently(ctx, func(ctx context.Context) error {
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

// Watch implements Queue. It begins anew whenever the connection was lost: the
// server may be another one then, whose revisions are lower.
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
	err = q.patiently(ctx, func(context.Context) error { // whose end would end the watch
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
		if err := q.patiently(ctx, func(ctx context.Context) error {
			stream, err := q.js.Stream(ctx, name)
			if err == nil {
				err = stream.Purge(ctx)
			}
			return err
		}); err != nil {
			return err
		}
	}
	for _, key := range []string{keyJob, keyQuestion, keyBest} {
		if err := q.Put(ctx, key, nil, Any); err != nil {
			return err
		}
	}
	return nil
}
