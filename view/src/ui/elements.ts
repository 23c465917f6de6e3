/** Elements of the page in one expression. Text is always text, never markup. */

import { visibleText } from "../scene/words/text";

type Value = string | number | boolean | null | undefined | ((event: Event) => void);
export type Attributes = Readonly<Record<string, Value>>;
export type Child = Node | string | null;

/** An HTML element: attributes, `onclick`-like listeners, children. */
export function html<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[T] {
  return furnished(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg<T extends keyof SVGElementTagNameMap>(
  tag: T,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[T] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  return furnished(element, attributes, children);
}

function furnished<E extends Element>(
  element: E,
  attributes: Attributes,
  children: readonly Child[],
): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name.replace(/^on/, ""), value);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, visibleText(String(value)));
    }
  }
  for (const child of children) {
    if (child !== null) {
      element.append(typeof child === "string" ? visibleText(child) : child);
    }
  }
  return element;
}
