"use strict";
(() => {
  const one = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const csrf = one('meta[name="csrf"]')?.content || "";
  const cards = () => all(".card");
  const seen = () => cards().filter((card) => !card.hidden);
  const MARKS = { accept: "✓", reject: "✗", skip: "–" };
  const SAID = { accept: "accepted", reject: "rejected", skip: "left for later", "": "taken back" };
  let current = null;
  let ended = false;
  document.documentElement.classList.add("scripted");

  // ---------------------------------------------------------------- moving about

  function go(card, { focus = true } = {}) {
    if (!card) return;
    current?.classList.remove("current");
    current = card;
    card.classList.add("current");
    if (focus) {
      card.focus({ preventScroll: true });
      card.scrollIntoView({ block: "start" });
    }
    for (const item of all("nav li")) {
      const here = item.dataset.for === card.id;
      const link = one("a", item);
      if (here) {
        link.setAttribute("aria-current", "true");
        link.scrollIntoView({ block: "nearest" });
      } else link.removeAttribute("aria-current");
    }
  }

  function step(by) {
    const list = seen();
    const at = list.indexOf(current);
    go(list[Math.min(Math.max(at + by, 0), list.length - 1)]);
  }

  function onward() {
    const list = seen();
    const after = list.slice(list.indexOf(current) + 1);
    const open = (card) => one("footer", card) && !card.dataset.choice;
    go(after.find(open) || list.find(open) || after[0] || current);
  }

  function fold(card) {
    if ("open" in card.dataset) delete card.dataset.open;
    else card.dataset.open = "";
  }

  function filter(kind) {
    for (const button of all("[data-filter]")) button.setAttribute("aria-pressed", String(button.dataset.filter === kind));
    for (const part of all(".card, nav li")) part.hidden = kind !== "all" && part.dataset.kind !== kind;
    for (const deck of all(".deck")) deck.hidden = !one(".card:not([hidden])", deck);
    if (current?.hidden) go(seen()[0]);
  }

  function nextFilter() {
    const buttons = all("[data-filter]");
    const at = buttons.findIndex((button) => button.getAttribute("aria-pressed") === "true");
    filter(buttons[(at + 1) % buttons.length].dataset.filter);
  }

  // ---------------------------------------------------------------- side by side

  function sides(diff, on) {
    if (diff.classList.contains("sides") === on) return;
    diff.classList.toggle("sides", on);
    for (const block of all(".block", diff)) {
      if (on) {
        const before = document.createElement("div");
        before.className = "before";
        before.append(...block.childNodes);
        const after = before.cloneNode(true);
        after.className = "after";
        block.append(before, after);
      } else block.replaceChildren(...block.firstElementChild.childNodes);
    }
  }

  function toggleView() {
    const button = one("#view");
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    for (const diff of all(".diff")) sides(diff, on);
    go(current);
  }

  // ---------------------------------------------------------------- talking to the server

  function say(text) {
    const place = one("#said");
    place.textContent = text;
    clearTimeout(say.timer);
    if (!ended) say.timer = setTimeout(() => (place.textContent = ""), 4000);
  }

  async function ask(what, data) {
    let answer;
    try {
      answer = await fetch(what, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf },
        body: JSON.stringify(data),
        credentials: "same-origin",
      });
    } catch {
      end("agentops-dream is not running any more. What you decided is kept; run agentops-dream review again.");
      return null;
    }
    const found = await answer.json().catch(() => ({ error: `the server said ${answer.status}` }));
    if (!answer.ok) {
      say(found.error || "refused");
      return null;
    }
    return found;
  }

  function end(text) {
    ended = true;
    for (const button of all(".card > footer button, #finish")) button.disabled = true;
    for (const dialog of all("dialog[open]")) dialog.close();
    say(text);
  }

  function progress() {
    const open = cards().filter((card) => one(":scope > footer", card));
    const done = open.filter((card) => card.dataset.choice);
    one("#progress").textContent = `${done.length} of ${open.length} decided`;
  }

  function marked(card, choice) {
    card.dataset.choice = choice;
    for (const button of all("footer [data-act]", card)) {
      if (button.dataset.act !== "edit") button.setAttribute("aria-pressed", String(button.dataset.act === choice));
    }
    one(`nav li[data-for="${CSS.escape(card.id)}"] .mark`).textContent = MARKS[choice] || "";
    progress();
  }

  const of = (card) => ({ run: card.dataset.run, op: Number(card.dataset.op) });

  async function decide(card, act) {
    const button = one(`footer [data-act="${act}"]`, card);
    if (ended || !button) return;
    if (button.disabled) return say("this op cannot be accepted any more");
    const choice = card.dataset.choice === act ? "" : act;
    const answer = await ask("decide", { ...of(card), choice });
    if (!answer) return;
    marked(card, choice);
    say(`${one("h2", card).textContent}: ${SAID[choice]}`);
    if (choice) onward();
  }

  async function edit(card) {
    if (ended || !one('footer [data-act="edit"]', card)) return;
    const draft = await ask("draft", of(card));
    if (!draft) return;
    const dialog = one("#edit-dialog");
    for (const name of ["description", "body"]) {
      const field = one(`#edit-${name}`);
      const has = draft[name] !== null;
      field.value = has ? draft[name] : "";
      field.hidden = one(`label[for="edit-${name}"]`).hidden = !has;
    }
    one("#edit-error").textContent = "";
    dialog.dataset.card = card.id;
    dialog.showModal();
    one("#edit-body").focus();
  }

  async function keep(dialog) {
    const card = document.getElementById(dialog.dataset.card);
    const value = (name) => (one(`#edit-${name}`).hidden ? null : one(`#edit-${name}`).value);
    const answer = await ask("edit", { ...of(card), description: value("description"), body: value("body") });
    if (!answer) {
      one("#edit-error").textContent = one("#said").textContent;
      return;
    }
    dialog.close();
    const fresh = document.createElement("template");
    fresh.innerHTML = answer.card;
    const made = fresh.content.firstElementChild;
    made.dataset.open = "";
    card.replaceWith(made);
    if (one("#view").getAttribute("aria-pressed") === "true") all(".diff", made).forEach((diff) => sides(diff, true));
    current = null;
    marked(made, made.dataset.choice);
    go(made);
    say("kept; now accept it or reject it");
  }

  async function summary() {
    if (ended || !csrf) return;
    const answer = await ask("summary", {});
    if (!answer) return;
    one("#summary-text").innerHTML = answer.html;
    const dialog = one("#summary-dialog");
    one('[data-do="carry"]', dialog).disabled = !answer.settled;
    dialog.showModal();
    one(answer.settled ? '[data-do="carry"]' : '[data-do="close"]', dialog).focus();
  }

  async function finish(what) {
    const answer = await ask(what, {});
    if (!answer) return;
    for (const dialog of all("dialog[open]")) dialog.close();
    one("#cards").innerHTML = answer.html;
    one("nav")?.replaceChildren();
    for (const part of all(".filters, .tools")) part.replaceChildren();
    one("#progress").textContent = "";
    end(answer.said);
    one("#cards").setAttribute("tabindex", "-1");
    one("#cards").focus();
  }

  // ---------------------------------------------------------------- keys and clicks

  const BY_KEY = {
    j: () => step(1),
    k: () => step(-1),
    a: () => csrf && decide(current, "accept"),
    r: () => csrf && decide(current, "reject"),
    s: () => csrf && decide(current, "skip"),
    e: () => csrf && edit(current),
    v: toggleView,
    f: nextFilter,
    c: summary,
    Enter: () => (fold(current), go(current)),
    "?": () => one("#keys-dialog").showModal(),
  };

  const ANYWHERE = new Set(["v", "f", "c", "?"]);

  document.addEventListener("keydown", (event) => {
    if (ended || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (one("dialog[open]") || event.target.closest("input, textarea")) return;
    if (event.key === "Enter" && event.target.closest("button, a, summary")) return;
    const act = BY_KEY[event.key];
    if (!act || (!current && !ANYWHERE.has(event.key))) return;
    event.preventDefault();
    act();
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    const card = event.target.closest(".card");
    if (card && card !== current) go(card, { focus: false });
    if (!button) {
      if (card && event.target.closest(".card > header") && !getSelection().toString()) fold(card);
      return;
    }
    const dialog = button.closest("dialog");
    if (button.dataset.filter) filter(button.dataset.filter);
    else if (button.dataset.act === "edit") edit(card);
    else if (button.dataset.act) decide(card, button.dataset.act);
    else if (button.id === "view") toggleView();
    else if (button.id === "help") BY_KEY["?"]();
    else if (button.id === "finish") summary();
    else if (button.dataset.do === "close") dialog.close();
    else if (button.dataset.do === "save") keep(dialog);
    else if (button.dataset.do === "carry") finish("carry");
    else if (button.dataset.do === "quit") finish("quit");
  });

  for (const link of all("nav a")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      go(document.getElementById(link.closest("li").dataset.for));
    });
  }

  const bar = one(".bar");
  const measure = () => bar && document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`);
  addEventListener("resize", measure);
  measure();

  // Reading takes time: as long as somebody is at the page, the server stays.
  if (csrf) {
    let last = Date.now();
    const alive = () => {
      if (ended || Date.now() - last < 60000) return;
      last = Date.now();
      ask("alive", {});
    };
    for (const kind of ["keydown", "pointerdown", "scroll"]) document.addEventListener(kind, alive, { passive: true, capture: true });
  }

  for (const card of cards()) {
    const mark = one(`nav li[data-for="${CSS.escape(card.id)}"] .mark`);
    if (mark) mark.textContent = MARKS[card.dataset.choice] || "";
  }
  go(seen().find((card) => one(":scope > footer", card) && !card.dataset.choice) || seen()[0], { focus: false });
})();
