/** All rows as a table: sorted by a click on a column, those that are chosen alone. */

import type { Context, Panel } from "../../context";
import { type Column, pointColumns } from "../../save/csv";
import {
  marked,
  type Order,
  orderBy,
  reversed,
  type Sorting,
} from "../../scene/rows/row_order";
import { count, counted } from "../../scene/words/format";
import type { State } from "../../state";
import { html } from "../../ui/elements";
import { renew } from "../../ui/renew";
import { choice, show } from "../parts";
import { Histograms } from "./histograms";
import { RowGrid } from "./row_grid";

type Which = "all" | "chosen";

export class TablePanel implements Panel {
  readonly #el: HTMLElement;
  readonly #context: Context;
  readonly #top = html("div", { class: "ls-table-top" });
  readonly #orders = new Map<number, Order>();
  readonly #observer: ResizeObserver;
  #grid: RowGrid | null = null;
  #histograms: Histograms | null = null;
  #columns: readonly Column[] = [];
  /** Chosen rows stand alone, if there are any. */
  #which: Which = "chosen";
  #sorting: Sorting | null = null;
  #sorted: Uint32Array | null = null;
  #isStale = true;

  constructor(el: HTMLElement, context: Context) {
    this.#el = el;
    this.#context = context;
    this.#observer = new ResizeObserver(() => {
      if (!el.hidden) {
        this.#grid?.draw();
      }
    });
    this.#observer.observe(el);
    this.#draw(context.store.state);
  }

  update(state: State, before: State): void {
    this.#isStale ||= state.selection !== before.selection;
    this.#draw(state);
  }

  destroy(): void {
    this.#observer.disconnect();
    this.#grid?.destroy();
  }

  /** Draw what has changed, as soon as somebody looks. */
  #draw(state: State): void {
    if (!this.#isStale || this.#el.hidden || state.tab !== "table") {
      return;
    }
    this.#isStale = false;
    const grid = this.#made();
    const { n_points: n } = this.#context.scene;
    const { selection } = state;
    const chosen = new Uint8Array(n);
    for (const point of selection) {
      chosen[point] = 1;
    }
    this.#sorted ??= this.#order(n);
    this.#histograms?.update(state);
    const canChoose = selection.length > 0 || this.#histograms?.isFiltering === true;
    const which = canChoose ? this.#which : "all";
    const points = which === "all" ? this.#sorted : marked(this.#sorted, chosen);
    renew(this.#top, this.#controls(points.length, which));
    grid.show({ points, chosen, sorting: this.#sorting });
  }

  #made(): RowGrid {
    if (this.#grid) {
      return this.#grid;
    }
    const { store } = this.#context;
    this.#columns = pointColumns(this.#context.scene);
    this.#histograms = new Histograms(this.#context);
    this.#grid = new RowGrid("All rows", this.#columns, {
      open: (point) => show(this.#context, point),
      choose: (point) => this.#toggle(point),
      hover: (hover) => store.set({ hover }),
      sort: (column) => this.#sort(column),
    });
    this.#el.append(
      html(
        "div",
        { class: "ls-table-page" },
        this.#top,
        this.#histograms.el,
        this.#grid.el,
      ),
    );
    return this.#grid;
  }

  #controls(shown: number, which: Which): HTMLElement[] {
    const { n_points: n } = this.#context.scene;
    const options = [
      ["all", "All rows"],
      ["chosen", "Chosen rows"],
    ] as const;
    const words =
      shown < n ? `${count(shown)} of ${counted(n, "row")}` : counted(n, "row");
    const pick = choice("Rows", options, which, (wanted) => {
      this.#which = wanted;
      this.#again();
    });
    return [html("p", { class: "ls-note", role: "status" }, words), pick];
  }

  #toggle(point: number): void {
    const { store } = this.#context;
    const { selection } = store.state;
    const rest = selection.filter((other) => other !== point);
    const more = new Uint32Array(selection.length + 1);
    more.set(selection);
    more[selection.length] = point;
    if (selection.length === 0) {
      // Who chooses rows here wants to go on: the others stay in sight.
      this.#which = "all";
    }
    const isNew = rest.length === selection.length;
    store.set({ selection: isNew ? more.sort() : rest });
  }

  /** From low to high, then from high to low, then as they were. */
  #sort(column: number): void {
    const isSame = this.#sorting?.column === column;
    this.#sorting = isSame && this.#sorting?.down ? null : { column, down: isSame };
    this.#sorted = null;
    this.#again();
  }

  #order(n: number): Uint32Array {
    if (this.#sorting === null) {
      return Uint32Array.from({ length: n }, (_, i) => i);
    }
    const { column, down } = this.#sorting;
    const order = this.#orders.get(column) ?? orderBy(n, this.#columns[column].key);
    this.#orders.set(column, order);
    return down ? reversed(order) : order.points;
  }

  #again(): void {
    this.#isStale = true;
    this.#draw(this.#context.store.state);
  }
}
