// The editor: the torus as a board of switches, with exact loads and bounds.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const PITCH = 56, CLEAR = 11, LANE = 5, STUB = 20, LEFT = 58, TOP = 58, BANDS = 16;
  const data = JSON.parse(document.getElementById("data").textContent);
  const t = Loads.torus(data.sides);
  const by = (id) => document.getElementById(id);
  const board = by("board"), select = by("routing"), nodesBox = by("nodes"), problem = by("problem"), readout = by("readout");
  const chosen = new Set();
  const spots = [], wires = [];
  let focus = 0;

  const name = (v) => "(" + t.coords(v).join(",") + ")";
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
    wires[t.link(v, port.dim, port.dir)] = { path, title, name: name(v) + " -> " + name(to) };
    path.addEventListener("pointerover", () => { readout.textContent = title.textContent; });
  }

  function spot(v) {
    const [x, y] = place(v);
    const g = make("g", { class: "spot", role: "switch", tabindex: v === 0 ? 0 : -1, "aria-label": "processor at " + name(v), "aria-checked": "false", "data-node": v }, board);
    make("rect", { class: "ring", x: x - 13, y: y - 13, width: 26, height: 26, rx: 6 }, g);
    make("rect", { class: "hit", x: x - 14, y: y - 14, width: 28, height: 28, fill: "transparent" }, g);
    const dot = make("circle", { class: "node", cx: x, cy: y, r: 4.5 }, g);
    const box = make("rect", { class: "processor", x: x - 9, y: y - 9, width: 18, height: 18, rx: 3, visibility: "hidden" }, g);
    spots[v] = { g, dot, box };
    g.addEventListener("click", () => { go(v, false); toggle(v); });
    g.addEventListener("pointerover", () => { readout.textContent = (chosen.has(v) ? "processor " : "node ") + name(v); });
  }

  function build() {
    const width = 2 * LEFT + (t.sides[1] - 1) * PITCH, height = 2 * TOP + (t.sides[0] - 1) * PITCH;
    for (const [key, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) board.setAttribute(key, value);
    board.style.minWidth = `${Math.min(width, 24 * t.sides[1])}px`; // spots stay large enough for a finger
    for (let c = 0; c < t.sides[1]; c++) make("text", { class: "small muted mid", x: LEFT + c * PITCH, y: 16 }, board).textContent = c;
    for (let r = 0; r < t.sides[0]; r++) make("text", { class: "small muted end", x: 18, y: TOP + r * PITCH + 4 }, board).textContent = r;
    for (let v = 0; v < t.count; v++) for (const port of t.ports) wire(v, port);
    for (let v = 0; v < t.count; v++) spot(v);
  }

  function go(v, withFocus) {
    spots[focus].g.setAttribute("tabindex", -1);
    focus = v;
    spots[v].g.setAttribute("tabindex", 0);
    if (withFocus) spots[v].g.focus();
  }

  function toggle(v) {
    if (!chosen.delete(v)) chosen.add(v);
    update();
  }

  const processors = () => [...chosen].sort((a, b) => a - b);

  function update() {
    const list = processors();
    for (let v = 0; v < t.count; v++) {
      spots[v].g.setAttribute("aria-checked", chosen.has(v));
      spots[v].box.setAttribute("visibility", chosen.has(v) ? "visible" : "hidden");
    }
    const result = Loads.evaluate(t, select.value, list);
    wires.forEach((w, link) => {
      const load = result.loads[link];
      let look = "idle";
      if (load > 0n) {
        const band = (load * BigInt(BANDS) + result.most - 1n) / result.most;
        look = "b" + band + (load === result.most ? " top" : "");
      }
      w.path.setAttribute("class", "link wire " + look);
      w.title.textContent = w.name + ": " + Loads.text(result.at(link));
    });
    answer(list, result);
    nodesBox.value = list.map((v) => t.coords(v).join(",")).join("+");
    problem.textContent = "";
  }

  function line(parent, className, text) {
    const p = document.createElement("p");
    if (className) p.className = className;
    p.textContent = text;
    parent.append(p);
    return p;
  }

  function answer(list, result) {
    const box = by("answer");
    box.replaceChildren();
    const n = list.length;
    line(box, "big", "E_max " + Loads.text(result.max)).id = "max-load";
    line(box, "", (n === 1 ? "1 processor" : n + " processors") + (result.links ? `; ${result.links} of ${t.links} links carry it` : ""));
    const known = (data.known[select.value] || []).find((c) => c.n === n);
    if (known) {
      const best = Loads.parse(known.best);
      const p = line(box, "", known.best ? `The atlas knows ${known.best}` + (known.best === known.bound ? ", which is optimal. " : `, and none below ${known.bound}. `) : `The atlas knows none below ${known.bound}. `);
      const a = document.createElement("a");
      a.href = known.page;
      a.textContent = "See its cell";
      p.append(a);
      if (best && n > 1 && Loads.compare(result.max, best) < 0) line(box, "", "This is better than what the atlas knows!");
    }
    const rows = Loads.bounds(t, list).map((b) => {
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

  // Reads nodes as the option --placement has them; false if they are none.
  function read(text) {
    const list = [];
    for (const part of text.trim().split(/[+\s]+/).filter(Boolean)) {
      const m = /^([0-9]{1,3}),([0-9]{1,3})$/.exec(part);
      if (!m || Number(m[1]) >= t.sides[0] || Number(m[2]) >= t.sides[1]) {
        problem.textContent = `"${part.slice(0, 20)}" is no node: write row,column and join nodes by +`;
        return false;
      }
      list.push(t.node([Number(m[1]), Number(m[2])]));
    }
    set(list);
    return true;
  }

  function set(list) {
    chosen.clear();
    list.forEach((v) => chosen.add(v));
    update();
  }

  build();
  for (const r of data.routings) select.append(new Option(r, r));
  const asked = new URLSearchParams(location.search);
  select.value = data.routings.includes(asked.get("routing")) ? asked.get("routing") : data.way;
  const diagonal = () => set(Array.from({ length: Math.max(...t.sides) }, (_, i) => t.node([i % t.sides[0], (t.sides[1] - i % t.sides[1]) % t.sides[1]])));
  if (!asked.get("nodes") || !read(asked.get("nodes"))) diagonal();

  select.addEventListener("change", update);
  nodesBox.addEventListener("change", () => read(nodesBox.value));
  by("controls").addEventListener("submit", (event) => event.preventDefault());
  by("clear").addEventListener("click", () => set([]));
  by("diagonal").addEventListener("click", diagonal);
  by("shift").addEventListener("click", () => set(processors().map((v) => t.move(v, 1, 1))));
  board.addEventListener("keydown", (event) => {
    const moves = { ArrowRight: [1, 1], ArrowLeft: [1, -1], ArrowDown: [0, 1], ArrowUp: [0, -1] };
    if (moves[event.key]) go(t.move(focus, ...moves[event.key]), true);
    else if (event.key === " " || event.key === "Enter") toggle(focus);
    else return;
    event.preventDefault();
  });
})();
