// Package cluster spreads a census or a search over many processes.
//
// A coordinator cuts the work into units and puts them into a queue. Workers on any machine take units
// from there and hand in reports. docs/cluster.md tells how to run it, docs/scaling.md how far it goes.
//
//	message/            what is sent and what the ledger holds, with the parsers
//	queue/              the queue: the interface, NATS JetStream, a server in this process
//	coordinator.go      the coordinator: its job, ledger and bans
//	status.go           workers that say hello, the status of the job
//	question.go         what a census and a search have in common: units out, reports in
//	census.go           a census: one tree, walked by the workers
//	progress.go         which prefixes of the tree are free, out or done
//	pace.go             how many prefixes a unit gets
//	confirm.go          which reports are believed, and how the others are walked again
//	search.go           a search: units with seeds of their own, claims that nothing is better
//	schedule.go         the units of a search in order, and what each starts from
//	worker.go           a worker: takes units, hands in reports
//	work.go             how a worker does a unit
//
// Workers are not trusted. A worker reads a unit strictly and plans the tree itself. The coordinator evaluates
// placements again by the naive evaluator, and walks again what workers have counted before it counts, or a sample of
// it if that is wanted. What it writes to the ledger has a MAC. No clock of another machine is read.
package cluster
