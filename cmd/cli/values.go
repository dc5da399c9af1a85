package cli

import (
	"errors"
	"fmt"
	"runtime"
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

// TimeFlag adds a flag whose value is a time above 0, read as time.ParseDuration does, a number alone as seconds, with
// its default, 0 for none.
func TimeFlag(flags *pflag.FlagSet, to *time.Duration, name, usage string) {
	flags.Var((*timeValue)(to), name, usage)
}

// A timeValue is the value of such a flag.
type timeValue time.Duration

// Set implements pflag.Value.
func (v *timeValue) Set(text string) error {
	if strings.Trim(text, "+-.0123456789") == "" {
		text += "s"
	}
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return Errorf("not a time").Hinted("write for instance 90s, 5m or 8h; a number alone is seconds")
	case d <= 0:
		return Errorf("the time must be above 0")
	}
	*v = timeValue(d)
	return nil
}

// String implements pflag.Value.
func (v *timeValue) String() string {
	if *v == 0 {
		return ""
	}
	return time.Duration(*v).String()
}

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
