/** The first page: load a table, or come back to a run. */

import { counted } from "../../scene/words/format";
import { html } from "../../ui/elements";
import { api, type Dataset } from "../api";
import { actionButton, goOn, type Page, waited } from "../page_parts";
import { dropZone } from "./drop_zone";
import { RunList } from "./run_list";
import { TableList } from "./table_list";

// Running fits change the list without anybody touching the page.
const REFRESH = 2000;

export class HomePage implements Page {
  readonly #sets = html("div", { class: "ls-app-sets" });
  readonly #runs = new RunList(() => this.#refresh());
  readonly #tables = new TableList(() => this.#refresh());
  readonly #timer: number;
  #shown = "";

  constructor(el: HTMLElement) {
    const open = (table: string) => goOn(el, `#/table/${table}`);
    el.append(
      html("h1", {}, "A map of your data"),
      html(
        "div",
        { class: "ls-app-load" },
        html("div", {}, dropZone(open)),
        html("section", {}, html("h2", {}, "Or one of these"), this.#sets),
      ),
      this.#runs.el,
      this.#tables.el,
    );
    void waited(this.#sets, async () => this.#showSets(await api.datasets(), open));
    const refresh = () => void waited(this.#runs.el, () => this.#refresh());
    refresh();
    this.#timer = window.setInterval(refresh, REFRESH);
  }

  destroy(): void {
    window.clearInterval(this.#timer);
  }

  #showSets(sets: readonly Dataset[], open: (table: string) => void): void {
    this.#sets.replaceChildren(
      ...sets.map((set) => {
        const take = async () => open((await api.embed(set.name)).id);
        const one = actionButton(set.name, take, { class: "ls-app-set" });
        const size = [
          counted(set.rows, "row"),
          counted(set.features, "feature"),
          counted(set.classes, "class", "classes"),
        ].join(", ");
        one.title = `${set.description} ${size}.`;
        one.append(html("small", {}, set.description));
        return one;
      }),
    );
  }

  async #refresh(): Promise<void> {
    const [runs, tables] = await Promise.all([api.runs(), api.tables()]);
    const now = JSON.stringify([runs, tables]);
    if (now !== this.#shown) {
      this.#shown = now;
      this.#runs.show(runs);
      this.#tables.show(tables);
    }
  }
}
