// The editor: a network as a board of switches, on which processors stand or, where the traffic is a matrix, tasks.
// Loads, bounds, searches and proofs come from the engine. What is chosen stands in the address after #, so that a link
// leads to it.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const PITCH = 56, CLEAR = 11, LANE = 5, STUB = 20, LEFT = 58, TOP = 58, WIDTHS = 4, MOST_NODES = 1024, MOST_ROWS = 200, MOST_BANDWIDTH = 4096, MOST_BYTES = 1 << 24, PATIENCE = 3000, OTHER = "?";
  const data = JSON.parse(document.getElementById("data").textContent);
  const by = (id) => document.getElementById(id);
  const readout = by("readout"), problem = by("problem");
  const SETS = ["nodes", "fixed", "forbidden"];
  const standard = new URLSearchParams(location.search).get("torus") || data.torus; // sides of an address without
  let engine = null; // for clicks; work has another
  let now = null; // the state: texts, lists of numbers and sets of nodes; of tasks the list of their nodes, and a set of those that are fixed
  let net = null; // its network, as the engine describes it
  let shown = null; // the loads of the placement, and those of the other one
  let picked = null; // a link, or a node and perhaps another, that is looked into
  let focus = 0;
  let held = -1; // the task that moves
  let moved = ""; // what was moved, until the engine has said its load
  const past = [], future = []; // states

  // Texts and numbers.
  const sorted = (set) => [...set].sort((a, b) => a - b);
  const coords = (v, sides = now.sides) => sides.map((side, j) => Math.floor(v / sides.slice(j + 1).reduce((a, b) => a * b, 1)) % side);
  const number = (c, sides = now.sides) => c.reduce((v, x, j) => v * sides[j] + x, 0);
  const name = (v) => "(" + coords(v).join(",") + ")";
  const written = (nodes) => (Array.isArray(nodes) ? nodes : sorted(nodes)).map((v) => coords(v).join(",")).join("+");
  const has = (nodes, v) => Array.isArray(nodes) ? nodes.includes(v) : nodes.has(v);
  const count = (nodes) => nodes.length ?? nodes.size;
  const clients = () => now.traffic.startsWith("clients");
  const matrix = (s = now) => /^matrix:tasks=([0-9]{1,5})(:|$)/.test(s.traffic); // then nodes are those of its tasks in turn
  const tasksOn = (v) => now.nodes.flatMap((u, task) => u === v ? [task] : []);
  const noun = () => clients() ? "controller" : matrix() ? "task" : "processor";
  const pinned = (v) => matrix() ? tasksOn(v).some((task) => now.fixed.has(task)) : now.fixed.has(v);
  const listed = (s, id) => id === "fixed" && matrix(s) ? sorted(s.fixed).map((task) => `${task}=${coords(s.nodes[task], s.sides).join(",")}`).join("+") : written(s[id]);
  function kind(v) {
    if (now.forbidden.has(v)) return "forbidden node";
    if (!has(now.nodes, v)) return "node";
    const list = matrix() ? tasksOn(v) : [];
    return (pinned(v) ? "fixed " : "") + noun() + (list.length > 1 ? "s" : "") + (list.length ? " " + list.join(", ") : "");
  }
  const fraction = (text) => { const [num, den = "1"] = text.split("/"); return [BigInt(num), BigInt(den)]; };
  const less = (a, b) => { const [x, y] = fraction(a), [u, v] = fraction(b); return x * v < u * y; };
  const decimal = (text) => { const [x, y] = fraction(text); return y === 1n ? text : `${text} (${Number((Number(x) / Number(y)).toFixed(3))})`; };

  function make(kind, attributes, parent) {
    const e = kind === "svg" || parent instanceof SVGElement ? document.createElementNS(SVG, kind) : document.createElement(kind);
    for (const [key, value] of Object.entries(attributes)) if (key in e && key === "textContent") e.textContent = value; else e.setAttribute(key, value);
    parent.append(e);
    return e;
  }

  // The network of a state as text, and the words for it.
  const network = (s) => s.sides.join("x") + (s.open.length ? ":open=" + s.open.join(",") : "") + (s.bandwidth.some((b) => b !== "1") ? ":bandwidth=" + s.bandwidth.join(",") : "") + (s.twist ? ":twist=" + s.twist : "");
  const bothWays = (dim) => net.links.some((l) => l.dim === dim && l.dir < 0);
  const oneWay = (traffic) => /=0+(:|$)/.test(traffic);
  const own = () => clients() && !oneWay(now.traffic) && now.replies && now.replies !== now.routing ? now.replies : ""; // routing of the replies, where it is another
  const demand = () => now.traffic === "all" ? "" : ":traffic=" + now.traffic + (own() ? ":reply-routing=" + own() : "") + (matrix() && now.perNode > 1 ? ":per-node=" + now.perNode : "");
  const conditions = () => (now.fixed.size ? ":fixed=" + listed(now, "fixed") : "") + (now.forbidden.size ? ":forbidden=" + written(now.forbidden) : "");
  const isMesh = () => net.open.some(Boolean) && net.sides.every((side, j) => side === 2 || net.open[j]);
  const sized = () => net.sides.join("x") + (net.bandwidth.some((b) => b > 1) ? ":bandwidth=" + net.bandwidth.join(",") : "");
  const title = () => isMesh() ? "mesh " + sized() : "torus " + net.text;
  const question = (command, more = {}) => ({ command, where: network(now) + demand(), routing: now.routing, table: now.table, placement: "nodes:" + written(now.nodes), ...more });

  // A board draws a network in an SVG element; touch, if there is one, is what its nodes and links do.
  function Board(svg, touch) {
    const spots = [], wires = [];
    let origins = [];
    const place = (v) => {
      const c = coords(v, net.sides), plane = origins[number(c.slice(0, -2), net.sides.slice(0, -2))];
      return [plane[0] + c[c.length - 1] * PITCH, plane[1] + (c.length > 1 ? c[c.length - 2] : 0) * PITCH];
    };
    // Line to the right of the way it goes, with half an arrow head.
    function arrow([x, y], [hx, hy], start, length) {
      const [sx, sy] = [-hy, hx];
      return `M${x + hx * start + sx * LANE} ${y + hy * start + sy * LANE}l${hx * length} ${hy * length}l${-7 * hx + 5 * sx} ${-7 * hy + 5 * sy}`;
    }
    // The class of links by their bandwidth, as in pictures: that of the smallest, of up to
    // 2, up to 4, and more times as much; none where all are equal.
    function wide(dim) {
      const least = Math.min(...net.bandwidth);
      if (net.bandwidth.every((b) => b === least)) return "";
      let level = 1;
      for (let reach = least; reach < net.bandwidth[dim] && level < WIDTHS; reach *= 2) level++;
      return " wide" + level;
    }
    function wire({ link, from, to, dim, dir }) {
      const side = net.sides[dim], at = coords(from, net.sides)[dim], axis = net.sides.length - 1 - dim;
      // Where two steps return to a node, the link of the later one goes back.
      const both = bothWays(dim), back = dir < 0 || !both && from > to;
      const heading = [[1, 0], [0, 1], [0.7, -0.7], [-0.7, -0.7]][axis].map((h) => back ? -h : h);
      const wraps = (both || side === 1) && (back ? at === 0 : at === side - 1);
      let d = arrow(place(from), heading, CLEAR, axis > 1 ? STUB * 0.8 : PITCH - 2 * CLEAR);
      if (axis < 2 && wraps) d = arrow(place(from), heading, CLEAR, STUB) + arrow(place(to), heading, -CLEAR - STUB, STUB);
      if (axis < 2 && wraps && coords(to, net.sides).some((x, j) => j !== dim && x !== coords(from, net.sides)[j])) { // a shifted end
        const [x, y] = place(from), [hx, hy] = heading;
        make("text", { class: "small muted mid", x: x + hx * (CLEAR + STUB / 2), y: y + (hy > 0 ? CLEAR + STUB + 11 : hy < 0 ? -CLEAR - STUB - 2 : -9), textContent: coords(to, net.sides) }, svg);
      }
      const path = make("path", { class: "link wire idle", d, "data-link": link }, svg);
      wires[link] = { path, title: make("title", {}, path), name: name(from) + " -> " + name(to), kind: "link wire" + wide(dim) + " " };
      path.addEventListener("pointerover", () => { readout.textContent = wires[link].title.textContent; });
      if (touch) path.addEventListener("click", () => touch.link(link));
    }
    function spot(v) {
      const [x, y] = place(v);
      const g = make("g", touch ? { class: "spot", role: "switch", tabindex: v === focus ? 0 : -1, "data-node": v } : { class: "spot" }, svg);
      make("rect", { class: "ring", x: x - 13, y: y - 13, width: 26, height: 26, rx: 6 }, g);
      make("rect", { class: "hit", x: x - 14, y: y - 14, width: 28, height: 28, fill: "transparent" }, g);
      make("circle", { class: "node", cx: x, cy: y, r: 4.5 }, g);
      const box = make("rect", { class: "processor", x: x - 9, y: y - 9, width: 18, height: 18, rx: 3 }, g);
      const label = make("text", { class: "small mid in-processor", x, y: y + 4 }, g);
      const dot = make("circle", { class: "fixed", cx: x, cy: y, r: 3.5 }, g);
      const cross = make("path", { class: "forbidden", d: `M${x - 7} ${y - 7}l14 14M${x - 7} ${y + 7}l14 -14` }, g);
      spots[v] = { g, box, dot, cross, label };
      g.addEventListener("pointerover", () => { readout.textContent = kind(v) + " " + name(v); });
      if (!touch) return;
      g.addEventListener("click", () => touch.node(v));
      g.addEventListener("pointerdown", (event) => {
        if (g.hasPointerCapture(event.pointerId)) g.releasePointerCapture(event.pointerId); // a finger, too, is let go where it is
        touch.held = v;
      });
      g.addEventListener("pointerup", () => touch.drop(v));
    }
    return {
      spots,
      // build draws the network, one plane of its last two dimensions beside the other.
      build() {
        svg.replaceChildren();
        svg.setAttribute("aria-label", `${title()}: each node is a button`);
        spots.length = wires.length = 0;
        const { sides } = net, d = sides.length, planes = sides.slice(0, -2);
        const [rows, columns] = [d > 1 ? sides[d - 2] : 1, sides[d - 1]];
        const width = 2 * LEFT + (columns - 1) * PITCH, height = 2 * TOP + (rows - 1) * PITCH;
        const across = d < 3 ? 1 : d === 3 ? Math.ceil(Math.sqrt(sides[0])) : sides[1];
        const count = planes.reduce((a, b) => a * b, 1);
        origins = Array.from({ length: count }, (_, i) => [LEFT + i % across * width, TOP + Math.floor(i / across) * height]);
        const total = [width * across, height * Math.ceil(count / across)];
        for (const [key, value] of Object.entries({ width: total[0], height: total[1], viewBox: `0 0 ${total[0]} ${total[1]}` })) svg.setAttribute(key, value);
        svg.style.minWidth = `${Math.min(total[0], 24 * columns * across)}px`; // spots stay large enough for a finger
        origins.forEach(([x, y], i) => {
          for (let c = 0; c < columns; c++) make("text", { class: "small muted mid", x: x + c * PITCH, y: y - TOP + 10, textContent: c }, svg);
          if (d > 1) for (let r = 0; r < rows; r++) make("text", { class: "small muted end", x: x - LEFT + 18, y: y + r * PITCH + 4, textContent: r }, svg);
          if (d > 2) make("text", { class: "small", x: x - LEFT + 2, y: y - TOP + 30, textContent: `(${coords(i, planes)},·,·)` }, svg);
        });
        net.links.forEach(wire);
        for (let v = 0; v < sides.reduce((a, b) => a * b, 1); v++) spot(v);
      },
      // marks shows processors and roles of nodes.
      marks(nodes) {
        const on = new Map();
        if (Array.isArray(nodes)) nodes.forEach((v, task) => on.set(v, [...on.get(v) || [], task]));
        spots.forEach(({ g, box, dot, cross, label }, v) => {
          const here = has(nodes, v), tasks = on.get(v) || [];
          if (touch) {
            g.setAttribute("aria-checked", here);
            g.setAttribute("aria-label", kind(v) + " at " + name(v));
            g.classList.toggle("held", tasks.includes(held));
          }
          label.textContent = tasks.length ? (tasks.includes(held) ? held : tasks[0]) + (tasks.length > 1 ? "+" : "") : "";
          for (const [shown, part] of [[here, box], [here && pinned(v) && !tasks.length, dot], [now.forbidden.has(v), cross]]) part.setAttribute("visibility", shown ? "visible" : "hidden");
          box.classList.toggle("pinned", tasks.length > 0 && pinned(v));
        });
      },
      // paint colours links by their loads, and marks some.
      paint({ loads, bands, most }, marked = new Set()) {
        wires.forEach((w, link) => {
          const look = !bands[link] ? "idle" : "b" + bands[link] + (loads[link] === most ? " top" : "");
          w.path.setAttribute("class", w.kind + look + (marked.has(link) ? " chosen" : ""));
          w.title.textContent = w.name + (loads[link] ? ": " + loads[link] : "");
        });
      },
    };
  }

  const board = Board(by("board"), {
    held: -1, // the node on which the pointer went down
    node(v) { go(v, false); press(v); },
    // drop moves a processor that is dragged to a free node, or a task to any.
    drop(v) {
      const from = this.held;
      this.held = -1;
      if (from < 0 || from === v || !has(now.nodes, from)) return;
      if (matrix()) {
        const tasks = tasksOn(from);
        go(v, false);
        move(tasks.includes(held) ? held : tasks.find((task) => !now.fixed.has(task)) ?? tasks[0], v);
        return hold(-1);
      }
      if (now.nodes.has(v) || now.forbidden.has(v) || now.fixed.has(from)) return;
      go(v, false);
      change({ nodes: new Set([...now.nodes].filter((u) => u !== from).concat(v)) });
    },
    link(link) { pick({ link }); },
  });
  const other = Board(by("other-board"));

  // move puts a task on a node; where that has no room a task that is there takes its place.
  function move(task, v) {
    const from = now.nodes[task], there = tasksOn(v), nodes = [...now.nodes];
    const other = there.length < now.perNode ? -1 : there.find((t) => !now.fixed.has(t)) ?? -2;
    const refusal = from === v ? `Task ${task} is on ${name(v)} already` : now.fixed.has(task) ? `Task ${task} is fixed on ${name(from)}` : now.forbidden.has(v) ? `${name(v)} is forbidden` : other === -2 ? `${name(v)} is full of fixed tasks` : "";
    if (refusal) return complain(refusal);
    nodes[task] = v;
    if (other >= 0) nodes[other] = from;
    moved = `Task ${task} is on ${name(v)}` + (other >= 0 ? `, task ${other} on ${name(from)}` : "");
    change({ nodes });
  }

  // hold takes up a task, or with -1 lays it down.
  function hold(task) {
    held = task;
    board.marks(now.nodes);
    if (task >= 0) readout.textContent = `Task ${task} is held: arrow keys move it, a click puts it on a node, the space bar lays it down.`;
  }

  function go(v, withFocus) {
    board.spots[focus]?.g.setAttribute("tabindex", -1);
    focus = v;
    board.spots[v].g.setAttribute("tabindex", 0);
    if (withFocus) board.spots[v].g.focus();
  }

  const complain = (text) => { problem.textContent = text; };
  const say = (error) => complain(error.message + (error.hint ? "; " + error.hint : ""));

  // State and address.

  function encode(s = now) {
    const parts = ["torus=" + s.sides.join("x"), "routing=" + s.routing];
    if (s.traffic !== "all") parts.push("traffic=" + s.traffic);
    if (matrix(s) && s.perNode > 1) parts.push("per-node=" + s.perNode);
    if (s.replies) parts.push("reply-routing=" + s.replies);
    if (s.open.length) parts.push("open=" + s.open.join(","));
    if (s.bandwidth.some((b) => b !== "1")) parts.push("bandwidth=" + s.bandwidth.join(","));
    if (s.twist) parts.push("twist=" + s.twist);
    for (const id of SETS) if (s[id].size || id === "nodes") parts.push(id + "=" + listed(s, id));
    if (s.other) parts.push("other=" + written(s.other));
    return parts.join("&");
  }

  // Reads sides as 8x8, or throws; with shifts at ends they may be 1.
  function readSides(text, twist) {
    const sides = text.trim().split("x").map(Number);
    if (!/^[0-9]{1,4}(x[0-9]{1,4}){0,3}$/.test(text.trim()) || sides.some((k) => k < (twist ? 1 : 2)) || sides.reduce((a, b) => a * b, 1) > MOST_NODES) throw new Error(`"${text.slice(0, 20)}" is no network here: one to four sides from 2 on, such as 4x4x4, with at most ${MOST_NODES} nodes`);
    return sides;
  }

  // Reads nodes as the option --placement has them, or throws.
  function readNodes(text, sides) {
    return text.trim().split(/[+\s]+/).filter(Boolean).map((part) => {
      const c = part.split(",").map(Number);
      if (!/^[0-9]{1,4}(,[0-9]{1,4})*$/.test(part) || c.length !== sides.length || c.some((x, j) => x >= sides[j])) throw new Error(`"${part.slice(0, 20)}" is no node of ${sides.join("x")}: write ${["its number", "row,column", "its three numbers", "its four numbers"][sides.length - 1]} and join nodes by +`);
      return number(c, sides);
    });
  }

  // unite lets fixed nodes have processors and forbidden ones none.
  function unite(s) {
    if (matrix(s)) return;
    s.nodes = new Set([...s.nodes, ...s.fixed].filter((v) => !s.forbidden.has(v)));
  }

  // readPins reads tasks on nodes as the option --fixed has them, or throws.
  function readPins(text, s) {
    return new Map(text.trim().split(/[+\s]+/).filter(Boolean).map((part) => {
      const [, task, node] = /^([0-9]{1,5})=(.*)$/.exec(part) || [];
      if (!(Number(task) < s.nodes.length)) throw new Error(`"${part.slice(0, 20)}" is no task on a node: write 0=0,0+5=1,3 with tasks 0..${s.nodes.length - 1}`);
      return [Number(task), readNodes(node, s.sides)[0]];
    }));
  }

  // inTurn puts tasks on the nodes that are not forbidden, in the order of their numbers, one on each, then a second one,
  // and so on. Where a node is to have fewer it may have more from now on.
  function inTurn(s) {
    const tasks = Number(/tasks=([0-9]+)/.exec(s.traffic)[1]), free = [...Array(s.sides.reduce((a, b) => a * b, 1)).keys()].filter((v) => !s.forbidden.has(v));
    return { nodes: Array.from({ length: tasks }, (_, task) => free[task % free.length]), perNode: Math.max(s.perNode, Math.ceil(tasks / free.length)) };
  }

  // initial is the placement of a network to begin with.
  const initial = (s) => matrix(s) ? { fixed: new Set(), ...inTurn(s) } : { nodes: diagonal(s.sides) };

  const diagonal = (sides) => new Set(Array.from({ length: sides.reduce((a, b) => a * b, 1) }, (_, v) => v).filter((v) => {
    const k = Math.max(...sides);
    return sides.length < 2 ? v % 2 === 0 : coords(v, sides).reduce((a, b) => a + b, 0) % k === 0;
  }));

  // decode makes a state of a text; what it cannot read is left away and said.
  function decode(text) {
    const asked = new URLSearchParams(text.replaceAll("+", "%2B")), complaints = [];
    const attempt = (read, standard) => {
      try {
        return read();
      } catch (error) {
        complaints.push(error.message);
        return standard;
      }
    };
    // A network as the program writes it, 8x8:open=0:bandwidth=2,1, is taken apart.
    const [size, ...options] = (asked.get("torus") || "").split(":");
    if (options.length) asked.set("torus", size);
    for (const option of options) {
      const [, key, value] = /^(open|bandwidth|twist)=(.*)$/.exec(option) || [];
      if (key) asked.set(key, value);
      else complaints.push(`"${option.slice(0, 20)}" is no option of a network: write open=0, bandwidth=2,1 or twist=4`);
    }
    const s = { table: null, routing: asked.get("routing") || data.routings[0][0], replies: asked.get("reply-routing") || "" };
    s.twist = asked.get("twist") || "";
    if (!/^[0-9,+]*$/.test(s.twist)) {
      complaints.push(`"${s.twist.slice(0, 20)}" is no twist: write 4 in two dimensions, or a shift for the end of each dimension`);
      s.twist = "";
    }
    s.sides = attempt(() => readSides(asked.get("torus") || standard, s.twist), readSides(data.torus));
    s.open = (asked.get("open") || "").split(",").filter(Boolean).map(Number);
    if (s.open.some((j) => !(j in s.sides))) {
      complaints.push(`"${asked.get("open").slice(0, 20)}" is no list of dimensions here`);
      s.open = [];
    }
    s.bandwidth = (asked.get("bandwidth") || s.sides.map(() => 1).join()).split(",");
    const wrong = s.bandwidth.find((b) => !/^[1-9][0-9]{0,3}$/.test(b) || Number(b) > MOST_BANDWIDTH);
    if (s.bandwidth.length !== s.sides.length) complaints.push("bandwidth: a whole number for each dimension is needed, such as 2,1");
    else if (wrong !== undefined) complaints.push(`bandwidth "${wrong.slice(0, 20)}" is outside 1..${MOST_BANDWIDTH}: a whole number for each dimension is needed, such as 2,1`);
    if (s.bandwidth.length !== s.sides.length || wrong !== undefined) s.bandwidth = s.sides.map(() => "1");
    s.traffic = asked.get("traffic") ?? "all";
    s.perNode = Math.max(1, Math.floor(Number(asked.get("per-node")) || 1));
    if (s.traffic.startsWith("matrix") && !matrix(s)) {
      complaints.push("the address has no matrix: open its file");
      s.traffic = "all";
    }
    if (s.traffic !== "all" && !matrix(s)) {
      const m = /^clients(:request=[0-9]{1,7})?(:reply=[0-9]{1,7})?$/.test(s.traffic);
      const count = (key) => Number((new RegExp(key + "=([0-9]+)").exec(s.traffic) || [0, 1])[1]);
      if (!m) complaints.push(`"${s.traffic.slice(0, 40)}" is no traffic: write all, or clients:request=1:reply=4`);
      s.traffic = m ? `clients:request=${count("request")}:reply=${count("reply")}` : "all";
    }
    if (s.replies && (!s.traffic.startsWith("clients") || oneWay(s.traffic))) {
      complaints.push(s.traffic === "all" ? "all-to-all traffic has no replies" : "a routing of their own for replies needs requests and replies");
      s.replies = "";
    }
    for (const id of SETS) if (id !== "fixed" || !matrix(s)) s[id] = new Set(attempt(() => readNodes(asked.get(id) || "", s.sides), []));
    if (matrix(s)) {
      const { nodes, perNode } = inTurn(s), told = attempt(() => readNodes(asked.get("nodes") || "", s.sides), []);
      if (told.length && told.length !== nodes.length) complaints.push(`there are ${nodes.length} tasks, and nodes for ${told.length}`);
      [s.nodes, s.perNode] = [told.length === nodes.length ? told : nodes, perNode];
      const pins = attempt(() => readPins(asked.get("fixed") || "", s), new Map());
      for (const [task, v] of pins) s.nodes[task] = v;
      s.fixed = new Set(pins.keys());
      const full = crowded(s);
      if (full !== undefined) complaints.push(`(${coords(full, s.sides)}) has more than ${s.perNode} task${s.perNode === 1 ? "" : "s"}`);
    } else for (const v of s.forbidden) {
      if (s.fixed.delete(v)) complaints.push(`(${coords(v, s.sides)}) is fixed and forbidden: now it is forbidden`);
      if (s.nodes.has(v)) complaints.push(`(${coords(v, s.sides)}) is a forbidden node already`);
    }
    if (asked.get("nodes") === null) Object.assign(s, matrix(s) ? {} : initial(s));
    s.other = asked.get("other") === null ? null : new Set(attempt(() => readNodes(asked.get("other"), s.sides), []));
    unite(s);
    return [s, complaints.join("; ")];
  }

  // crowded returns a node with more tasks than it may have, undefined if there is none.
  function crowded(s) {
    const on = new Map();
    return s.nodes.find((v) => on.set(v, (on.get(v) || 0) + 1).get(v) > s.perNode);
  }

  // change replaces the state, which can be undone.
  function change(next) {
    const before = now, text = encode();
    now = { ...now, ...next };
    if (next.routing && next.table === undefined) now.table = null;
    unite(now);
    if (encode() !== text) {
      past.push(before);
      future.length = 0;
    }
    complain("");
    show();
  }

  function travel(from, to) {
    if (!from.length) return;
    to.push(now);
    now = from.pop();
    complain("");
    show();
  }

  // choose fills a list of routings: those to begin with, those of the editor, one that was written, and a way to write
  // one.
  function choose(id, begin) {
    const list = [...begin, ...data.routings.filter(([r]) => now.sides.length === 2 || !/order=|west|north/.test(r))];
    if (!list.some(([r]) => r === now[id])) list.push([now[id], "as written"]);
    by(id).replaceChildren(...list.map(([r, words]) => new Option(r ? `${r} - ${words.replace("processor", noun())}` : words, r)), new Option("another…", OTHER));
    by(id).value = now[id];
    by(id + "-text").hidden = true;
  }

  // show fills in what is known at once and asks the engine for the rest.
  function show() {
    history.replaceState(null, "", location.pathname + "#" + encode());
    by("torus").value = now.sides.join("x") + (now.twist ? ":twist=" + now.twist : "");
    by("dimensions").replaceChildren(...now.sides.map((side, j) => {
      const p = document.createElement("span");
      p.className = "dimension";
      const label = make("label", {}, p);
      const box = make("input", { type: "checkbox", id: "open-" + j }, label);
      box.checked = now.open.includes(j);
      box.disabled = side === 2;
      label.append(` ${j} open`);
      const speed = make("label", { textContent: "bandwidth " }, p);
      const count = make("input", { type: "number", min: 1, max: 4096, id: "bandwidth-" + j }, speed);
      count.value = now.bandwidth[j];
      box.addEventListener("change", () => change({ open: now.sides.map((_, i) => i).filter((i) => by("open-" + i).checked) }));
      count.addEventListener("change", () => change({ bandwidth: now.sides.map((_, i) => by("bandwidth-" + i).value.trim() || "?") }));
      return p;
    }));
    choose("routing", []);
    choose("replies", [["", "the same routing"]]);
    by("traffic").value = now.traffic.split(":")[0];
    by("traffic").querySelector("[value=matrix]").disabled = !matrix() && !loaded;
    if (matrix()) loaded = now.traffic;
    by("per-node").value = now.perNode;
    held = matrix() && held < now.nodes.length ? held : -1;
    if (clients()) [by("request").value, by("reply").value] = now.traffic.match(/[0-9]+/g);
    for (const e of document.querySelectorAll(".clients")) e.hidden = !clients();
    for (const e of document.querySelectorAll(".tasks")) e.hidden = !matrix();
    for (const e of document.querySelectorAll(".no-tasks")) e.hidden = matrix();
    for (const e of document.querySelectorAll(".noun")) e.textContent = e.textContent.replace(/processor|controller|task/, noun()).replace(/Processor|Controller|Task/, noun().replace(/^./, (c) => c.toUpperCase()));
    for (const id of SETS) by(id).value = listed(now, id);
    by("undo").disabled = !past.length;
    by("redo").disabled = !future.length;
    by("other").hidden = !now.other;
    forget();
    sketch();
    if (net && net.asked === network(now)) board.marks(now.nodes);
    refresh();
  }

  // refresh asks the engine about the state; while it works on an older one, the newest waits.
  let wanted = 0, busy = false;
  async function refresh() {
    wanted++;
    document.body.dataset.settled = "no";
    if (busy || !engine) return;
    busy = true;
    for (let seen = 0; seen !== wanted;) {
      seen = wanted;
      try {
        await inquire(() => seen === wanted);
      } catch (error) {
        if (seen === wanted) {
          blank();
          if (!problem.textContent) say(error); // what is wrong with the address comes first
        }
      }
    }
    busy = false;
    document.body.dataset.settled = "yes";
  }

  function build() {
    focus = Math.min(focus, now.sides.reduce((a, b) => a * b, 1) - 1);
    picked = null;
    board.build();
    other.build();
    board.marks(now.nodes);
    if (now.other) other.marks(now.other);
  }

  // sketch draws the network as long as there is no engine to ask about it.
  function sketch() {
    const where = network(now);
    if (engine || net?.asked === where || now.bandwidth.some((b) => !/^[1-9][0-9]{0,3}$/.test(b))) return;
    try {
      net = { ...Picture.network(where), text: where, asked: where, sketched: true };
    } catch {
      return; // the engine will say what is wrong
    }
    build();
  }

  // blank takes away what does not belong to the state.
  function blank() {
    shown = null;
    for (const id of ["answer", "bounds", "other-says", "legend"]) by(id).replaceChildren();
    for (const id of ["commands", "detail"]) by(id).hidden = true;
    for (const b of [board, other]) b.paint({ loads: [], bands: [] });
  }

  async function inquire(current) {
    const where = network(now);
    if (!net || net.asked !== where || net.sketched) {
      const found = await engine.ask({ command: "network", where });
      if (!current()) return;
      const same = net?.asked === where && JSON.stringify(net.links) === JSON.stringify(found.links);
      net = { ...found, asked: where };
      if (!same) build();
    }
    const mine = await engine.ask(question("eval"));
    const theirs = now.other && await engine.ask(question("eval", { placement: "nodes:" + written(now.other) }));
    if (matrix()) mine.bounds = proved.about && same(proved.about, topic()) ? proved.bounds : null;
    await learn();
    if (!current()) return;
    shown = { mine, theirs };
    board.paint(mine);
    legend(mine);
    if (theirs) {
      other.marks(now.other);
      other.paint(theirs);
      by("other-says").textContent = `${theirs.evaluation.size} ${noun()}s, E_max ${decimal(theirs.evaluation.max_load)}; ` + verdict(mine.evaluation.max_load, theirs.evaluation.max_load);
    }
    answer(mine);
    if (moved) {
      readout.textContent = `${moved}: E_max ${decimal(mine.evaluation.max_load)}` + (held >= 0 ? `; task ${held} is still held.` : ".");
      moved = "";
    }
    commands();
    by("shift").disabled = now.fixed.size + now.forbidden.size > 0 || net.open.every(Boolean);
    await look();
    if (!matrix() || mine.bounds || !current()) return;
    const about = topic(); // bounds of tasks hold wherever they are, and take a while
    const { bounds } = await engine.ask({ command: "bound", where: about[0], routing: now.routing, size: count(now.nodes) });
    proved = { about, bounds };
    if (current()) answer({ ...mine, bounds });
  }

  const verdict = (a, b) => a === b ? "as much as the placement above" : less(a, b) ? "more than the placement above" : "less than the placement above";

  function line(parent, className, text) {
    const p = make("p", { textContent: text }, parent);
    if (className) p.className = className;
    return p;
  }

  // demands returns what the atlas may write for the traffic: where nothing ties both tie rules are one.
  function demands() {
    if (!clients()) return [matrix() ? "?" : ""];
    const head = ":traffic=" + now.traffic;
    const spellings = (r) => net.ties ? [r] : ["plus", "both"].map((tie) => r.replace(/tie=.*/, "tie=" + tie));
    return !own() || spellings(now.routing).includes(own()) ? [head] : spellings(own()).map((r) => head + ":reply-routing=" + r);
  }

  // learn loads what the atlas has of the networks of the sides, by where and routing, see known in pages.go.
  const learned = {}, lessons = {};
  window.known = (cells) => Object.assign(learned, cells);
  function learn() {
    const sides = now.sides.join("x");
    return lessons[sides] ??= data.known.includes(sides) && new Promise((done) => {
      const script = make("script", { src: sides + "/known.js" }, document.head);
      script.onload = script.onerror = done;
    });
  }

  // known says what the atlas has about the network with conditions and a size; false if it has nothing.
  function known(box, roles, begin, { size, max_load, routing }) {
    const ways = net.ties ? [routing] : ["plus", "both"].map((tie) => routing.replace(/tie=.*/, "tie=" + tie));
    const cell = demands().flatMap((d) => ways.flatMap((way) => {
      const [page, ...cells] = learned[net.text + d + roles]?.[way] || [];
      return cells.map(([n, best, bound = best]) => ({ n, best, bound, page: `${page}/${n}.html` }));
    })).find((c) => c.n === size);
    if (!cell) return false;
    const p = line(box, "", begin + (cell.best ? ` ${cell.best}` + (cell.best === cell.bound ? ", which is optimal. " : `, and none below ${cell.bound}. `) : ` none below ${cell.bound}. `));
    make("a", { href: cell.page, textContent: "See its cell" }, p);
    if (cell.best && size > 0 && less(max_load, cell.best)) line(box, "", "This is better than what the atlas knows!");
    return true;
  }

  function answer({ evaluation, plain, bounds, loads, most }) {
    const box = by("answer"), n = evaluation.size;
    box.replaceChildren();
    line(box, "big", "E_max " + evaluation.max_load).id = "max-load";
    const worst = net.links.find((l) => loads[l.link] === most);
    line(box, "", `${n} ${noun()}${n === 1 ? "" : "s"} on the ${title()}` + (evaluation.links_at_max ? `; ${evaluation.links_at_max} of ${evaluation.links} links carry it` : "") + (matrix() && evaluation.links_at_max ? `, the first ${name(worst.from)} -> ${name(worst.to)}` : ""));
    const best = (bounds || []).map((b) => b.value).reduce((a, b) => less(a, b) ? b : a, "0");
    if (matrix() && bounds) line(box, "", best === most ? "No placement of the tasks has less." : `No placement of the tasks has less than ${decimal(best)}.`).id = "least";
    if (clients() && n > 0) line(box, "", `Throughput ${evaluation.throughput} exchanges per unit time. A client is ${evaluation.mean_distance} links from a controller on average.`).id = "exchanges";
    if (!matrix() && !known(box, conditions(), "The atlas knows", evaluation) && conditions()) known(box, "", "Without fixed and forbidden nodes the atlas knows", evaluation);
    if (plain && n > (clients() ? 0 : 1)) line(box, "", `On the plain torus the same placement has E_max ${plain}.`).id = "on-torus";
    by("bounds").replaceChildren(...(bounds || []).map((b) => {
      const row = document.createElement("tr");
      make("th", { scope: "row", textContent: b.name }, row);
      make("td", { textContent: b.value }, row);
      return row;
    }));
  }

  // legend says what the marks of the board are, and how its colours go from no load to E_max.
  function legend({ bands, evaluation }) {
    const box = by("legend"), sign = (kind, attributes, text) => {
      make(kind, attributes, make("svg", { class: "leeway-auto", width: 18, height: 18, viewBox: "0 0 18 18", "aria-hidden": true }, box));
      box.append(" " + text + " ");
    };
    box.replaceChildren();
    sign("rect", { class: "processor", x: 1, y: 1, width: 16, height: 16, rx: 3 }, matrix() ? "number of a task, with + where there are more" : noun());
    if (now.fixed.size && matrix()) sign("rect", { class: "processor pinned", x: 2, y: 2, width: 14, height: 14, rx: 3 }, "with a border: fixed");
    else if (now.fixed.size) sign("circle", { class: "fixed", cx: 9, cy: 9, r: 3.5 }, "on it: fixed");
    if (now.forbidden.size) sign("path", { class: "forbidden", d: "M2 2l14 14M2 16l14 -14" }, "forbidden");
    const used = [...new Set(bands)].filter(Boolean).sort((a, b) => a - b);
    sign("path", { class: "link wire idle", d: "M0 9h18" }, "no load");
    used.forEach((band, i) => sign("path", { class: "link wire b" + band, d: "M0 9h18" }, i ? "" : "to"));
    if (used.length) box.append(`E_max ${evaluation.max_load}`);
  }

  // commands shows the same question for the command line.
  function commands() {
    const n = count(now.nodes), roles = conditions().replace(":fixed=", " --fixed ").replace(":forbidden=", " --forbidden ");
    const sent = clients() ? " --traffic " + now.traffic + (own() ? " --reply-routing " + own() : "") : matrix() ? " --traffic @matrix.json" + (now.perNode > 1 ? " --per-node " + now.perNode : "") : "";
    const asked = (isMesh() ? "--mesh " + sized() : "--torus " + net.text) + ` --routing ${now.routing}` + sent, size = matrix() ? "" : ` --size ${n}`;
    const placed = `${asked} --placement nodes:${written(now.nodes)}`;
    by("commands").hidden = n === 0;
    for (const [id, text] of Object.entries({ eval: `leeway eval ${placed}`, draw: `leeway draw ${placed}${roles}`, search: `leeway search ${asked}${size}${roles}`, prove: `leeway prove ${asked}${size}${roles}` })) {
      by(id + "-command").replaceChildren(...text.split(/(--[a-z-]+)/).map((part, i) => {
        if (i % 2 === 0) return part;
        return Object.assign(document.createElement("span"), { className: "flag", textContent: part }); // not to be broken
      }));
    }
    for (const button of by("commands").querySelectorAll("button")) button.firstChild.data = "Copy";
  }

  // press does with a node what the buttons say.
  function press(v) {
    const role = document.querySelector("input[name=role]:checked").value;
    if (role === "paths") {
      pick(picked && picked.from !== undefined && picked.from !== v && picked.to === undefined ? { from: picked.from, to: v } : { from: v });
      return;
    }
    if (matrix() && role !== "forbidden") return pressTasks(v, role);
    const next = Object.fromEntries(SETS.map((id) => [id, Array.isArray(now[id]) ? now[id] : new Set(now[id])]));
    if (matrix()) {
      if (has(now.nodes, v)) return complain(`${name(v)} has ${kind(v)}: move that first`);
      if (!next.forbidden.delete(v)) next.forbidden.add(v);
    } else if (role !== "nodes") {
      if (!next[role].delete(v)) {
        next[role].add(v);
        next[role === "fixed" ? "forbidden" : "fixed"].delete(v);
      }
    } else if (!now.fixed.has(v) && !now.forbidden.has(v) && !next.nodes.delete(v)) {
      next.nodes.add(v);
    }
    change(next);
    readout.textContent = kind(v) + " " + name(v);
  }

  // pressTasks does with the tasks of a node what the buttons say: one of them after the other is held, or what is held
  // goes there; or they are fixed, or free again.
  function pressTasks(v, role) {
    const tasks = tasksOn(v);
    if (role === "fixed") {
      const free = tasks.filter((task) => !now.fixed.has(task)), fixed = new Set(now.fixed);
      for (const task of tasks) if (free.length) fixed.add(task); else fixed.delete(task);
      change({ fixed });
      readout.textContent = kind(v) + " " + name(v);
    } else if (held >= 0 && now.nodes[held] !== v) {
      move(held, v);
      hold(-1);
    } else {
      const next = tasks[tasks.indexOf(held) + 1] ?? -1;
      hold(next);
      if (next < 0) readout.textContent = kind(v) + " " + name(v);
    }
  }

  // Links and paths.

  function pick(what) {
    picked = what;
    refresh();
  }

  // look shows what is picked: the messages of a link, or what a node sends.
  async function look() {
    const box = by("detail");
    box.hidden = !picked;
    if (!picked) return;
    const rows = by("detail-rows");
    const button = (text, what) => {
      const b = make("button", { type: "button", class: "button quiet", textContent: text }, document.createElement("span"));
      b.addEventListener("click", () => pick(what));
      return b;
    };
    const table = (heads, lines) => {
      rows.replaceChildren();
      const t = make("table", { class: "numbers" }, rows);
      const head = make("tr", {}, make("thead", {}, t));
      for (const text of heads) make("th", { scope: "col", textContent: text }, head);
      const body = make("tbody", {}, t);
      for (const cells of lines.slice(0, MOST_ROWS)) {
        const row = make("tr", {}, body);
        for (const cell of cells) make("td", {}, row).append(cell);
      }
      if (lines.length > MOST_ROWS) line(rows, "note", `${lines.length - MOST_ROWS} more are not listed.`);
    };
    if (picked.link !== undefined) {
      const { link } = picked, { from, to } = net.links.find((l) => l.link === link);
      const users = await engine.ask(question("link", { link }));
      by("detail-title").textContent = `Link ${name(from)} -> ${name(to)}`;
      by("detail-says").textContent = `Load ${decimal(shown.mine.loads[link])}: ${users.length} message${users.length === 1 ? "" : "s"} may take it.`;
      table(["message", "share of its paths", "load"], users.map((u) => [button(`${name(u.from)} to ${name(u.to)}${u.reply ? ", reply" : ""}`, { from: u.from, to: u.to }), u.share, u.load]));
      board.paint(shown.mine, new Set([link]));
      return;
    }
    const { from, to } = picked, found = await engine.ask(question("paths", to === undefined ? { from } : { from, to }));
    board.paint(found, new Set(found.paths.flat()));
    by("detail-title").textContent = to === undefined ? `What ${name(from)} sends` : `From ${name(from)} to ${name(to)}`;
    const ends = new Map(net.links.map((l) => [l.link, l]));
    if (to === undefined) {
      by("detail-says").textContent = found.ends.length ? `To ${found.ends.length} node${found.ends.length === 1 ? "" : "s"}; the board shows what that puts on links.` : "Nothing: only " + noun() + "s" + (clients() ? " and their clients" : "") + " send.";
      table(["paths"], found.ends.map((v) => [button(`to ${name(v)}`, { from, to: v })]));
    } else {
      by("detail-says").textContent = found.count === 0 ? "Nothing is sent." : `${found.count > found.paths.length ? "The first " + found.paths.length : found.count} path${found.count === 1 ? "" : "s"}; the board shows what they put on links.`;
      table(["paths"], found.paths.map((path) => [[name(from), ...path.map((l) => name(ends.get(l).to))].join(" ")]));
    }
  }

  // Searches, proofs and checks, in a worker of their own.

  // What was found belongs to a network, traffic, routing and conditions: where these change it is taken away, and work
  // under way is ended.
  let worker = null, text = "", about = null;
  let proved = {}; // bounds of tasks, and what they are about
  let loaded = ""; // the matrix that was opened last
  const topic = () => [network(now) + demand() + conditions(), now.routing, now.table && JSON.stringify(now.table)];
  const same = (a, b) => a.every((part, i) => part === b[i]);
  function forget() {
    if (about === null || same(about, topic())) return;
    about = null;
    text = "";
    worker?.end();
    worker = null;
    by("progress").textContent = "";
    by("outcome").replaceChildren();
    by("check").disabled = true;
  }

  async function work(asked, what) {
    const told = { method: "", note: "", value: "", lower_bound: "", evaluations: 0 }, mine = about = topic();
    let best = null;
    by("progress").textContent = `${what}…`;
    if (asked.command !== "check") by("outcome").replaceChildren();
    for (const id of ["search", "prove", "check"]) by(id).disabled = true;
    by("stop").disabled = false;
    try {
      worker ??= await Engine.start(data.engine);
      const found = await worker.ask(asked, (p) => {
        Object.assign(told, p.total ? { done: 0 } : {}, p);
        if (p.nodes) best = p.nodes;
        by("progress").textContent = `${what}: ` + [told.value && `E_max ${decimal(told.value)}`, told.lower_bound && `none below ${decimal(told.lower_bound)}`, told.evaluations && `${told.evaluations} evaluations`, told.total && `${told.done} of ${told.total}`, told.method, told.note].filter(Boolean).join(", ");
      });
      if (about === mine) outcome(asked, found);
    } catch (error) {
      if (about === mine) by("progress").textContent = `${what}: ${error.message}` + (error.hint ? "; " + error.hint : "");
      if (about === mine && best) offer("Show the best so far", () => change({ nodes: placed(best.map((c) => number(c))) }));
    }
    for (const id of ["search", "prove"]) by(id).disabled = false;
    by("check").disabled = !text;
    by("stop").disabled = true;
  }

  const placed = (list) => matrix() ? list : new Set(list);
  function offer(label, act) {
    const b = make("button", { type: "button", class: "button quiet", textContent: label }, by("outcome"));
    b.addEventListener("click", act);
    by("outcome").append(" ");
  }

  function outcome(asked, found) {
    if (asked.command === "check") {
      by("progress").textContent = `The record is ${found.verdict}, its proof ${found.proof_verdict}.` + (found.reasons || []).map((r) => " " + r + ".").join("");
      return;
    }
    if (!found.max_load) {
      by("progress").textContent = `There is ${found.status === "infeasible" ? "none" : "no answer about one"} below ${found.below}.`;
      return;
    }
    text = JSON.stringify(found, null, 2) + "\n";
    by("progress").textContent = `E_max ${decimal(found.max_load)}: ` + (found.status === "optimal" ? `optimal, ${found.bound_reason}.` : `none is below ${decimal(found.lower_bound)}, ${found.bound_reason}.`) + ` ${found.found_by.evaluations} evaluations, found by ${found.found_by.method}.`;
    offer("Show it", () => change({ nodes: found.assignment ? found.assignment.map(([, v]) => v) : new Set(found.nodes.map((c) => number(c, found.torus))) }));
    offer("Save the record", () => save(text, `leeway-${network(now).replace(/[^0-9a-z]+/g, "-")}-n${found.size}.json`));
  }

  // picture returns the board as a document of its own, with the looks that the style sheet gives it.
  function picture() {
    const svg = by("board"), copy = svg.cloneNode(true), own = [svg, ...svg.querySelectorAll("*")];
    const looks = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity", "font", "text-anchor"];
    [copy, ...copy.querySelectorAll("*")].forEach((e, i) => {
      const style = getComputedStyle(own[i]);
      for (const look of looks) e.style.setProperty(look, style.getPropertyValue(look));
    });
    copy.style.background = getComputedStyle(svg.closest("figure")).backgroundColor;
    return new XMLSerializer().serializeToString(copy);
  }

  function save(body, file, type = "application/json") {
    const a = document.createElement("a");
    a.href = URL.createObjectURL(new Blob([body], { type }));
    a.download = file;
    a.click();
    URL.revokeObjectURL(a.href);
  }

  // open shows the record or the evaluation in a file, or takes the matrix in it for traffic.
  async function open(file) {
    try {
      if (file.size > MOST_BYTES) throw new Error(`${file.name}: the file has ${file.size} bytes, more than the ${MOST_BYTES} that are read here`);
      if (!engine) throw new Error("the engine is still loading");
      const body = await file.text(), found = await engine.ask({ command: "read", text: body, name: file.name });
      if (found.matrix) {
        const next = { ...now, traffic: found.matrix, replies: "", perNode: 1, other: null };
        change({ ...next, ...initial(next) });
        moved = `${file.name}: ${found.tasks} tasks, on the nodes in turn`;
        return;
      }
      const [head, ...roles] = found.where.split(/:(?=fixed=|forbidden=)/);
      const [place, ...sent] = head.split(/:(?=traffic=|reply-routing=|per-node=)/);
      const [sides, ...options] = place.split(":");
      if (options.some((o) => !/^(open|bandwidth|twist)=/.test(o))) throw new Error(`the editor does not draw ${place}`);
      const [next, complaints] = decode([`torus=${sides}`, ...options, ...sent, ...roles, "nodes=" + found.nodes.map((c) => c.join(",")).join("+"), "routing=" + found.routing].join("&"));
      change({ ...next, table: found.table || null });
      by("outcome").replaceChildren();
      by("progress").textContent = "";
      text = found.record ? body : "";
      about = topic();
      by("check").disabled = !text;
      if (complaints) complain(complaints);
    } catch (error) {
      say(error);
    }
  }

  // Controls.

  const edit = (id, read) => by(id).addEventListener("change", () => {
    try {
      change(read(by(id).value));
    } catch (error) {
      say(error);
    }
  });
  edit("torus", (value) => {
    const [size, twist = ""] = value.trim().split(":twist="), sides = readSides(size, twist), keep = sides.length === now.sides.length;
    if (!/^[0-9,+]*$/.test(twist)) throw new Error(`"${twist.slice(0, 20)}" is no twist: write 4x8:twist=4, or a shift for the end of each dimension`);
    return { sides, twist, open: keep && !twist ? now.open : [], bandwidth: keep ? now.bandwidth : sides.map(() => "1"), ...initial({ ...now, sides, forbidden: new Set(), perNode: 1 }), fixed: new Set(), forbidden: new Set(), other: null, table: null };
  });
  for (const id of ["routing", "replies"]) {
    by(id).addEventListener("change", () => {
      const text = by(id + "-text");
      if (by(id).value !== OTHER) return change({ [id]: by(id).value });
      text.hidden = false;
      text.value = now[id];
      text.focus();
    });
    edit(id + "-text", (value) => ({ [id]: value.trim() }));
  }
  for (const id of ["traffic", "request", "reply"]) edit(id, () => {
    const counts = [by("request").value, by("reply").value];
    if (by("traffic").value !== "clients") {
      const next = { traffic: by("traffic").value === "all" ? "all" : loaded, replies: "", other: null };
      return matrix() === matrix(next) ? next : { ...next, fixed: new Set(), ...initial({ ...now, ...next }) };
    }
    if (counts.some((c) => !/^[0-9]{1,7}$/.test(c))) throw new Error("request and reply are whole numbers from 0 to 1048576, not both 0");
    return { traffic: `clients:request=${Number(counts[0])}:reply=${Number(counts[1])}`, ...matrix() ? { nodes: diagonal(now.sides), fixed: new Set(), other: null } : {} };
  });
  edit("per-node", (value) => {
    const perNode = Number(value), full = crowded({ ...now, perNode });
    if (!/^[1-9][0-9]{0,4}$/.test(value.trim())) throw new Error("tasks per node: a whole number of at least 1");
    if (full !== undefined) throw new Error(`${name(full)} has ${tasksOn(full).length} tasks: move some first`);
    return { perNode };
  });
  for (const id of SETS) edit(id, (value) => {
    if (matrix()) {
      const next = { ...now, nodes: id === "nodes" ? readNodes(value, now.sides) : [...now.nodes] };
      if (id === "forbidden") next.forbidden = new Set(readNodes(value, now.sides));
      const pins = id === "fixed" ? readPins(value, now) : new Map();
      for (const [task, v] of pins) next.nodes[task] = v;
      if (id === "fixed") next.fixed = new Set(pins.keys());
      const full = crowded(next), out = next.nodes.find((v) => next.forbidden.has(v)), off = [...next.fixed].find((task) => id === "nodes" && next.nodes[task] !== now.nodes[task]);
      if (next.nodes.length !== now.nodes.length) throw new Error(`there are ${now.nodes.length} tasks, and nodes for ${next.nodes.length}`);
      if (full !== undefined) throw new Error(`${name(full)} has more than ${now.perNode} task${now.perNode === 1 ? "" : "s"}: allow more on a node`);
      if (out !== undefined) throw new Error(`${name(out)} is forbidden, and has a task`);
      if (off !== undefined) throw new Error(`task ${off} is fixed on ${name(now.nodes[off])}`);
      return { nodes: next.nodes, fixed: next.fixed, forbidden: next.forbidden };
    }
    const list = new Set(readNodes(value, now.sides));
    const clash = { nodes: [now.forbidden], fixed: [now.forbidden], forbidden: [now.fixed] }[id].flatMap((set) => [...set]).find((v) => list.has(v));
    if (clash !== undefined) throw new Error(`${name(clash)} is a ${kind(clash)} already`);
    return { [id]: list };
  });
  by("controls").addEventListener("submit", (event) => event.preventDefault());
  const click = (id, act) => by(id).addEventListener("click", act);
  click("clear", () => change({ nodes: new Set() }));
  click("diagonal", () => change({ nodes: diagonal(now.sides) }));
  click("in-turn", () => change({ ...inTurn(now), fixed: new Set() }));
  click("shift", () => {
    const dim = now.sides.length - 1 - [...net.open].reverse().findIndex((o) => !o);
    const next = new Map(net.links.filter((l) => l.dim === dim && l.dir > 0).map((l) => [l.from, l.to]));
    change({ nodes: placed([...now.nodes].map((v) => next.get(v))) });
  });
  click("undo", () => travel(past, future));
  click("redo", () => travel(future, past));
  click("compare", () => change({ other: placed([...now.nodes]) }));
  click("swap", () => change({ nodes: now.other, other: now.nodes }));
  click("drop", () => change({ other: null }));
  click("close", () => pick(null));
  click("save", () => save(JSON.stringify(shown.mine.evaluation, null, 2) + "\n", "leeway-placement.json"));
  click("save-matrix", () => save(JSON.stringify(shown.mine.evaluation.matrix) + "\n", "matrix.json"));
  click("picture", () => save(picture(), `leeway-${network(now).replace(/[^0-9a-z]+/g, "-")}-n${count(now.nodes)}.svg`, "image/svg+xml"));
  by("file").addEventListener("change", () => {
    const [file] = by("file").files;
    if (file) open(file);
    by("file").value = ""; // the same file may be opened again
  });
  for (const kind of ["dragover", "drop"]) document.addEventListener(kind, (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    if (kind === "drop") open(event.dataTransfer.files[0]);
  });
  const wholly = (id) => Math.max(0, Math.floor(Number(by(id).value) || 0));
  const posed = (command) => ({ command, where: network(now) + demand() + conditions(), routing: now.routing, size: count(now.nodes), seed: wholly("seed"), seconds: wholly("seconds"), evaluations: wholly("evaluations") });
  click("search", () => work(posed("search"), "Searching"));
  click("prove", () => work(posed("prove"), "Proving"));
  click("check", () => work({ command: "check", text }, "Checking"));
  click("stop", () => {
    const mine = worker;
    mine?.stop();
    by("stop").disabled = true;
    setTimeout(() => { // what does not come to its end is ended
      if (worker !== mine || by("search").disabled === false) return;
      worker = null;
      mine.end();
    }, PATIENCE);
  });
  by("board").addEventListener("keydown", (event) => {
    if (event.target.dataset.node) go(Number(event.target.dataset.node), false);
    const d = now.sides.length;
    const [dim, step] = { ArrowRight: [d - 1, 1], ArrowLeft: [d - 1, -1], ArrowDown: [d - 2, 1], ArrowUp: [d - 2, -1], PageDown: [d - 3, 1], PageUp: [d - 3, -1], End: [d - 4, 1], Home: [d - 4, -1] }[event.key] || [];
    if (dim >= 0 && event.shiftKey) {
      const found = net.links.find((l) => l.from === focus && l.dim === dim && (l.dir === step || !bothWays(dim)));
      if (found) pick({ link: found.link });
    } else if (dim >= 0 && held >= 0) {
      const to = net.links.find((l) => l.from === now.nodes[held] && l.dim === dim && (l.dir === step || !bothWays(dim)))?.to;
      if (to === undefined) return complain(`no link leads on from ${name(now.nodes[held])}`);
      move(held, to);
      go(now.nodes[held], true);
    } else if (dim >= 0) {
      go(number(coords(focus).map((x, j) => j === dim ? (x + step + now.sides[j]) % now.sides[j] : x)), true);
    } else if (event.key === " " || event.key === "Enter") {
      press(focus);
    } else if (event.key === "Escape" && held >= 0) {
      hold(-1);
    } else if (event.key === "Escape" && picked) {
      pick(null);
    } else {
      return;
    }
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || !["z", "y"].includes(key) || event.target.matches("input, textarea")) return;
    if (key === "y" || event.shiftKey) travel(future, past);
    else travel(past, future);
    event.preventDefault();
  });
  by("commands").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    const code = button && button.parentElement.querySelector("code");
    if (!code) return;
    getSelection().selectAllChildren(code); // where the clipboard is closed, the next key copies it
    if (navigator.clipboard) navigator.clipboard.writeText(code.textContent).then(() => { button.firstChild.data = "Copied"; }, () => {});
  });

  function load() {
    let complaints;
    if (now && location.hash.slice(1) === encode()) return; // it was written here
    [now, complaints] = decode(location.hash.slice(1));
    past.length = future.length = 0;
    show();
    complain(complaints);
  }
  load();
  window.addEventListener("hashchange", load);
  if (!data.engine) {
    readout.textContent = "There is no engine here.";
    complain((problem.textContent && problem.textContent + "; ") + "These pages have no engine: make engine builds one, for the program that serves or writes them; or ask leeway eval.");
    return;
  }
  readout.textContent = "The engine is loading…";
  line(by("answer"), "big", "E_max …");
  line(by("answer"), "", "It stands here as soon as the engine is loaded.");
  Engine.start(data.engine).then((started) => {
    engine = started;
    readout.textContent = "Arrow keys move between nodes, the space bar does what a click does, with Shift they show the link that goes there.";
    refresh();
  }, say);
})();
