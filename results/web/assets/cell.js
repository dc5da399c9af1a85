// The page of a cell: loads under the pointer, and the split, which is computed when
// the page is open.
"use strict";

(() => {
  const readout = document.getElementById("readout");
  const picture = document.querySelector("figure.torus svg");
  if (readout && picture) {
    const show = (event) => {
      const link = event.target.closest(".link, .node, .processor");
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
