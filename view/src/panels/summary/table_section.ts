/** What is odd about the table, one line for each finding. */

import type { Context } from "../../context";
import type { Audit, TableFinding } from "../../scene/scene";
import { button } from "../../ui/button";
import { html } from "../../ui/elements";
import { lightMark } from "../../ui/lights";
import { section } from "../parts";
import { coloringBy, line, lines } from "./lines";

/** What the options that mend a table do. */
const MENDS: Readonly<Record<string, string>> = {
  drop: "Leave out",
  missing_values: "Count as missing",
  copies: "Keep the first of each",
  merge_classes: "Make them one",
  group: "Keep them together",
};

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
  const shown = line(context, {
    key: `finding:${k}`,
    mark: lightMark("fair"),
    words,
    points: rows.data,
    title: isColumn ? `${code}: colours the points by ${column.name}` : code,
    ...(isColumn ? coloringBy(context, column.name) : {}),
  });
  return html("div", {}, shown, mendButton(context, finding, k));
}

/** Does what a finding proposes, where the host can. */
function mendButton(
  { mend }: Context,
  { remedy }: TableFinding,
  k: number,
): HTMLElement | null {
  const words = MENDS[remedy[0] ?? ""];
  return mend && words
    ? button(words, () => mend(remedy), {
        key: `mend:${k}`,
        class: "ls-button ls-mend",
        title: "Starts another run of the table",
      })
    : null;
}
