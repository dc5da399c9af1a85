// Pages about cells: loads under the pointer, the list of loads, and the split, which a
// server works out when the page is open. In a static site the cells of a routing are
// one page; tables and cells are unfolded from the bundle, by the templates of a server, which stand above as Parts.

// Fill is what templates call.
const Fill = (() => {
  const is = (v) => Array.isArray(v) ? v.length > 0 : Boolean(v);
  const and = (...list) => list.every(is) ? list.at(-1) : "", or = (...list) => list.find(is) ?? "";
  const text = (v) => v && typeof v === "object" ? JSON.stringify(v).replaceAll("<", "\\u003c") : String(v ?? "").replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
  // decimal returns what a fraction is as a decimal number, "= 2.5" or "≈ 0.667".
  const decimal = (fraction) => {
    const [, a, b] = /^([0-9]+)\/([0-9]+)$/.exec(fraction) || [];
    if (!b) return "";
    const num = BigInt(a), den = BigInt(b), thousandths = (2000n * num + den) / (2n * den), exact = thousandths * den === 1000n * num;
    const shown = `${thousandths / 1000n}.${String(thousandths % 1000n).padStart(3, "0")}`;
    return exact ? "= " + shown.replace(/0+$/, "") : "≈ " + shown;
  };
  return {
    is, and, or, text, decimal,
    not: (v) => !is(v), eq: (a, b) => (a ?? (typeof b === "number" ? 0 : "")) === b, ne: (a, b) => a !== b, lt: (a, b) => a < b, len: (v) => v.length,
    plural: (n, one, many) => n === 1 ? "1 " + one : `${n} ${many}`,
    when: (d, v, then, other) => is(v) ? then(d) : other(d),
    within: (d, v, then, other) => is(v) ? then(v) : other(d),
    each: (d, list, then, other) => is(list) ? list.map(then).join("") : other(d),
  };
})();

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
  const opened = unpack();
  let row = null; // the row of the cell that is shown; its id is the cell's meanwhile
  async function unpack() {
    const parts = [Common.packed, bundle.textContent].map((text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
    const unpacked = await new Response(new Blob(parts).stream().pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer();
    const all = JSON.parse(new TextDecoder().decode(new Uint8Array(unpacked, Common.size)));
    all.Body.Lines = all.Cells;
    document.body.insertAdjacentHTML("afterbegin", Parts.top(all));
    bundle.insertAdjacentHTML("beforebegin", Parts.trail(all) + Parts.overview(all));
    document.body.insertAdjacentHTML("beforeend", Parts.bottom(all));
    Picture.fill(rest);
    return all;
  }
  async function unfold() {
    const wanted = location.hash.slice(1), [, size, number] = (/^n([0-9]+)(?:-([0-9]+))?$/.exec(wanted) || []).map(Number);
    const all = await opened, at = all.Cells.findIndex((c) => c.Size === size), cell = all.Cells[at], record = all.Records[at];
    if (wanted !== location.hash.slice(1)) return; // another was asked for meanwhile
    for (const old of document.querySelectorAll("section.cell")) old.remove();
    if (row) row.id = row.dataset.id;
    document.title = title;
    row = cell && document.getElementById("n" + size);
    if (!row) return;
    row.dataset.id = row.id;
    row.removeAttribute("id");
    if (record) cell.Claim = JSON.parse(record).claim_sha256;
    if (cell.Picture) Object.assign(cell, Picture.tallies(cell.Picture));
    const section = document.createElement("section");
    section.className = "cell";
    section.id = wanted;
    const One = (cell.Optima || []).find((o) => o.Number === number);
    section.innerHTML = One ? Parts.one({ ...all, Body: { ...cell, One } }) : Parts.section({ ...all, Body: cell });
    rest.append(section);
    document.title = section.querySelector("h2").textContent + ", " + title;
    Picture.fill(section);
    listen(section);
    scrollTo(0, 0);
    const download = section.querySelector(".record");
    if (download) {
      download.href = URL.createObjectURL(new Blob([record], { type: "application/json" }));
      download.download = size + ".json";
    }
  }
  addEventListener("hashchange", unfold);
  unfold();
})();
