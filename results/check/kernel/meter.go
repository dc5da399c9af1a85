package kernel

import "fmt"

// Limits bound what a check may cost; a value of 0 means no limit.
type Limits struct {
	Work   int64 // elementary operations: a billion are some seconds
	Memory int64 // bytes
}

// A LimitError says that a check was given up at a limit: neither accepted nor wrong.
type LimitError struct {
	What string
	Most int64
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("the check needs more %s than %d", e.What, e.Most)
}

// A meter counts work and memory before they are spent.
type meter struct {
	limits       Limits
	done, memory int64
}

func (m *meter) work(operations int64) error {
	if m.done += operations; m.limits.Work > 0 && m.done > m.limits.Work {
		return &LimitError{"operations", m.limits.Work}
	}
	return nil
}

func (m *meter) take(bytes int64) error {
	if m.memory += bytes; m.limits.Memory > 0 && m.memory > m.limits.Memory {
		return &LimitError{"bytes", m.limits.Memory}
	}
	return nil
}
