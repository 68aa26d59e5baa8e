"use strict";
// Programs, line by line: wrapped or not on screen, unfolded on paper.
(() => {
  for (const box of document.querySelectorAll(".wrap-box")) {
    const columns = box.closest("section").querySelector(".columns");
    box.addEventListener("change", () => columns.classList.toggle("wrap", box.checked));
  }
  addEventListener("beforeprint", () => {
    for (const one of document.querySelectorAll("details:not([open])")) {
      one.dataset.closed = "";
      one.open = true;
    }
  });
  addEventListener("afterprint", () => {
    for (const one of document.querySelectorAll("details[data-closed]")) {
      one.open = false;
      delete one.dataset.closed;
    }
  });
})();
