"use strict";
// Links instructions that compute the same value. One listener of each kind, on the section that holds both programs.
(() => {
  const programs = document.getElementById("programs");
  const columns = programs.querySelector(".columns");
  const status = document.getElementById("status");
  let index = null;
  let pinned = null;
  let shown = null;

  const linesOf = (value) => {
    if (index === null) {
      index = new Map();
      for (const line of columns.querySelectorAll("li[data-v]")) {
        const lines = index.get(line.dataset.v);
        if (lines) lines.push(line);
        else index.set(line.dataset.v, [line]);
      }
    }
    return (value && index.get(value)) || [];
  };
  const sideOf = (line) => line.closest(".column").dataset.side;
  const valueAt = (target) => target.closest?.("li[data-v]")?.dataset.v ?? null;

  const show = (value) => {
    value ??= pinned;
    if (value === shown) return;
    for (const line of linesOf(shown)) line.classList.remove("hit");
    for (const line of linesOf(value)) line.classList.add("hit");
    shown = value;
    describe(value);
  };
  const describe = (value) => {
    const lines = linesOf(value);
    status.classList.toggle("active", lines.length > 0);
    if (!lines.length) {
      status.textContent = status.dataset.idle;
      return;
    }
    const sides = ["A", "B"].map((side) => {
      const names = lines.filter((line) => sideOf(line) === side).map((line) => line.querySelector(".n").textContent);
      const more = names.length > 4 ? ` and ${names.length - 4} more` : "";
      return `${side}: ${names.slice(0, 4).join(", ")}${more}`;
    });
    status.textContent = `value ${value}${value === pinned ? ", pinned" : ""} — ${sides.join(" = ")}`;
  };
  const pin = (line) => {
    for (const old of linesOf(pinned)) old.classList.remove("pin");
    pinned = line && line.dataset.v !== pinned ? line.dataset.v : null;
    shown = shown === pinned ? null : shown;
    for (const one of linesOf(pinned)) one.classList.add("pin");
    show(line ? line.dataset.v : null);
    if (pinned === null) return;
    describe(pinned);
    const other = linesOf(pinned).find((one) => sideOf(one) !== sideOf(line));
    if (other) {
      reveal(other);
      makeStop(other);
    }
  };

  const reveal = (line) => {
    line.closest("details").open = true;
    const scroller = line.closest(".scroller");
    const centre = () => {
      const box = line.getBoundingClientRect();
      const frame = scroller.getBoundingClientRect();
      if (box.top < frame.top + 24 || box.bottom > frame.bottom) {
        scroller.scrollTop += box.top - frame.top - (frame.height - box.height) / 2;
      }
    };
    centre();
    requestAnimationFrame(centre);
  };
  // One line of each side is a stop of the Tab key; the arrow keys move it.
  const makeStop = (line) => {
    const column = line.closest(".column");
    for (const old of column.querySelectorAll("li[tabindex='0']")) old.tabIndex = -1;
    line.tabIndex = 0;
  };
  const focus = (line) => {
    makeStop(line);
    reveal(line);
    line.focus({ preventScroll: true });
  };
  const across = (line) => {
    const other = linesOf(line.dataset.v).find((one) => sideOf(one) !== sideOf(line));
    if (other) focus(other);
  };
  const move = (line, key) => {
    const lines = [...line.closest(".column").querySelectorAll("details[open] li")];
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -Infinity, End: Infinity }[key];
    focus(lines[Math.max(0, Math.min(lines.length - 1, lines.indexOf(line) + step))]);
  };

  if (!status) return;
  for (const column of columns.querySelectorAll(".column")) {
    const first = column.querySelector("details[open] li[data-v]");
    if (first) first.tabIndex = 0;
  }
  columns.addEventListener("pointerover", (event) => show(valueAt(event.target)));
  columns.addEventListener("pointerleave", () => show(null));
  columns.addEventListener("focusin", (event) => show(valueAt(event.target)));
  columns.addEventListener("focusout", () => show(null));
  columns.addEventListener("click", (event) => {
    const line = event.target.closest("li[data-v]");
    if (!line || !getSelection().isCollapsed) return;
    makeStop(line);
    pin(line);
  });
  programs.addEventListener("keydown", (event) => {
    const line = event.target.closest("li");
    if (event.key === "Escape") pin(null);
    else if (line && (event.key === "Enter" || event.key === " ")) {
      if (line.dataset.v) pin(line);
    } else if (line && /^(Arrow(Up|Down)|Page(Up|Down)|Home|End)$/.test(event.key)) move(line, event.key);
    else if (line && /^Arrow(Left|Right)$/.test(event.key)) across(line);
    else return;
    event.preventDefault();
  });
})();
