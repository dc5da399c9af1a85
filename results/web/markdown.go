package web

import (
	"html"
	"html/template"
	"strings"
	"unicode"
)

// A manuscript is a document as part of a page: its title, its sections of the second level, and all but the title as
// HTML.
type manuscript struct {
	Title    string
	Sections []crumb // their addresses are #...
	HTML     template.HTML
}

// readMarkdown reads what the documents use of Markdown: headings, paragraphs, lists with lists in them, tables, code,
// and in lines code, bold, italics, links and pictures. All text is escaped. Link says where a link leads to, "" for
// nowhere: then its text stands alone.
func readMarkdown(text string, link func(string) string) manuscript {
	m := &markdown{lines: strings.Split(text, "\n"), link: link, used: map[string]bool{}}
	m.blocks(0)
	m.done.HTML = template.HTML(m.out.String()) // made here, of escaped text
	return m.done
}

// markdown is a document that is being read.
type markdown struct {
	lines []string
	at    int
	out   strings.Builder
	done  manuscript
	link  func(string) string
	used  map[string]bool // ids
}

var (
	headingLine = pattern(`^(#{1,4}) (.*)$`)
	itemLine    = pattern(`^( *)([*-]|[0-9]+\.) +(.*)$`)
	tableLine   = pattern(`^\s*\|(.*)\|\s*$`)
	ruleLine    = pattern(`^\s*\|[-:| ]+\|\s*$`)
)

// indent returns how far a line is indented; blank lines are as far as can be.
func indent(line string) int {
	if strings.TrimSpace(line) == "" {
		return 1 << 20
	}
	return len(line) - len(strings.TrimLeft(line, " "))
}

// blocks reads what is indented by at least some blanks.
func (m *markdown) blocks(depth int) {
	for m.at < len(m.lines) && indent(m.lines[m.at]) >= depth {
		line := m.lines[m.at]
		switch {
		case strings.TrimSpace(line) == "":
			m.at++
		case strings.HasPrefix(line[depth:], "```"):
			m.fenced()
		case strings.HasPrefix(line[depth:], "    "):
			m.indented(depth + 4)
		case headingLine().MatchString(line):
			m.heading(headingLine().FindStringSubmatch(line))
		case tableLine().MatchString(line) && m.at+1 < len(m.lines) && ruleLine().MatchString(m.lines[m.at+1]):
			m.table()
		case itemLine().MatchString(line):
			m.list(indent(line))
		default:
			m.paragraph(depth)
		}
	}
}

func (m *markdown) fenced() {
	m.out.WriteString("<pre><code>")
	for m.at++; m.at < len(m.lines) && !strings.HasPrefix(strings.TrimSpace(m.lines[m.at]), "```"); m.at++ {
		m.out.WriteString(html.EscapeString(m.lines[m.at]) + "\n")
	}
	m.at++
	m.out.WriteString("</code></pre>\n")
}

func (m *markdown) indented(depth int) {
	m.out.WriteString("<pre><code>")
	var text string
	for ; m.at < len(m.lines) && indent(m.lines[m.at]) >= depth; m.at++ {
		text += strings.TrimPrefix(m.lines[m.at], strings.Repeat(" ", depth)) + "\n"
	}
	m.out.WriteString(html.EscapeString(strings.TrimRight(text, "\n")) + "</code></pre>\n")
}

func (m *markdown) heading(found []string) {
	m.at++
	level, id := len(found[1]), m.id(found[2])
	if level == 1 {
		m.done.Title = plainText(found[2])
		return
	}
	if level == 2 {
		m.done.Sections = append(m.done.Sections, crumb{plainText(found[2]), "#" + id})
	}
	tag := "h" + string(rune('0'+level))
	m.out.WriteString("<" + tag + ` id="` + id + `">` + m.inline(found[2]) + "</" + tag + ">\n")
}

// id returns the name of a section as the links in the documents have it.
func (m *markdown) id(heading string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(plainText(heading)) {
		switch {
		case r == ' ' || r == '-':
			b.WriteByte('-')
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_':
			b.WriteRune(r)
		}
	}
	id := b.String()
	for id == "main" || id == "q" || m.used[id] {
		id += "-1"
	}
	m.used[id] = true
	return id
}

