// Package cluster spreads a proof or a search over many processes.
//
// A coordinator cuts the work into units and puts them into a queue. Workers on any machine take units
// from there and hand in reports. docs/cluster.md tells how to run it, docs/scaling.md how far it goes.
//
//	message/            what is sent and what the ledger holds, with the parsers
//	queue/              the queue: the interface, NATS JetStream, a server in this process
//	coordinator.go      the coordinator: its job and ledger
//	status.go           workers that say hello, the status of the job
//	question.go         what a proof and a search have in common: units out, reports in
//	proof.go            a proof: slices, written by the workers and judged here
//	search.go           a search: units with seeds of their own
//	schedule.go         the units of a search in order, and what each starts from
//	worker.go           a worker: takes units, hands in reports
//	work.go             how a worker does a unit
//
// Nobody is trusted. A worker reads a unit strictly. The coordinator evaluates placements again by the naive evaluator,
// and has what is written about a slice judged by others before it counts. No clock of another machine is read.
package cluster
