/** All maps of the page in numbers, so that one need not go through them one by one. */

import type { ComparisonTable } from "../scene/scene";
import { html } from "../ui/elements";
import { note, section, table } from "./parts";

/** The table; the shown map stands out in it. */
export function comparisonTable(
  { columns, rows, words }: ComparisonTable,
  shown: string,
): HTMLElement {
  return section(
    "All maps",
    table(
      "All maps in numbers",
      columns.map((name, k) => ({ words: name, numeric: k > 0 })),
      rows.map((row) =>
        row.map((text, k) => ({
          words: k > 0 ? text : mapName(text, text === shown),
          numeric: k > 0,
        })),
      ),
    ),
    ...words.map(note),
  );
}

/** Wide enough for its longest word: the table has more columns than the panel room. */
function mapName(name: string, isShown: boolean): HTMLElement {
  const style = "display: block; min-width: 7.5em; overflow-wrap: normal";
  return html(isShown ? "strong" : "span", { style }, name);
}
