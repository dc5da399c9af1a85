// "Is it known?": a placement as text, or a record or a drawing of the editor as a file. The engine says what it is
// beside the records of the atlas, which come from the server or, in a static site, from the files of the routings.
"use strict";

(() => {
  const box = document.getElementById("identify"), data = JSON.parse(document.getElementById("identify-data").textContent);
  const input = box.querySelector("textarea"), said = box.querySelector("output");
  let engine;

  function h(tag, attributes, ...children) {
    const e = Object.assign(document.createElement(tag), attributes);
    e.append(...children.flat().filter(Boolean));
    return e;
  }
  const script = (src) => new Promise((done, fail) => {
    const e = h("script", { src, onload: done, onerror: () => fail(new Error(`${src} could not be loaded`)) });
    document.head.append(e);
  });
  const joined = (nodes) => nodes.map((node) => node.join(",")).join("+");

  // asked returns the question in a text: JSON of a record or a drawing, a list of coordinates, an address of the
  // editor, or a network with nodes or a placement by name.
  async function asked(text) {
    if (text.trim().startsWith("{")) {
      const { where, routing, nodes } = await engine.ask({ command: "read", text });
      return { where, routing: routing === "table" ? "" : routing, placement: "nodes:" + joined(nodes) };
    }
    if (text.includes("nodes=")) {
      const of = new URLSearchParams(text.slice(text.indexOf("#") + 1)), options = ["open", "bandwidth", "twist", "traffic", "reply-routing", "fixed", "forbidden"];
      return { where: (of.get("torus") || data.torus) + options.filter((o) => of.get(o)).map((o) => `:${o}=${of.get(o)}`).join(""), routing: of.get("routing") || "", placement: "nodes:" + of.get("nodes").replaceAll(" ", "+") };
    }
    const [, where, rest] = /^\s*(\d+(?:[x^]\d+)*(?::\S+)?)\s+(\S[^]*)$/.exec(text.replaceAll("×", "x")) || [];
    if (!where) throw new Error("begin with the network: 8x8 0,0+1,2+2,4");
    if (/[a-z]/.test(rest)) return { where, routing: "", placement: rest.trim() };
    const nodes = rest.match(/\d+(\s*,\s*\d+)*/g) || [];
    return { where, routing: "", placement: "nodes:" + nodes.map((n) => n.replace(/\s/g, "")).join("+") };
  }

  // records returns those of the atlas with the size of a placement, on the networks of some sides.
  async function records(sides, size) {
    const learned = {}, found = [];
    window.known = (cells) => Object.assign(learned, cells);
    await script(`${sides}/known.js`);
    for (const [page, ...cells] of Object.values(learned).flatMap((ways) => Object.values(ways))) {
      if (!cells.some(([n]) => n === size)) continue;
      if (data.static) {
        await script(page + ".js");
        found.push(window.Cells.Cells.find((c) => c.Size === size).Record);
      } else {
        const answer = await fetch(`${page}/${size}.json`);
        if (answer.ok) found.push(await answer.text());
      }
    }
    return found.filter(Boolean);
  }

  const standing = ({ max_load, best_known, standing, orbit }) => `E_max ${max_load}: ${standing}` + (best_known && best_known !== max_load ? ` ${best_known}` : "") + (orbit ? `, orbit ${orbit.number} of ${orbit.of}` : "");
  const cell = (label, text) => h("a", { href: `c/${label.split(".").slice(0, 3).join(".")}.html` }, text);

  function show(id, where) {
    const known = (other) => other.standing === "not in the atlas" ? h("code", {}, other.label) : cell(other.label, h("code", {}, other.label));
    said.replaceChildren(
      h("p", { className: "big" }, standing(id)),
      h("p", {}, "Label ", known(id), ", one of ", String(id.group / id.stabilizer), " placements alike. ", h("a", { href: `editor.html#${new URLSearchParams({ torus: where.split(":")[0] })}&nodes=${joined(id.nodes)}&routing=${id.routing}` }, "See its loads"), "."),
      id.names.length ? h("p", {}, "Also: " + id.names.join("; ") + ".") : "",
      id.others ? h("ul", {}, id.others.map((o) => h("li", {}, known(o), " " + standing(o)))) : "");
  }

  const sizeOf = async (question) => (await engine.ask({ command: "eval", where: question.where, routing: question.routing || "minimal", placement: question.placement })).nodes.length;

  async function identify(text) {
    said.replaceChildren(h("p", {}, "Looking…"));
    try {
      if (!data.engine) throw new Error("these pages have no engine, which make engine builds; leeway identify answers without");
      engine ??= await Engine.start(data.engine);
      const question = await asked(text), { sides } = await engine.ask({ command: "network", where: question.where });
      const sorted = (list) => list.map(Number).sort((a, b) => a - b).join("x"), size = await sizeOf(question);
      const at = [sides.join("x"), ...data.known].find((name) => data.known.includes(name) && sorted(name.split("x")) === sorted(sides));
      const known = at ? await records(at, size) : [];
      show(await engine.ask({ ...question, command: "identify", records: known }), question.where);
    } catch (error) {
      said.replaceChildren(h("p", { className: "problem" }, error.message + (error.hint ? "; " + error.hint : "")));
    }
  }

  box.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    identify(input.value);
  });
  async function take([file]) {
    if (!file) return;
    input.value = await file.text();
    identify(input.value);
  }
  const picker = box.querySelector("input");
  picker.addEventListener("change", () => take(picker.files));
  box.addEventListener("dragover", (event) => event.preventDefault());
  box.addEventListener("drop", (event) => {
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    take(event.dataTransfer.files);
  });
})();
