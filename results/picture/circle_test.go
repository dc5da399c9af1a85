package picture_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/picture"
)

// TestCircleShowsEveryLink: pictures of networks from lists of links name every link with its load, and texts those
// with a load, after the node that they leave.
func TestCircleShowsEveryLink(t *testing.T) {
	for i := range coretest.Cases(200, 40) {
		rng := coretest.Rng(3550, i)
		network := coretest.Given(rng, 12)
		p, r := coretest.Placement(rng, network), routing.NewMinimal(network, routing.TieBoth)
		loads := objective.Naive(r, p)
		params := picture.Params{Routing: r.String(), Placement: p, Loads: loads, Values: i%2 == 0, Width: 200}
		var svg, text bytes.Buffer
		coretest.Try(picture.SVG(&svg, params))
		coretest.Try(picture.Terminal(&text, params))
		lines := strings.Split(text.String(), "\n")
		for l := range core.Link(network.M()) {
			if !network.HasLink(l) {
				continue
			}
			from, to := network.LinkEnds(l)
			load := loads.Load(l)
			title := fmt.Sprintf("<title>(%d) -&gt; (%d): %s</title>", from, to, load.RatString())
			if !strings.Contains(svg.String(), title) {
				t.Fatalf("case %d, %s, nodes %v: no %s", i, network, p.Nodes(), title)
			}
			if part := fmt.Sprintf("→%d %s", to, load.RatString()); load.Sign() > 0 && !strings.Contains(lines[from], part) {
				t.Fatalf("case %d, %s, nodes %v: no %s in %q", i, network, p.Nodes(), part, lines[from])
			}
		}
	}
}
