/** The most important choice: where the classes are. And what the rows are called. */

import { html } from "../elements";
import { count, counted } from "../format";
import type { Column, Table } from "./api";
import type { Roles } from "./roles";

// More values than this are hardly classes; see `datasets/_describe.py`.
const MOST_CLASSES = 50;

export class LabelChoice {
  readonly el: HTMLElement;
  readonly #columns: readonly Column[];
  readonly #select: HTMLSelectElement;

  constructor({ columns }: Table, roles: Roles) {
    this.#columns = columns;
    this.#select = choice(columns, roles, "label", "choose a column …");
    const names = choice(columns, roles, "id", "their number");
    const preview = html("p", { class: "ls-app-preview", role: "status" });
    this.el = html(
      "div",
      { class: "ls-app-label-choice" },
      html("label", { class: "ls-app-main-choice" }, "Classes are in ", this.#select),
      preview,
      html("label", {}, "Rows are named by ", names),
    );
    roles.watch(() => preview.replaceChildren(...this.#preview(roles.the("label"))));
  }

  focus(): void {
    this.#select.focus();
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
      missing ? ` ${counted(missing, "row")} without one.` : "",
    ];
  }
}

function choice(
  columns: readonly Column[],
  roles: Roles,
  role: "label" | "id",
  none: string,
): HTMLSelectElement {
  // By number: a column may be called anything, also nothing.
  const select: HTMLSelectElement = html(
    "select",
    {
      onchange: () => roles.assign(columns[Number(select.value)]?.name ?? null, role),
    },
    html("option", { value: -1 }, none),
    ...columns.map(({ name }, i) => html("option", { value: i }, name)),
  );
  roles.watch(() => {
    const name = roles.the(role);
    select.value = String(columns.findIndex((column) => column.name === name));
  });
  return select;
}
