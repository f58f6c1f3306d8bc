"use strict";
// The table behind a chart: what its lines and bars show, in figures of the language of the page, and as CSV.
const chartTable = ({ localised, english }) => {
  const numbers = (spec) => {
    if (!spec || !spec.bdata) return spec ?? [];
    const bytes = Uint8Array.from(atob(spec.bdata), (c) => c.charCodeAt(0));
    const kind = { f4: Float32Array, f8: Float64Array, i1: Int8Array, i2: Int16Array, i4: Int32Array, u1: Uint8Array, u2: Uint16Array, u4: Uint32Array }[spec.dtype];
    return Array.from(new kind(bytes.buffer));
  };
  const plainText = (text) => text.replaceAll("<br>", " ").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
  const columnsOf = (figure) => {
    const columns = [];
    let of = "";
    const add = (name, keys, values) => columns.push({ name: of + name, values: new Map(keys.map((key, k) => [key, values[k]])) });
    for (const trace of figure.data) {
      of = trace.meta?.of ? `${trace.meta.of}: ` : "";
      const name = plainText(trace.name ?? "");
      if (trace.type === "heatmap") {
        const wide = numbers(trace.x).length;
        const squares = numbers(trace.z);
        of = name ? `${name}: ` : "";
        numbers(trace.y).forEach((row, k) => add(row, numbers(trace.x), squares.slice(k * wide, (k + 1) * wide)));
        continue;
      }
      if (trace.meta?.named) {
        add(figure.layout.xaxis.title.text, trace.text, numbers(trace.x));
        add(figure.layout.yaxis.title.text, trace.text, numbers(trace.y));
        continue;
      }
      if (trace.meta?.texts) {
        add(name, trace.x, trace.meta.texts);
        continue;
      }
      const flat = trace.orientation === "h";
      const keys = numbers(flat ? trace.y : trace.x);
      const values = numbers(flat ? trace.x : trace.y);
      if (trace.meta?.bundle) continue;
      if (trace.meta?.lower) {
        const half = keys.length / 2;
        add(trace.meta.lower, keys.slice(0, half), values.slice(half).reverse());
        add(trace.meta.upper, keys.slice(0, half), values.slice(0, half));
      } else add(name, keys, values);
    }
    return columns;
  };
  const rowsOf = (figure) => {
    const columns = columnsOf(figure);
    const keys = [...new Set(columns.flatMap((column) => [...column.values.keys()]))];
    if (keys.every((key) => typeof key === "number")) keys.sort((a, b) => a - b);
    const form = (value) => value === undefined || Number.isNaN(value) ? "–" : typeof value === "string" ? value : localised(value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) < 1.5 ? 5 : 2 }).replace(/^-0$/, "0"));
    const axis = figure.data[0]?.orientation === "h" || figure.data.some((trace) => trace.meta?.named) ? "" : figure.layout.xaxis?.title?.text ?? "";
    return [[axis, ...columns.map((column) => column.name)], ...keys.map((key) => [form(key), ...columns.map((column) => form(column.values.get(key)))])];
  };
  const filled = (figure, place) => {
    const element = document.createElement("table");
    const row = (parent, cells, head) => {
      const line = parent.insertRow();
      cells.forEach((text, k) => {
        const cell = document.createElement(head || k === 0 ? "th" : "td");
        cell.scope = head ? "col" : "row";
        cell.textContent = text;
        line.append(cell);
      });
    };
    const [head, ...rows] = rowsOf(figure);
    row(element.createTHead(), head, true);
    const body = element.createTBody();
    rows.forEach((cells) => row(body, cells, false));
    place.replaceChildren(element);
  };
  const saved = (figure, name) => {
    const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const plain = (text) => (/^[−+]?[\d.,\s\u202f]+$/.test(text) ? english(text) : quoted(text === "–" ? "" : text));
    const [head, ...rows] = rowsOf(figure);
    const lines = [head.map(quoted), ...rows.map((cells) => cells.map(plain))].map((cells) => cells.join(","));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([lines.join("\n") + "\n"], { type: "text/csv" }));
    link.download = `${name}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  return { filled, saved };
};
