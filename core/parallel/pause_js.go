package parallel

import "time"

// In a browser nothing else runs while a goroutine does not wait: no message comes in and no time is over. So there is
// a pause after an amount of work.
const (
	workTime  = 50 * time.Millisecond
	pauseTime = time.Millisecond
)

var paused time.Time // the program has one thread

// Pause lets messages come in and clocks run, if work has gone on for long.
func Pause() {
	if now := time.Now(); now.Sub(paused) > workTime {
		time.Sleep(pauseTime)
		paused = time.Now()
	}
}
