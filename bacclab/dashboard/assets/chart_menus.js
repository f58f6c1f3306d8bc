"use strict";
// The menus of a chart (plotly's updatemenus), which plotly would draw into its picture, as HTML above it: a keyboard
// reaches them, and a screen reader names them. `title` names a menu that has no name of its own; `apply` is called
// with the place of a menu, that of the button chosen in it, and the button: a method of plotly and its arguments.
const chartMenus = (place, menus, { title, apply }) => {
  // Not a <label> around buttons: it would name the first of them, and press it when its own text is clicked.
  const labelled = (control, name, around) => {
    control.setAttribute("aria-label", name ? `${name} (${title})` : title);
    const whole = document.createElement(around);
    whole.className = "menu";
    whole.append(...(name ? [name] : []), control);
    return whole;
  };
  const text = (button) => String(button.label ?? "").replaceAll("<br>", " ").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
  const list = (menu, number) => {
    const control = document.createElement("select");
    menu.buttons.forEach((button, k) => control.add(new Option(text(button), k)));
    control.selectedIndex = menu.active ?? 0;
    control.addEventListener("change", () => apply(number, control.selectedIndex, menu.buttons[control.selectedIndex]));
    return labelled(control, menu.name, "label");
  };
  const row = (menu, number) => {
    const control = document.createElement("span");
    control.setAttribute("role", "group");
    const press = (chosen) => [...control.children].forEach((one, k) => one.setAttribute("aria-pressed", String(k === chosen)));
    const choice = menu.buttons.length > 1 && menu.showactive !== false; // or else each does something, and none stays chosen
    menu.buttons.forEach((button, k) => {
      const element = document.createElement("button");
      element.type = "button";
      element.textContent = text(button);
      element.addEventListener("click", () => {
        if (choice) press(k);
        apply(number, k, button);
      });
      control.append(element);
    });
    if (choice) press(menu.active ?? 0);
    return labelled(control, menu.name, "span");
  };
  const seen = menus.map((menu, number) => [menu, number]).filter(([menu]) => menu.visible !== false && menu.buttons?.length);
  place.replaceChildren(...seen.map(([menu, number]) => (menu.type === "buttons" ? row : list)(menu, number)));
};
