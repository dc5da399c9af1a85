// Search in a site without a server: an index of tori, routings and sizes stands in
// the page. It understands the words that the server understands, but for the
// states of cells, which are on the pages of the routings.
"use strict";

(() => {
  const found = document.getElementById("found");
  const index = JSON.parse(document.getElementById("index").textContent) || [];
  const query = new URLSearchParams(location.search).get("q") || "";
  const box = document.getElementById("q");
  box.value = query;
  const skipped = new Set(["on", "under", "best", "processors", "controllers", "with"]);

  const network = /^[0-9]+(x[0-9]+)+(:|$)/;

  const sizes = (text) => text.split(" ").filter(Boolean).flatMap((part) => {
    const [from, to] = part.split("-").map(Number);
    return Array.from({ length: (to || from) - from + 1 }, (_, i) => from + i);
  });
  // torus writes out powers: 2^3x4 is 2x2x2x4.
  const torus = (word) => word.replace(/([0-9]+)\^([0-9]+)/g, (_, side, times) => Array(Math.min(26, Number(times))).fill(side).join("x"));

  function link(address, text) {
    const a = document.createElement("a");
    a.href = address;
    a.textContent = text;
    return a;
  }

  function show() {
    let size = 0;
    const words = [];
    let mesh = false;
    for (const word of query.toLowerCase().slice(0, 200).split(/\s+/).filter(Boolean)) {
      const number = /^(?:n=)?([0-9]{1,9})$/.exec(word);
      if (number && !size) size = Number(number[1]);
      else if (word === "mesh") mesh = true;
      else if (/^[0-9]{1,7}:[0-9]{1,7}$/.test(word)) words.push(word.replace(/(.*):(.*)/, ":request=$1:reply=$2"));
      else if (!skipped.has(word)) words.push(torus(word));
    }
    const clients = words.some((w) => w === "clients" || w.startsWith(":request="));
    const list = document.createElement("ul");
    let count = 0;
    for (const entry of index) {
      const text = entry.t + " " + entry.r;
      // With the word mesh a network without open dimensions is the mesh of its sides.
      // With the word clients, or numbers of messages, one without a traffic is that with any.
      const bare = clients ? (w) => w.includes(":traffic=") ? entry.t : entry.t.replace(/:traffic=.*?(?=:fixed=|:forbidden=|$)/, "") : () => entry.t;
      const named = (w) => mesh && !w.includes(":open=") ? entry.m && w === bare(w).replace(/:open=[0-9,]+/, "") : w === bare(w);
      const networks = words.filter((w) => network.test(w));
      if (!(networks.length ? networks.every(named) : !mesh || entry.t.includes(":open="))) continue;
      if (!words.every((w) => network.test(w) || text.includes(w))) continue;
      const all = sizes(entry.n);
      const fitting = size ? all.filter((n) => n === size) : all;
      if (fitting.length === 0) continue;
      const place = entry.p || entry.t;
      const item = document.createElement("li");
      item.append(link(place + "/" + entry.s + ".html", text), ": ");
      for (const n of fitting.slice(0, 200)) {
        item.append(link(place + "/" + entry.s + ".html#n" + n, "n = " + n), " ");
        count++;
      }
      list.append(item);
    }
    const line = document.createElement("p");
    line.textContent = count === 1 ? "1 cell." : count + " cells.";
    found.replaceChildren(...count ? [line, list] : [document.getElementById("nothing").content]);
  }
  if (query.trim()) show();
})();
