/** A table: what its columns are for, which method, and start. */

import { html } from "../elements";
import { api, type Column, type Method, type Role, type Table } from "./api";
import { MethodChoice } from "./methods";
import { button, grid, type Page, waited } from "./page";

// More rows than this nobody reads; the others keep the role that was guessed.
const COLUMNS_SHOWN = 200;
const ROLES: Readonly<Record<Role, string>> = {
  feature: "feature",
  label: "classes",
  id: "names of rows",
  drop: "left out",
};

export class TablePage implements Page {
  readonly #el: HTMLElement;
  readonly #id: string;
  readonly #roles = new Map<string, Role>();

  constructor(el: HTMLElement, id: string) {
    this.#el = el;
    this.#id = id;
    void waited(el, async () => {
      const [table, methods] = await Promise.all([api.table(id), api.methods()]);
      this.#show(table, methods);
    });
  }

  destroy(): void {}

  #show(table: Table, methods: readonly Method[]): void {
    const choice = new MethodChoice(methods);
    for (const column of table.columns) {
      this.#roles.set(column.name, column.role);
    }
    const shape = `${table.n_rows.toLocaleString()} rows, ${table.n_columns.toLocaleString()} columns`;
    const start = button("Start", () => this.#start(choice), {
      class: "ls-app-button ls-app-start",
    });
    this.#el.replaceChildren(
      html("h1", {}, table.name),
      html("p", { class: "ls-app-shape" }, shape),
      html("h2", {}, "Columns"),
      table.embedded ? html("p", {}, "The classes come with this data set.") : "",
      html("div", { class: "ls-app-columns" }, this.#columns(table.columns)),
      hidden(table.columns.length),
      html("h2", {}, "Method"),
      choice.el,
      start,
    );
  }

  #columns(columns: readonly Column[]): HTMLElement {
    const shown = columns.slice(0, COLUMNS_SHOWN);
    const selects = new Map(
      shown.map((column) => [column.name, this.#roleOf(column, () => show())]),
    );
    const show = () => {
      for (const [name, select] of selects) {
        select.value = this.#roles.get(name) ?? "feature";
      }
    };
    show();
    const rows = shown.map((column) => [
      html("span", { class: "ls-app-column" }, column.name),
      column.kind,
      column.n_missing ? column.n_missing.toLocaleString() : "none",
      column.n_distinct.toLocaleString(),
      html("span", { class: "ls-app-examples" }, column.examples.join(", ")),
      selects.get(column.name) ?? null,
    ]);
    return grid(
      "What each column holds, and what it is used for",
      ["Column", "Kind", "Missing", "Different", "Examples", "Used for"],
      rows,
    );
  }

  #roleOf(column: Column, changed: () => void): HTMLSelectElement {
    const select: HTMLSelectElement = html(
      "select",
      {
        "aria-label": `What ${column.name} is used for`,
        onchange: () => {
          this.#assign(column.name, select.value as Role);
          changed();
        },
      },
      ...Object.entries(ROLES).map(([role, words]) =>
        html("option", { value: role }, words),
      ),
    );
    return select;
  }

  /** Give a column a role; there is one label and one column of names at most. */
  #assign(name: string, role: Role): void {
    if (role === "label" || role === "id") {
      const other = this.#named(role);
      if (other !== null) {
        this.#roles.set(other, "feature");
      }
    }
    this.#roles.set(name, role);
  }

  #named(role: Role): string | null {
    for (const [name, its] of this.#roles) {
      if (its === role) {
        return name;
      }
    }
    return null;
  }

  async #start(choice: MethodChoice): Promise<void> {
    const dropped = [...this.#roles].filter(([, role]) => role === "drop");
    const run = await api.start({
      table: this.#id,
      label: this.#named("label"),
      id_column: this.#named("id"),
      drop: dropped.map(([name]) => name),
      ...(await choice.order()),
    });
    location.hash = `#/run/${run.id}`;
  }
}

function hidden(count: number): HTMLElement | string {
  return count > COLUMNS_SHOWN
    ? html(
        "p",
        {},
        `${(count - COLUMNS_SHOWN).toLocaleString()} more columns are used as guessed.`,
      )
    : "";
}
