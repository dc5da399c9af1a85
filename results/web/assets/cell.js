// Pages about cells: loads under the pointer, the list of loads, and the split, which a
// server works out when the page is open. In a static site the cells of a routing are
// one page; what a server shows of a cell beyond its values is unfolded from the bundle.
"use strict";

(() => {
  // listen makes a part of the page answer.
  function listen(part) {
    const figure = part.querySelector("figure.torus"), readout = part.querySelector("#readout");
    const picture = figure && figure.querySelector("svg");
    if (!readout || !picture) return;
    const show = (event) => {
      const shape = event.target.closest(".link, .node, .processor, .fixed, .forbidden");
      const title = shape && shape.querySelector("title");
      if (title) readout.textContent = title.textContent;
    };
    picture.addEventListener("pointerover", show);
    picture.addEventListener("click", show);

    const button = part.querySelector("#list-loads"), list = part.querySelector("#load-list");
    button.hidden = false;
    button.addEventListener("click", () => {
      const table = document.createElement("table"), body = table.createTBody();
      table.id = "load-table";
      table.className = "numbers";
      const rows = [...picture.querySelectorAll(".link > title")].map((t) => t.textContent.split(": ")).filter((r) => r[1] !== "0");
      rows.sort((a, b) => a[0].localeCompare(b[0], "en", { numeric: true }));
      for (const texts of rows) {
        const row = body.insertRow();
        for (const text of texts) row.insertCell().textContent = text;
      }
      button.hidden = true;
      list.replaceChildren(table);
    });
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

  const bundle = document.getElementById("bundle");
  if (!bundle) {
    listen(document);
    return;
  }
  const title = document.title, rest = bundle.parentElement;
  let cells = null, row = null; // the row of the cell that is shown; its id is the cell's meanwhile
  async function unpack() {
    const bytes = Uint8Array.from(atob(bundle.textContent), (c) => c.charCodeAt(0));
    return JSON.parse(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text());
  }
  async function unfold() {
    const wanted = location.hash.slice(1), size = (/^n([0-9]+)$/.exec(wanted) || [])[1];
    cells = cells || (size && unpack());
    const cell = size && (await cells)[size];
    if (wanted !== location.hash.slice(1)) return; // another was asked for meanwhile
    for (const old of document.querySelectorAll("section.cell")) old.remove();
    if (row) row.id = row.dataset.id;
    document.title = title;
    row = cell && document.getElementById(wanted);
    if (!row) return;
    row.dataset.id = row.id;
    row.removeAttribute("id");
    const section = document.createElement("section");
    section.className = "cell";
    section.id = wanted;
    section.innerHTML = cell.html;
    rest.append(section);
    document.title = section.querySelector("h2").textContent + ", " + title;
    Picture.fill(section);
    listen(section);
    scrollTo(0, 0);
    const record = section.querySelector(".record");
    if (record) {
      record.href = URL.createObjectURL(new Blob([cell.record], { type: "application/json" }));
      record.download = size + ".json";
    }
  }
  addEventListener("hashchange", unfold);
  unfold();
})();
