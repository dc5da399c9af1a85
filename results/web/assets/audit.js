// The page of the papers' claims: a filter by words, and what fails alone. A claim that an
// address names is unfolded.
"use strict";

(() => {
  const form = document.getElementById("filter"), words = document.getElementById("words"), only = document.getElementById("only-fails");
  const claims = [...document.querySelectorAll(".claim, .holds")].map((e) => ({ e, fails: e.matches(".claim"), text: e.textContent.toLowerCase() }));
  function look() {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const c of claims) {
      const shown = (c.fails || !only.checked) && wanted.every((w) => c.text.includes(w));
      c.e.hidden = !shown;
      if (shown) count++;
    }
    for (const part of document.querySelectorAll(".claims-of details, .claims-of")) {
      part.hidden = !part.querySelector(".claim:not([hidden]), .holds:not([hidden])");
      if (part.matches("details")) part.open = wanted.length > 0;
    }
    document.getElementById("count").textContent = wanted.length || only.checked ? (count ? `${count} of ${claims.length}` : "Nothing has all these words. Try fewer, or a part of one.") : "";
  }
  const unfold = () => {
    const named = document.getElementById(location.hash.slice(1));
    const fold = named && named.closest("details");
    if (fold && !fold.open) {
      fold.open = true;
      named.scrollIntoView();
    }
  };
  form.hidden = false;
  form.addEventListener("input", look);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", unfold);
  unfold();
})();
