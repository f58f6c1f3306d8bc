"use strict";
// The colours that the system prefers, until a person chooses others; whether the window is a telephone's; and its title.
(() => {
  const prefers = window.matchMedia("(prefers-color-scheme: dark)");
  const wanted = (chosen) => chosen ?? (prefers.matches ? "dark" : "light");
  const slim = window.matchMedia("(max-width: 619px)");
  const dressed = () => document.documentElement.dataset.theme + (slim.matches ? " narrow" : "");
  slim.addEventListener("change", () => window.dash_clientside.set_props("scheme", { data: dressed() }));
  const remembered = () => {
    try { return JSON.parse(localStorage.getItem("scheme-chosen")); } catch { return null; }
  };
  document.documentElement.dataset.theme = wanted(remembered());
  prefers.addEventListener("change", () => {
    if (remembered() === null) window.dash_clientside.set_props("scheme-button", { n_clicks: 0, title: `${Date.now()}` });
  });
  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    bacclab: {
      scheme: (clicks, chosen) => {
        const none = window.dash_clientside.no_update;
        const now = clicks ? (document.documentElement.dataset.theme === "dark" ? "light" : "dark") : wanted(chosen);
        document.documentElement.dataset.theme = now;
        const words = document.getElementById("scheme-button").dataset;
        return [dressed(), clicks ? now : none, now === "dark" ? words.light : words.dark, now === "dark" ? "true" : "false"];
      },
      // The rounds that are brushed on a chart; a chart that only changes its size leaves them as they are.
      brush: (zoomed, selected) => {
        const span = selected?.range?.x ?? zoomed?.["xaxis.range"] ?? [zoomed?.["xaxis.range[0]"], zoomed?.["xaxis.range[1]"]];
        if (span.every((edge) => typeof edge === "number")) return [Math.min(...span), Math.max(...span)];
        return zoomed && "xaxis.autorange" in zoomed ? null : window.dash_clientside.no_update;
      },
      // The menus of a figure, above it (see chart_menus.js).
      menus: (figure, id) => {
        const place = document.getElementById(id);
        const chart = place.closest("figure");
        chartMenus(place, figure?.layout?.meta?.menus ?? [], {
          title: chart.querySelector("h3").textContent,
          apply: (_menu, _place, button) => window.Plotly[button.method]?.(chart.querySelector(".js-plotly-plot"), ...(button.args ?? [])),
        });
        return window.dash_clientside.no_update;
      },
      title: (title) => {
        document.title = title || "bacclab";
        return window.dash_clientside.no_update;
      },
    },
  });
})();
