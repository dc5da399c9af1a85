//go:build !js

package parallel

// pause lets others run where they could not without it.
func pause() {}
