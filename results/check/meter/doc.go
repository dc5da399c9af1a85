// Package meter counts the steps of a check, so that no file of a few hundred bytes keeps it busy for hours:
// everything whose length a file decides is charged to a Meter, which ends the check at its limit or with its
// context. It also knows what listing the paths of a pair costs.
package meter
