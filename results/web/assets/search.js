// Search in a site without a server: the words of all cells stand in the page as results/atlas/words.go makes them, and
// split, having and find do what the functions of these names do there.
"use strict";

(() => {
  const found = document.getElementById("found");
  const index = JSON.parse(document.getElementById("index").textContent);
  const words = new Map(Object.entries(index.words));
  const query = new URLSearchParams(location.search).get("q") || "";
  const most = 200; // cells that are listed
  document.getElementById("q").value = query;

  const numbers = (text) => text.split(" ").filter(Boolean).flatMap((part) => {
    const [from, to = from] = part.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
  const split = (text) => text.replace(/[A-Z]/g, (c) => c.toLowerCase()).replaceAll("×", "x").split(/[ \t\r\n:]+/).filter(Boolean).map((w) => /^[0-9]+$/.test(w) ? "n=" + w : w);

  // having returns the set of the cells that have a word.
  function having(word) {
    const range = /^([^=]*=)([0-9]*)\.\.([0-9]*)$/.exec(word), [, name, from, to] = range || [];
    if (words.has(word) || (range ? !(from + to) : !/^[a-z_-]+$/.test(word))) return new Set(numbers(words.get(word) ?? ""));
    const within = (v) => /^[0-9]+$/.test(v) && Number(from) <= Number(v) && Number(v) <= Number(to || Infinity);
    return new Set([...words].flatMap(([other, list]) => (range ? other.startsWith(name) && within(other.slice(name.length)) : other.includes(word)) ? numbers(list) : []));
  }

  // find returns the cells that have every word, in their order, and the words that no cell has.
  function find(list) {
    const sets = list.map((word) => having(word));
    return { cells: [...sets[0]].filter((at) => sets.every((s) => s.has(at))).sort((a, b) => a - b), missing: list.filter((_, i) => sets[i].size === 0) };
  }

  function make(kind, text, parent) {
    const e = document.createElement(kind);
    e.textContent = text;
    parent.append(e);
    return e;
  }

  function row(body, { name, at, size, value }, state) {
    const line = make("tr", "", body), head = make("th", "", line), text = `${name} n=${size}`;
    head.scope = "row";
    if (at) make("a", text, head).href = at + size + ".html";
    else head.textContent = text;
    make("td", value, line);
    make("span", state, make("td", "", line)).className = "badge " + state;
  }

  const asked = split(query);
  if (!asked.length) return;
  const { cells, missing } = find(asked);
  found.replaceChildren();
  document.querySelector("main details").open = false;
  make("p", cells.length === 1 ? "1 cell." : cells.length > most ? `${cells.length} cells, the first ${most} of them.` : `${cells.length} cells.`, found).id = "count";
  if (!cells.length) found.append(document.getElementById("nothing").content);
  for (const word of missing) make("p", `No cell has the word "${word}".`, found).className = "problem";
  if (!cells.length) return;
  const all = index.ways.flatMap(({ name, at, sizes, values }) => numbers(sizes).map((size, i) => ({ name, at, size, value: values[i] })));
  const box = make("div", "", found), table = make("table", "", box);
  box.className = "scroll";
  table.className = "numbers";
  for (const text of ["cell", "E_max", "state"]) make("th", text, table.tHead?.rows[0] ?? table.createTHead().insertRow()).scope = "col";
  const body = table.createTBody(), states = ["proved", "wrong", "open"].map((state) => [state, having(state)]);
  for (const at of cells.slice(0, most)) row(body, all[at], states.find(([, set]) => set.has(at))[0]);
})();
