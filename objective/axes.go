package objective

import (
	"strconv"
	"strings"

	"leeway/core"
	"leeway/core/routing"
)

// An Axis is one of the things that a question may say beside its network, routing and size. Everything that writes or
// reads questions goes through the list Axes: texts, flags, plans, documents, the engine of a page. A new axis is an
// entry there. One of the group radius has its field in Near, and that is all; any other has one in Terms and one in
// results.Setting, and whatever places processors has to know it.
type Axis struct {
	Name  string // of the option in texts, of the flag and of the key of a plan
	Group string // commands take all axes of a group, or none
	Nodes bool   // a list of nodes, see TakesNodes
	Usage string // of the flag
	// Text returns the canonical text, "" for the default.
	Text func(Problem) string
	// Read returns the problem with what a text says, which need not be canonical. The size is not compared with it.
	// Errors are *core.InputError.
	Read func(p Problem, text string) (Problem, error)
}

// TakesNodes reports whether the axis of a problem is a list of nodes, for which flags and plans may give a placement.
func (a Axis) TakesNodes(p Problem) bool {
	return a.Nodes && (a.Name != "fixed" || p.Traffic.Matrix == nil)
}

// Terms are the axes of a problem.
type Terms struct {
	Traffic   Traffic  // who sends to whom, set by WithTraffic; zero: every processor to every other
	Fixed     core.Set // nodes that always carry a processor, set by WithNodes; nil: none
	Forbidden core.Set // nodes that never do, set by WithNodes; nil: none
	Pinned    []Pin    // tasks of a matrix that are on given nodes, ascending
	Near               // how far nodes may be from their nearest processors, set by WithNear; zero: no condition
}

// The groups of axes.
const (
	GroupTraffic    = "traffic"
	GroupConditions = "conditions"
	GroupRadius     = "radius"
)