func (m *markdown) table() {
	row := func(tag string) {
		cells := strings.Split(strings.ReplaceAll(tableLine().FindStringSubmatch(m.lines[m.at])[1], `\|`, "\x00"), "|")
		m.out.WriteString("<tr>")
		for _, c := range cells {
			text := m.inline(strings.ReplaceAll(strings.TrimSpace(c), "\x00", "|"))
			if tag == "th" {
				m.out.WriteString(`<th scope="col">` + text + "</th>")
			} else {
				m.out.WriteString("<td>" + text + "</td>")
			}
		}
		m.out.WriteString("</tr>\n")
		m.at++
	}
	m.out.WriteString(`<div class="scroll" tabindex="0" role="region" aria-label="Table"><table class="document"><thead>`)
	row("th")
	m.at++
	m.out.WriteString("</thead><tbody>\n")
	for m.at < len(m.lines) && tableLine().MatchString(m.lines[m.at]) {
		row("td")
	}
	m.out.WriteString("</tbody></table></div>\n")
}

// list reads items that begin at some depth, with what is indented below them.
func (m *markdown) list(depth int) {
	kind := "ul"
	if sign := itemLine().FindStringSubmatch(m.lines[m.at])[2]; sign != "*" && sign != "-" {
		kind = "ol"
	}
	m.out.WriteString("<" + kind + ">\n")
	for m.at < len(m.lines) {
		found := itemLine().FindStringSubmatch(m.lines[m.at])
		if found == nil || len(found[1]) != depth {
			break
		}
		text := found[3]
		for m.at++; m.at < len(m.lines) && indent(m.lines[m.at]) > depth && strings.TrimSpace(m.lines[m.at]) != "" &&
			!itemLine().MatchString(m.lines[m.at]) && !tableLine().MatchString(m.lines[m.at]); m.at++ {
			text += " " + strings.TrimSpace(m.lines[m.at])
		}
		m.out.WriteString("<li>" + m.inline(text))
		blank := m.at
		for blank < len(m.lines) && strings.TrimSpace(m.lines[blank]) == "" {
			blank++
		}
		if blank < len(m.lines) && indent(m.lines[blank]) > depth {
			m.out.WriteByte('\n')
			m.at = blank
			m.blocks(indent(m.lines[blank]))
		}
		m.out.WriteString("</li>\n")
		for m.at < len(m.lines) && strings.TrimSpace(m.lines[m.at]) == "" {
			m.at++
		}
	}
	m.out.WriteString("</" + kind + ">\n")
}

func (m *markdown) paragraph(depth int) {
	var text []string
	for ; m.at < len(m.lines) && strings.TrimSpace(m.lines[m.at]) != "" && indent(m.lines[m.at]) >= depth; m.at++ {
		line := m.lines[m.at]
		if len(text) > 0 &&
			(itemLine().MatchString(line) || headingLine().MatchString(line) || tableLine().MatchString(line)) {
			break
		}
		text = append(text, strings.TrimSpace(line))
	}
	m.out.WriteString("<p>" + m.inline(strings.Join(text, " ")) + "</p>\n")
}

// spans are what stands in lines: code, pictures, links, bold, italics.
var spans = pattern("(`+)(.+?)`+" + `|!\[([^\]]*)\]\(([^)]+)\)|\[((?:[^\]` + "`]|`[^`]*`" +
	`)+)\]\(([^)]+)\)|\*\*([^*]+(?:\*[^*]+\*[^*]*)*)\*\*|\*([^*\s](?:[^*]*[^*\s])?)\*`)

// inline returns a line of text as HTML.
func (m *markdown) inline(text string) string {
	var b strings.Builder
	last := 0
	for _, at := range spans().FindAllStringSubmatchIndex(text, -1) {
		part := func(i int) string {
			if at[2*i] < 0 {
				return ""
			}
			return text[at[2*i]:at[2*i+1]]
		}
		b.WriteString(html.EscapeString(text[last:at[0]]))
		last = at[1]
		switch {
		case part(1) != "":
			b.WriteString("<code>" + html.EscapeString(strings.TrimSpace(part(2))) + "</code>")
		case part(4) != "":
			b.WriteString(`<img src="` + html.EscapeString(part(4)) + `" alt="` + html.EscapeString(part(3)) + `">`)
		case part(6) != "":
			if to := m.link(part(6)); to != "" {
				b.WriteString(`<a href="` + html.EscapeString(to) + `">` + m.inline(part(5)) + "</a>")
			} else {
				b.WriteString(m.inline(part(5)))
			}
		case part(7) != "":
			b.WriteString("<b>" + m.inline(part(7)) + "</b>")
		default:
			b.WriteString("<i>" + m.inline(part(8)) + "</i>")
		}
	}
	b.WriteString(html.EscapeString(text[last:]))
	return b.String()
}

// plainText returns a line without its signs.
func plainText(text string) string {
	return spans().ReplaceAllStringFunc(text, func(span string) string {
		part := spans().FindStringSubmatch(span)
		return plainText(strings.TrimSpace(part[2])) + part[3] + part[5] + part[7] + part[8]
	})
}
