// The page of a cell: its picture, what is proved about it and what else is known, made from the JSON that stands in the
// page or, in a static site, in the file of its routing; Words is what the program adds. A static page has nothing but a
// title, so there the head of the page and what a server says of the cell are made here as well.
"use strict";

(() => {
  const root = "../../", main = document.getElementById("main"), served = document.getElementById("cells");
  const { Shared: all, Cells: cells } = served ? JSON.parse(served.textContent) : Cells;
  const cell = served ? cells[0] : cells.find((c) => c.Size === Number(main.dataset.size));
  const record = cell.Record && JSON.parse(cell.Record);
  const label = `${all.Folder.replace("/", ".")}.${cell.Size}`;
  const joined = (nodes) => nodes.map((node) => node.join(",")).join("+");

  // h makes an element, with attributes and with children that are elements, texts, lists of these, or nothing.
  function h(tag, attributes, ...children) {
    const e = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) if (value !== undefined) e.setAttribute(name, value);
    e.append(...children.flat(9).filter((c) => c || c === 0));
    return e;
  }
  const link = (to, text) => h("a", { href: to }, text), code = (text) => h("pre", {}, h("code", {}, text));
  const note = (...text) => h("p", { class: "note" }, text), plural = (n, one, many) => n === 1 ? "1 " + one : `${n} ${many}`;

  // tasks returns the tasks of a record on their nodes, with their matrix, as the editor reads them after nodes=.
  function tasks() {
    const { torus, matrix, assignment, per_node = 1, fixed_tasks = [] } = record, sent = matrix.demands.map(([from, to, amount]) => `${from}-${to}` + (amount === "1" ? "" : "*" + amount));
    const node = (v) => torus.reduceRight(([left, c], side) => [Math.floor(left / side), [left % side, ...c]], [v, []])[1];
    return joined(assignment.map(([, v]) => node(v))) + `&traffic=matrix:tasks=${matrix.tasks}` + (sent.length ? ":demands=" + sent : "") + `&per-node=${per_node}` + (fixed_tasks.length ? "&fixed=" + fixed_tasks.map(([task, v]) => `${task}=${node(v)}`).join("+") : "");
  }

  // number returns a fraction with what it is as a decimal number, "= 2.5" or "≈ 0.667".
  function number(fraction) {
    const [, a, b] = /^([0-9]+)\/([0-9]+)$/.exec(fraction) || [];
    if (!b) return fraction;
    const num = BigInt(a), den = BigInt(b), thousandths = (2000n * num + den) / (2n * den), exact = thousandths * den === 1000n * num;
    const shown = `${thousandths / 1000n}.${String(thousandths % 1000n).padStart(3, "0")}`;
    return [fraction + " ", h("small", {}, exact ? "= " + shown.replace(/0+$/, "") : "≈ " + shown)];
  }
  const states = { optimal: ["proved", "proved"], wrong: ["wrong", "wrong"], bounded: ["open", "bound only"] };
  function badge(status) {
    const [kind, text] = states[status] || ["open", "open"];
    return h("span", { class: "badge " + kind }, text);
  }
  const value = ({ Status, MaxLoad, LowerBound }) => Status === "optimal" ? number(MaxLoad) : MaxLoad ? [number(LowerBound), " to ", number(MaxLoad)] : ["at least ", number(LowerBound)];

  const section = (id, title, ...content) => h("section", { "aria-labelledby": id }, h("h2", { id }, title), content);
  // table makes rows of cells below heads, of which those with a * are columns of text. A row may be a list with own set.
  function table(id, heads, rows) {
    const kind = (i) => heads[i].endsWith("*") ? "text" : undefined;
    return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-labelledby": id }, h("table", { class: "numbers" },
      h("thead", {}, h("tr", {}, heads.map((head, i) => h("th", { scope: "col", class: kind(i) }, head.replace("*", ""))))),
      h("tbody", {}, rows.map((row) => h("tr", { class: row.own && "own" }, row.map((c, i) => i ? h("td", { class: kind(i) }, c) : h("th", { scope: "row" }, c)))))));
  }

  // top is what a server says in the page.
  function top() {
    const fact = (name, text) => text && h("div", {}, h("dt", {}, name), h("dd", {}, text)), messages = (n) => plural(n, "message", "messages"), { In, Out, Clients } = all;
    return [
      h("nav", { class: "trail", "aria-label": "Where you are" }, h("ol", {}, [["networks", "Atlas"], [all.Folder.split("/")[0], all.Shown], [all.Folder, all.Routing]].map(([at, name]) => h("li", {}, link(`${root}${at}.html`, name))))),
      h("h1", {}, `${cell.Counted} on ${all.Shown} `, h("span", { class: "under" }, "under " + all.Routing)),
      h("nav", { class: "step", "aria-label": "Other sizes" }, cell.Previous && h("a", { rel: "prev", href: cell.Previous + ".html" }, "one fewer"), " ", cell.Next && h("a", { rel: "next", href: cell.Next + ".html" }, "one more")),
      h("div", { class: "verdict " + cell.Status },
        h("p", { class: "big" }, cell.Status === "wrong" ? "wrong" : [h("span", { class: "label" }, cell.MaxLoad ? "E_max" : "E_max at least"), " ", number(cell.MaxLoad || cell.LowerBound), " ", badge(cell.Status)]),
        h("p", {}, cell.Says),
        record && [h("p", { class: "nodes" }, "Nodes ", h("code", {}, joined(record.nodes))), h("p", { class: "downloads" },
          h("a", { class: "button", download: cell.Size + ".json", href: URL.createObjectURL(new Blob([cell.Record], { type: "application/json" })) }, "Certificate (JSON)"), " ",
          all.Editor && h("a", { class: "button quiet", href: root + all.Editor + (record.matrix ? tasks() : joined(record.nodes)) }, "Open in the editor"))]),
      Clients && h("dl", { class: "facts conditions" }, fact("clients", "every node, of every controller"), fact("request to a controller", messages(Clients.Request)), fact("reply of a controller", [messages(Clients.Reply), Clients.ReplyText && [" by ", h("code", {}, Clients.ReplyText)]])),
      (In || Out) && h("dl", { class: "facts conditions" }, fact("fixed nodes", In && h("code", {}, In)), fact("forbidden nodes", Out && h("code", {}, Out))),
    ];
  }

  function picture() {
    const data = h("script", { type: "application/json" }, JSON.stringify(cell.Picture));
    return h("figure", { class: "torus", "data-picture": "" }, data, h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Picture of the placement" }),
      h("figcaption", {}, h("output", { id: "readout", "aria-live": "polite" }, "Point at a link to read its load."), ` ${all.Caption}. `, link(root + "c/" + label + ".html", label)));
  }

  function loads() {
    const { Loads, MoreLoads, Idle, Total } = cell.Picture ? Picture.tallies(cell.Picture) : cell;
    const rows = Loads.map(({ Load, Links }) => [number(Load), Links]);
    if (Idle) rows.push([0, Idle]);
    return section("loads", "Loads", table("loads", ["load", "links"], rows), MoreLoads > 0 && note(plural(MoreLoads, "smaller load is", "smaller loads are"), " not listed."),
      note(Total, " links in all. ", cell.Picture && h("button", { type: "button", class: "quiet", id: "list-loads" }, "List every link")), h("div", { id: "load-list" }));
  }

  // shape is what the placement has in common with its images, each number with a search for others that have it.
  function shape({ stabiliser, orbits, lattice, covering, packing }) {
    const found = (words, text) => link(`${root}search.html?q=${encodeURIComponent(words)}`, text);
    return h("p", { class: "note", id: "shape" }, "The placement: ", stabiliser > 0 && [found("stabiliser=" + stabiliser, plural(stabiliser, "symmetry keeps", "symmetries keep")), " it, which make ", found("orbits=" + orbits, plural(orbits, "class", "classes")), " of processors; "],
      lattice && [found("lattice=yes", "a lattice"), "; "], found("covering=" + covering, "covering radius " + covering), packing > 0 && [", ", found("packing=" + packing, "packing distance " + packing)], ".");
  }

  // permuted says what the worst permutation puts on a link, and whether other placements have less.
  function permuted({ Load, Valiant, Least, Lightest, Best }) {
    const others = Least && (Least === Load ? "no placement has less" : ["the least of all placements is ", number(Least), Best && [", as of ", h("code", {}, Best)]]);
    const optimal = Lightest && Lightest !== Least && (Lightest === Load ? "no optimal placement has less" : ["the least of the optimal ones is ", number(Lightest)]);
    return h("p", { class: "note", id: "worst" }, link(root + "docs/permutations.html", "Worst permutation"), " of its processors: ", number(Load), " on a link", Valiant && [", under val ", number(Valiant)], others && ["; ", others], optimal && ["; ", optimal], ".");
  }

  // because puts the name of a bound into a sentence.
  function because({ Name, Why }) {
    const [name, ...rounded] = Name.split(", "), text = Words.Bounds[name];
    return Why || text && (rounded.length ? `${text}, ${rounded.join(", ")}, as all loads are` : text);
  }
  const verified = ({ Below, By, Symmetry }) => h("p", { class: "verified" }, h("strong", {}, "Verified"), `: a proof in LRAT that no placement is below ${Below} was accepted by ${By}${Symmetry ? ", for a formula that keeps few placements of every orbit" : ""}.`);
  const why = () => section("why", ["Why none is below ", number(cell.LowerBound || cell.MaxLoad)],
    h("p", {}, "The ", link(root + "docs/bounds.html", "lower bounds"), ", the weakest first; each holds for every placement of this size."),
    h("ol", { class: "chain" }, cell.Bounds.map((b) => h("li", {}, h("span", { class: "amount" }, number(b.Value)), " ", because(b), " ",
      h("span", { class: "kind" }, b.Name, b.Proof && "; proof: " + b.Proof), b.Basis && [" ", link(root + b.Basis, b.BasisName)]))),
    (cell.Unproved || []).map((text) => note(text, ", without a proof. This counts for nothing here.")), cell.Verified && verified(cell.Verified));

  // schedule returns the steps of complete exchange with what every link carries in them, from the moves of each block: a
  // letter is a link of the node where it is, and a number before it says how many steps it waits first.
  function schedule() {
    const { sides, links } = Picture.network(all.Flag), out = new Map(links.map((l) => [`${l.from} ${2 * l.dim + (l.dir < 0)}`, l]));
    const nodes = record.nodes.map((node) => node.reduce((v, c, j) => v * sides[j] + c, 0)).sort((a, b) => a - b);
    const steps = Array.from({ length: cell.Exchange.Steps }, () => []), moves = cell.Exchange.Moves.matchAll(/(\d*)([a-z])/g);
    for (const from of nodes) for (const to of nodes.filter((v) => v !== from)) {
      for (let at = from, step = 0; at !== to; step++) {
        const [, wait, letter] = moves.next().value, { link, to: next, dim, dir } = out.get(`${at} ${letter.charCodeAt(0) - 97}`);
        steps[step += Number(wait)].push({ from: at, to: next, axis: dim, dir: dir < 0 ? "-" : "+", blocks: [[from, to]], link });
        at = next;
      }
    }
    const text = (phase) => JSON.stringify(phase, ["from", "to", "axis", "dir", "blocks"]);
    const head = { schema: "leeway/schedule/1", name: label, model: "all-port", axes: sides.map((side) => ({ kind: "ring", nodes: side })), participants: nodes };
    return { sides, nodes, steps, file: `${JSON.stringify(head).slice(0, -1)},"phases":[\n${steps.map(text).join(",\n")}\n]}\n` };
  }

  // exchange shows in how many steps all processors can send to all, and plays these.
  function exchange() {
    const { Steps, Bound, Any, AnyBound } = cell.Exchange, { sides, nodes, steps, file } = schedule();
    const [a, b = 1] = cell.MaxLoad.split("/").map(Number), most = Math.ceil(a / b), count = (n) => plural(n, "step", "steps");
    const says = [`Every processor has a block for every other, and every link takes one in each step. Along paths of ${all.Routing} all have arrived after ${count(Steps)}`,
      Steps <= most && (Steps < most ? `, fewer than E_max` : a % b ? ": done in E_max steps, rounded up" : ": done in E_max steps"), ". ",
      Steps === Bound ? "No schedule along these paths has fewer. " : `No schedule along these paths has fewer than ${Bound}. `,
      Any < Steps ? `Along any paths ${count(Any)} are enough` : Steps > AnyBound && "No faster schedule along other paths is known",
      (Any < Steps || Steps > AnyBound) && (Any > AnyBound ? `; the bound for these is ${AnyBound}.` : ", and no schedule has fewer.")];
    const drawn = Picture.draw({ ...cell.Picture, values: ["0"], most: undefined, loads: cell.Picture.loads.replace(/[^?]/gu, "@"), bare: true });
    const paths = new Map([...drawn.querySelectorAll(".link")].map((path) => [Number(path.dataset.link), path]));
    const idle = new Map([...paths].map(([link, path]) => [link, [path.getAttribute("class"), path.querySelector("title").textContent.replace(/: .*/, "")]]));
    const name = (v) => `(${Math.floor(v / sides[1])},${v % sides[1]})`, arrived = [0];
    for (const sends of steps) arrived.push(arrived.at(-1) + sends.filter((s) => s.to === s.blocks[0][1]).length);
    const range = h("input", { type: "range", min: 0, max: Steps, value: 0, "aria-label": "Step" }), said = h("output", { "aria-live": "polite" });
    const button = (text, act) => { const e = h("button", { type: "button" }, text); e.addEventListener("click", act); return e; };
    let at = 0, timer = 0;
    function show(step) {
      at = Math.max(0, Math.min(Steps, step));
      const sends = new Map((steps[at - 1] || []).map((s) => [s.link, s]));
      for (const [link, path] of paths) {
        const [kind, title] = idle.get(link), s = sends.get(link);
        path.setAttribute("class", s ? kind.replace("idle", "b12 working") : kind);
        path.querySelector("title").textContent = `${title}: ${s ? `the block from ${name(s.blocks[0][0])} for ${name(s.blocks[0][1])}` : "idle"}`;
      }
      range.value = at;
      range.setAttribute("aria-valuetext", `step ${at} of ${Steps}`);
      said.textContent = at ? `Step ${at} of ${Steps}: ${sends.size} of ${plural(paths.size, "link works", "links work")}; after it ${arrived[at]} of ${arrived[Steps]} blocks have arrived.` : `${arrived[Steps]} blocks wait at their processors.`;
    }
    function pause() {
      clearInterval(timer);
      timer = 0;
      play.textContent = "Play";
      said.setAttribute("aria-live", "polite");
    }
    const go = (step) => { pause(); show(step); };
    const play = button("Play", () => {
      if (timer) return pause();
      play.textContent = "Pause";
      said.setAttribute("aria-live", "off");
      show(at === Steps ? 1 : at + 1);
      timer = setInterval(() => { show(at + 1); if (at === Steps) pause(); }, 1000);
    });
    range.addEventListener("input", () => go(Number(range.value)));
    const controls = h("div", { class: "buttons", id: "steps" }, button("First", () => go(0)), button("Back", () => go(at - 1)), play, button("Forward", () => go(at + 1)), range,
      h("a", { class: "button", download: `${label}.schedule.json`, href: URL.createObjectURL(new Blob([file], { type: "application/json" })) }, "Schedule (JSON)"));
    controls.addEventListener("keydown", (event) => {
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: Steps }[event.key];
      if (event.target === range || to === undefined) return;
      event.preventDefault();
      go(to);
    });
    show(0);
    return section("exchange", `Complete exchange in ${count(Steps)}`, h("p", {}, says, " How schedules are found and checked: ", link(root + "docs/exchange.html#all-ports-schedules", "complete exchange"), "."),
      h("figure", { class: "exchange" }, h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Picture of the step" }, drawn), h("figcaption", {}, said, controls)));
  }

  const optima = () => section("optima", "The optimal placements",
    h("p", {}, "One of each kind, with the number of placements that it stands for: it and its images under the symmetries that keep all loads.", cell.Optima.length < cell.Kinds && ` The first ${cell.Optima.length} of ${cell.Kinds} kinds.`),
    h("div", { class: "gallery" }, cell.Optima.map(({ Number: at, Label, Orbit }) => {
      const id = "optimum-" + at, nodes = joined(record.optima[at - 1]);
      return h("figure", { id, "data-picture": all.Flag, "data-nodes": nodes }, h("figcaption", {}, link("#" + id, `${at} of ${cell.Kinds}`), Orbit && ": " + plural(Orbit, "placement", "placements"), all.Editor && [" ", link(root + all.Editor + nodes, "loads")], h("br", {}), h("code", {}, `${label}.${Label}`)));
    })));

  function others() {
    const own = [[all.Name, " ", h("span", { class: "unseen" }, "(this cell)")], value(cell), badge(cell.Status)];
    own.own = true;
    return section("others", `As many ${all.Clients ? "controllers" : "processors"} on other networks of these sides${all.Clients ? " with this traffic" : ""}`,
      table("others", ["network", "E_max", "state"], [own, ...cell.Others.map((o) => [link(root + o.Address, o.Name), value(o), badge(o.Status)])]));
  }

  const families = () => section("families", "Placements with a name",
    table("families", ["placement", "E_max", "source*"], cell.Families.map((f) => [f.Placement, number(f.MaxLoad), f.Papers && "the papers"])));

  function check() {
    const name = cell.Size + ".json", demand = all.Clients ? ` --traffic ${all.Clients.Traffic}${all.Clients.ReplyText ? " --reply-routing " + all.Clients.ReplyText : ""}` : "";
    const question = `--torus ${all.Flag} --routing ${all.Routing}`, v = cell.Verified, broken = v && v.Symmetry ? " --break-symmetry" : "";
    return section("check", "Check it yourself", h("p", {}, "Download the certificate and run"), code("leeway check " + name),
      h("p", {}, "which lists every path and repeats the proof without any code of the searchers. ", record.table ? "The paths are those of the table in it:" : "Or evaluate the placement alone, and see what is lost to the placement and what to the routing:"),
      code(record.table ? "leeway draw " + name : `leeway eval ${name}\nleeway explain ${name}`),
      v && [h("p", {}, `Make the formula that was refuted, ${v.Clauses} clauses, and have a proof checked by whatever checkers there are:`),
        code(`leeway export --formula dimacs ${question} --size ${cell.Size} --below ${v.Below}${broken} | sha256sum\nleeway atlas certify ${question} --size ${cell.Size}${broken} --again --out mine.jsonl`),
        note("SHA-256 of the formula: ", h("code", { class: "hash" }, v.Formula))],
      note("Claim ", h("code", { class: "hash" }, record.claim_sha256), [record.proof, record.bound_proof].some((p) => p && p.file) && ". The proof stands in a file of its own, which the certificate names with its hash", "."));
  }

  // beat says how to look for a better placement or bound of an open cell, and where to send it.
  function beat() {
    const asked = `--torus ${all.Flag} --routing ${all.Routing}${all.Clients ? ` --traffic ${all.Clients.Traffic}${all.Clients.ReplyText ? " --reply-routing " + all.Clients.ReplyText : ""}` : ""} --size ${cell.Size}${all.In ? " --fixed " + all.In : ""}${all.Out ? " --forbidden " + all.Out : ""}`;
    return section("beat", "Beat this", h("p", {}, `A placement with E_max below ${cell.MaxLoad}, or a proof of more than ${cell.LowerBound}, is news. Look for one with these commands`, all.Editor && [", or by hand ", link(root + all.Editor + joined(record.nodes), "in the editor")], ":"),
      code(`leeway search ${asked} --time 10m --out mine.json\nleeway prove ${asked} --time 1h --out mine.json`), h("p", {}, "Then check it and write it as a contribution, for a pull request or for a server with a token:"),
      code(`leeway check mine.json\nleeway submit mine.json --finder "Your Name" --out contribution.json`));
  }

  function cite() {
    const plain = (text) => text.replace(/[{}\\]/g, "").replace(/[%#$&_]/g, "\\$&");
    const first = Object.values(record.credit ?? {}).join(", "), state = cell.Status === "optimal" ? "optimal" : "best known";
    return section("cite", "Cite it", h("p", {}, "This cell has the label ", link(root + "c/" + label + ".html", h("code", {}, label)), ", which does not change."),
      code(`@misc{leeway:${label},\n  title = {${cell.Counted} on ${all.Shown} under ${all.Routing}: {E\\_max} ${cell.MaxLoad}, ${state}},\n  author = {{The Leeway authors}},\n  howpublished = {cell ${label} of the atlas of Leeway ${record.version}},\n  year = {${record.started.slice(0, 4)}},\n  note = {${first && "first reached by " + plain(first) + "; "}SHA-256 of the claim ${record.claim_sha256}}\n}`));
  }

  const nulls = () => section("nulls", "Searched in vain", table("nulls", ["method", "seed", "budget", "evaluations", "best seen", "when*"],
    cell.Nulls.map((n) => [n.Method + (n.Goal && ` (${n.Goal})`), n.Seed, n.Budget, n.Evaluations, n.Best || "–", n.Added])));

  const history = () => section("history", "What was known when", table("history", ["date", "E_max", "lower bound", "by*"],
    cell.History.map((k) => [k.Date, number(k.MaxLoad), k.LowerBound && number(k.LowerBound), k.By])));

  if (!served) {
    document.body.insertAdjacentHTML("afterbegin", Words.Top);
    document.body.insertAdjacentHTML("beforeend", Words.Bottom);
    main.replaceChildren(h("div", {}, top().flat().filter(Boolean)));
    main.replaceChildren(...main.firstChild.childNodes);
  }
  if (cell.Status === "wrong") return;
  const parts = [
    h("div", { class: "sides" }, cell.Picture && picture(), h("div", { class: "beside" }, record && loads(), cell.Invariants && shape(cell.Invariants), cell.Worst && permuted(cell.Worst), why())),
    cell.Exchange && exchange(), cell.Optima && optima(), cell.Others && others(), cell.Families && families(), record && check(), record && cell.Status !== "optimal" && !record.table && beat(), record && cite(),
    cell.Nulls && nulls(), cell.History && history()];
  main.append(...parts.filter(Boolean));
  Picture.fill(main);

  // Loads under the pointer, and the list of all.
  const drawn = main.querySelector("figure.torus svg");
  if (drawn) {
    const show = (event) => {
      const shape = event.target.closest(".link, .node, .processor, .fixed, .forbidden"), title = shape && shape.querySelector("title");
      if (title) document.getElementById("readout").textContent = title.textContent;
    };
    drawn.addEventListener("pointerover", show);
    drawn.addEventListener("click", show);
    const button = document.getElementById("list-loads");
    button.addEventListener("click", () => {
      const rows = [...drawn.querySelectorAll(".link > title")].map((t) => t.textContent.split(": ")).filter((r) => r[1] !== "0");
      rows.sort((a, b) => a[0].localeCompare(b[0], "en", { numeric: true }));
      button.hidden = true;
      document.getElementById("load-list").replaceChildren(h("table", { id: "load-table", class: "numbers" }, h("tbody", {}, rows.map((r) => h("tr", {}, r.map((text) => h("td", {}, text)))))));
    });
  }

  if (location.hash) location.replace(location.hash); // which was not there yet
})();
