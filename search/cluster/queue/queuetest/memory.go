package queuetest

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"sync"

	"leeway/search/cluster/queue"
)

// Memory is a queue inside one process, the plain twin of the one on a server. NewMemory makes one.
type Memory struct {
	mu        sync.Mutex
	changed   chan struct{} // closed at every change
	units     list
	results   list
	ledger    [][]byte
	facts     map[string]queue.Fact
	listeners map[int]func([]byte)
	answer    func() []byte
	serial    int // of the last listener
}

// A list is what waits, in order, and what was delivered and is not done.
type list struct{ waiting, out []*item }

type item struct {
	id       string
	text     []byte
	attempts int
}

// NewMemory returns an empty queue.
func NewMemory() *Memory {
	return &Memory{changed: make(chan struct{}), facts: map[string]queue.Fact{}, listeners: map[int]func([]byte){}}
}

// change wakes all that wait. The lock is held.
func (m *Memory) change() {
	close(m.changed)
	m.changed = make(chan struct{})
}

// Issue implements queue.Queue.
func (m *Memory) Issue(_ context.Context, id string, text []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	same := func(i *item) bool { return i.id == id }
	if !slices.ContainsFunc(m.units.waiting, same) && !slices.ContainsFunc(m.units.out, same) {
		m.units.waiting = append(m.units.waiting, &item{id: id, text: text})
		m.change()
	}
	return nil
}

// Take implements queue.Queue.
func (m *Memory) Take(ctx context.Context) (queue.Delivery, error) { return m.take(ctx, &m.units) }

// Result implements queue.Queue.
func (m *Memory) Result(ctx context.Context) (queue.Delivery, error) { return m.take(ctx, &m.results) }

// Submit implements queue.Queue.
func (m *Memory) Submit(_ context.Context, text []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.results.waiting = append(m.results.waiting, &item{text: text})
	m.change()
	return nil
}

func (m *Memory) take(ctx context.Context, l *list) (queue.Delivery, error) {
	for {
		m.mu.Lock()
		if len(l.waiting) > 0 && ctx.Err() == nil {
			i := l.waiting[0]
			l.waiting, l.out = l.waiting[1:], append(l.out, i)
			i.attempts++
			d := queue.Delivery{Text: bytes.Clone(i.text), Attempt: i.attempts,
				Done: func(context.Context) error { m.done(l, i); return nil }, Renew: func() error { return nil }}
			m.mu.Unlock() // Redeliver may deliver it again from here on
			return d, nil
		}
		changed := m.changed
		m.mu.Unlock()
		select {
		case <-ctx.Done():
			return queue.Delivery{}, ctx.Err()
		case <-changed:
		}
	}
}

func (m *Memory) done(l *list, i *item) {
	m.mu.Lock()
	defer m.mu.Unlock()
	same := func(have *item) bool { return have == i }
	l.out, l.waiting = slices.DeleteFunc(l.out, same), slices.DeleteFunc(l.waiting, same)
}

// Redeliver puts everything that was delivered and is not done back into the queue, as if all who have it had died.
func (m *Memory) Redeliver() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, l := range []*list{&m.units, &m.results} {
		l.waiting, l.out = append(l.out, l.waiting...), nil
	}
	m.change()
}

// Append implements queue.Queue.
func (m *Memory) Append(_ context.Context, line []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ledger = append(m.ledger, line)
	return nil
}

// Ledger implements queue.Queue.
func (m *Memory) Ledger(_ context.Context, each func([]byte) error) error {
	m.mu.Lock()
	lines := slices.Clone(m.ledger)
	m.mu.Unlock()
	for _, l := range lines {
		if err := each(l); err != nil {
			return err
		}
	}
	return nil
}

// Put implements queue.Queue.
func (m *Memory) Put(_ context.Context, key string, value []byte, revision uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	have := m.facts[key].Revision
	if revision != queue.Any && revision != have {
		return queue.ErrChanged
	}
	m.facts[key] = queue.Fact{Value: bytes.Clone(value), Revision: have + 1}
	m.change()
	return nil
}

// Get implements queue.Queue.
func (m *Memory) Get(_ context.Context, key string) (queue.Fact, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.facts[key], nil
}

// Watch implements queue.Queue.
func (m *Memory) Watch(ctx context.Context, key string, each func(queue.Fact)) error {
	go func() {
		for seen := uint64(0); ; {
			m.mu.Lock()
			f, changed := m.facts[key], m.changed
			m.mu.Unlock()
			if f.Revision != seen {
				seen = f.Revision
				each(f)
				continue
			}
			select {
			case <-ctx.Done():
				return
			case <-changed:
			}
		}
	}()
	return nil
}

// Say implements queue.Queue.
func (m *Memory) Say(_ context.Context, text []byte) error {
	m.mu.Lock()
	listeners := slices.Collect(maps.Values(m.listeners))
	m.mu.Unlock()
	for _, each := range listeners {
		each(text)
	}
	return nil
}

// Hear implements queue.Queue.
func (m *Memory) Hear(ctx context.Context, each func([]byte)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.serial++
	number := m.serial
	m.listeners[number] = each
	context.AfterFunc(ctx, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.listeners, number)
	})
	return nil
}

// Ask implements queue.Queue.
func (m *Memory) Ask(context.Context) ([]byte, error) {
	m.mu.Lock()
	answer := m.answer
	m.mu.Unlock()
	if answer == nil {
		return nil, queue.ErrNobody
	}
	return answer(), nil
}

// Answer implements queue.Queue.
func (m *Memory) Answer(ctx context.Context, answer func() []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answer = answer
	context.AfterFunc(ctx, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.answer = nil
	})
	return nil
}

// Clear implements queue.Queue.
func (m *Memory) Clear(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.units, m.results, m.ledger = list{}, list{}, nil
	for key, f := range m.facts { // revisions go on
		m.facts[key] = queue.Fact{Revision: f.Revision + 1}
	}
	m.change()
	return nil
}

// Close implements queue.Queue.
func (m *Memory) Close() error { return nil }
