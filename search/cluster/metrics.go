package cluster

import (
	"fmt"
	"io"
	"strconv"
)

// WriteMetrics writes a status in the text form of Prometheus.
func WriteMetrics(w io.Writer, s Status) error {
	cores := 0
	for _, m := range s.Workers {
		if m.Seconds < goneAfter.Seconds() {
			cores += m.Cores
		}
	}
	for _, g := range []struct {
		name, help string
		value      float64
	}{
		{"units_done", "units of the question under way that are done", float64(s.Units.Done)},
		{"units_out", "units that are in the queue or being worked on", float64(s.Units.Out)},
		{"units_running", "units that are being worked on", float64(s.Units.Running)},
		{"units_confirming", "units that workers have done and the coordinator walks again", float64(s.Units.Confirming)},
		{"units_quarantined", "units that cost too many workers", float64(s.Units.Quarantined)},
		{"prefixes", "prefixes of the tree", float64(s.Prefixes)},
		{"prefixes_left", "prefixes that are not done", float64(s.PrefixesLeft)},
		{"seconds_left", "estimate of the time left", s.SecondsLeft},
		{"refused", "results and incumbents that were refused", float64(s.Refused)},
		{"workers", "workers that are known", float64(len(s.Workers))},
		{"cores", "cores of the workers heard of lately", float64(cores)},
	} {
		if _, err := fmt.Fprintf(w, "# HELP leeway_%s %s\n# TYPE leeway_%s gauge\nleeway_%s %s\n", g.name, g.help, g.name, g.name,
			strconv.FormatFloat(g.value, 'g', -1, 64)); err != nil {
			return err
		}
	}
	return nil
}
