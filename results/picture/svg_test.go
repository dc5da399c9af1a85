package picture_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/results/picture"
)

// An element is any element of an SVG document.
type element struct {
	XMLName  xml.Name
	Class    string    `xml:"class,attr"`
	Role     string    `xml:"role,attr"`
	Label    string    `xml:"aria-label,attr"`
	X        int       `xml:"x,attr"`
	Y        int       `xml:"y,attr"`
	CX       int       `xml:"cx,attr"`
	CY       int       `xml:"cy,attr"`
	Data     string    `xml:"d,attr"`
	Width    string    `xml:"width,attr"`
	Text     string    `xml:",chardata"`
	Children []element `xml:",any"`
}

// has reports whether the element has a class.
func (e element) has(class string) bool {
	return strings.Contains(" "+e.Class+" ", " "+class+" ")
}

// title returns the text of the title child, "" if there is none.
func (e element) title() string {
	for _, c := range e.Children {
		if c.XMLName.Local == "title" {
			return c.Text
		}
	}
	return ""
}

// all returns the elements below e that have a class and are not samples of the key.
func (e element) all(class string) []element {
	var list []element
	for _, c := range e.Children {
		if c.has(class) && !c.has("sample") {
			list = append(list, c)
		}
		list = append(list, c.all(class)...)
	}
	return list
}

// parse draws and reads the document back.
func parse(t *testing.T, p picture.Params) element {
	t.Helper()
	var b bytes.Buffer
	coretest.Try(picture.SVG(&b, p))
	var root element
	if err := xml.Unmarshal(b.Bytes(), &root); err != nil {
		t.Fatalf("not well-formed: %v\n%s", err, b.String())
	}
	return root
}

// node spells a node from the definition of its number: row by row, the last coordinate fastest.
func node(dims []int, v int) string {
	text := ""
	for j := len(dims) - 1; j >= 0; j-- {
		text = "," + strconv.Itoa(v%dims[j]) + text
		v /= dims[j]
	}
	return "(" + text[1:] + ")"
}

// checkSVG compares the document with the instance: one element for every node and link, with the exact loads.
func checkSVG(t *testing.T, what string, p picture.Params) {
	t.Helper()
	root, torus := parse(t, p), p.Placement.Torus()
	want := map[string]int{}
	most, _ := p.Loads.Max()
	top := 0
	for l := range torus.M() {
		if !torus.HasLink(core.Link(l)) {
			continue
		}
		load := p.Loads.Load(core.Link(l))
		if from, to := torus.LinkEnds(core.Link(l)); true {
			want[node(torus.Dims(), from)+" -> "+node(torus.Dims(), to)+": "+load.RatString()]++
		}
		if load.Sign() > 0 && load.Cmp(most) == 0 {
			top++
		}
	}
	links := root.all("link")
	for _, l := range links {
		if want[l.title()] == 0 { // on a twisted torus two links may have the same ends
			t.Fatalf("%s: link %q is wrong or is repeated", what, l.title())
		}
		want[l.title()]--
		if idle := strings.HasSuffix(l.title(), ": 0"); idle != l.has("idle") {
			t.Fatalf("%s: link %q has class %q", what, l.title(), l.Class)
		}
	}
	if len(links) != torus.Links() {
		t.Fatalf("%s: %d links drawn, want %d", what, len(links), torus.Links())
	}
	if got := len(root.all("top")); got != top {
		t.Fatalf("%s: %d links emphasised, %d carry E_max", what, got, top)
	}
	checkNodes(t, what, p, root)
}

func checkNodes(t *testing.T, what string, p picture.Params, root element) {
	t.Helper()
	torus, in := p.Placement.Torus(), p.Placement.Set()
	seen := map[string]bool{}
	for _, e := range append(root.all("node"), root.all("processor")...) {
		seen[e.title()] = true
	}
	for v := range torus.N() {
		kind := "node "
		if in.Has(v) {
			kind = "processor "
		}
		if !seen[kind+node(torus.Dims(), v)] {
			t.Fatalf("%s: no %s%s", what, kind, node(torus.Dims(), v))
		}
	}
	if got := len(root.all("processor")); got != p.Placement.Size() {
		t.Fatalf("%s: %d processors drawn, want %d", what, got, p.Placement.Size())
	}
	if got := len(root.all("node")); got != torus.N()-p.Placement.Size() {
		t.Fatalf("%s: %d other nodes drawn, want %d", what, got, torus.N()-p.Placement.Size())
	}
}

func TestSVGShowsEveryNodeAndLink(t *testing.T) {
	cases := 150
	if testing.Short() {
		cases = 40
	}
	for i := range cases {
		rng := coretest.Rng(12, i)
		in := coretest.Random(rng, 40)
		if i%3 == 0 {
			in = coretest.RandomOn(rng, coretest.AnyNetwork(rng, 40))
		}
		p := ofInstance(in)
		p.Values = i%2 == 0
		checkSVG(t, in.String(), p)
	}
}

