// Package cluster spreads a census or a search over many processes.
//
// A coordinator cuts the work into units and puts them into a queue; workers take
// them from there, anywhere, and put results back. The queue is an interface with
// two implementations: Memory, in one process, and NATS JetStream, embedded or
// outside. docs/cluster.md tells how to run it, docs/scaling.md how far it goes.
//
//	unit.go, result.go   what goes to and fro, as text
//	board.go, spans.go   which prefixes of a tree are free, out or done; pace.go how many a unit has
//	queue.go             the queue; memory.go and nats*.go are the two there are
//	coordinator.go       the one that hands out; walk.go and accept.go a census, hunt.go, haul.go, row.go and claim.go a search
//	worker.go, serve.go  the ones that do; plans.go and tasks.go how
//	ledger.go            what survives the death of the coordinator
//	verify.go            what the coordinator believes, and how it walks results again
//	status.go            how it goes; metrics.go the same for Prometheus
//
// Nobody is trusted. A worker reads a unit strictly and plans the tree itself; the
// coordinator evaluates placements again by the naive evaluator and walks what others
// counted again before it counts, or a sample of it where that is wanted. What it writes
// for the one that comes after it has a MAC. No clock of another machine is read.
package cluster
