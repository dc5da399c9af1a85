// Pages about cells: loads under the pointer, the list of loads, and the split, which a server works out when the page
// is open. In a static site the pages of a routing and of its cells are filled in from its bundle, by the templates of a
// server, which stand above as Parts.

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

  if (typeof Bundle === "undefined") {
    listen(document);
    return;
  }
  // A page of a static site: of a routing, or of one of its cells.
  (async () => {
    const main = document.getElementById("main"), { root, size } = main.dataset;
    const parts = [Common.packed, Bundle].map((text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
    const unpacked = await new Response(new Blob(parts).stream().pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer();
    const all = JSON.parse(new TextDecoder().decode(new Uint8Array(unpacked, Common.size)));
    all.Root = root;
    all.Body.Lines = all.Cells;
    const at = all.Cells.findIndex((c) => c.Size === Number(size) && c.Routing === all.Body.Routing), cell = all.Cells[at], record = all.Records[at];
    if (size) {
      if (record) cell.Claim = JSON.parse(record).claim_sha256;
      if (cell.Picture) Object.assign(cell, Picture.tallies(cell.Picture));
      all.Trail.push({ Name: all.Body.Routing, Address: all.Address });
      Object.assign(all, { Address: "", Body: cell });
    }
    document.body.insertAdjacentHTML("afterbegin", Parts.top(all));
    main.insertAdjacentHTML("beforeend", Parts.trail(all) + (size ? Parts.whole(all) : Parts.overview(all)));
    document.body.insertAdjacentHTML("beforeend", Parts.bottom(all));
    Picture.fill(main);
    listen(main);
    const download = main.querySelector(".record");
    if (download) {
      download.href = URL.createObjectURL(new Blob([record], { type: "application/json" }));
      download.download = size + ".json";
    }
    if (location.hash) location.replace(location.hash); // which was not there yet
  })();
})();
