// Package store keeps what is known in one file: the records of every improvement, lower bounds with their proofs,
// searches that found nothing better, and the states of searches that were stopped.
//
// The file is an SQLite database, so that a process may be killed at any moment and several may use it at once:
// whatever a method has returned for is in the file. Records and proofs are only added; the state of a search is
// replaced as a whole. What is handed in counts as verified by the caller: the store compares, it does not check
// proofs, and refuses what contradicts a claim that it holds. States are opaque to it.
//
//	s, err := store.Open("leeway.db")
//	kept, err := s.AddRecord(record)
//	best, ok, err := s.Best(compose.KeyOf(problem))
//
// The file must be on a local disk: locks do not hold on network file systems. docs/formats.md describes the tables.
package store
