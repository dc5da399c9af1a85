package results

// Documents are read from files; tests read them from memory too.
var (
	ReadPlacement = readPlacement
	ReadTable     = readTable
)
