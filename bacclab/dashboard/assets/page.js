"use strict";
(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const setup = read("setup");
  const root = document.documentElement;
  const narrow = () => window.innerWidth < 620;
  const touch = matchMedia("(pointer: coarse)").matches;
  const state = { cell: setup.cells[0], bettor: setup.bettors.length ? 0 : -1, theme: root.dataset.theme };

  // ---- packets: text that is unpacked when it is needed, once ------------------------------------------------------
  const packets = new Map();
  const unpacked = (id) => {
    if (!packets.has(id)) {
      const bytes = Uint8Array.from(atob(document.getElementById(id).textContent.trim()), (c) => c.charCodeAt(0));
      packets.set(id, new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text());
    }
    return packets.get(id);
  };
  let plotly = null;
  const load = () => {
    plotly ??= unpacked("plotly").then((text) => {
      const element = document.createElement("script");
      element.textContent = text;
      document.head.append(element);
      return window.Plotly;
    });
    return plotly;
  };
  // English figures in the language of the page, and back again.
  const figures = {
    localised: (text) => text.replace("-", "−").replace(/[.,]/g, (mark) => (mark === "." ? setup.decimal : setup.group)),
    english: (text) => text.replaceAll(setup.group, "").replace(setup.decimal, ".").replace("−", "-"),
  };
  const tables = chartTable(figures);
  const turnAgain = longTables(setup.words, figures);
  const sheets = new Map();
  const nameOf = (chart) => ({ run: "r", cell: `c${state.cell}`, bettor: `b${state.cell}-${state.bettor}` })[chart.dataset.of];
  const figureThere = (chart) => sheets.get(nameOf(chart))?.[chart.dataset.chart] ?? null;
  const figureOf = async (chart) => {
    const name = nameOf(chart);
    if (!(name in setup.packets)) return null;
    if (!sheets.has(name)) {
      for (const [key, sheet] of Object.entries(JSON.parse(await unpacked(`p${setup.packets[name]}`)))) sheets.set(key, sheet);
    }
    return name === nameOf(chart) ? figureThere(chart) : null;
  };

  const recoloured = (item, colours) => {
    if (typeof item === "string") return colours[item] ?? item;
    if (Array.isArray(item)) return item.map((value) => recoloured(value, colours));
    if (item === null || typeof item !== "object" || "bdata" in item) return item;
    return Object.fromEntries(Object.entries(item).map(([key, value]) => [key, recoloured(value, colours)]));
  };

  // ---- drawing ------------------------------------------------------------------------------------------------------
  const charts = [...document.querySelectorAll("figure.chart")];
  const config = { displaylogo: false, showTips: false, modeBarButtons: [["toImage", "resetScale2d"]], displayModeBar: !touch };
  const isObject = (item) => item !== null && typeof item === "object" && !Array.isArray(item) && !("bdata" in item);
  const merged = (one, other) => {
    const found = { ...one };
    for (const [key, value] of Object.entries(other ?? {})) found[key] = isObject(value) && isObject(one[key]) ? merged(one[key], value) : value;
    return found;
  };
  const dressed = (figure, { width, theme, slim }) => {
    const small = slim ? figure.narrow ?? {} : {};
    const shaped = { data: small.data ?? figure.data, layout: merged(figure.layout, small.layout) };
    const { data, layout } = recoloured(shaped, theme === "dark" ? setup.dark : {});
    layout.template = setup.templates[theme];
    const bare = layout.xaxis?.visible === false && layout.yaxis?.visible === false;
    layout.margin = bare ? { t: 12, r: 8, b: 8, l: 8 } : { t: touch ? 12 : 26, r: 28, b: 44, l: slim ? 44 : 56 };
    layout.separators = setup.decimal + setup.group;
    layout.dragmode = touch ? false : "zoom";
    layout.width = width;
    if (slim) {
      layout.font = { size: 12 };
      // A chart with a row for each system keeps its height.
      const rows = layout.yaxis?.type === "category" && data.every((trace) => trace.type !== "heatmap");
      if (!rows) layout.height = Math.min(layout.height ?? 400, 430);
      // A small square has no room for tenths; the table under the chart has them.
      for (const trace of data) if (trace.texttemplate === "%{z:.1%}") trace.texttemplate = "%{z:.0%}";
    }
    return { data, layout };
  };
  const draw = async (chart) => {
    const name = nameOf(chart);
    chart.hidden = !(name in setup.packets);
    if (chart.hidden) return;
    const figure = await figureOf(chart);
    if (name !== nameOf(chart)) return;
    chart.hidden = figure === null;
    if (chart.hidden) return;
    if (!captioned(chart, figure)) return;
    const table = chart.querySelector("details");
    table.dataset.stale = "1";
    if (table.open) fillTable(chart);
    const Plotly = await load();
    if (name !== nameOf(chart) || printing) return;
    const plot = chart.querySelector(".plot");
    const { data, layout } = dressed(figure, { width: plot.clientWidth, theme: state.theme, slim: narrow() });
    const again = menusOf(chart, layout);
    await Plotly.react(plot, data, layout, config);
    if (printing) return;
    again();
    plot.classList.remove("waiting");
    chart.dataset.drawn = `${state.theme} ${state.cell} ${state.bettor}`;
    roomForLegend(Plotly, plot, layout.height);
  };
  // The menus of a figure stand above it in HTML; what was chosen in them is done again when the chart is drawn anew.
  const chosen = new Map();
  const menusOf = (chart, layout) => {
    const name = `${nameOf(chart)} ${chart.dataset.chart}`;
    const done = chosen.get(name) ?? new Map();
    const menus = (layout.updatemenus ?? []).map((menu, k) => ({ ...menu, active: done.get(k) ?? menu.active }));
    delete layout.updatemenus;
    const apply = (button) => window.Plotly[button.method]?.(chart.querySelector(".plot"), ...(button.args ?? []));
    chartMenus(chart.querySelector(".menus"), menus, {
      title: chart.querySelector("h3").textContent,
      apply: (menu, place, button) => {
        chosen.set(name, done.set(menu, place));
        apply(button);
      },
    });
    return () => { for (const [menu, place] of done) apply(menus[menu].buttons[place]); };
  };
  // The words of a chart; false where a chart of a plugin failed, and says so.
  const captioned = (chart, figure) => {
    chart.querySelector(".fault").textContent = figure.fault ?? "";
    chart.classList.toggle("failed", "fault" in figure);
    if ("fault" in figure) return false;
    const words = figure.layout.meta;
    chart.querySelector("h3").textContent = words.title;
    chart.querySelector("figcaption p").textContent = words.note.replaceAll(" %", "\u00a0%");
    chart.querySelector(".plot").setAttribute("aria-label", words.alt);
    return true;
  };
  // A long legend takes its height from the chart; the chart gives way by growing.
  const roomForLegend = (Plotly, plot, height) => {
    let room = 44;
    for (let turn = 0; turn < 3; turn += 1) {
      const tall = Number(plot.querySelector(".legend .bg")?.getAttribute("height") ?? 0);
      if (tall <= room) return;
      room = tall;
      Plotly.relayout(plot, { height: height + tall - 30 });
    }
  };
  const failed = (chart) => (error) => {
    const plot = chart.querySelector(".plot");
    plot.textContent = setup.words.cannot_draw;
    plot.classList.remove("waiting");
    if ("DecompressionStream" in window) throw error;
  };
  const near = new Set();
  let printing = false;
  const redraw = (chart) => draw(chart).catch(failed(chart));
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting) {
        if (!near.has(entry.target)) { near.add(entry.target); redraw(entry.target); }
      } else if (near.has(entry.target) && !entry.target.dataset.drawn) near.delete(entry.target);
    }
  }, { rootMargin: "600px" });
  charts.forEach((chart) => watcher.observe(chart));
  // Charts that are not near are drawn anew when they come near again.
  const refresh = (some = charts) => {
    for (const chart of some) {
      near.delete(chart);
      watcher.unobserve(chart);
      watcher.observe(chart);
    }
  };

  const fillTable = async (chart) => {
    const details = chart.querySelector("details");
    if (!details.dataset.stale) return;
    delete details.dataset.stale;
    tables.filled(await figureOf(chart), details.querySelector(".scroll"));
  };
  for (const chart of charts) {
    chart.querySelector("details").addEventListener("toggle", (event) => { if (event.target.open) fillTable(chart); });
    chart.querySelector(".save").addEventListener("click", async () => tables.saved(await figureOf(chart), chart.dataset.chart));
  }

  // ---- choosing -----------------------------------------------------------------------------------------------------
  const cellBox = document.getElementById("cell");
  const bettorBox = document.getElementById("bettor-choice");
  const everyCell = document.getElementById("every-cell");
  const filter = document.getElementById("filter");
  const showRows = () => {
    for (const table of document.querySelectorAll(".sortable")) table.classList.toggle("every", Boolean(everyCell?.checked));
    const wanted = (filter?.value ?? "").toLowerCase();
    for (const row of document.querySelectorAll("#summary-table tbody tr, #comparison-table tbody tr")) {
      const own = row.closest("#summary-table");
      row.hidden = (setup.cells.length > 1 && !everyCell?.checked && Number(row.dataset.cell) !== state.cell) || (own && !row.cells[0].textContent.toLowerCase().includes(wanted));
      row.classList.toggle("chosen", Boolean(own) && Number(row.dataset.cell) === state.cell && Number(row.querySelector("a")?.dataset.bettor) === state.bettor);
    }
    turnAgain();
  };
  const choose = (changes) => {
    const old = { ...state };
    Object.assign(state, changes);
    if (cellBox) cellBox.value = state.cell;
    if (bettorBox) bettorBox.value = state.bettor;
    showRows();
    refresh(old.cell === state.cell && old.theme === state.theme ? charts.filter((chart) => chart.dataset.of === "bettor") : charts);
    ready();
  };
  cellBox?.addEventListener("change", () => choose({ cell: Number(cellBox.value) }));
  bettorBox?.addEventListener("change", () => choose({ bettor: Number(bettorBox.value) }));
  everyCell?.addEventListener("change", showRows);
  document.getElementById("all-columns")?.addEventListener("change", (event) => {
    document.getElementById("summary-table").classList.toggle("wide", event.target.checked);
  });
  filter?.addEventListener("input", showRows);
  for (const button of document.querySelectorAll(".step")) {
    button.addEventListener("click", () => choose({ bettor: (state.bettor + Number(button.dataset.step) + setup.bettors.length) % setup.bettors.length }));
  }
  document.getElementById("summary-table")?.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-bettor]");
    if (link) choose({ bettor: Number(link.dataset.bettor), cell: Number(link.closest("tr").dataset.cell) });
  });

  // ---- light and dark, size, print ----------------------------------------------------------------------------------
  const themeButton = document.getElementById("theme");
  const paint = (theme) => {
    root.dataset.theme = theme;
    themeButton.setAttribute("aria-pressed", String(theme === "dark"));
    themeButton.textContent = theme === "dark" ? setup.words.light : setup.words.dark;
    themeButton.setAttribute("aria-label", theme === "dark" ? setup.words.to_light : setup.words.to_dark);
    if (theme !== state.theme) choose({ theme });
  };
  paint(state.theme);
  themeButton.addEventListener("click", () => paint(state.theme === "dark" ? "light" : "dark"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => paint(event.matches ? "dark" : "light"));
  let width = window.innerWidth;
  let timer = 0;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return; // a phone's address bar changes only the height
    width = window.innerWidth;
    clearTimeout(timer);
    timer = setTimeout(() => refresh(), 150);
  });
  // A printer waits for nothing: what it needs is made ready while nobody does anything, and drawn at once for its paper.
  const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, 500));
  const ready = () => idle(async () => {
    if (!charts.length || !("DecompressionStream" in window)) return;
    await load();
    for (const chart of charts) await figureOf(chart);
  });
  const PAPER = { whole: { width: 680, tallest: 330 }, half: { width: 330, tallest: 310 }, sheet: 850, rows: 150, lines: 300 };
  const opened = [];
  const print = (chart) => {
    const figure = figureThere(chart);
    chart.hidden = figure === null;
    if (chart.hidden || !window.Plotly || !captioned(chart, figure)) return;
    const plot = chart.querySelector(".plot");
    const half = chart.parentElement.matches(".two") && !chart.matches(":last-child:nth-child(odd)");
    const paper = half ? PAPER.half : PAPER.whole;
    const { data, layout } = dressed(figure, { width: paper.width, theme: "light", slim: half });
    // A chart with a row for each system keeps its height, up to that of a sheet.
    const rows = layout.yaxis?.type === "category" && data.every((trace) => trace.type !== "heatmap");
    layout.height = Math.min(layout.height ?? 400, rows ? PAPER.sheet : paper.tallest);
    if (layout.legend?.y < 0) layout.legend = { ...layout.legend, y: -64 / (layout.height - 80) };
    const again = menusOf(chart, layout);
    window.Plotly.react(plot, data, layout, { ...config, staticPlot: true });
    again();
    plot.classList.remove("waiting");
    roomForLegend(window.Plotly, plot, layout.height);
  };
  window.addEventListener("beforeprint", () => {
    if (printing) return;
    printing = true;
    root.dataset.theme = "light";
    // Paper takes all rows and lines where they are some sheets, not where they are hundreds.
    for (const table of document.querySelectorAll("table.paged")) table.classList.toggle("long", table.tBodies[0].rows.length > PAPER.rows);
    for (const details of document.querySelectorAll("#method details:not([open])")) {
      if (details.textContent.split("\n").length > PAPER.lines) continue;
      details.open = true;
      opened.push(details);
    }
    charts.forEach(print);
  });
  window.addEventListener("afterprint", () => {
    printing = false;
    root.dataset.theme = state.theme;
    for (const details of opened.splice(0)) details.open = false;
    for (const chart of charts) delete chart.dataset.drawn;
    refresh();
  });
  showRows();
  ready();
})();
