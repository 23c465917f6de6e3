/** A table, for view and app. */

import { type Attributes, type Child, html } from "./elements";

export interface Cell {
  readonly words: Child;
  /** Numbers stand to the right. */
  readonly numeric?: boolean;
  readonly title?: string;
  readonly attributes?: Attributes;
}

/** A table under the names of its columns; `first` may be its caption. */
export function table(
  attributes: Attributes,
  head: readonly Cell[],
  rows: readonly (readonly Cell[])[],
  first: Child = null,
): HTMLTableElement {
  const row = (cells: readonly Cell[], tag: "th" | "td") =>
    html("tr", {}, ...cells.map((one) => cell(one, tag)));
  return html(
    "table",
    attributes,
    first,
    html("thead", {}, row(head, "th")),
    html("tbody", {}, ...rows.map((cells) => row(cells, "td"))),
  );
}

function cell({ words, numeric, title, attributes }: Cell, tag: "th" | "td") {
  const scope = tag === "th" ? "col" : null;
  const look = numeric ? "ls-number" : null;
  return html(tag, { scope, class: look, title, ...attributes }, words);
}
