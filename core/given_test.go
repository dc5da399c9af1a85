package core_test

import (
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
)

// TestGivenText reads back the text of random networks, with names and without.
func TestGivenText(t *testing.T) {
	for i := range coretest.Cases(2000, 100) {
		rng := coretest.Rng(34, i)
		network := coretest.Given(rng, 12)
		if i%2 == 0 {
			network = coretest.Listed(network)
		}
		if i%3 == 0 {
			var names []string
			for v := range network.N() {
				names = append(names, strings.Repeat("a%+:,= é", v+1))
			}
			network = coretest.Must(core.NewGiven(network.N(), names, network.Edges()))
		}
		again, err := core.ParseNetwork(network.String())
		if err != nil || !again.Equal(network) || again.String() != network.String() {
			t.Fatalf("%s is read as %v: %v", network, again, err)
		}
		for v := range network.N() {
			if again.NodeText(v) != network.NodeText(v) {
				t.Fatalf("%s: node %d is %q, read back %q", network, v, network.NodeText(v), again.NodeText(v))
			}
		}
		links, capacity := 0, int64(0)
		for l := range core.Link(network.M()) {
			if !network.HasLink(l) {
				continue
			}
			links, capacity = links+1, capacity+int64(network.LinkBandwidth(l))
			from, to := network.LinkEnds(l)
			r := network.Reverse(l)
			if back, end := network.LinkEnds(r); back != to || end != from || network.Reverse(r) != l ||
				network.LinkBandwidth(r) != network.LinkBandwidth(l) {
				t.Fatalf("%s: link %d from %d to %d has the reverse %d", network, l, from, to, r)
			}
		}
		if links != network.Links() || capacity != network.Capacity() {
			t.Fatalf("%s: %d links of capacity %d, not %d of %d", network, links, capacity, network.Links(),
				network.Capacity())
		}
	}
}

// TestGivenErrors reads texts that name no network.
func TestGivenErrors(t *testing.T) {
	for text, want := range map[string]string{
		"3:links=0-1,1-1":               "at \"1-1\" (character 13): the edge joins a node with itself",
		"3:links=0-1,1-3":               "the nodes are 0..2",
		"3:links=0-1":                   "not connected: no path leads from node 0 to node 2",
		"2:links=0-1*0":                 "the bandwidth is 0, outside 1..4096",
		"2:links=0-1*-1":                "an edge is written as",
		"2:links=0-1*2.5":               "an edge is written as",
		"2:links=0>1":                   "an edge is written as",
		"2x2:links=0-1":                 "the links of a network follow its number of nodes",
		"1:links=0-1":                   "has 2..4096 nodes",
		"5000:links=0-1":                "has 2..4096 nodes",
		"2:links=0-1:names=a":           "1 name for 2 nodes",
		"2:links=0-1:names=a+a":         "the name \"a\" is empty or repeated",
		"2:links=0-1:names=a+%x":        "two hexadecimal digits",
		"2:links=0-1:open=0":            "does not take this option",
		"3:links=0-1*4095,1-2*4093":     "the least common multiple of the bandwidths is above",
		"2:names=a+b":                   "does not take this option",
		"2:links=0-1:names=a+b:twist=1": "does not take this option",
		"3:links=0-1,,1-2":              "an edge is written as",
		"2:links=0-1:names=a+%0a":       "characters that cannot be printed",
		"2:links=0-1:names=a+%ff":       "characters that cannot be printed",
	} {
		_, err := core.ParseNetwork(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// FuzzGiven reads any text: a network that is read has a canonical text that is read as the same network.
func FuzzGiven(f *testing.F) {
	for _, text := range []string{"3:links=0-1,1-2*4,0-1", "2:links=0-1:names=a%20b+0,0", "10:links=0-1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		network, err := core.ParseNetwork(text)
		if err != nil {
			return
		}
		if again, err := core.ParseNetwork(network.String()); err != nil || again.String() != network.String() {
			t.Fatalf("%q is %s, read back %v: %v", text, network, again, err)
		}
	})
}
