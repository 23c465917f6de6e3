/** Compared maps in numbers: the recommended map, and a table of all maps. */

import type { Context } from "../context";
import { COMPARISON } from "../messages";
import type { ComparisonTable } from "../scene/scene";
import { showMap } from "../state";
import { button, html } from "../ui/elements";
import { note, section, table } from "./parts";

/** The most important columns, for a panel without room for all columns. */
const SHORT = ["unseen", "kept", "real"];
const NOTHING = "–";

/** A function for each map name that shows this map; failed methods have none. */
export type Openers = ReadonlyMap<string, () => void>;

/** Functions that show one map of a scene alone. */
export function openersOf({ scene, store }: Context): Openers {
  return new Map(scene.maps.map(({ name }, map) => [name, () => showMap(store, map)]));
}

/** The recommended map and the reason, or a note that no map was tested. */
export function adviceOf({ recommended, words }: ComparisonTable): HTMLElement {
  const [why = ""] = words;
  return recommended
    ? html(
        "p.ls-advice",
        html("strong", COMPARISON.first),
        why.replace(/^Chosen: /, ""),
      )
    : html("p.ls-advice", COMPARISON.none);
}

/** The table; the shown map is marked, and the names of other maps show these maps. */
export function comparisonTable(
  { columns, rows, words, recommended }: ComparisonTable,
  shown: string,
  openers: Openers = new Map(),
): HTMLElement {
  return section(
    COMPARISON.title,
    table(
      COMPARISON.label,
      columns,
      rows.map((row) =>
        row.map((text, k) => ({
          words: k > 0 ? text : mapName(text, text === shown, openers.get(text)),
          numeric: k > 0,
          attributes: text === recommended ? { "data-recommended": true } : {},
        })),
      ),
    ),
    ...(recommended ? words.slice(1) : words).map(note),
  );
}

/** The same table with only the columns that fit into a side panel. */
export function shortTable(
  all: ComparisonTable,
  shown: string,
  openers: Openers,
): HTMLElement {
  const tested = SHORT.map((name) => all.columns.indexOf(name)).filter((k) => k > 0);
  const isTested = all.rows.some((row) => tested.some((k) => row[k] !== NOTHING));
  const indices = [0, ...(isTested ? tested : [1, 2, 3])];
  const some = (row: readonly string[]) =>
    indices.flatMap((k) => (k in row ? [row[k]] : []));
  return comparisonTable(
    { ...all, columns: some(all.columns), rows: all.rows.map(some), words: [] },
    shown,
    openers,
  );
}

/** Wide enough for its longest word. A method that failed has no map to show. */
function mapName(
  name: string,
  isShown: boolean,
  open: (() => void) | undefined,
): HTMLElement {
  const style = "display: block; min-width: 7.5em; overflow-wrap: normal";
  return isShown || !open
    ? html(isShown ? "strong" : "span", { style }, name)
    : button(name, open, {
        class: "ls-link",
        key: `map:${name}`,
        style: `${style}; text-align: left`,
        title: COMPARISON.show(name),
      });
}
