// The page of a cell: loads under the pointer, and the split, which is computed when
// the page is open. In a static site the links of a load are one path of the picture,
// which is cut up here, and the list of loads is made from the picture.
"use strict";

(() => {
  const readout = document.getElementById("readout");
  const figure = document.querySelector("figure.torus");
  const picture = figure && figure.querySelector("svg");

  // entitle sets what a shape says under the pointer.
  const entitle = (shape, text) => {
    const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
    title.textContent = text;
    shape.replaceChildren(title);
  };

  const sides = figure ? figure.dataset.torus.split("x").map(Number) : [];
  const size = sides.reduce((a, b) => a * b, 1);
  const ports = sides.flatMap((side, dim) => side === 2 ? [[dim, 1]] : [[dim, 1], [dim, -1]]);
  const coordinates = (node) => sides.map((side, dim) => Math.floor(node / sides.slice(dim + 1).reduce((a, b) => a * b, 1)) % side);

  // linkName names a link by its number: that of its port times the nodes, plus the node.
  const linkName = (link) => {
    const from = coordinates(link % size);
    const [dim, step] = ports[Math.floor(link / size)];
    const to = from.map((c, j) => j === dim ? (c + step + sides[j]) % sides[j] : c);
    return `(${from}) -> (${to})`;
  };

  const bundles = picture ? picture.querySelectorAll(".link[data-links]") : [];
  for (const bundle of bundles) {
    const load = bundle.querySelector("title").textContent;
    const lines = bundle.getAttribute("d").split("\n");
    bundle.replaceWith(...bundle.dataset.links.split(" ").map((link, i) => {
      const path = bundle.cloneNode(false);
      path.removeAttribute("data-links");
      path.setAttribute("d", lines[i]);
      entitle(path, `${linkName(Number(link))}: ${load}`);
      return path;
    }));
  }
  if (bundles.length > 0) {
    const { noun } = figure.dataset; // what a processor is called
    picture.querySelectorAll(".node:not(.sample), .processor:not(.sample)").forEach((shape, node) => {
      const mark = shape.nextElementSibling; // the sign on a fixed or forbidden node
      const role = ["fixed", "forbidden"].find((c) => mark && mark.classList.contains(c));
      const title = `${role ? role + " " : ""}${shape.classList[0] === "processor" ? noun : "node"} (${coordinates(node)})`;
      entitle(shape, title);
      if (role) entitle(mark, title);
    });
  }

  const list = document.getElementById("from-picture");
  if (list && picture) {
    list.addEventListener("toggle", () => {
      const table = document.createElement("table");
      table.id = "load-table";
      table.className = "numbers";
      const row = (cells, kind) => {
        const tr = document.createElement("tr");
        tr.append(...cells.map((text) => Object.assign(document.createElement(kind), { textContent: text })));
        return tr;
      };
      const head = document.createElement("thead");
      head.append(row(["link", "load"], "th"));
      const body = document.createElement("tbody");
      body.append(...[...picture.querySelectorAll(".link > title")].map((t) => t.textContent).filter((t) => !t.endsWith(": 0")).sort((a, b) => a.localeCompare(b, "en", { numeric: true })).map((t) => row(t.split(": "), "td")));
      table.append(head, body);
      list.append(table);
    }, { once: true });
  }

  if (readout && picture) {
    const show = (event) => {
      const link = event.target.closest(".link, .node, .processor, .fixed, .forbidden");
      const title = link && link.querySelector("title");
      if (title) readout.textContent = title.textContent;
    };
    picture.addEventListener("pointerover", show);
    picture.addEventListener("click", show);
  }

  const split = document.querySelector("#split[data-from]");
  if (split) {
    const link = split.innerHTML;
    split.textContent = "Working it out...";
    fetch(split.dataset.from)
      .then((answer) => answer.ok ? answer.text() : Promise.reject(answer.status))
      .then((text) => {
        const found = new DOMParser().parseFromString(text, "text/html").getElementById("split");
        split.replaceWith(document.adoptNode(found));
      })
      .catch(() => { split.innerHTML = link; });
  }
})();
