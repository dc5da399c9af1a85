// Package check recomputes what a record claims from its text.
//
// It trusts core (routings as listers of paths) and the naive evaluator, and
// nothing that searches, bounds or evaluates fast: bounds are derived again
// here, a full count is repeated here. Its answer tells three things apart: a
// file that cannot be read, a record that is wrong, and a valid one; and for a
// proof whether it was verified.
//
//	v := check.Record(text)
//	if v.Verdict != check.Valid { fmt.Println(v.Reasons) }
package check
