/** The columns of a table: what each holds, and what it is used for. */

import { count, counted } from "../../scene/words/format";
import { type Child, html } from "../../ui/elements";
import type { Column, Role } from "../api";
import { cut, grid } from "../page_parts";
import { columnsCalled } from "./column_field";
import type { Roles } from "./roles";

// More rows than this nobody reads; others are found by their names.
const SHOWN = 200;
const ROLES: Readonly<Record<Role, string>> = {
  feature: "feature",
  label: "classes",
  id: "names of rows",
  group: "same subject",
  show: "shown only",
  text: "text of the row",
  image: "picture file",
  drop: "left out",
};

/** `hasFolder`: pictures may lie beside the file, in a folder of this machine. */
export function columnList(
  columns: readonly Column[],
  roles: Roles,
  hasFolder: boolean,
): HTMLElement {
  const list = html("div", {
    class: "ls-app-scroll ls-app-columns",
    tabindex: 0,
    role: "group",
    "aria-label": "Columns",
  });
  const rest = html("p", { class: "ls-app-quiet", role: "status" });
  const search = html("input", {
    type: "search",
    class: "ls-app-find",
    placeholder: "Find a column",
    "aria-label": "Find a column",
    hidden: columns.length <= SHOWN,
    oninput: () => fill(),
  });
  let shown: RoleField[] = [];
  const fill = () => {
    const found = columnsCalled(columns, search.value);
    shown = found
      .slice(0, SHOWN)
      .map((column) => new RoleField(column, roles, hasFolder));
    list.replaceChildren(
      grid(
        "What each column holds, and what it is used for",
        ["Column", "Kind", "Missing", "Different", "Examples", "Used for"],
        shown.map(({ column, el }) => rowOf(column, el)),
      ),
    );
    rest.textContent = restInWords(found.length, search.value);
  };
  fill();
  roles.watch(() => {
    for (const field of shown) {
      field.show();
    }
  });
  return html("div", {}, search, list, rest);
}

function rowOf(column: Column, role: HTMLElement): Child[] {
  return [
    cut(column.name),
    column.remark ? `${column.kind}, ${column.remark}` : column.kind,
    missing(column),
    count(column.n_distinct),
    cut(column.examples.join(", ")),
    role,
  ];
}

function restInWords(found: number, search: string): string {
  if (found === 0) {
    return "No column has that name.";
  }
  const more = found - SHOWN;
  if (more <= 0) {
    return "";
  }
  const end = search
    ? "called so."
    : "used as guessed, unless you find one and say else.";
  return `${counted(more, "more column is", "more columns are")} ${end}`;
}

function missing({ n_missing }: Column): HTMLElement {
  const attributes = n_missing ? {} : { class: "ls-app-quiet" };
  return html("span", attributes, n_missing ? count(n_missing) : "none");
}

class RoleField {
  readonly column: Column;
  readonly el: HTMLSelectElement;
  readonly #roles: Roles;

  constructor(column: Column, roles: Roles, hasFolder: boolean) {
    this.column = column;
    this.#roles = roles;
    this.el = html(
      "select",
      {
        "aria-label": `What ${column.name} is used for`,
        onchange: () => roles.assign(column.name, this.el.value as Role),
      },
      ...Object.entries(ROLES)
        .filter(([role]) => role !== "image" || hasFolder)
        .map(([role, words]) => html("option", { value: role }, words)),
    );
    this.show();
  }

  show(): void {
    this.el.value = this.#roles.of(this.column.name);
    this.el.dataset.role = this.el.value;
  }
}
