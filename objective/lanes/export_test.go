package lanes

// Portable calls f without vector instructions.
func Portable(f func()) {
	kept := vectors
	vectors = nil
	defer func() { vectors = kept }()
	f()
}
