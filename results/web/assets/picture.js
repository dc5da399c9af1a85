// Pictures of placements and plots, drawn from what stands in the page: a placement
// from the data or the nodes in its figure, a plot from the table after it. They look as those of
// "leeway draw" do: panels over the last two dimensions, links that keep to the right.
"use strict";

const Picture = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const PITCH = 56, CLEAR = 11, OFFSET = 5, STUB = 20, STEP = 10, MARK_ROWS = 4, GUTTER = 30, LINE = 17, BANDS = 16, WIDTHS = 4, NO_LINK = 63, MOST_LOADS = 24;

  const make = (kind, attributes, parent, title) => {
    const e = document.createElementNS(SVG, kind);
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    if (title) make("title", {}, e).textContent = title;
    if (parent) parent.append(e);
    return e;
  };
  const label = (parent, x, y, kind, words, more) => {
    make("text", { class: kind, x, y, ...more }, parent).textContent = words;
  };

  // fraction reads "5/2" as two whole numbers.
  const fraction = (words) => words.split("/").concat("1").slice(0, 2).map(BigInt);

  // bands returns, for every value, its class: idle, or in which of a number of equal parts of the most it lies.
  function bands(values, most) {
    const [a, b] = fraction(most || "0");
    return values.map((words) => {
      const [x, y] = fraction(words);
      if (x === 0n) return "idle";
      const over = x * b * BigInt(BANDS), under = y * a;
      return "b" + (over + under - 1n) / under + (words === most ? " top" : "");
    });
  }

  // read returns what is to be drawn with numbers in place of texts: of "8x8:open=0,1:bandwidth=2,1" sides, open
  // dimensions and bandwidths, null where all are the same.
  function read({ network, nodes, fixed = "", forbidden = "", noun = "processor", values, loads, most }) {
    const words = (name) => (new RegExp(`:${name}=([0-9,+]+)`).exec(network) || ["", ""])[1];
    const list = (text) => text.split(",").filter(Boolean).map(Number), option = (name) => list(words(name));
    const sides = network.split(":")[0].split("x").map(Number), bandwidth = option("bandwidth");
    const numbers = (text) => text.split("+").filter(Boolean).map((node) => node.split(",").reduce((v, c, j) => v * sides[j] + Number(c), 0));
    const d = { network, sides, noun, values, most, nodes: numbers(nodes), fixed: numbers(fixed), forbidden: numbers(forbidden) };
    d.open = option("open");
    const shifts = words("twist").split("+").map(list);
    d.shifts = sides.map((_, j) => sides.map((_, i) => shifts.length === 1 ? j === 0 && i === 1 && shifts[0][0] || 0 : shifts[j]?.[i] || 0));
    d.bandwidths = bandwidth;
    d.bandwidth = bandwidth.some((b) => b !== bandwidth[0]) ? bandwidth : null;
    d.loads = loads && [...loads].map((mark) => mark.codePointAt(0) - NO_LINK - 1);
    return d;
  }

  // tallies counts the links of each load, as the templates of a cell have it.
  function tallies(what) {
    const { values, loads } = read(what), count = values.map(() => 0), links = loads.filter((v) => v >= 0);
    for (const v of links) count[v]++;
    const all = values.map((Load, i) => ({ Load, Links: count[i] })).slice(1).reverse();
    return { Loads: all.slice(0, MOST_LOADS), MoreLoads: Math.max(0, all.length - MOST_LOADS), Idle: count[0], Total: links.length };
  }

  // A network with what its nodes and links are called.
  function network(d) {
    const n = d.sides.length, count = d.sides.reduce((a, b) => a * b, 1);
    const weight = d.sides.map((_, j) => d.sides.slice(j + 1).reduce((a, b) => a * b, 1));
    const coords = (v) => d.sides.map((side, j) => Math.floor(v / weight[j]) % side);
    const open = new Set(d.open);
    const move = (v, dim, step) => {
      const c = coords(v), outside = () => c.findIndex((x, j) => x < 0 || x >= d.sides[j]);
      c[dim] += step;
      for (let j = outside(), rest = 99; j >= 0; j = outside()) { // over an end, which may shift other coordinates
        if (!rest--) throw new Error("dimensions shift each other in a circle");
        const turn = Math.floor(c[j] / d.sides[j]);
        c[j] -= turn * d.sides[j];
        d.shifts[j].forEach((by, i) => { c[i] += turn * by; });
      }
      return c.reduce((v, x, j) => v + x * weight[j], 0);
    };
    const oneWay = d.sides.map((_, dim) => move(move(0, dim, 1), dim, 1) === 0);
    const ports = oneWay.flatMap((one, dim) => one ? [[dim, 1]] : [[dim, 1], [dim, -1]]);
    const ends = (dim) => dim >= 0 && !open.has(dim) && (!oneWay[dim] || d.sides[dim] === 1);
    const shifted = (dim) => dim >= 0 && d.shifts[dim].some(Boolean);
    // between returns the links from a node to its next along dim and back, null where there are none.
    const between = (v, dim) => {
      const side = d.sides[dim], last = Math.floor(v / weight[dim]) % side === side - 1;
      const next = move(v, dim, 1), plus = ports.findIndex((p) => p[0] === dim);
      if (last && open.has(dim) || oneWay[dim] && next < v) return null;
      return { out: plus * count + v, back: (oneWay[dim] ? plus : plus + 1) * count + next, next, wraps: last };
    };
    const name = (v) => `(${coords(v)})`;
    const linkName = (l) => {
      const [dim, step] = ports[Math.floor(l / count)];
      return `${name(l % count)} -> ${name(move(l % count, dim, step))}`;
    };
    return { n, count, coords, ports, open, between, ends, shifted, name, linkName, move };
  }

  // describe returns a network as the engine of the editor does, with its links.
  function describe(text) {
    const d = read({ network: text, nodes: "" }), t = network(d);
    const links = t.ports.flatMap(([dim, dir], port) => Array.from({ length: t.count }, (_, from) => {
      const side = d.sides[dim], at = t.coords(from)[dim], end = t.open.has(dim) && side > 2 && at === (dir > 0 ? side - 1 : 0);
      return end ? null : { link: port * t.count + from, from, to: t.move(from, dim, dir), dim, dir };
    })).filter(Boolean);
    return { sides: d.sides, open: d.sides.map((_, j) => t.open.has(j)), bandwidth: d.sides.map((_, j) => d.bandwidths[j] || 1), links };
  }

  // draw returns the picture of a placement. Without loads it has the nodes and a grid; a bare one says nothing of them.
  function draw(what) {
    const d = read(what), t = network(d), rowDim = t.n - 2, colDim = t.n - 1;
    const cols = d.sides[colDim], rows = rowDim < 0 ? 1 : d.sides[rowDim], panels = t.count / (rows * cols);
    const loads = d.loads, kinds = loads ? bands(d.values, d.most || d.values[d.values.length - 1]) : [], across = Math.max(0, rowDim);
    const slow = Math.min(...d.bandwidth || [1]);
    const wide = (dim) => {
      if (!d.bandwidth) return "";
      let level = 1;
      for (let reach = slow; reach < d.bandwidth[dim] && level < WIDTHS; reach *= 2) level++;
      return " wide" + level;
    };
    const pitch = across && loads ? Math.max(PITCH, 28 + STEP * Math.min(rowDim, MARK_ROWS), 28 + 24 * Math.floor((rowDim + MARK_ROWS - 1) / MARK_ROWS)) : loads ? PITCH : 26;
    const reach = (dim) => !loads ? 9 : !t.ends(dim) ? CLEAR : CLEAR + STUB + (t.shifted(dim) && dim === rowDim ? LINE : 0);
    const captions = !loads ? (panels > 1 ? 2 : 1) * LINE : panels === 1 ? 2 * LINE + 6 : 3 * LINE + 9;
    const left = (loads ? GUTTER : rowDim < 0 ? 2 : LINE) + reach(colDim), top = captions + Math.max(reach(rowDim), across && loads ? 24 + STEP * Math.min(across, MARK_ROWS) : 0);
    const width = left + (cols - 1) * pitch + reach(colDim) + 2, height = top + (rows - 1) * pitch + reach(rowDim);
    const gutter = loads ? GUTTER : 8;
    // As many panels side by side as fit the smallest frame of 4:3.
    let perRow = 1, least = Infinity;
    for (let n = 1; n <= panels; n++) {
      const frame = Math.max(3 * n * (width + gutter), 4 * Math.ceil(panels / n) * (height + gutter));
      if (panels % n === 0 && frame <= least) [perRow, least] = [n, frame];
    }
    const W = Math.max(loads ? 360 : 72, perRow * (width + gutter) - gutter), key = loads && !what.bare ? 96 + (across ? 20 : 0) : 0;
    const H = Math.ceil(panels / perRow) * (height + gutter) - gutter + key;
    const svg = make("svg", { class: "leeway-auto", width: W, height: H, viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": `${d.nodes.length} ${d.noun}${d.nodes.length === 1 ? "" : "s"} on ${d.network}` + (loads && !what.bare ? `, with the load of every link; the largest, E_max, is ${d.values[d.values.length - 1]}` : "") });
    const home = (v) => {
      const panel = Math.floor(v / (rows * cols)), row = Math.floor(v / cols) % rows, col = v % cols;
      return [panel % perRow * (width + gutter) + left + col * pitch, Math.floor(panel / perRow) * (height + gutter) + top + row * pitch];
    };

    // A line to the right of the middle, with half an arrow head on its outer side.
    const arrow = ([x, y], [hx, hy], start, length) => `M${x + hx * start - hy * OFFSET} ${y + hy * start + hx * OFFSET}l${hx * length} ${hy * length}l${-7 * hx - 5 * hy} ${-7 * hy + 5 * hx}`;
    const link = (l, shape, path) => make("path", { class: `link ${shape} ${kinds[loads[l]]}`, d: path, "data-link": l }, svg, `${t.linkName(l)}: ${d.values[loads[l]]}`);
    const wire = (l, from, to, h, wraps, dim) => {
      link(l, "wire" + wide(dim), wraps ? arrow(from, h, CLEAR, STUB) + arrow(to, h, -CLEAR - STUB, STUB) : arrow(from, h, CLEAR, pitch - 2 * CLEAR));
    };
    // The node that a link over a shifted end leads to.
    const leads = ([x, y], [hx, hy], to) => label(svg, x + hx * (CLEAR + STUB / 2), y + (hy > 0 ? CLEAR + STUB + 11 : hy < 0 ? -CLEAR - STUB - 3 : -9), "small muted mid", String(t.coords(to)));

    for (let panel = 0; panel < panels; panel++) {
      const [x, y] = home(panel * rows * cols), middle = x + (cols - 1) * pitch / 2;
      if (panels > 1) label(svg, middle, y - top + (loads ? 12 : 10), loads ? "mid" : "small muted mid", `(${t.coords(panel * rows * cols).slice(0, rowDim)},*,*)`);
      const axis = (text) => make("text", { class: "small muted mid", transform: `translate(${x - left + (loads ? 8 : 10)} ${y + (rows - 1) * pitch / 2}) rotate(-90)` }, svg).textContent = text;
      if (!loads) {
        label(svg, middle, y - top + captions - 4, "small muted mid", `dim ${colDim} →`);
        if (rowDim >= 0) axis(`← dim ${rowDim}`);
        let grid = "";
        for (let c = 0; c < cols; c++) grid += `M${x + c * pitch} ${y}v${(rows - 1) * pitch}`;
        for (let r = 0; r < rows; r++) grid += `M${x} ${y + r * pitch}h${(cols - 1) * pitch}`;
        make("path", { class: "grid", d: grid }, svg);
        continue;
      }
      label(svg, middle, y - top + captions - LINE - 6, "small muted mid", `dimension ${colDim} (x) →`);
      for (let c = 0; c < cols; c++) label(svg, x + c * pitch, y - top + captions - 6, "small muted mid", c);
      if (rowDim < 0) continue;
      for (let r = 0; r < rows; r++) label(svg, x - left + GUTTER - 4, y + r * pitch + 4, "small muted end", r);
      axis(`← dimension ${rowDim} (y)`);
    }
    for (let v = 0; loads && v < t.count; v++) {
      for (const [dim, h] of [[colDim, [1, 0]], [rowDim, [0, 1]]]) {
        const pair = dim < 0 ? null : t.between(v, dim);
        if (!pair) continue;
        const at = home(v), next = home(pair.next);
        if (pair.wraps && t.shifted(dim)) {
          leads(at, h, pair.next);
          leads(next, [-h[0], -h[1]], v);
        }
        wire(pair.out, at, next, h, pair.wraps, dim);
        wire(pair.back, next, at, [-h[0], -h[1]], pair.wraps, dim);
      }
      // Links to other panels are triangles, up for + and down for -.
      t.ports.forEach(([dim, step], port) => {
        const l = port * t.count + v;
        if (dim >= rowDim || loads[l] < 0) return;
        const [x, y] = home(v), column = Math.floor(dim / MARK_ROWS), high = Math.min(rowDim - column * MARK_ROWS, MARK_ROWS);
        const mx = x + 13 + 24 * column + (step < 0 ? STEP : 0), my = y - 10 - STEP * (high - dim % MARK_ROWS);
        link(l, "mark", step < 0 ? `M${mx} ${my + 1}l4 7l4 -7z` : `M${mx} ${my + 8}l4 -7l4 7z`);
      });
    }
    const [nodes, fixed, forbidden] = [d.nodes, d.fixed, d.forbidden].map((list) => new Set(list));
    for (let v = 0; v < t.count; v++) {
      const [x, y] = home(v), has = nodes.has(v), role = fixed.has(v) ? "fixed " : forbidden.has(v) ? "forbidden " : "";
      const title = `${role}${has ? d.noun : "node"} ${t.name(v)}`, half = loads ? 8 : 7;
      if (has) make("rect", { class: "processor", x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: 3 }, svg, title);
      else make("circle", { class: "node", cx: x, cy: y, r: loads ? 3.5 : 2.5 }, svg, title);
      if (fixed.has(v)) make("circle", { class: "fixed", cx: x, cy: y, r: 3 }, svg, title);
      if (forbidden.has(v)) make("path", { class: "forbidden", d: `M${x - 6} ${y - 6}l12 12M${x - 6} ${y + 6}l12 -12` }, svg, title);
    }
    if (key) scale(svg, d, H - key + 20, across);
    return svg;
  }

  // scale explains colours and shapes, below a picture.
  function scale(svg, d, y, across) {
    const most = d.values[d.values.length - 1], busy = most !== "0";
    label(svg, 20, y, "small muted", d.bandwidth ? "load of a link, divided by its bandwidth" : "load of a link");
    make("rect", { class: "idle", x: 20, y: y + 8, width: 14, height: 12 }, svg);
    label(svg, 27, y + 34, "small mid", "0");
    for (let i = 1; busy && i <= BANDS; i++) make("rect", { class: "swatch b" + i, x: 30 + 14 * i, y: y + 8, width: 14, height: 12 }, svg);
    if (busy) label(svg, 262, y + 34, "small end", d.most || `E_max ${most}`);
    y += 60;
    make("rect", { class: "processor sample", x: 20, y: y - 12, width: 16, height: 16, rx: 3 }, svg);
    label(svg, 42, y + 1, "small", d.noun);
    make("circle", { class: "node sample", cx: 118, cy: y - 4, r: 3.5 }, svg);
    label(svg, 128, y + 1, "small", "other node");
    make("path", { class: "wire sample b16 top", d: `M206 ${y - 6}l30 0l-7 5` }, svg);
    label(svg, 244, y + 1, "small", "link, keeps right");
    if (across) label(svg, 20, y + 24, "small muted", "triangles: links to other panels, ▲ + and ▼ −, dimension 0 on top");
  }

  // plot returns the chart of a table. Its first column is n; the cells of those named in
  // the list begin with values, "5/2"; those of open ones are data, "7 8" for at least 7 and
  // at most 8, "7 -" where nothing is known from above.
  function plot(table, columns, x) {
    const kinds = ["best", "first", "second", "third"], W = 760, H = 320, L = 56, T = 16;
    const read = (words) => { const [a, b] = words.split("/"); return Number(a) / Number(b || 1); };
    const heads = [...table.tHead.rows[0].cells].map((c) => c.textContent.trim());
    const series = columns.map((c) => ({ name: heads[c], points: [], bounds: [] }));
    for (const row of table.tBodies[0].rows) {
      const n = Number(/\d+/.exec(row.cells[0].textContent)[0]);
      columns.forEach((c, i) => {
        const cell = row.cells[c], values = cell ? (cell.dataset.v || (/^\s*[0-9/]+/.exec(cell.textContent) || [""])[0]).trim().split(" ").filter(Boolean) : [];
        if (!values.length) return;
        const page = (cell.querySelector("a") || (i === 0 && row.cells[0].querySelector("a")) || {}).href;
        if (values[values.length - 1] !== "-") series[i].points.push({ n, words: values[values.length - 1], y: read(values[values.length - 1]), open: values.length > 1, page });
        if (values.length > 1) series[i].bounds.push({ n, words: values[0], y: read(values[0]), page });
      });
    }
    const all = series.flatMap((s) => s.points.concat(s.bounds));
    if (all.length < 2) return null;
    const low = Math.min(...all.map((p) => p.n)), high = Math.max(...all.map((p) => p.n), low + 1), most = Math.max(...all.map((p) => p.y)) || 1;
    const ticks = (from, to, about) => {
      const rough = (to - from) / about, base = 10 ** Math.floor(Math.log10(rough));
      const step = Math.max(1e-9, [1, 2, 5, 10].map((m) => m * base).find((s) => s >= rough));
      const list = [];
      for (let v = Math.ceil(from / step) * step; v <= to + step / 1e6; v += step) list.push(Number(v.toPrecision(6)));
      return list;
    };
    const px = (n) => L + (n - low) / (high - low) * (W - L - 20), py = (y) => T + H - y / most * H;
    const total = T + H + 50 + 22 * Math.ceil((series.length + 1) / 3);
    const svg = make("svg", { class: "leeway-auto", width: W, height: total, viewBox: `0 0 ${W} ${total}`, role: "group", "aria-label": `E_max against ${x}: ${series.map((s) => s.name).join(", ")}. The table has the values.` });
    for (const v of ticks(0, most, 6)) {
      make("path", { class: "grid", d: `M${L} ${py(v)}H${W - 20}` }, svg);
      label(svg, L - 10, py(v) + 4, "small muted end", v);
    }
    for (const v of ticks(low, high, 10)) if (Number.isInteger(v)) label(svg, px(v), T + H + 20, "small muted mid", v);
    make("path", { class: "axis", d: `M${L} ${T + H}H${W - 20}` }, svg);
    label(svg, (L + W) / 2, T + H + 40, "small muted mid", x);
    make("text", { class: "small muted mid", transform: `translate(12 ${T + H / 2}) rotate(-90)` }, svg).textContent = "E_max";
    const marker = (kind, open, at, y, parent, title, point) => {
      const shape = `${point} ${kind}${open ? " open" : ""}`;
      if (kind === "best") make("circle", { class: shape, cx: at, cy: y, r: 4.5 }, parent, title);
      else if (kind === "first") make("rect", { class: shape, x: at - 5, y: y - 5, width: 10, height: 10 }, parent, title);
      else make("path", { class: shape, d: kind === "second" ? `M${at - 7} ${y + 5}l7 -12l7 12z` : `M${at - 7} ${y}l7 -7l7 7l-7 7z` }, parent, title);
    };
    [...series.entries()].reverse().forEach(([i, s]) => {
      const kind = kinds[i % kinds.length];
      const line = s.points.map((p, j) => (j && p.n - s.points[j - 1].n === 1 ? "L" : "M") + px(p.n) + " " + py(p.y)).join("");
      if (line) make("path", { class: "steps " + kind, d: line, "fill": "none" }, svg);
      for (const b of s.bounds) {
        const p = s.points.find((q) => q.n === b.n);
        if (p) make("path", { class: "gap", d: `M${px(b.n)} ${py(p.y)}V${py(b.y)}` }, svg);
        make("rect", { class: "point bound", x: px(b.n) - 4, y: py(b.y) - 2, width: 8, height: 3 }, svg, `lower bound at ${b.n}: ${b.words}`);
      }
      for (const p of s.points) {
        const a = p.page ? make("a", { href: p.page, tabindex: -1 }, svg) : svg;
        marker(kind, p.open, px(p.n), py(p.y), a, `${s.name} at ${p.n}: ${p.words}${p.open ? ", open" : ""}`, "point");
      }
    });
    const entries = series.map((s, i) => [kinds[i % kinds.length], false, s.name]);
    if (series.some((s) => s.bounds.length)) entries.push(["best", true, "open: between bound and value"]);
    entries.forEach(([kind, open, name], i) => {
      const at = L + i % 3 * 230, y = T + H + 64 + 22 * Math.floor(i / 3);
      marker(kind, open, at + 5, y - 4, svg, "", "sample");
      label(svg, at + 18, y, "small", name.length > 34 ? name.slice(0, 33) + "…" : name);
    });
    return svg;
  }

  // fill draws what is to be drawn below a part of the page: placements, and plots of the columns that a figure names,
  // or of the first four after n.
  function fill(part) {
    for (const figure of part.querySelectorAll("figure[data-picture]")) {
      const slot = figure.querySelector(".scroll") || figure;
      if (!slot.querySelector("svg")) slot.prepend(draw(figure.dataset.nodes ? { network: figure.dataset.picture, nodes: figure.dataset.nodes } : JSON.parse(figure.querySelector("script").textContent)));
    }
    for (const figure of part.querySelectorAll("figure[data-plot]")) {
      const table = document.getElementById(figure.dataset.plot), all = [...table.tHead.rows[0].cells].map((_, i) => i).slice(1, 5);
      const svg = plot(table, figure.dataset.columns ? figure.dataset.columns.split(" ").map(Number) : all, figure.dataset.x);
      if (svg) figure.querySelector(".scroll").replaceChildren(svg);
      figure.hidden = !svg;
    }
  }
  fill(document);
  return { draw, fill, tallies, network: describe };
})();
