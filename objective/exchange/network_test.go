package exchange_test

import (
	"math/rand/v2"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective/exchange"
)

// TestAxesDescribeNetworks: the axes of a network describe that network.
func TestAxesDescribeNetworks(t *testing.T) {
	rng := rand.New(rand.NewPCG(50, 0))
	var nets []*core.Network
	for _, text := range []string{"8", "4x3", "2x2x3", "3x4:open=1", "2x5:open=0,1:bandwidth=3,1", "4x8:twist=4",
		"1x7:twist=3", "4x4x8:twist=0,0,4+0,0,4+0,0,0", "2x6:bandwidth=1,2:twist=3"} {
		nets = append(nets, coretest.Must(core.ParseNetwork(text)))
	}
	for range 200 {
		nets = append(nets, coretest.Given(rng, 14))
	}
	for _, net := range nets {
		head := exchange.Head{Model: exchange.AllPort, Axes: exchange.Axes(net)}
		if back, err := head.Network(); err != nil || back.String() != net.String() || head.Nodes() != net.N() {
			t.Errorf("%v is described by %v, which is %v, %v", net, head.Axes, back, err)
		}
	}
}

// TestHeadsWithoutNetwork: axes that describe none are refused.
func TestHeadsWithoutNetwork(t *testing.T) {
	for _, axes := range [][]exchange.Axis{nil, {{Kind: exchange.Ring}}, {{Kind: exchange.Path, Nodes: 1}},
		{{Kind: exchange.Complete, Nodes: 1 << 30}}, {{Kind: exchange.Complete, Nodes: 1 << 12}},
		{{Kind: exchange.Ring, Nodes: 1 << 20}, {Kind: exchange.Ring, Nodes: 1 << 20}},
		{{Kind: exchange.Graph, Nodes: 3, Edges: [][]int{{0, 1}}}},
		{{Kind: exchange.Graph, Nodes: 2, Edges: [][]int{{0, 2}}}},
		{{Kind: exchange.Graph, Nodes: 2, Edges: [][]int{{0, 1, 3}}}},
		{{Kind: exchange.Graph, Nodes: 2, Edges: [][]int{{0, 1}}}, {Kind: exchange.Ring, Nodes: 3, Twist: []int{1, 0}}},
	} {
		if net, err := (exchange.Head{Model: exchange.StoreAndForward, Axes: axes}).Network(); err == nil {
			t.Errorf("%v describe %v", axes, net)
		}
	}
}
