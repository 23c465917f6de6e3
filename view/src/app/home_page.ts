/** The first page: load a table, or open an earlier run. */

import { count } from "../format";
import { html, renew } from "../ui/elements";
import { lightList, lightsOf } from "../ui/lights";
import { api, type Dataset, type Run, type Table } from "./api";
import { HOME } from "./messages";
import {
  accuracyWords,
  actionButton,
  cut,
  goOn,
  grid,
  moment,
  type Page,
  timeWords,
  waited,
} from "./page_parts";
import { dropZone } from "./table/reading";

// Interval in milliseconds: running fits change the list.
const REFRESH = 2000;

export class HomePage implements Page {
  readonly #sets = html("div.ls-app-sets");
  readonly #runs = new RunList(() => this.#refresh());
  readonly #tables = html("section.ls-app-tables");
  readonly #timer: number;
  #shown = "";

  constructor(el: HTMLElement) {
    const open = (table: string) => goOn(el, `#/table/${table}`);
    el.append(
      html("h1", HOME.title),
      html(
        "div.ls-app-load",
        html("div", dropZone(open)),
        html("section", html("h2", HOME.examples), this.#sets),
      ),
      this.#runs.el,
      this.#tables,
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
        const size = HOME.size(set.n_rows, set.n_features, set.n_classes);
        one.title = `${set.description} ${size}.`;
        one.append(html("small", set.description));
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
      showTables(this.#tables, tables, () => this.#refresh());
    }
  }
}

// The list of runs: open, compare, cancel, delete.

export class RunList {
  readonly el = html("section.ls-app-runs");
  readonly #ticked = new Set<string>();

  /** `changed` is called when a run was canceled or deleted here. */
  constructor(private readonly changed: () => Promise<void>) {}

  show(runs: readonly Run[]): void {
    const title = html("h2", { tabindex: -1 }, "Runs");
    if (runs.length === 0) {
      renew(this.el, [title, html("p.ls-app-quiet", HOME.noRuns)]);
      return;
    }
    const open = () => {
      location.hash = `#/compare/${[...this.#ticked].join(",")}`;
    };
    const compare = actionButton("Compare", open, { key: "compare" });
    const hint = html("span.ls-app-quiet", { role: "status" });
    const tick = () => {
      const count = this.#ticked.size;
      compare.disabled = count < 2;
      hint.textContent = count < 2 ? HOME.tick : HOME.ticked(count);
    };
    for (const id of this.#ticked) {
      if (!runs.some((run) => run.id === id)) {
        this.#ticked.delete(id);
      }
    }
    tick();
    const names = ["", "Run", "Table", "Method", HOME.accuracy, "State", "Started", ""];
    const rows = runs.map((run) => [
      run.state === "finished" && !isPlaced(run) ? this.#tickBox(run, tick) : null,
      html("div", linkTo("run", run.id, run.name), about(run)),
      cut(run.table_name),
      cut(run.method_title),
      right(run),
      state(run),
      html("span.ls-app-moment", moment(run.created)),
      this.#end(run),
    ]);
    const list = grid(HOME.runs, names, rows);
    renew(this.el, [
      html("div.ls-app-title", title, hint, compare),
      html("div.ls-app-scroll", list),
    ]);
  }

  #tickBox(run: Run, tick: () => void): HTMLInputElement {
    const box = html("input", {
      type: "checkbox",
      "aria-label": HOME.compare(run.name),
      "data-key": `tick ${run.id}`,
      onchange: () => {
        if (!this.#ticked.delete(run.id)) {
          this.#ticked.add(run.id);
        }
        tick();
      },
    });
    box.checked = this.#ticked.has(run.id);
    return box;
  }

  #end(run: Run): HTMLElement {
    const isLive = run.state === "queued" || run.state === "running";
    const words = isLive ? "Cancel" : "Delete";
    const act = async () => {
      if (isLive) {
        await api.cancel(run.id);
      } else if (window.confirm(HOME.deleteRun(run.name))) {
        await api.remove(run.id);
      }
      await this.changed();
    };
    return actionButton(words, act, {
      key: `end ${run.id}`,
      "aria-label": `${words} ${run.name}`,
    });
  }
}

function linkTo(page: "run" | "table", id: string, name: string): HTMLElement {
  const attributes = { href: `#/${page}/${id}`, title: name, class: "ls-app-cut" };
  return html("a", { ...attributes, "data-key": `open ${id}` }, name);
}

/** Whether a run placed new rows on a map; such runs cannot be compared. */
function isPlaced({ settings }: Run): boolean {
  return settings.placed_on !== null;
}

function about(run: Run): HTMLElement | null {
  if (run.state === "finished" && isPlaced(run)) {
    return cut(run.result.summary);
  }
  if (run.state === "finished") {
    return lightList(lightsOf(run.result));
  }
  return run.words ? cut(run.words, { "data-state": run.state }) : null;
}

/** The accuracy on held-out rows, if it was measured. */
function right(run: Run): HTMLElement {
  const words = run.state === "finished" && !isPlaced(run) ? accuracyWords(run) : "";
  return html("span.ls-app-figure", { title: HOME.accuracyTitle }, words);
}

function state(run: Run): HTMLElement {
  const time = timeWords(run);
  const took = time && HOME.took(run.state === "finished", time);
  const attributes = { class: "ls-app-state", "data-state": run.state };
  return html("span", attributes, run.state, html("small", took));
}

/** List the loaded tables; `changed` is called when one of them was deleted. */
function showTables(
  el: HTMLElement,
  tables: readonly Table[],
  changed: () => Promise<void>,
): void {
  const rows = tables.map(({ id, name, n_rows, n_columns, created }) => {
    const remove = async () => {
      if (window.confirm(HOME.deleteTable(name))) {
        await api.removeTable(id);
        await changed();
      }
    };
    return [
      linkTo("table", id, name),
      count(n_rows),
      count(n_columns),
      html("span.ls-app-moment", moment(created)),
      actionButton("Delete", remove, {
        "aria-label": `Delete ${name}`,
        key: `delete ${id}`,
      }),
    ];
  });
  const names = ["Table", "Rows", "Columns", "Loaded", ""];
  const list = grid(HOME.tables, names, rows);
  const title = html("h2", { tabindex: -1 }, "Tables");
  const shown = [title, html("div.ls-app-scroll", list)];
  renew(el, tables.length > 0 ? shown : []);
}
