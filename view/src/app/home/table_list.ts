/** The tables that were loaded before. */

import { count } from "../../scene/words/format";
import { html } from "../../ui/elements";
import { renew } from "../../ui/renew";
import { api, type Table } from "../api";
import { actionButton, grid, moment } from "../page_parts";

export class TableList {
  readonly el = html("section", { class: "ls-app-tables" });
  readonly #changed: () => Promise<void>;

  /** `changed` is called when a table was deleted here. */
  constructor(changed: () => Promise<void>) {
    this.#changed = changed;
  }

  show(tables: readonly Table[]): void {
    if (tables.length === 0) {
      this.el.replaceChildren();
      return;
    }
    const rows = tables.map((table) => [
      html(
        "a",
        {
          href: `#/table/${table.id}`,
          title: table.name,
          class: "ls-app-cut",
          "data-key": `open ${table.id}`,
        },
        table.name,
      ),
      count(table.n_rows),
      count(table.n_columns),
      html("span", { class: "ls-app-moment" }, moment(table.created)),
      this.#delete(table),
    ]);
    const names = ["Table", "Rows", "Columns", "Loaded", ""];
    renew(this.el, [
      html("h2", { tabindex: -1 }, "Tables"),
      html(
        "div",
        { class: "ls-app-scroll" },
        grid("Tables of this workspace, the newest first", names, rows),
      ),
    ]);
  }

  #delete(table: Table): HTMLElement {
    const act = async () => {
      if (window.confirm(`Delete the table "${table.name}"?`)) {
        await api.removeTable(table.id);
        await this.#changed();
      }
    };
    return actionButton("Delete", act, {
      "aria-label": `Delete ${table.name}`,
      key: `delete ${table.id}`,
    });
  }
}
