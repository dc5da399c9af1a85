// The page of work in progress: the server sends the state, then every event.
"use strict";

(() => {
  const live = document.getElementById("live");
  const topics = document.getElementById("topics");
  const pictures = document.getElementById("pictures");
  const log = document.getElementById("log");
  const connection = document.getElementById("connection");
  let done = false;

  function element(name, text, className) {
    const e = document.createElement(name);
    if (text !== undefined) e.textContent = text;
    if (className) e.className = className;
    return e;
  }

  function topic(news) {
    let section = [...topics.children].find((s) => s.dataset.topic === news.topic);
    if (news.over) {
      if (section) section.remove();
      return;
    }
    if (!section) {
      section = element("section", undefined, "topic");
      section.dataset.topic = news.topic;
      section.append(element("h2"), element("dl", undefined, "facts"));
      topics.append(section);
    }
    section.querySelector("h2").textContent = news.title || news.topic;
    section.querySelector("dl").replaceChildren(...(news.fields || []).map((f) => {
      const row = element("div");
      row.append(element("dt", f.name), element("dd", f.value));
      return row;
    }));
  }

  function line(text) {
    log.append(element("li", text));
    while (log.children.length > 100) log.firstChild.remove();
  }

  function picture(p) {
    let img = [...pictures.querySelectorAll("img")].find((i) => i.dataset.picture === p.name);
    if (!img) {
      img = element("img");
      img.dataset.picture = p.name;
      const figure = element("figure", undefined, "plot");
      figure.append(img);
      pictures.append(figure);
    }
    img.alt = p.about;
    img.src = live.dataset.pictures + p.name + "?v=" + p.version;
  }

  function finish() {
    done = true;
    connection.textContent = "Finished.";
    source.close();
  }

  const source = new EventSource(live.dataset.events);
  source.addEventListener("state", (message) => {
    const state = JSON.parse(message.data);
    topics.replaceChildren();
    log.replaceChildren();
    pictures.replaceChildren();
    state.topics.forEach(topic);
    state.log.forEach(line);
    state.pictures.forEach(picture);
    connection.textContent = "In progress.";
    if (state.done) finish();
  });
  source.onmessage = (message) => {
    const news = JSON.parse(message.data);
    if (news.topic) topic(news);
    if (news.line) line(news.line);
    if (news.picture) picture(news.picture);
    if (news.done) finish();
  };
  source.onerror = () => {
    if (!done) connection.textContent = "Connection lost; trying again.";
  };
})();
