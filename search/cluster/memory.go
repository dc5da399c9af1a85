package cluster

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"sync"
)

// Memory is a queue inside one process: the twin of the real one, for tests. The
// zero value is not ready; use NewMemory.
type Memory struct {
	mu      sync.Mutex
	changed chan struct{} // closed at every change
	units   line
	results line
	ledger  [][]byte
	facts   map[string]Fact
	ears    map[int]func([]byte)
	answer  func() []byte
	serial  int
}

// A line is what waits, in order, and what is out.
type line struct {
	waiting []*parcel
	out     []*parcel
}

type parcel struct {
	id       string
	text     []byte
	attempts int
}

// NewMemory returns an empty queue.
func NewMemory() *Memory {
	return &Memory{changed: make(chan struct{}), facts: map[string]Fact{}, ears: map[int]func([]byte){}}
}

// change wakes all that wait. The lock is held.
func (m *Memory) change() {
	close(m.changed)
	m.changed = make(chan struct{})
}

// Issue implements Queue.
func (m *Memory) Issue(_ context.Context, id string, text []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	same := func(p *parcel) bool { return p.id == id }
	if !slices.ContainsFunc(m.units.waiting, same) && !slices.ContainsFunc(m.units.out, same) {
		m.units.waiting = append(m.units.waiting, &parcel{id: id, text: text})
		m.change()
	}
	return nil
}

// Take implements Queue.
func (m *Memory) Take(ctx context.Context) (Delivery, error) { return m.take(ctx, &m.units) }

// Result implements Queue.
func (m *Memory) Result(ctx context.Context) (Delivery, error) { return m.take(ctx, &m.results) }

// Give implements Queue.
func (m *Memory) Give(_ context.Context, text []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.results.waiting = append(m.results.waiting, &parcel{text: text})
	m.change()
	return nil
}

func (m *Memory) take(ctx context.Context, l *line) (Delivery, error) {
	for {
		m.mu.Lock()
		if len(l.waiting) > 0 && ctx.Err() == nil {
			p := l.waiting[0]
			l.waiting, l.out = l.waiting[1:], append(l.out, p)
			p.attempts++
			d := Delivery{Text: bytes.Clone(p.text), Attempt: p.attempts,
				Done: func(context.Context) error { m.done(l, p); return nil }, Beat: func() error { return nil }}
			m.mu.Unlock() // Redeliver may hand the parcel out again from here on
			return d, nil
		}
		changed := m.changed
		m.mu.Unlock()
		select {
		case <-ctx.Done():
			return Delivery{}, ctx.Err()
		case <-changed:
		}
	}
}

func (m *Memory) done(l *line, p *parcel) {
	m.mu.Lock()
	defer m.mu.Unlock()
	drop := func(q *parcel) bool { return q == p }
	l.out, l.waiting = slices.DeleteFunc(l.out, drop), slices.DeleteFunc(l.waiting, drop)
}

// Redeliver puts everything that is out back into the queue, as if all who have it
// had died.
func (m *Memory) Redeliver() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, l := range []*line{&m.units, &m.results} {
		l.waiting, l.out = append(l.out, l.waiting...), nil
	}
	m.change()
}

// Append implements Queue.
func (m *Memory) Append(_ context.Context, entry []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ledger = append(m.ledger, entry)
	return nil
}

// Ledger implements Queue.
func (m *Memory) Ledger(_ context.Context, each func([]byte) error) error {
	m.mu.Lock()
	entries := slices.Clone(m.ledger)
	m.mu.Unlock()
	for _, e := range entries {
		if err := each(e); err != nil {
			return err
		}
	}
	return nil
}

// Put implements Queue.
func (m *Memory) Put(_ context.Context, key string, value []byte, revision uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	have := m.facts[key].Revision
	if revision != Any && revision != have {
		return ErrChanged
	}
	m.facts[key] = Fact{Value: bytes.Clone(value), Revision: have + 1}
	m.change()
	return nil
}

// Get implements Queue.
func (m *Memory) Get(_ context.Context, key string) (Fact, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.facts[key], nil
}

// Watch implements Queue.
func (m *Memory) Watch(ctx context.Context, key string, each func(Fact)) error {
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

// Say implements Queue.
func (m *Memory) Say(_ context.Context, text []byte) error {
	m.mu.Lock()
	ears := slices.Collect(maps.Values(m.ears))
	m.mu.Unlock()
	for _, each := range ears {
		each(text)
	}
	return nil
}

// Hear implements Queue.
func (m *Memory) Hear(ctx context.Context, each func([]byte)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.serial++
	number := m.serial
	m.ears[number] = each
	context.AfterFunc(ctx, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.ears, number)
	})
	return nil
}

// Ask implements Queue.
func (m *Memory) Ask(context.Context) ([]byte, error) {
	m.mu.Lock()
	answer := m.answer
	m.mu.Unlock()
	if answer == nil {
		return nil, ErrNobody
	}
	return answer(), nil
}

// Answer implements Queue.
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

// Clear implements Queue.
func (m *Memory) Clear(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.units, m.results, m.ledger = line{}, line{}, nil
	for key, f := range m.facts { // revisions go on
		m.facts[key] = Fact{Revision: f.Revision + 1}
	}
	m.change()
	return nil
}

// Close implements Queue.
func (m *Memory) Close() error { return nil }