// Axes lists all axes in the order of the canonical text. A later one may need what an earlier one says.
var Axes = []Axis{
	{Name: "traffic", Group: GroupTraffic,
		Usage: "all (the default): every processor sends to every other; clients:request=A:reply=B: every node sends A " +
			"messages to every processor and receives B, as with memory controllers; @file: a matrix of what tasks send each " +
			"other, as JSON, CSV or Noxim's table; pattern:NAME: transpose, shuffle and the like, a task for every node",
		Text: func(p Problem) string {
			if p.Traffic.ToAll() {
				return ""
			}
			return p.Traffic.String()
		},
		Read: func(p Problem, text string) (Problem, error) {
			t, err := ParseTraffic(text)
			if err != nil {
				return p, err
			}
			t.Replies = p.Traffic.Replies
			return p.WithTraffic(t)
		}},
	{Name: "reply-routing", Group: GroupTraffic,
		Usage: "with --traffic clients: routing of the replies (default: that of --routing)",
		Text:  func(p Problem) string { return p.Traffic.ReplyText() },
		Read: func(p Problem, text string) (Problem, error) {
			if !p.Traffic.Clients() {
				return p, core.Invalid(text, "only client traffic has replies").Hinted("add the traffic clients")
			}
			if strings.HasPrefix(text, "@") {
				return p, core.Invalid(text, "replies cannot be routed by a table").Hinted("name a routing, as odr:order=1,0")
			}
			replies, err := routing.Parse(p.Torus(), text)
			if err != nil {
				return p, err
			}
			t := p.Traffic
			t.Replies = replies
			return p.WithTraffic(t)
		}},
	{Name: "per-node", Group: GroupTraffic,
		Usage: "with a matrix: most tasks on one node (default 1)",
		Text: func(p Problem) string {
			if p.Traffic.PerNode <= 1 {
				return ""
			}
			return strconv.Itoa(p.Traffic.PerNode)
		},
		Read: func(p Problem, text string) (Problem, error) {
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 || n > MaxTasks || !core.Plain(text) {
				return p, core.Invalid(text, "not a number of tasks in 1..%d", MaxTasks)
			}
			if p.Traffic.Matrix == nil {
				return p, core.Invalid(text, "there are no tasks without a matrix").Hinted("give one as the traffic")
			}
			t := p.Traffic
			t.PerNode = n
			return p.WithTraffic(t)
		}},
	{Name: "fixed", Group: GroupConditions, Nodes: true,
		Usage: "nodes that must have a processor: 0,0+7,7, a placement as rows:at=0..3, or @file.json; with a matrix " +
			"tasks on their nodes, 0=0,0+5=7,7",
		Text: func(p Problem) string {
			if p.Pinned != nil {
				return pinsText(p.Torus(), p.Pinned)
			}
			return NodesText(p.Torus(), p.Fixed.Nodes())
		},
		Read: func(p Problem, text string) (q Problem, err error) {
			if p.Traffic.Matrix != nil {
				p.Pinned, err = parsePins(p, text)
				return p, err
			}
			nodes, err := core.ParseNodes(p.Torus(), text)
			if err != nil {
				return p, err
			}
			return p.WithListed(nodes, p.Forbidden.Nodes())
		}},
	{Name: "forbidden", Group: GroupConditions, Nodes: true,
		Usage: "nodes that must not have a processor: 3,3+4,4, a placement as columns:at=0, or @file.json",
		Text:  func(p Problem) string { return NodesText(p.Torus(), p.Forbidden.Nodes()) },
		Read: func(p Problem, text string) (Problem, error) {
			nodes, err := core.ParseNodes(p.Torus(), text)
			if err != nil {
				return p, err
			}
			return p.WithListed(p.Fixed.Nodes(), nodes)
		}},
	{Name: "radius", Group: GroupRadius,
		Usage: "every node has a processor within this number of links (default: no condition)",
		Text:  func(p Problem) string { return linksText(p.Radius) },
		Read: func(p Problem, text string) (q Problem, err error) {
			p.Radius, err = parseLinks(text)
			return p, err
		}},
	{Name: "distance", Group: GroupRadius,
		Usage: "largest sum over all nodes of the distance to the nearest processor (default: no condition)",
		Text:  func(p Problem) string { return linksText(p.Distance) },
		Read: func(p Problem, text string) (q Problem, err error) {
			p.Distance, err = parseLinks(text)
			return p, err
		}},
}

// linksText returns a number of Near, "" for no condition.
func linksText(n int) string { return strings.TrimPrefix(strconv.Itoa(n), "0") }

// parseLinks reads a number of Near. Errors are *core.InputError.
func parseLinks(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || !core.Plain(text) {
		return 0, core.Invalid(text, "not a whole number of links, 1 or more")
	}
	return n, nil
}

// Where returns the canonical text of the network with traffic and conditions,
// "8x8:open=0:traffic=clients:request=1:reply=1:reply-routing=odr:order=1,0:tie=plus:fixed=0,0+7,7:forbidden=3,3": the
// part of a problem that ParseWhere reads.
func (p Problem) Where() string {
	return WhereText(p.Torus().String(), func(a Axis) string { return a.Text(p) })
}

// WhereText is Where of the text of a network and those of axes, unchecked.
func WhereText(network string, text func(Axis) string) string { return joined(network, ":", "=", text) }

// TermsText returns traffic and conditions in the words of the command line, " --traffic
// clients:request=1:reply=1 --fixed 0,0+7,7 --radius 2", "" for the default. A matrix is the hash of its text.
func (p Problem) TermsText() string {
	return joined("", " --", " ", func(a Axis) string {
		if a.Name == "traffic" && p.Traffic.Matrix != nil {
			return MatrixTraffic + ":" + p.Traffic.Matrix.SHA256()
		}
		return a.Text(p)
	})
}

func joined(text, before, between string, of func(Axis) string) string {
	for _, a := range Axes {
		if t := of(a); t != "" {
			text += before + a.Name + between + t
		}
	}
	return text
}
