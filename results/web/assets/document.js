// Long tables of documents: a field above each leaves the rows that have all words typed into it.
"use strict";

(() => {
  const LONG = 40; // rows
  for (const table of document.querySelectorAll("article table")) {
    const rows = [...(table.tBodies[0]?.rows ?? [])].map((row) => ({ row, text: row.textContent.toLowerCase() }));
    if (rows.length < LONG) continue;
    const form = document.createElement("form"), label = document.createElement("label"), words = document.createElement("input"), count = document.createElement("span");
    form.className = "filter";
    words.type = "search";
    words.placeholder = "8x8 udr open";
    label.append("Rows with ", words);
    count.setAttribute("role", "status");
    form.append(label, count);
    (table.closest(".scroll") ?? table).before(form);
    form.addEventListener("submit", (event) => event.preventDefault());
    words.addEventListener("input", () => {
      const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
      let left = 0;
      for (const { row, text } of rows) if (!(row.hidden = !wanted.every((w) => text.includes(w)))) left++;
      count.textContent = wanted.length ? `${left} of ${rows.length}` : "";
    });
  }
})();
