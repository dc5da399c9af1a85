package cli

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"leeway/core"
)

// A plain is the value of a flag that is a whole number, in plain digits.
type plain struct{ pflag.Value }

// Set reads the number.
func (v plain) Set(text string) error {
	if !core.Plain(text) {
		return errors.New("not a whole number in plain digits")
	}
	return v.Value.Set(text)
}

// ReadRange reads a whole number, or two with a separator between.
func ReadRange(text, separator string) (low, high int, ok bool) {
	first, last, isRange := strings.Cut(text, separator)
	if !isRange {
		last = first
	}
	low, errLow := strconv.Atoi(first)
	high, errHigh := strconv.Atoi(last)
	return low, high, errLow == nil && errHigh == nil && core.Plain(first) && core.Plain(last)
}

// ReadPart reads the value of a flag, I/K, and returns which numbers from 0 on belong to part I of K; nil is all. The
// error is an *Error.
func ReadPart(flag, text string) (func(i int) bool, error) {
	if text == "" {
		return nil, nil
	}
	first, second, _ := strings.Cut(text, "/")
	part, errA := strconv.Atoi(first)
	parts, errB := strconv.Atoi(second)
	if errA != nil || errB != nil || !core.Plain(first) || !core.Plain(second) || part < 1 || part > parts {
		return nil, Errorf("--%s %q: not a part and how many there are, like 2/3", flag, text)
	}
	return func(i int) bool { return i%parts == part-1 }, nil
}

// ReadSeed reads the value of --seed; the error is an *Error.
func ReadSeed(text string) (uint64, error) {
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil || !core.Plain(text) {
		return 0, Errorf("--seed %q: not a whole number in 0..%d", text, uint64(math.MaxUint64))
	}
	return seed, nil
}

// ReadTime reads the value of --time, as time.ParseDuration does, a number alone as seconds; without one it returns
// the standard. The error is an *Error.
func ReadTime(text string, standard time.Duration) (time.Duration, error) {
	if text == "" {
		return standard, nil
	}
	d, err := parseTime(text)
	switch {
	case err != nil:
		return 0, Errorf("--time %q: not a time", text).Hinted(timeHint)
	case d <= 0:
		return 0, Errorf("--time %q: the time must be above 0", text)
	}
	return d, nil
}

func parseTime(text string) (time.Duration, error) {
	if strings.Trim(text, "+-.0123456789") == "" {
		text += "s"
	}
	return time.ParseDuration(text)
}

// timeHint says how a time is written.
const timeHint = "write for instance 90s, 5m or 8h; a number alone is seconds"

// TimeFlag adds a flag whose value is a time, read as ReadTime does, with its default.
func TimeFlag(flags *pflag.FlagSet, to *time.Duration, name, usage string) {
	flags.Var((*timeValue)(to), name, usage)
}

// A timeValue is the value of such a flag.
type timeValue time.Duration

// Set implements pflag.Value.
func (v *timeValue) Set(text string) error {
	d, err := parseTime(text)
	*v = timeValue(d)
	return err
}

// String implements pflag.Value.
func (v *timeValue) String() string { return time.Duration(*v).String() }

// Type implements pflag.Value: the word that stands for the value in help.
func (v *timeValue) Type() string { return "time" }

// maxWorkers is the most workers of any command: more than most machines have cores, and few enough that what each of
// them keeps fits into memory.
const maxWorkers = 1024

// WorkersFlag adds -j, the number of workers, by default all cores. Values that make no sense are refused before the
// command begins.
func WorkersFlag(cmd *cobra.Command, to *int, note string) {
	cmd.Flags().IntVarP(to, "workers", "j", runtime.NumCPU(), "number of workers"+note)
	cmd.Flags().Lookup("workers").DefValue = "all cores" // in help, on every machine
}

// checkWorkers refuses a value of -j that makes no sense, of any command. With the flag idle there may be none.
func checkWorkers(cmd *cobra.Command, idle string) error {
	n, err := cmd.Flags().GetInt("workers")
	switch shared := cmd.Flags().Lookup(idle); {
	case err != nil: // there is no such flag
		return nil
	case n > maxWorkers:
		return Errorf("-j %d: at most %d workers", n, maxWorkers).
			Hinted(fmt.Sprintf("this machine has %d cores", runtime.NumCPU()))
	case n < 1 && (n < 0 || shared == nil || shared.Value.String() == ""):
		return Errorf("-j %d: at least 1 worker is needed", n)
	}
	return nil
}
