package answers

import (
	"leeway/core/linkname"
	"leeway/results"
)

// DeadlockSchema is the schema version of answers about deadlock.
const DeadlockSchema = "leeway/deadlock/1"

// A Deadlock says whether the messages of a placement can wait for each other in a circle, with a witness.
type Deadlock struct {
	Schema string `json:"schema"`
	results.Subject
	// DeadlockFree reports whether one channel for each link is enough: every path goes by ChannelOrder, or Cycle is a
	// shortest cycle of dependencies, the last one leading to the first.
	DeadlockFree bool            `json:"deadlock_free"`
	ChannelOrder []linkname.Name `json:"channel_order,omitempty"`
	Cycle        []Dependency    `json:"cycle,omitempty"`
	// VirtualChannels are how many channels of a link are found to be enough, in VirtualOrder, if one is not.
	VirtualChannels int       `json:"virtual_channels"`
	VirtualOrder    []Channel `json:"virtual_order,omitempty"`
	// Datelines are how many are enough where a path changes from channel 0 to channel 1 of a dimension as it goes over
	// the end of that dimension; 0: these are not enough.
	Datelines int `json:"datelines"`
	Channelled
}

// Channelled is what is said of a table that was searched for: the least E_max of a table of single shortest paths that
// that number of virtual channels keeps free of deadlock.
type Channelled struct {
	Channels    int              `json:"channels,omitempty"`    // 0: the routing was given
	MaxLoad     string           `json:"max_load,omitempty"`    // of the table
	LowerBound  string           `json:"lower_bound,omitempty"` // of every table of single shortest paths
	BoundReason string           `json:"bound_reason,omitempty"`
	Bound       *Bound           `json:"bound,omitempty"` // from which LowerBound follows
	FoundBy     *results.FoundBy `json:"found_by,omitempty"`
}

// A Dependency is a link that messages from Source to Target leave for the link of the next dependency.
type Dependency struct {
	linkname.Name
	Source []int `json:"source"`
	Target []int `json:"target"`
}

// A Channel is one of the virtual channels of a link, counted from 0.
type Channel struct {
	linkname.Name
	Channel int `json:"channel"`
}

// ReadDeadlock returns the answer that data spells, with the errors of results.ReadRecord.
func ReadDeadlock(data []byte) (Deadlock, error) {
	var d Deadlock
	err := results.Decode(data, DeadlockSchema, &d)
	return d, err
}
