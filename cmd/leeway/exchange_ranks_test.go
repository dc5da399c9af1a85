package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
)

// rankLine is a line of --ranks.
type rankLine struct {
	Rank, Phase, Peer, Offset, Count int
	Kind                             string
}

// playRanks does what the lines say with buffers of texts, as a program with messages
// would: all sends of a phase are packed before anything is received.
func playRanks(t *testing.T, lines []rankLine, procs []int) {
	t.Helper()
	buffers := map[int]map[int]string{}
	for _, v := range procs {
		buffers[v] = map[int]string{}
		for i, w := range procs {
			buffers[v][i] = fmt.Sprintf("%d for %d", v, w)
		}
	}
	phases := 0
	for _, l := range lines {
		phases = max(phases, l.Phase)
	}
	results := 0
	for phase := range phases + 1 {
		messages := map[[2]int][]string{}
		for _, l := range lines {
			if l.Phase == phase && l.Kind == "send" {
				for i := range l.Count {
					messages[[2]int{l.Rank, l.Peer}] = append(messages[[2]int{l.Rank, l.Peer}],
						buffers[l.Rank][l.Offset+i])
				}
			}
		}
		for _, l := range lines {
			switch {
			case l.Phase != phase || l.Kind == "send":
			case l.Kind == "recv":
				message := messages[[2]int{l.Peer, l.Rank}]
				if len(message) != l.Count {
					t.Fatalf("phase %d: rank %d receives %d from %d, which sends %d", phase, l.Rank, l.Count, l.Peer,
						len(message))
				}
				if buffers[l.Rank] == nil {
					buffers[l.Rank] = map[int]string{}
				}
				for i, block := range message {
					buffers[l.Rank][l.Offset+i] = block
				}
				delete(messages, [2]int{l.Peer, l.Rank})
			case l.Kind != "result" || l.Count != 1 ||
				buffers[l.Rank][l.Offset] != fmt.Sprintf("%d for %d", l.Peer, l.Rank):
				t.Fatalf("%+v finds %q", l, buffers[l.Rank][l.Offset])
			default:
				results++
			}
		}
		if len(messages) > 0 {
			t.Fatalf("phase %d: nobody receives %v", phase, messages)
		}
	}
	if results != len(procs)*len(procs) {
		t.Fatalf("%d results for %d processors", results, len(procs))
	}
}

// TestRanks plays the lists of sends and receives: every block must be found where the
// list says.
func TestRanks(t *testing.T) {
	coretest.Alone(t)
	for name, procs := range map[string][]int{
		"--torus 16 --algorithm ring": core.Range(16), "--torus 8x8 --algorithm t4": core.Range(64),
		"--torus 9x3 --algorithm t1":      core.Range(27),
		"--torus 3x4 --algorithm product": core.Range(12), "--graph path:2,path:3": core.Range(6),
		"--torus 5x5 --placement linear --model wormhole":            {0, 9, 13, 17, 21},
		"--torus 5x5 --placement linear --routing udr --direct":      {0, 9, 13, 17, 21},
		"--torus 5x5 --placement linear --routing udr --startup 50":  {0, 9, 13, 17, 21},
		"--torus 5x5 --placement nodes:0,1+2,2+3,0 --routing odr":    {1, 12, 15},
		"--torus 5x5 --placement nodes:0,1+2,2+3,0 --model all-port": {1, 12, 15},
	} {
		path := filepath.Join(t.TempDir(), "ranks")
		var problem bytes.Buffer
		if status := execute(context.Background(), append(strings.Fields("exchange "+name), "--ranks", path), nil,
			io.Discard, &problem); status != 0 {
			t.Fatalf("%s: %s", name, problem.String())
		}
		t.Run(name, func(t *testing.T) { playRanks(t, readRanks(t, path), procs) })
	}
}

func readRanks(t *testing.T, path string) (lines []rankLine) {
	t.Helper()
	f := coretest.Must(os.Open(path))
	defer f.Close()
	scan := bufio.NewScanner(f)
	for scan.Scan() {
		var l rankLine
		if err := json.Unmarshal(scan.Bytes(), &l); err != nil {
			t.Fatalf("%s: %v", scan.Text(), err)
		}
		lines = append(lines, l)
	}
	return lines
}
