// Exact loads and bounds of a placement on a torus or mesh of two dimensions, from the
// definitions: the load of a link is the sum over all messages, from processor to
// processor or between clients and controllers, of the share of their paths that use it,
// divided by the bandwidth of the link. Numbers of paths are whole; shares are added up
// over a common denominator as BigInt. Tests hold it against the naive evaluator.
"use strict";

const Loads = (() => {
  const binomial = (n, k) => {
    let v = 1;
    for (let i = 1; i <= k; i++) v = v * (n - k + i) / i;
    return v;
  };
  const gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return a; };

  // A fraction in lowest terms.
  const fraction = (num, den = 1n) => {
    const g = gcd(num < 0n ? -num : num, den) || 1n;
    return { num: num / g, den: den / g };
  };
  const text = (f) => f.den === 1n ? String(f.num) : f.num + "/" + f.den;
  const compare = (a, b) => { const d = a.num * b.den - b.num * a.den; return d < 0n ? -1 : d > 0n ? 1 : 0; };
  const parse = (s) => {
    const m = /^([0-9]+)(?:\/([0-9]+))?$/.exec(s);
    return m && fraction(BigInt(m[1]), BigInt(m[2] || 1));
  };

  // Limits of bandwidths, those of the program.
  const MOST_BANDWIDTH = 4096, MOST_COMMON = 1 << 20;
  const MOST_MESSAGES = 1 << 20; // of a request or a reply
  const common = (bandwidth) => bandwidth.reduce((a, b) => a / gcd(a, b) * b, 1);

  // A torus with nodes numbered row by row and links numbered as in the program: the
  // ports are 0 +, 0 -, 1 +, 1 -, without - on a side of 2. A dimension of the list
  // open has no wrap-around: some link numbers at its ends have no link.
  function torus(sides, open = [], bandwidth = [1, 1]) {
    const count = sides[0] * sides[1];
    const path = sides.map((k, dim) => k > 2 && open.includes(dim)); // on a side of 2 it makes no difference
    const ports = [];
    sides.forEach((k, dim) => {
      ports.push({ dim, dir: 1 });
      if (k > 2) ports.push({ dim, dir: -1 });
    });
    const at = [];
    for (let dim = 0; dim < 2; dim++) at[dim] = { "1": ports.findIndex((p) => p.dim === dim && p.dir === 1), "-1": ports.findIndex((p) => p.dim === dim && p.dir === -1) };
    const along = sides.map((k, dim) => count / k * (k === 2 ? 2 : path[dim] ? 2 * (k - 1) : 2 * k));
    // As the program writes it and reads it back.
    const plain = sides.join("x"), paths = [0, 1].filter((dim) => path[dim]);
    const fast = bandwidth.some((b) => b > 1) ? ":bandwidth=" + bandwidth.join(",") : "";
    const network = plain + (paths.length ? ":open=" + paths.join(",") : "") + fast;
    const mesh = paths.length > 0 && sides.every((k, dim) => k === 2 || path[dim]);
    return {
      sides, ports, count, bandwidth, along,
      open: (dim) => path[dim],
      numbers: count * ports.length,
      links: along[0] + along[1],
      plain: network === plain,
      network,
      ties: sides.some((k, dim) => k > 2 && k % 2 === 0 && !path[dim]),
      flag: mesh ? "--mesh " + plain + fast : "--torus " + network,
      title: mesh ? "mesh " + plain + fast : "torus " + network,
      coords: (v) => [Math.floor(v / sides[1]), v % sides[1]],
      node: (c) => c[0] * sides[1] + c[1],
      move(v, dim, dir) {
        const c = this.coords(v);
        c[dim] = (c[dim] + dir + sides[dim]) % sides[dim];
        return this.node(c);
      },
      link(v, dim, dir) { return at[dim][sides[dim] === 2 ? 1 : dir] * count + v; },
      hasLink(v, { dim, dir }) { return !path[dim] || this.coords(v)[dim] !== (dir > 0 ? sides[dim] - 1 : 0); },
      distance: (dim, a, b) => path[dim] ? Math.abs(a - b) : Math.min((b - a + sides[dim]) % sides[dim], (a - b + sides[dim]) % sides[dim]),
      // The ways in which a pair can go in one dimension: steps and directions.
      ways(dim, a, b, both) {
        const k = sides[dim], up = (b - a + k) % k;
        if (path[dim]) return [{ steps: Math.abs(a - b), dir: a <= b ? 1 : -1 }];
        if (up === 0) return [{ steps: 0, dir: 1 }];
        if (2 * up === k && k > 2 && both) return [{ steps: up, dir: 1 }, { steps: up, dir: -1 }];
        return 2 * up <= k ? [{ steps: up, dir: 1 }] : [{ steps: k - up, dir: -1 }];
      },
    };
  }

  // Reads the routings of the editor: a family, the orders of the dimensions, and
  // whether ties go both ways.
  function routing(name) {
    const parts = name.split(":");
    const family = parts[0];
    const option = (key) => (parts.find((p) => p.startsWith(key + "=")) || "").slice(key.length + 1);
    const both = (option("tie") || (family === "minimal" || family === "avoid" ? "both" : "plus")) === "both";
    const orders = family === "odr" ? [option("order") === "1,0" ? [1, 0] : [0, 1]] : [[0, 1], [1, 0]];
    return { family, both, orders };
  }

  // The paths of a pair that go straight in one dimension and then in the other.
  function straight(t, from, to, r) {
    const a = t.coords(from), b = t.coords(to);
    const choices = [0, 1].map((dim) => t.ways(dim, a[dim], b[dim], r.both));
    const orders = a[0] !== b[0] && a[1] !== b[1] ? r.orders : [[0, 1]];
    const list = [];
    for (const order of orders) for (const first of choices[0]) for (const second of choices[1]) {
      const path = { links: [], inside: [] };
      let v = from;
      for (const dim of order) {
        const way = dim === 0 ? first : second;
        for (let i = 0; i < way.steps; i++) {
          path.links.push(t.link(v, dim, way.dir));
          v = t.move(v, dim, way.dir);
          path.inside.push(v);
        }
      }
      path.inside.pop(); // the last node is the end
      list.push(path);
    }
    return list;
  }

  // Counts, for every link, the shortest paths of a pair that use it.
  function lattice(t, from, to, r, use) {
    const a = t.coords(from), b = t.coords(to);
    const [rows, cols] = [0, 1].map((dim) => t.ways(dim, a[dim], b[dim], r.both));
    const h = rows[0].steps, w = cols[0].steps;
    for (const row of rows) for (const col of cols) for (let i = 0; i <= h; i++) for (let j = 0; j <= w; j++) {
      const v = t.node([(a[0] + row.dir * i + h * t.sides[0]) % t.sides[0], (a[1] + col.dir * j + w * t.sides[1]) % t.sides[1]]);
      const before = binomial(i + j, i);
      if (i < h) use(t.link(v, 0, row.dir), before * binomial(h - i - 1 + w - j, w - j));
      if (j < w) use(t.link(v, 1, col.dir), before * binomial(h - i + w - j - 1, h - i));
    }
    return rows.length * cols.length * binomial(h + w, h);
  }

  // Reads a traffic as the program writes it: null where every processor sends 1 to every
  // other, undefined for a text that is none.
  function traffic(text) {
    const parts = text.split(":"), found = { request: 1, reply: 1 }, seen = new Set();
    if (text === "all") return null;
    for (const part of parts.slice(1)) {
      const m = /^(request|reply)=(0|[1-9][0-9]{0,6})$/.exec(part);
      if (!m || seen.has(m[1])) return undefined;
      seen.add(m[1]);
      found[m[1]] = Number(m[2]);
    }
    return parts[0] === "clients" && Math.max(found.request, found.reply) > 0 && Math.max(found.request, found.reply) <= MOST_MESSAGES ? found : undefined;
  }

  // What is sent: how many messages by which routing, between which pairs. The clients of
  // a traffic { request, reply, replies } are all nodes; "" as replies is the same routing.
  function messages(t, name, processors, demand) {
    const pairs = (sources, ends) => sources.flatMap((from) => ends.filter((to) => to !== from).map((to) => [from, to]));
    if (!demand) return [{ name, count: 1, pairs: pairs(processors, processors) }];
    const clients = [...Array(t.count).keys()];
    return [
      { name, count: demand.request, pairs: pairs(clients, processors) },
      { name: demand.replies || name, count: demand.reply, pairs: pairs(processors, clients) },
    ].filter(({ count }) => count > 0);
  }

  // The uses of every link by the messages between some pairs, by number of paths of a pair.
  function uses(t, r, pairs, has) {
    const used = new Map();
    const table = (paths) => {
      if (!used.has(paths)) used.set(paths, new Float64Array(t.numbers));
      return used.get(paths);
    };
    for (const [from, to] of pairs) {
      if (r.family === "minimal") {
        const counted = [];
        const paths = lattice(t, from, to, r, (link, times) => counted.push([link, times]));
        const sum = table(paths);
        for (const [link, times] of counted) sum[link] += times;
        continue;
      }
      let list = straight(t, from, to, r);
      if (r.family === "avoid") {
        const met = list.map((p) => p.inside.filter((v) => has.has(v)).length);
        const least = Math.min(...met);
        list = list.filter((_, i) => met[i] === least);
      }
      const sum = table(list.length);
      for (const path of list) for (const link of path.links) sum[link]++;
    }
    return used;
  }

  // The loads of all links as numerators over one denominator; 0 for a number without a link.
  function evaluate(t, name, processors, demand = null) {
    const has = new Set(processors);
    const tables = messages(t, name, processors, demand).flatMap((m) => [...uses(t, routing(m.name), m.pairs, has)].map(([paths, sum]) => ({ paths: BigInt(paths), sum, count: BigInt(m.count) })));
    let den = 1n;
    for (const { paths } of tables) den = den * paths / gcd(den, paths);
    const unit = common(t.bandwidth);
    const loads = new Array(t.numbers).fill(0n);
    for (const { paths, sum, count } of tables) {
      const share = den / paths * count;
      sum.forEach((times, link) => { if (times) loads[link] += share * BigInt(times); });
    }
    den *= BigInt(unit);
    loads.forEach((load, link) => { loads[link] = load * BigInt(unit / t.bandwidth[t.ports[Math.floor(link / t.count)].dim]); });
    let most = 0n;
    for (const load of loads) if (load > most) most = load;
    return {
      den, loads, most,
      max: fraction(most, den),
      at: (link) => fraction(loads[link], den),
      links: most ? loads.filter((load) => load === most).length : 0,
    };
  }

  // The links of shortest ways along a dimension from some nodes to some, added up.
  function distances(t, dim, sources, ends) {
    let sum = 0;
    for (const a of sources) for (const b of ends) sum += t.distance(dim, t.coords(a)[dim], t.coords(b)[dim]);
    return sum;
  }

  // The mean number of links between a controller and a client.
  function meanDistance(t, controllers) {
    const all = [...Array(t.count).keys()];
    return fraction(BigInt(distances(t, 0, controllers, all) + distances(t, 1, controllers, all)), BigInt(controllers.length * (t.count - 1)));
  }

  // Lower bounds for any routing along shortest paths.
  function bounds(t, processors, demand = null) {
    const n = processors.length;
    if (n < (demand ? 1 : 2)) return [];
    const at = processors.map((v) => t.coords(v));
    const all = [...Array(t.count).keys()];
    const distance = (dim) => demand ? (demand.request + demand.reply) * distances(t, dim, all, processors) : distances(t, dim, processors, processors);
    // What a set of nodes with some processors in it sends out, or takes in where that is more.
    const crossing = (nodes, inside) => {
      if (!demand) return inside * (n - inside);
      const [requests, replies] = [[nodes * (n - inside), inside * (t.count - nodes)], [inside * (t.count - nodes), nodes * (n - inside)]];
      return Math.max(...[0, 1].map((way) => demand.request * requests[way] + demand.reply * replies[way]));
    };
    const capacity = (dim) => t.along[dim] * t.bandwidth[dim]; // of all links along a dimension
    const out = (v) => t.ports.reduce((sum, port) => sum + (t.hasLink(v, port) ? t.bandwidth[port.dim] : 0), 0);
    const over = (num, den) => fraction(BigInt(num), BigInt(den));
    const largest = (list) => list.reduce((a, b) => compare(a, b) < 0 ? b : a);
    const bands = [];
    for (const dim of [0, 1]) {
      const k = t.sides[dim];
      const slab = new Array(k).fill(0);
      for (const c of at) slab[c[dim]]++;
      const cut = t.count / k * t.bandwidth[dim]; // capacity of one cut across the dimension
      for (let first = 0; first < k; first++) for (let width = 1, inside = 0; width < k && (!t.open(dim) || first + width <= k); width++) {
        inside += slab[(first + width - 1) % k];
        const single = k === 2 || t.open(dim) && (first === 0 || first + width === k);
        bands.push(over(crossing(width * t.count / k, inside), cut * (single ? 1 : 2)));
      }
    }
    return [
      { name: "degree", value: over(crossing(1, 1), Math.min(...processors.map(out))) },
      { name: "mean", value: over(distance(0) + distance(1), capacity(0) + capacity(1)) },
      { name: "dimension-mean", value: largest([0, 1].map((dim) => over(distance(dim), capacity(dim)))) },
      { name: "slab", value: largest(bands) },
    ];
  }

  return { torus, traffic, evaluate, bounds, meanDistance, fraction, text, compare, parse, common, MOST_BANDWIDTH, MOST_COMMON, MOST_MESSAGES };
})();
