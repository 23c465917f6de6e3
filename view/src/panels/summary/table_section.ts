/** What is odd about the table, one line for each finding. */

import type { Context } from "../../context";
import type { Audit, TableFinding } from "../../scene/scene";
import { lightMark } from "../../ui/lights";
import { section } from "../parts";
import { coloringBy, line, lines } from "./lines";

export function tableSection(context: Context, { findings }: Audit): HTMLElement {
  const items = findings.map((finding, k) => findingLine(context, finding, k));
  const nothing = {
    key: "findings",
    mark: lightMark("good"),
    words: "Nothing odd was found.",
  };
  return section(
    "The table",
    lines(...(items.length > 0 ? items : [line(context, nothing)])),
  );
}

/** Chooses its rows; one about a column alone colours the points by it. */
function findingLine(context: Context, finding: TableFinding, k: number): HTMLElement {
  const { words, rows, subjects, code } = finding;
  const { features, columns = [] } = context.scene;
  const column = [...columns, ...features].find(({ name }) => subjects.includes(name));
  const isColumn = rows.data.length === 0 && column !== undefined;
  return line(context, {
    key: `finding:${k}`,
    mark: lightMark("fair"),
    words,
    points: rows.data,
    title: isColumn ? `${code}: colours the points by ${column.name}` : code,
    ...(isColumn ? coloringBy(context, column.name) : {}),
  });
}
