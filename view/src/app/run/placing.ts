/** Another table on the map of a run: a file, or one of the workspace. */

import { counted } from "../../scene/words/format";
import { html } from "../../ui/elements";
import { api, type Run, type Table } from "../api";
import { dropZone } from "../home/drop_zone";
import { actionButton, goOn, waited } from "../page_parts";

const WORDS =
  "They get their places and likely classes, and are compared with the rows of the " +
  "map: which of them are unlike anything seen, and whether they have drifted as a " +
  "whole. Columns are found by their names.";

/** A part of the page that asks which rows to place; why not, where none can be. */
export function placingPart(run: Run): HTMLElement {
  const el = html(
    "section",
    { class: "ls-app-placing", "aria-label": "Place new rows", tabindex: -1 },
    html("h2", {}, "Place new rows on this map"),
  );
  if (run.placing_note) {
    el.append(html("p", {}, run.placing_note));
    return el;
  }
  const place = async (table: string) => {
    const placed = await api.place(run.id, table);
    goOn(el, `#/run/${placed.id}`);
  };
  const others = html("div", {});
  el.append(
    html("p", { class: "ls-app-quiet" }, WORDS),
    html("div", { class: "ls-app-load" }, html("div", {}, dropZone(place)), others),
  );
  void waited(others, async () => {
    const tables = await api.tables();
    if (tables.length > 0) {
      others.append(...choice(tables, place));
    }
  });
  return el;
}

/** One of the tables that are there already. */
function choice(tables: readonly Table[], place: (table: string) => Promise<void>) {
  const select = html(
    "select",
    {},
    ...tables.map(({ id, name, n_rows }) =>
      html("option", { value: id }, `${name} (${counted(n_rows, "row")})`),
    ),
  );
  return [
    html("label", {}, "or one of before ", select),
    actionButton("Place its rows", () => place(select.value)),
  ];
}