// TestSVGWrapsAroundInTwoOverhangs counts the links of a 4x3 torus that cross its border: both ways in 3 columns and
// 4 rows. A 2x2 torus and a mesh have none.
func TestSVGWrapsAroundInTwoOverhangs(t *testing.T) {
	for _, c := range []struct {
		network string
		want    int
	}{{"4x3", 2*3 + 2*4}, {"2x2", 0}, {"2x5", 2 * 2}, {"6", 2}, {"4x3:open=0,1", 0}, {"4x3:open=0", 2 * 4},
		{"6:open=0", 0}} {
		wraps := 0
		for _, l := range parse(t, params(c.network, "full", "odr")).all("link") {
			if strings.Count(l.Data, "M") == 2 {
				wraps++
			}
		}
		if wraps != c.want {
			t.Errorf("%s: %d links in two overhangs, want %d", c.network, wraps, c.want)
		}
	}
}

// TestSVGShowsBandwidths checks by hand the widths of links that carry the least, twice, and four times as much; the
// key names them. Where all carry the same there is nothing to tell.
func TestSVGShowsBandwidths(t *testing.T) {
	for _, c := range []struct {
		network string
		classes []string // by dimension
	}{{"3x4:bandwidth=2,8", []string{"wide1", "wide3"}}, {"3x4:open=1:bandwidth=7,5", []string{"wide2", "wide1"}},
		{"3x4:bandwidth=100,1", []string{"wide4", "wide1"}}, {"3x4:bandwidth=3,3", nil}} {
		torus := coretest.Must(core.ParseNetwork(c.network))
		var b bytes.Buffer
		p := params(c.network, "full", "odr")
		coretest.Try(picture.SVG(&b, p))
		if strings.Contains(b.String(), "wide") != (c.classes != nil) {
			t.Errorf("%s: widths in\n%s", c.network, b.String())
		}
		for j, class := range c.classes {
			links := 2 * torus.N()
			if torus.Open(j) {
				links -= 2 * torus.N() / torus.Side(j)
			}
			if got := len(parse(t, p).all(class)); got != links {
				t.Errorf("%s: %d links of class %s, want %d", c.network, got, class, links)
			}
			text := fmt.Sprintf(">link of bandwidth %d, along dimension %d<", torus.Bandwidth(j), j)
			if !strings.Contains(b.String(), text) {
				t.Errorf("%s: the key lacks %q", c.network, text)
			}
		}
	}
}

// TestRolesAreSeen draws a placement with fixed and forbidden nodes: each has a mark of its own, and the key says what
// it means; without such nodes neither is there.
func TestRolesAreSeen(t *testing.T) {
	p := params("4x5", "nodes:0,0+1,3+3,4", "odr")
	set := func(nodes ...int) core.Set {
		s := core.NewSet(20)
		for _, v := range nodes {
			s.Add(v)
		}
		return s
	}
	plain, _ := drawn(t, p)
	if root := parse(t, p); len(root.all("fixed"))+len(root.all("forbidden")) > 0 || strings.ContainsAny(plain, "◆×") {
		t.Error("roles where there are none")
	}
	p.Fixed, p.Forbidden = set(8, 19), set(1, 2, 12)
	titles := func(class string) (list []string) {
		for _, e := range parse(t, p).all(class) {
			if e.title() != "" { // else it belongs to the key
				list = append(list, e.title())
			}
		}
		return list
	}
	if got := fmt.Sprint(titles("fixed")); got != "[fixed processor (1,3) fixed processor (3,4)]" {
		t.Errorf("fixed: %s", got)
	}
	if got := fmt.Sprint(titles("forbidden")); got != "[forbidden node (0,1) forbidden node (0,2) forbidden node (2,2)]" {
		t.Errorf("forbidden: %s", got)
	}
	var b bytes.Buffer
	coretest.Try(picture.SVG(&b, p))
	body, whole := drawn(t, p)
	if strings.Count(body, "◆") != 2 || strings.Count(body, "×") != 3 || strings.Count(body, "■") != 1 {
		t.Errorf("terminal:\n%s", body)
	}
	for _, text := range []string{"fixed processor", "forbidden node"} {
		if !strings.Contains(b.String(), ">"+text+"<") || !strings.Contains(whole, text) {
			t.Errorf("the key lacks %q", text)
		}
	}
	p.Forbidden.Add(0)
	if err := picture.SVG(&b, p); err == nil || !strings.Contains(err.Error(), "forbidden node carries a processor") {
		t.Errorf("a processor on a forbidden node: %v", err)
	}
	p.Forbidden.Remove(0)
	p.Fixed.Add(5)
	if err := picture.Terminal(&b, p); err == nil || !strings.Contains(err.Error(), "fixed node carries no processor") {
		t.Errorf("no processor on a fixed node: %v", err)
	}
}

