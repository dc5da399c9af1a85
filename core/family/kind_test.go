package family

// String returns the name of the kind.
func (k Kind) String() string {
	return [...]string{"residue class", "sublattice", "union of cosets", "no regular form"}[k]
}
