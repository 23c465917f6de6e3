/** The columns of a table: content and use of each, and the column of the classes. */

import { count } from "../../format";
import { oneLine } from "../../scene/names";
import { type Child, html, select } from "../../ui/elements";
import type { Column, Role, Table } from "../api";
import { COLUMNS } from "../messages";
import { complain, cut, grid } from "../page_parts";
import type { Roles } from "./roles";

// At most this many rows are shown; other columns are found by name.
const SHOWN = 200;
/** `hasFolder`: the folder of the file may also contain pictures. */
export function columnList(
  columns: readonly Column[],
  roles: Roles,
  hasFolder: boolean,
): HTMLElement {
  const list = html("div.ls-app-scroll.ls-app-columns", {
    tabindex: 0,
    role: "group",
    "aria-label": "Columns",
  });
  const rest = html("p.ls-app-quiet", { role: "status" });
  const search = html("input", {
    type: "search",
    class: "ls-app-find",
    placeholder: COLUMNS.find,
    "aria-label": COLUMNS.find,
    hidden: columns.length <= SHOWN,
    oninput: () => fill(),
  });
  let shown: { readonly column: Column; readonly el: HTMLSelectElement }[] = [];
  const show = () => {
    for (const { column, el } of shown) {
      el.value = roles.of(column.name);
      el.dataset.role = el.value;
    }
  };
  const fill = () => {
    const matching = columnsCalled(columns, search.value);
    shown = matching
      .slice(0, SHOWN)
      .map((column) => ({ column, el: roleField(column, roles, hasFolder) }));
    list.replaceChildren(
      grid(
        COLUMNS.caption,
        COLUMNS.heads,
        shown.map(({ column, el }) => rowOf(column, el)),
      ),
    );
    const more = matching.length - SHOWN;
    const moreWords = more > 0 ? COLUMNS.more(more, search.value !== "") : "";
    rest.textContent = matching.length > 0 ? moreWords : COLUMNS.noName;
    show();
  };
  fill();
  roles.watch(show);
  return html("div", search, list, rest);
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

function missing({ n_missing }: Column): HTMLElement {
  const attributes = n_missing ? {} : { class: "ls-app-quiet" };
  return html("span", attributes, n_missing ? count(n_missing) : "none");
}

function roleField({ name }: Column, roles: Roles, hasFolder: boolean) {
  return select(
    Object.entries(COLUMNS.roles).filter(([role]) => role !== "image" || hasFolder),
    (role) => roles.assign(name, role as Role),
    { "aria-label": COLUMNS.use(name) },
  );
}

// A field to choose a column: a list, or a text field if there are many columns.

/** Browsers take half a minute to open a list of many thousands of entries. */
const MOST_LISTED = 500;
const SUGGESTED = 200;

interface ColumnField {
  readonly el: HTMLElement;
  /** Show the chosen column; null means no column. */
  show(name: string | null): void;
}

/** `choose` is called with the name of a column or null; `none` is the text for null. */
export function columnField(
  columns: readonly Column[],
  none: string,
  choose: (name: string | null) => void,
): ColumnField {
  return columns.length > MOST_LISTED
    ? typedField(columns, none, choose)
    : listField(columns, none, choose);
}

function listField(
  columns: readonly Column[],
  none: string,
  choose: (name: string | null) => void,
): ColumnField {
  // By number, because a column may have any name, even an empty one.
  const el = select(
    [["-1", none], ...columns.map(({ name }, i) => [String(i), name] as const)],
    (value) => choose(columns[Number(value)]?.name ?? null),
  );
  const show = (name: string | null) => {
    el.value = String(columns.findIndex((column) => column.name === name));
  };
  return { el, show };
}

function typedField(
  columns: readonly Column[],
  none: string,
  choose: (name: string | null) => void,
): ColumnField {
  const list = html("datalist", { id: `ls-app-columns-${++nFields}` });
  const suggest = () => {
    const options = columnsCalled(columns, input.value).slice(0, SUGGESTED);
    list.replaceChildren(
      ...options.map(({ name }) => html("option", { value: oneLine(name) })),
    );
  };
  let chosen = "";
  const input: HTMLInputElement = html("input", {
    type: "text",
    list: list.id,
    placeholder: none,
    autocomplete: "off",
    oninput: suggest,
    onchange: () => {
      const words = oneLine(input.value);
      const column = columns.find(({ name }) => oneLine(name) === words);
      const isWrong = words !== "" && column === undefined;
      complain(input, isWrong ? COLUMNS.missing(words) : "");
      if (isWrong) {
        input.value = chosen;
      } else {
        choose(column?.name ?? null);
      }
      suggest();
    },
  });
  suggest();
  const show = (name: string | null) => {
    chosen = oneLine(name ?? "");
    input.value = chosen;
  };
  return { el: html("span", input, list), show };
}

/** The columns whose names contain this text; upper and lower case are equal. */
function columnsCalled(columns: readonly Column[], words: string): readonly Column[] {
  const wanted = oneLine(words).toLowerCase();
  return wanted === ""
    ? columns
    : columns.filter(({ name }) => oneLine(name).toLowerCase().includes(wanted));
}

let nFields = 0;

// The most important choice: the column of the classes; then names and groups of rows.

// Columns with more values rarely contain classes; see `datasets/_describe.py`.
const MOST_CLASSES = 50;

export class LabelChoice {
  readonly el: HTMLElement;

  constructor({ columns }: Table, roles: Roles) {
    const label = choice(columns, roles, "label", COLUMNS.choose);
    const names = choice(columns, roles, "id", COLUMNS.numbers);
    const subjects = choice(columns, roles, "group", COLUMNS.independent);
    const preview = html("p.ls-app-preview", { role: "status" });
    this.el = html(
      "div.ls-app-label-choice",
      html("label.ls-app-main-choice", COLUMNS.classesIn, label),
      preview,
      html("label", COLUMNS.namedBy, names),
      html("label", COLUMNS.groups, subjects),
    );
    roles.watch(() => {
      const column = columns.find(({ name }) => name === roles.the("label"));
      preview.replaceChildren(...(column ? classWords(column) : [COLUMNS.needed]));
    });
  }

  focus(): void {
    this.el.querySelector<HTMLElement>("select, input")?.focus();
  }
}

function classWords(column: Column): (Node | string)[] {
  const { n_distinct: classes, n_missing: missing } = column;
  const shown = column.examples.slice(0, classes);
  const more = classes - shown.length;
  const isMany = classes > MOST_CLASSES || 2 * classes > column.n_rows;
  return [
    html("strong", COLUMNS.nClasses(classes)),
    ...shown.map((words) => html("span.ls-app-chip", words)),
    more > 0 ? COLUMNS.moreClasses(more) : "",
    isMany ? COLUMNS.areThese(column.n_rows) : "",
    missing ? COLUMNS.unlabeled(missing) : "",
  ];
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
