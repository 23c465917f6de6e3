/** The columns of a table: what each holds, and what it is used for. */

import { html } from "../elements";
import { count, counted } from "../format";
import type { Column, Role } from "./api";
import { cut, grid } from "./page";
import type { Roles } from "./roles";

// More rows than this nobody reads; the others keep the role that was guessed.
const SHOWN = 200;
const ROLES: Readonly<Record<Role, string>> = {
  feature: "feature",
  label: "classes",
  id: "names of rows",
  drop: "left out",
};

export function columnList(columns: readonly Column[], roles: Roles): HTMLElement {
  const rows = columns
    .slice(0, SHOWN)
    .map((column) => [
      cut(column.name),
      column.kind,
      missing(column),
      count(column.n_distinct),
      cut(column.examples.join(", ")),
      roleOf(column, roles),
    ]);
  const list = grid(
    "What each column holds, and what it is used for",
    ["Column", "Kind", "Missing", "Different", "Examples", "Used for"],
    rows,
  );
  const rest = columns.length - SHOWN;
  const words = `${counted(rest, "more column is", "more columns are")} used as guessed.`;
  return html(
    "div",
    {},
    html(
      "div",
      {
        class: "ls-app-scroll ls-app-columns",
        tabindex: 0,
        role: "group",
        "aria-label": "Columns",
      },
      list,
    ),
    rest > 0 ? html("p", { class: "ls-app-quiet" }, words) : null,
  );
}

function missing({ n_missing }: Column): HTMLElement {
  const attributes = n_missing ? {} : { class: "ls-app-quiet" };
  return html("span", attributes, n_missing ? count(n_missing) : "none");
}

function roleOf(column: Column, roles: Roles): HTMLSelectElement {
  const select: HTMLSelectElement = html(
    "select",
    {
      "aria-label": `What ${column.name} is used for`,
      onchange: () => roles.assign(column.name, select.value as Role),
    },
    ...Object.entries(ROLES).map(([role, words]) =>
      html("option", { value: role }, words),
    ),
  );
  roles.watch(() => {
    select.value = roles.of(column.name);
    select.dataset.role = select.value;
  });
  return select;
}
