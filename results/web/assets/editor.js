// The editor: a torus or mesh as a board of switches, with exact loads and bounds. What
// is chosen stands in the address after #, so that a link leads to it.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const PITCH = 56, CLEAR = 11, LANE = 5, STUB = 20, LEFT = 58, TOP = 58, BANDS = 16, WIDTHS = 4;
  const data = JSON.parse(document.getElementById("data").textContent);
  const by = (id) => document.getElementById(id);
  const board = by("board"), select = by("routing"), shape = by("shape"), problem = by("problem"), readout = by("readout");
  const sort = by("traffic"), messages = [by("request"), by("reply")], replies = by("replies");
  const speeds = [by("bandwidth-0"), by("bandwidth-1")], shift = by("shift");
  const sets = { nodes: new Set(), fixed: new Set(), forbidden: new Set() }; // nodes are those with a processor
  const { nodes, fixed, forbidden } = sets;
  const spots = [], wires = [];
  let t = Loads.torus(data.sides);
  let counts = null; // of messages, where every node is a client of the processors, its controllers
  let focus = 0;

  const name = (v) => "(" + t.coords(v).join(",") + ")";
  const sorted = (set) => [...set].sort((a, b) => a - b);
  const written = (set) => sorted(set).map((v) => t.coords(v).join(",")).join("+");
  const make = (kind, attributes, parent) => {
    const e = document.createElementNS(SVG, kind);
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    parent.append(e);
    return e;
  };
  const place = (v) => { const c = t.coords(v); return [LEFT + c[1] * PITCH, TOP + c[0] * PITCH]; };

  // Line to the right of the way it goes, with half an arrow head.
  function arrow([x, y], [hx, hy], start, length) {
    const [sx, sy] = [-hy, hx];
    return `M${x + hx * start + sx * LANE} ${y + hy * start + sy * LANE}l${hx * length} ${hy * length}l${-7 * hx + 5 * sx} ${-7 * hy + 5 * sy}`;
  }

  // The class of links by their bandwidth, as in pictures: that of the smaller, of up to
  // 2, up to 4, and more times as much; none where both are equal.
  function wide(dim) {
    const least = Math.min(...t.bandwidth);
    if (t.bandwidth[0] === t.bandwidth[1]) return "";
    let level = 1;
    for (let reach = least; reach < t.bandwidth[dim] && level < WIDTHS; reach *= 2) level++;
    return " wide" + level;
  }

  function wire(v, port) {
    const to = t.move(v, port.dim, port.dir);
    const k = t.sides[port.dim], at = t.coords(v)[port.dim];
    // On a side of 2 the only link of node 1 goes back to node 0.
    const back = port.dir < 0 || k === 2 && at === 1;
    const heading = port.dim === 0 ? [0, back ? -1 : 1] : [back ? -1 : 1, 0];
    const wraps = k > 2 && (back ? at === 0 : at === k - 1);
    const d = wraps ? arrow(place(v), heading, CLEAR, STUB) + arrow(place(to), heading, -CLEAR - STUB, STUB) : arrow(place(v), heading, CLEAR, PITCH - 2 * CLEAR);
    const path = make("path", { class: "link wire idle", d }, board);
    const title = make("title", {}, path);
    wires[t.link(v, port.dim, port.dir)] = { path, title, name: name(v) + " -> " + name(to), kind: "link wire" + wide(port.dim) + " " };
    path.addEventListener("pointerover", () => { readout.textContent = title.textContent; });
  }

  function spot(v) {
    const [x, y] = place(v);
    const g = make("g", { class: "spot", role: "switch", tabindex: v === focus ? 0 : -1, "data-node": v }, board);
    make("rect", { class: "ring", x: x - 13, y: y - 13, width: 26, height: 26, rx: 6 }, g);
    make("rect", { class: "hit", x: x - 14, y: y - 14, width: 28, height: 28, fill: "transparent" }, g);
    make("circle", { class: "node", cx: x, cy: y, r: 4.5 }, g);
    const box = make("rect", { class: "processor", x: x - 9, y: y - 9, width: 18, height: 18, rx: 3 }, g);
    const dot = make("circle", { class: "fixed", cx: x, cy: y, r: 3.5 }, g);
    const cross = make("path", { class: "forbidden", d: `M${x - 7} ${y - 7}l14 14M${x - 7} ${y + 7}l14 -14` }, g);
    spots[v] = { g, box, dot, cross };
    g.addEventListener("click", () => { go(v, false); press(v); });
    g.addEventListener("pointerover", () => { readout.textContent = kind(v) + " " + name(v); });
  }

  // build makes the board of the network.
  function build() {
    board.replaceChildren();
    board.setAttribute("aria-label", `${t.title}: each node is a button`);
    spots.length = wires.length = 0;
    const width = 2 * LEFT + (t.sides[1] - 1) * PITCH, height = 2 * TOP + (t.sides[0] - 1) * PITCH;
    for (const [key, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) board.setAttribute(key, value);
    board.style.minWidth = `${Math.min(width, 24 * t.sides[1])}px`; // spots stay large enough for a finger
    for (let c = 0; c < t.sides[1]; c++) make("text", { class: "small muted mid", x: LEFT + c * PITCH, y: 16 }, board).textContent = c;
    for (let r = 0; r < t.sides[0]; r++) make("text", { class: "small muted end", x: 18, y: TOP + r * PITCH + 4 }, board).textContent = r;
    for (let v = 0; v < t.count; v++) for (const port of t.ports) if (t.hasLink(v, port)) wire(v, port);
    for (let v = 0; v < t.count; v++) spot(v);
  }

  function go(v, withFocus) {
    spots[focus].g.setAttribute("tabindex", -1);
    focus = v;
    spots[v].g.setAttribute("tabindex", 0);
    if (withFocus) spots[v].g.focus();
  }

  const noun = () => counts ? "controller" : "processor";
  const kind = (v) => fixed.has(v) ? "fixed " + noun() : forbidden.has(v) ? "forbidden node" : nodes.has(v) ? noun() : "node";

  // The traffic as loads are computed for it: replies by a routing of their own only where it is another.
  const traffic = () => counts && { ...counts, replies: replies.disabled || replies.value === select.value ? "" : replies.value };

  // press does with a node what the buttons say: put or take a processor, or fix or forbid it.
  function press(v) {
    const role = document.querySelector("input[name=role]:checked").value;
    if (role !== "nodes") {
      const other = role === "fixed" ? forbidden : fixed;
      if (!sets[role].delete(v)) {
        sets[role].add(v);
        other.delete(v);
      }
      if (fixed.has(v)) nodes.add(v);
      if (forbidden.has(v)) nodes.delete(v);
    } else if (!fixed.has(v) && !forbidden.has(v) && !nodes.delete(v)) {
      nodes.add(v);
    }
    update();
    readout.textContent = kind(v) + " " + name(v);
  }

  function update() {
    for (let v = 0; v < t.count; v++) {
      const { g, box, dot, cross } = spots[v];
      g.setAttribute("aria-checked", nodes.has(v));
      g.setAttribute("aria-label", kind(v) + " at " + name(v));
      for (const [shown, part] of [[nodes, box], [fixed, dot], [forbidden, cross]]) part.setAttribute("visibility", shown.has(v) ? "visible" : "hidden");
    }
    const list = sorted(nodes);
    const result = Loads.evaluate(t, select.value, list, traffic());
    wires.forEach((w, link) => {
      const load = result.loads[link];
      let look = "idle";
      if (load > 0n) {
        const band = (load * BigInt(BANDS) + result.most - 1n) / result.most;
        look = "b" + band + (load === result.most ? " top" : "");
      }
      w.path.setAttribute("class", w.kind + look);
      w.title.textContent = w.name + ": " + Loads.text(result.at(link));
    });
    answer(list, result);
    for (const [id, set] of Object.entries(sets)) by(id).value = written(set);
    shift.disabled = fixed.size + forbidden.size > 0 || t.open(0) && t.open(1);
    problem.textContent = "";
    commands(list.length);
    keep();
  }

  function line(parent, className, text) {
    const p = document.createElement("p");
    if (className) p.className = className;
    p.textContent = text;
    parent.append(p);
    return p;
  }

  // demands returns what the atlas may write for the traffic: where nothing ties both tie rules are one.
  function demands() {
    const now = traffic();
    if (!now) return [""];
    const head = `:traffic=clients:request=${now.request}:reply=${now.reply}`;
    const spellings = (r) => t.ties ? [r] : ["plus", "both"].map((tie) => r.replace(/tie=.*/, "tie=" + tie));
    return !now.replies || spellings(select.value).includes(now.replies) ? [head] : spellings(now.replies).map((r) => head + ":reply-routing=" + r);
  }

  // known says what the atlas has about the network with conditions and a size; false if it has nothing.
  function known(box, conditions, begin, n, result) {
    const cell = demands().flatMap((demand) => (data.known[t.network + demand + conditions] || {})[select.value] || []).find((c) => c.n === n);
    if (!cell) return false;
    const best = Loads.parse(cell.best);
    const p = line(box, "", begin + (cell.best ? ` ${cell.best}` + (cell.best === cell.bound ? ", which is optimal. " : `, and none below ${cell.bound}. `) : ` none below ${cell.bound}. `));
    const a = document.createElement("a");
    a.href = cell.page;
    a.textContent = "See its cell";
    p.append(a);
    if (best && n > 0 && Loads.compare(result.max, best) < 0) line(box, "", "This is better than what the atlas knows!");
    return true;
  }

  function answer(list, result) {
    const box = by("answer");
    box.replaceChildren();
    const n = list.length;
    line(box, "big", "E_max " + Loads.text(result.max)).id = "max-load";
    line(box, "", `${n} ${noun()}${n === 1 ? "" : "s"}` + ` on the ${t.title}` + (result.links ? `; ${result.links} of ${t.links} links carry it` : ""));
    const conditions = (fixed.size ? ":fixed=" + written(fixed) : "") + (forbidden.size ? ":forbidden=" + written(forbidden) : "");
    if (counts && n > 0) line(box, "", `Throughput ${Loads.text(Loads.fraction(result.max.den, result.max.num))} exchanges per unit time. A client is ${Loads.text(Loads.meanDistance(t, list))} links from a controller on average.`).id = "exchanges";
    if (!known(box, conditions, "The atlas knows", n, result) && conditions) known(box, "", "Without fixed and forbidden nodes the atlas knows", n, result);
    if (!t.plain && n > (counts ? 0 : 1)) line(box, "", `On the plain torus the same placement has E_max ${Loads.text(Loads.evaluate(Loads.torus(t.sides), select.value, list, traffic()).max)}.`).id = "on-torus";
    const rows = Loads.bounds(t, list, traffic()).map((b) => {
      const row = document.createElement("tr");
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = b.name;
      const cell = document.createElement("td");
      cell.textContent = Loads.text(b.value);
      row.append(head, cell);
      return row;
    });
    by("bounds").replaceChildren(...rows);
  }

  // commands shows the same question for the command line.
  function commands(n) {
    const roles = (fixed.size ? " --fixed " + written(fixed) : "") + (forbidden.size ? " --forbidden " + written(forbidden) : "");
    const now = traffic();
    const asked = `${t.flag} --routing ${select.value}` + (now ? " --traffic " + sent() + (now.replies ? " --reply-routing " + now.replies : "") : "");
    const placed = `${asked} --placement nodes:${written(nodes)}`;
    const texts = { eval: `leeway eval ${placed}`, draw: `leeway draw ${placed}${roles}`, search: `leeway search ${asked} --size ${n}${roles}` };
    by("commands").hidden = n === 0;
    for (const [id, text] of Object.entries(texts)) {
      by(id + "-command").replaceChildren(...text.split(/(--[a-z-]+)/).map((part, i) => {
        if (i % 2 === 0) return part;
        return Object.assign(document.createElement("span"), { className: "flag", textContent: part }); // not to be broken
      }));
    }
    for (const button of by("commands").querySelectorAll("button")) button.firstChild.data = "Copy";
  }

  const sent = () => `clients:request=${counts.request}:reply=${counts.reply}`;

  // keep writes the state into the address.
  function keep() {
    const parts = ["routing=" + select.value];
    if (counts) parts.push("traffic=" + sent());
    if (traffic()?.replies) parts.push("reply-routing=" + traffic().replies);
    if (shape.value) parts.push("open=" + shape.value);
    if (t.bandwidth.some((b) => b > 1)) parts.push("bandwidth=" + t.bandwidth.join(","));
    for (const [id, set] of Object.entries(sets)) if (set.size || id === "nodes") parts.push(id + "=" + written(set));
    history.replaceState(null, "", "#" + parts.join("&"));
  }

  // Reads nodes as the option --placement has them; complains and returns null if they are none.
  function read(text) {
    const list = [];
    for (const part of text.trim().split(/[+\s]+/).filter(Boolean)) {
      const m = /^([0-9]{1,3}),([0-9]{1,3})$/.exec(part);
      if (!m || Number(m[1]) >= t.sides[0] || Number(m[2]) >= t.sides[1]) {
        complain(`"${part.slice(0, 20)}" is no node: write row,column and join nodes by +`);
        return null;
      }
      list.push(t.node([Number(m[1]), Number(m[2])]));
    }
    return list;
  }

  function complain(text) { problem.textContent = text; }

  // put replaces one of the sets, unless a node is in two that exclude each other.
  function put(id, list) {
    const mine = new Set(list);
    const clash = { nodes: [forbidden], fixed: [forbidden], forbidden: [fixed] }[id].flatMap((set) => [...set]).find((v) => mine.has(v));
    if (clash !== undefined) {
      complain(`${name(clash)} is ${kind(clash) === "node" ? "in both lists" : "a " + kind(clash)} already`);
      return;
    }
    sets[id].clear();
    mine.forEach((v) => sets[id].add(v));
    fixed.forEach((v) => nodes.add(v));
    forbidden.forEach((v) => nodes.delete(v));
    update();
  }

  // arrange puts processors on nodes as far as these may have some.
  const arrange = (list) => put("nodes", list.filter((v) => !forbidden.has(v)));
  const diagonal = () => arrange(Array.from({ length: Math.max(...t.sides) }, (_, i) => t.node([i % t.sides[0], (t.sides[1] - i % t.sides[1]) % t.sides[1]])));

  // network makes the network that is chosen; false if its bandwidths are none.
  function network() {
    const values = speeds.map((box) => /^[0-9]{1,4}$/.test(box.value) ? Number(box.value) : 0);
    if (values.some((b) => b < 1 || b > Loads.MOST_BANDWIDTH) || Loads.common(values) > Loads.MOST_COMMON) {
      complain(`bandwidths are whole numbers from 1 to ${Loads.MOST_BANDWIDTH}, with a common multiple of at most ${Loads.MOST_COMMON}`);
      return false;
    }
    t = Loads.torus(data.sides, shape.value.split(",").filter(Boolean).map(Number), values);
    build();
    return true;
  }

  // demand takes the traffic that is chosen; false if its numbers are none. What clients cannot be routed by is left away.
  function demand() {
    if (sort.value === "all") {
      counts = null;
    } else {
      const found = Loads.traffic(`clients:request=${messages[0].value}:reply=${messages[1].value}`);
      if (!found) {
        complain(`request and reply are whole numbers from 0 to ${Loads.MOST_MESSAGES}, not both 0`);
        return false;
      }
      counts = found;
    }
    for (const e of document.querySelectorAll(".clients")) e.hidden = !counts;
    for (const e of document.querySelectorAll(".noun")) e.textContent = e.textContent.replace(/processor|controller/, noun()).replace(/Processor|Controller/, noun().replace(/^./, (c) => c.toUpperCase()));
    for (const o of select.options) o.disabled = counts !== null && onPlacement(o.value);
    replies.disabled = !counts || counts.request === 0 || counts.reply === 0;
    if (!counts || !onPlacement(select.value)) return true;
    complain(`the paths of ${select.value} depend on the placement, which client traffic does not treat: ${data.way} instead`);
    select.value = data.way;
    return true;
  }

  const onPlacement = (routing) => routing.startsWith("avoid");

  // load takes the state from the address; what it cannot read is left away and said.
  function load() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const complaints = [];
    problem.textContent = "";
    const tell = () => { if (problem.textContent) complaints.push(problem.textContent); problem.textContent = ""; };
    const pick = (box, value, standard, what) => {
      const ok = value === null || [...box.options].some((o) => o.value === value);
      box.value = ok && value !== null ? value : standard;
      if (!ok) complaints.push(`"${value.slice(0, 20)}" is no ${what} here`);
    };
    pick(select, asked.get("routing"), data.way, "routing");
    pick(shape, asked.get("open"), "", "list of open dimensions");
    const text = asked.get("traffic") ?? "all", found = Loads.traffic(text);
    if (found === undefined) complaints.push(`"${text.slice(0, 40)}" is no traffic: write all, or clients:request=1:reply=4`);
    sort.value = found ? "clients" : "all";
    messages.forEach((box, i) => { box.value = found ? [found.request, found.reply][i] : 1; });
    demand();
    tell();
    pick(replies, asked.get("reply-routing"), "", "routing of replies");
    if (replies.value && replies.disabled) {
      complaints.push(found ? "a routing of their own for replies needs requests and replies" : "all-to-all traffic has no replies");
      replies.value = "";
    }
    const bandwidth = (asked.get("bandwidth") || "1,1").split(",");
    speeds.forEach((box, dim) => { box.value = bandwidth[dim] || ""; });
    if (bandwidth.length !== 2 || !network()) {
      complain("bandwidth: two whole numbers are needed, such as 2,1");
      speeds.forEach((box) => { box.value = 1; });
      tell();
      network();
    }
    for (const set of Object.values(sets)) set.clear();
    for (const id of ["fixed", "forbidden", "nodes"]) {
      const list = asked.get(id) === null ? [] : read(asked.get(id));
      if (list) put(id, list);
      tell();
    }
    if (asked.get("nodes") === null) diagonal();
    complain(complaints.join("; "));
  }

  for (const r of data.routings) select.append(new Option(r, r));
  replies.append(new Option("the same routing", ""), ...data.routings.filter((r) => !onPlacement(r)).map((r) => new Option(r, r)));
  const paths = [0, 1].filter((dim) => data.sides[dim] > 2);
  shape.append(new Option("torus", ""));
  if (paths.length > 0) shape.append(new Option("mesh", paths.join(",")));
  if (paths.length > 1) shape.append(new Option("dimension 0 open", "0"), new Option("dimension 1 open", "1"));
  load();

  window.addEventListener("hashchange", load);
  for (const box of [select, replies]) box.addEventListener("change", update);
  for (const box of [sort, ...messages]) {
    box.addEventListener("change", () => {
      problem.textContent = "";
      const ok = demand(), said = problem.textContent;
      if (ok) update();
      if (said) complain(said);
    });
  }
  for (const box of [shape, ...speeds]) box.addEventListener("change", () => { if (network()) update(); });
  for (const id of Object.keys(sets)) by(id).addEventListener("change", () => { const list = read(by(id).value); if (list) put(id, list); });
  by("controls").addEventListener("submit", (event) => event.preventDefault());
  by("clear").addEventListener("click", () => put("nodes", []));
  by("diagonal").addEventListener("click", diagonal);
  shift.addEventListener("click", () => put("nodes", sorted(nodes).map((v) => t.move(v, t.open(1) ? 0 : 1, 1))));
  board.addEventListener("keydown", (event) => {
    const moves = { ArrowRight: [1, 1], ArrowLeft: [1, -1], ArrowDown: [0, 1], ArrowUp: [0, -1] };
    if (moves[event.key]) go(t.move(focus, ...moves[event.key]), true);
    else if (event.key === " " || event.key === "Enter") press(focus);
    else return;
    event.preventDefault();
  });
  by("commands").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    const code = button && button.parentElement.querySelector("code");
    if (!code) return;
    getSelection().selectAllChildren(code); // where the clipboard is closed, the next key copies it
    if (navigator.clipboard) navigator.clipboard.writeText(code.textContent).then(() => { button.firstChild.data = "Copied"; }, () => {});
  });
})();
