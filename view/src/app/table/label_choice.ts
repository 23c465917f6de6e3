/** The most important choice: where the classes are. And what the rows are called, and
 * which of them belong together. */

import { count, counted } from "../../scene/words/format";
import { html } from "../../ui/elements";
import type { Column, Table } from "../api";
import { columnField } from "./column_field";
import type { Roles } from "./roles";

// More values than this are hardly classes; see `datasets/_describe.py`.
const MOST_CLASSES = 50;

export class LabelChoice {
  readonly el: HTMLElement;
  readonly #columns: readonly Column[];

  constructor({ columns }: Table, roles: Roles) {
    this.#columns = columns;
    const label = choice(columns, roles, "label", "choose a column …");
    const names = choice(columns, roles, "id", "their number");
    const subjects = choice(columns, roles, "group", "none: all are independent");
    const preview = html("p", { class: "ls-app-preview", role: "status" });
    this.el = html(
      "div",
      { class: "ls-app-label-choice" },
      html("label", { class: "ls-app-main-choice" }, "Classes are in ", label),
      preview,
      html("label", {}, "Rows are named by ", names),
      html("label", {}, "Rows of the same subject have the same ", subjects),
    );
    roles.watch(() => preview.replaceChildren(...this.#preview(roles.the("label"))));
  }

  focus(): void {
    this.el.querySelector<HTMLElement>("select, input")?.focus();
  }

  #preview(name: string | null): (Node | string)[] {
    const column = this.#columns.find((one) => one.name === name);
    if (column === undefined) {
      return ["Every method needs to know which column holds the classes."];
    }
    const { n_distinct: classes, n_missing: missing } = column;
    const shown = column.examples.slice(0, classes);
    const more = classes - shown.length;
    const isMany = classes > MOST_CLASSES || 2 * classes > column.n_rows;
    return [
      html("strong", {}, counted(classes, "class", "classes")),
      ...shown.map((words) => html("span", { class: "ls-app-chip" }, words)),
      more > 0 ? `and ${count(more)} more` : "",
      isMany ? ` in ${counted(column.n_rows, "row")}: are these classes?` : "",
      missing
        ? ` ${counted(missing, "row without one is", "rows without one are")} left out.`
        : "",
    ];
  }
}

function choice(
  columns: readonly Column[],
  roles: Roles,
  role: "label" | "id" | "group",
  none: string,
): HTMLElement {
  const field = columnField(columns, none, (name) => roles.assign(name, role));
  roles.watch(() => field.show(roles.the(role)));
  return field.el;
}
