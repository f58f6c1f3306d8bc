"use strict";
// Long tables: turned page by page, and sorted by a column. `words` are those of the language of the page.
const longTables = (words, { localised, english }) => {
  const ROWS = 50;
  const pagers = new Map();
  const turn = (table, to) => {
    const pager = pagers.get(table);
    if (!pager) return;
    const rows = [...table.tBodies[0].rows].filter((row) => !row.hidden);
    const last = Math.max(0, Math.ceil(rows.length / ROWS) - 1);
    pager.page = Math.min(Math.max(to, 0), last);
    const first = pager.page * ROWS;
    rows.forEach((row, k) => row.classList.toggle("off", k < first || k >= first + ROWS));
    const count = (number) => localised(number.toLocaleString("en"));
    const shown = { from: count(Math.min(first + 1, rows.length)), to: count(Math.min(first + ROWS, rows.length)), all: count(rows.length) };
    pager.text.textContent = rows.length ? words.rows.replace(/{(\w+)}/g, (_, key) => shown[key]) : words.no_rows;
    pager.back.disabled = pager.page === 0;
    pager.on.disabled = pager.page === last;
    pager.element.hidden = rows.length <= ROWS && rows.length > 0;
  };
  for (const table of document.querySelectorAll("table.paged")) {
    if (table.tBodies[0].rows.length <= ROWS) continue;
    const button = (label, text, step) => {
      const element = document.createElement("button");
      element.type = "button";
      element.textContent = text;
      element.setAttribute("aria-label", label);
      element.addEventListener("click", () => {
        turn(table, pagers.get(table).page + step);
        table.closest(".scroll").scrollTop = 0;
      });
      return element;
    };
    const element = document.createElement("div");
    element.className = "pager";
    const text = document.createElement("span");
    text.setAttribute("role", "status");
    const pager = { page: 0, element, text, back: button(words.previous_rows, "◀", -1), on: button(words.next_rows, "▶", 1) };
    element.append(pager.back, text, pager.on);
    table.closest(".scroll").after(element);
    pagers.set(table, pager);
    turn(table, 0);
  }

  const valueOf = (text) => {
    const plain = english(text).replace("%", "").replace("<", "").trim();
    return plain === "–" || plain === "" ? null : Number.isNaN(Number(plain)) ? text.toLowerCase() : Number(plain);
  };
  const sort = (head) => {
    const index = [...head.parentElement.children].indexOf(head);
    const body = head.closest("table").tBodies[0];
    const rows = [...body.rows].map((row) => ({ row, value: valueOf(row.cells[index].textContent) }));
    const text = rows.some(({ value }) => typeof value === "string");
    const before = head.getAttribute("aria-sort");
    const up = before === "none" ? text : before === "descending";
    const order = (a, b) => (text ? String(a).localeCompare(String(b)) : a - b);
    rows.sort((a, b) => a.value === null || b.value === null ? (a.value === null) - (b.value === null) : up ? order(a.value, b.value) : order(b.value, a.value));
    for (const other of head.parentElement.children) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    body.append(...rows.map(({ row }) => row));
    turn(head.closest("table"), 0);
  };
  for (const head of document.querySelectorAll(".sortable thead th")) head.querySelector("button").addEventListener("click", () => sort(head));
  // The rows that are seen have changed: each table stays on its page, as far as there is one.
  return () => { for (const [table, pager] of pagers) turn(table, pager.page); };
};
