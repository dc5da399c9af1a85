package portfolio

import (
	"context"
	"math"
	"time"

	"leeway/search"
)

// The first quotas; see the comment of the package.
const (
	firstQuota = 2000 // evaluations
	firstTime  = 250 * time.Millisecond
	fullWeight = 8
	lastEpoch  = 1 << 10 // whose quota is above every budget
)

// grown returns the quota of the given epoch: half as much again in each, up to what can be multiplied without
// overflow.
func grown(first int64, epoch int) int64 {
	for ; epoch > 0 && first < math.MaxInt64>>20; epoch-- {
		first += first / 2
	}
	return first
}

// patience is up to how many more turns of the same length a method goes on at once
// where it estimates that it takes that many.
const patience = 4

// pauseFor returns for how many epochs a method rests that needs a given number of turns as
// long as its last: until its quota is more than one in patience of that.
func pauseFor(turns int64) (epochs int) {
	turns = min(turns, math.MaxInt32)
	for length := int64(patience * 16); length < turns*16; epochs++ { // in sixteenths, as it grows by halves
		length += length / 2
	}
	return epochs
}

// quotas deals out evaluations to methods that get the given numbers of parts.
func quotas(epoch int, left int64, parts []int64) []int64 {
	part, all := grown(firstQuota, epoch), int64(0)
	for _, n := range parts {
		all += n
	}
	list := make([]int64, len(parts))
	if left/all >= 2*part {
		for i, n := range parts {
			list[i] = part * n
		}
		return list
	}
	rest := left % all
	for i, n := range parts {
		list[i] = left/all*n + min(n, rest)
		rest -= min(n, rest)
	}
	return list
}

// timeShares deals out time to methods that were idle for some epochs, when the given number of
// them run at a time and the given time is left, 0: no end.
func timeShares(epoch int, left time.Duration, atOnce int, idle []int) []time.Duration {
	total := time.Duration(grown(int64(firstTime), epoch)) * time.Duration(len(idle))
	if left *= time.Duration(atOnce); left != 0 && left < 2*total {
		total = left
	}
	sum := 0
	for _, epochs := range idle {
		sum += weight(epochs)
	}
	list := make([]time.Duration, len(idle))
	for i, epochs := range idle {
		list[i] = total / time.Duration(sum) * time.Duration(weight(epochs))
	}
	return list
}

// weight returns what part of the time a method gets that was idle for some epochs.
func weight(idle int) int { return max(1, fullWeight-idle) }

// timeLeft returns the time to the deadline, 0 if there is none.
func timeLeft(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return 0
	}
	return max(1, time.Until(deadline))
}

// seedOf hashes the seed of the run, a number and a name into a seed.
func seedOf(seed uint64, number int, name string) uint64 {
	h := search.Hash(search.Hash(0, int(seed)), number)
	for _, b := range []byte(name) {
		h = search.Hash(h, int(b))
	}
	return h
}
