/** What is known of rows that were placed on a map, one line for each thing. */

import type { Context } from "../../context";
import type { NewRows, NewRowsLine } from "../../scene/scene";
import { lightMark } from "../../ui/lights";
import { section } from "../parts";
import { coloringBy, line, lines } from "./lines";

export function newRowsSection(context: Context, { name, lines: items }: NewRows) {
  return section(
    `New rows: ${name}`,
    lines(...items.map((item, k) => newRowsLine(context, item, k))),
  );
}

/** Chooses its rows; one about a feature colours the points by it. */
function newRowsLine(context: Context, item: NewRowsLine, k: number): HTMLElement {
  const { state, words, rows, feature } = item;
  return line(context, {
    key: `new:${k}`,
    mark: state === "none" ? null : lightMark(state),
    words,
    points: rows.data,
    ...(feature ? coloringBy(context, feature) : {}),
  });
}
