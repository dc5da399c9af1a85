// Package faults says what the failure of one link costs a placement, exactly.
//
// A fault is the failure of one directed link; the link the other way over the
// same edge keeps working. A pair then shares its remaining allowed paths
// uniformly; a pair that has none left is disconnected and its traffic drops out.
// No pair falls back on a path that the routing does not allow: which pairs a
// routing loses is what is asked. Under avoid the allowed paths are those chosen
// before the fault.
//
// This turns the papers' reason for UDR over ODR (seed 000, section 7: UDR
// offers several paths) into numbers. Under ODR with ties plus every pair has one
// path, so every link in use disconnects as many pairs as it carries units of
// load. Under UDR only pairs that differ in a single dimension have one path, ties
// aside.
//
//	report, err := faults.Analyze(ctx, r, p)
//	report.DisconnectedPairs // lost by the worst single link
package faults
