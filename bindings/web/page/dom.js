// SPDX-License-Identifier: MIT
//
// Small helpers around the document.

/**
 * An element: make("button", {class: "on", onclick}, "text", child...). Attributes that are functions become listeners.
 * @returns {HTMLElement}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export const byId = (id) => document.getElementById(id);

/** A number as a person reads it: six digits, no -0. */
export function number(x, digits = 6) {
  if (!Number.isFinite(x)) return String(x);
  if (Math.abs(x) < 5e-13) return "0";
  const size = Math.abs(x);
  return size >= 1e6 || size < 1e-4 ? x.toExponential(digits - 3) : String(Number(x.toPrecision(digits)));
}

export const vector = (v, digits = 5) => `(${[...v].map((x) => number(x, digits)).join(", ")})`;

export const count = (n) => n.toLocaleString("en");

/** A row of a form: a label and what stands beside it. */
export function row(label, ...children) {
  return make("div", { class: "row" }, make("label", {}, label), children.length === 1 ? children[0]
    : make("div", { class: "many" }, ...children));
}

export function section(title, ...children) {
  return make("section", {}, make("h2", {}, ...(Array.isArray(title) ? title : [title])), ...children);
}

/** A field for a number; calls `set` with every number that `allowed` takes, and marks what it does not take. */
export function numberField(name, set, allowed = () => true) {
  const input = make("input", { type: "text", inputmode: "decimal", "aria-label": name, spellcheck: "false" });
  input.addEventListener("input", () => {
    const value = Number(input.value);
    const good = input.value.trim() !== "" && Number.isFinite(value) && allowed(value);
    input.classList.toggle("wrong", !good);
    if (good) set(value);
  });
  // Shows the state's value, unless somebody is typing.
  input.show = (value) => {
    if (document.activeElement === input) return;
    input.value = number(value, 7);
    input.classList.remove("wrong");
  };
  return input;
}

/** Shows a text to be copied, and copies it where the browser allows that. */
export function showText(title, text) {
  const dialog = byId("dialog");
  const area = make("textarea", { readonly: true, spellcheck: "false", "aria-label": title });
  area.value = text;
  const note = make("span", { class: "soft" }, "select all and copy");
  const copy = () => navigator.clipboard?.writeText(text)
    .then(() => { note.textContent = "copied"; }, () => { area.select(); note.textContent = "press Ctrl+C"; });
  dialog.replaceChildren(make("h3", {}, title), area, make("div", { class: "foot" },
    make("button", { onclick: copy }, "copy"), note, make("span", { class: "space", style: "flex:1" }),
    make("button", { onclick: () => dialog.close(), "data-close": true }, "close")));
  if (!dialog.open) dialog.showModal();
  copy();
}

export function problem(text) {
  const box = byId("problem");
  box.textContent = text;
  box.hidden = text === "";
}
