/** Functions that create elements, buttons and tables. Text is never read as HTML. */

import { visibleText } from "../format";

type Value = string | number | boolean | null | undefined | ((event: Event) => void);
export type Attributes = Readonly<Record<string, Value>>;
export type Child = Node | string | null;

/** The name of an element, and its classes: `div`, `div.ls-buttons`. */
type Tagged<T extends string> = T | `${T}.${string}`;
/** Attributes and listeners such as `onclick`, if there are any, then children. */
type Content = readonly [Attributes, ...Child[]] | readonly Child[];

export function html<T extends keyof HTMLElementTagNameMap>(
  tag: Tagged<T>,
  ...content: Content
): HTMLElementTagNameMap[T] {
  const [name, ...classes] = tag.split(".") as [T, ...string[]];
  return furnished(document.createElement(name), classes, content);
}

export function svg<T extends keyof SVGElementTagNameMap>(
  tag: Tagged<T>,
  ...content: Content
): SVGElementTagNameMap[T] {
  const [name, ...classes] = tag.split(".") as [T, ...string[]];
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  return furnished(element, classes, content);
}

/** An SVG drawing with a size in pixels. */
export function drawing(
  width: number,
  height: number,
  attributes: Attributes = {},
  ...children: Child[]
): SVGSVGElement {
  const viewBox = `0 0 ${width} ${height}`;
  return svg("svg", { ...attributes, width, height, viewBox }, ...children);
}

/** A key listener that reacts to Enter and Space, like a button. */
export function onPress(act: (event: Event) => void): (event: Event) => void {
  return (event) => {
    const { key } = event as KeyboardEvent;
    if (key === "Enter" || key === " ") {
      event.preventDefault();
      event.stopPropagation();
      act(event);
    }
  };
}

function furnished<E extends Element>(
  element: E,
  classes: readonly string[],
  content: Content,
): E {
  element.classList.add(...classes);
  const [first] = content;
  const hasAttributes = first instanceof Object && !(first instanceof Node);
  for (const [name, value] of Object.entries(hasAttributes ? first : {})) {
    if (typeof value === "function") {
      element.addEventListener(name.replace(/^on/, ""), value);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, visibleText(String(value)));
    }
  }
  for (const child of (hasAttributes ? content.slice(1) : content) as Child[]) {
    if (child !== null) {
      element.append(typeof child === "string" ? visibleText(child) : child);
    }
  }
  return element;
}

type ButtonAttributes = Attributes & {
  /** Identifies the button after its page was drawn again; see `renew`. */
  readonly key?: string;
};

export function button(
  shown: Child | readonly Child[],
  onclick: (event: Event) => void,
  { key, ...attributes }: ButtonAttributes = {},
): HTMLButtonElement {
  return html(
    "button",
    { type: "button", class: "ls-button", "data-key": key, onclick, ...attributes },
    ...(Array.isArray(shown) ? shown : [shown]),
  );
}

export interface Cell {
  readonly words: Child;
  /** Numbers are aligned to the right. */
  readonly numeric?: boolean;
  readonly title?: string;
  readonly attributes?: Attributes;
}

/** Cells, or their content. */
export type Row = readonly (Cell | Child)[];

/** A cell with a number as text. */
export function figure(words: Child, more: Partial<Cell> = {}): Cell {
  return { words, numeric: true, ...more };
}

/** A table with column names; `first` may be its caption. */
export function table(
  attributes: Attributes,
  head: Row,
  rows: readonly Row[],
  first: Child = null,
): HTMLTableElement {
  // Column names are aligned like their cells: to the right above numbers.
  const names = head.map((name, k) => ({
    numeric: asCell(rows[0]?.[k] ?? null).numeric,
    ...asCell(name),
  }));
  const row = (cells: Row, tag: "th" | "td") =>
    html("tr", ...cells.map((one) => cell(asCell(one), tag)));
  return html(
    "table",
    attributes,
    first,
    html("thead", row(names, "th")),
    html("tbody", ...rows.map((cells) => row(cells, "td"))),
  );
}

function asCell(given: Cell | Child): Cell {
  const isCell = given !== null && typeof given === "object" && "words" in given;
  return isCell ? given : { words: given };
}

function cell({ words, numeric, title, attributes }: Cell, tag: "th" | "td") {
  const scope = tag === "th" ? "col" : null;
  const look = numeric ? "ls-number" : null;
  return html(tag, { scope, class: look, title, ...attributes }, words);
}

/** A list of values with their texts; `first` is shown until a value is chosen. */
export function select(
  options: Iterable<readonly [string, string]>,
  onchoose: (value: string) => void = () => {},
  {
    chosen,
    first,
    ...attributes
  }: Attributes & { chosen?: string; first?: string } = {},
): HTMLSelectElement {
  const el: HTMLSelectElement = html(
    "select",
    { ...attributes, onchange: () => onchoose(el.value) },
    first === undefined
      ? null
      : html("option", { value: "", selected: true, disabled: true }, first),
    ...Array.from(options, ([value, words]) => html("option", { value }, words)),
  );
  if (chosen !== undefined) {
    el.value = chosen;
  }
  return el;
}

/**
 * Replace the children of an element. The keyboard focus returns to the element with the same
 * `data-key`, or to the title if there is none.
 */
export function renew(el: HTMLElement, children: readonly Child[]): void {
  const focused = el.ownerDocument.activeElement;
  const key = el.contains(focused) ? focused?.getAttribute("data-key") : undefined;
  el.replaceChildren(...children.filter((child) => child !== null));
  if (key === undefined) {
    return;
  }
  const same = key && el.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  if (same) {
    same.focus({ preventScroll: true });
  } else {
    el.querySelector<HTMLElement>("h2[tabindex]")?.focus();
  }
}

/** A message over the stage that can be closed. */
export function notice(words: string): HTMLElement {
  const el = html("p.ls-notice", { role: "status" }, words);
  const look = { class: null, "aria-label": "Close", title: "Close" };
  el.append(button("×", () => el.remove(), look));
  return el;
}
