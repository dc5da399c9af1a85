// Package queuetest has the conformance suite of queues, a queue in memory, and a server for the length of a
// test. Only tests import it.
package queuetest