// TestSVGPrintsValues compares the printed numbers with the loads above 0, and sees that all lie in the picture.
func TestSVGPrintsValues(t *testing.T) {
	for _, dims := range []string{"5x4", "3x2x3", "9x2", "8x4:open=0,1", "3x4x4:open=0,1,2:bandwidth=1,2,8"} {
		p := params(dims, "random:n=4:seed=5", "udr:tie=both")
		if got := len(parse(t, p).all("value")); got != 0 {
			t.Errorf("%s: %d numbers printed unasked", dims, got)
		}
		p.Values = true
		balance := map[string]int{}
		for l := range p.Placement.Torus().M() {
			if load := p.Loads.Load(core.Link(l)); load.Sign() > 0 {
				balance[load.RatString()]++
			}
		}
		root := parse(t, p)
		width := coretest.Must(strconv.Atoi(root.Width))
		for _, e := range root.all("value") {
			balance[e.Text]--
			left, length := e.X, 6*len(e.Text)
			switch {
			case e.has("end"):
				left -= length
			case e.has("mid"):
				left -= length / 2
			}
			if left < 0 || left+length > width {
				t.Errorf("%s: %s runs from %d to %d in a picture of width %d", dims, e.Text, left, left+length, width)
			}
		}
		for load, count := range balance {
			if count != 0 {
				t.Errorf("%s: load %s is printed %d times too few", dims, load, count)
			}
		}
	}
}

func TestSVGEscapesTitle(t *testing.T) {
	p := params("3x3", "linear", "udr")
	hostile := `</title><script>alert("1")</script> & 'x' ]]>`
	p.Title = hostile
	p.Routing = `<b a="1">&`
	root := parse(t, p)
	if root.title() != hostile || root.Label != hostile || root.Role != "img" {
		t.Errorf("title %q, label %q, role %q", root.title(), root.Label, root.Role)
	}
	for _, c := range root.Children {
		switch c.XMLName.Local {
		case "title", "desc", "style", "rect", "text", "g", "circle", "path":
		default:
			t.Errorf("unexpected element %q", c.XMLName.Local)
		}
	}
	p.Title = "bad \x00\x1b\xff bytes"
	if got := parse(t, p).title(); got != "bad \uFFFD\uFFFD\uFFFD bytes" {
		t.Errorf("title %q", got)
	}
}

// TestSVGKeepsLongTitlesInside checks that a title does not widen the picture and is whole in the title element.
func TestSVGKeepsLongTitlesInside(t *testing.T) {
	p := params("3x3", "linear", "udr")
	width := parse(t, p).Width
	p.Title = strings.Repeat("long ", 500)
	root := parse(t, p)
	if root.Width != width || root.title() != p.Title {
		t.Errorf("width %s, want %s; title of %d bytes", root.Width, width, len(root.title()))
	}
	shown := root.all("title")
	if len(shown) != 1 || !strings.HasSuffix(shown[0].Text, "…") || len(shown[0].Text) > 80 {
		t.Errorf("shown title %+v", shown)
	}
}

// TestSVGKey checks the exact labels of the scale. The linear placement on 4x4x4 under UDR with ties both has E_max
// 8/3: a dimension is corrected first or last by 4 3/2 = 6 of the pairs that use a link, since a node reaches 3/2
// nodes each way on its ring, and between the others by 4^2/8 = 2; each place has weight 1/3.
func TestSVGKey(t *testing.T) {
	root := parse(t, params("4x4x4", "linear", "udr:tie=both"))
	var texts []string
	for _, e := range root.all("small") {
		texts = append(texts, e.Text)
	}
	all := strings.Join(texts, "|")
	if !strings.Contains(all, "|0|E_max|2/3|4/3|2|8/3|") {
		t.Errorf("labels of the scale are not those of quarters of 8/3: %s", all)
	}
	if facts := root.all("muted")[0].Text; !strings.HasPrefix(facts,
		"torus 4x4x4 · n = 16 · UDR, both ways at ties · E_max = 8/3 · ") {
		t.Errorf("facts %q", facts)
	}
}

// TestSVGColours: a picture holds the colours for light and for dark backgrounds.
func TestSVGColours(t *testing.T) {
	var b bytes.Buffer
	coretest.Try(picture.SVG(&b, params("3x3", "linear", "udr")))
	for _, background := range []string{"#ffffff", "#12151d"} {
		if !strings.Contains(b.String(), background) {
			t.Errorf("no background %s", background)
		}
	}
}
