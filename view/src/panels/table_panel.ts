/** All rows as a table with histograms; the rows can be sorted and filtered. */

import { histogram } from "../charts/histogram";
import type { Context, Panel } from "../context";
import { type Column, pointColumns } from "../files/csv";
import { NAMES, TABLE } from "../messages";
import { type Bins, binCounts, binnedColumns, inBins } from "../scene/bins";
import { maskOf } from "../scene/scene";
import { choose, type State, show } from "../state";
import { button, html, renew } from "../ui/elements";
import { Menu } from "../ui/menu";
import { choice } from "./parts";
import {
  marked,
  type Order,
  orderBy,
  RowGrid,
  reversed,
  type Sorting,
} from "./row_grid";

type Which = "all" | "chosen";

export class TablePanel implements Panel {
  readonly #top = html("div.ls-table-top");
  readonly #orders = new Map<number, Order>();
  readonly #observer: ResizeObserver;
  #grid: RowGrid | null = null;
  #histograms: Histograms | null = null;
  #columns: readonly Column[] = [];
  /** Only selected rows are shown, if there are any. */
  #which: Which = "chosen";
  #sorting: Sorting | null = null;
  #sorted: Uint32Array | null = null;
  #isStale = true;

  constructor(
    private readonly el: HTMLElement,
    private readonly context: Context,
  ) {
    this.#observer = new ResizeObserver(() => {
      if (!el.hidden) {
        this.#grid?.draw();
      }
    });
    this.#observer.observe(el);
    context.store.watch(["selection"], () => this.#again());
    context.store.watch(["tab"], (state) => this.#draw(state));
  }

  destroy(): void {
    this.#observer.disconnect();
    this.#grid?.destroy();
  }

  /** Draw the changed parts, as soon as they are visible. */
  #draw(state: State): void {
    if (!this.#isStale || this.el.hidden || state.tab !== "table") {
      return;
    }
    this.#isStale = false;
    const grid = this.#gridOnce();
    const { n_points: n } = this.context.scene;
    const { selection } = state;
    const chosen = maskOf(selection, n);
    this.#sorted ??= this.#order(n);
    this.#histograms?.update(state);
    const canChoose = selection.length > 0 || this.#histograms?.isFiltering === true;
    const which = canChoose ? this.#which : "all";
    const points = which === "all" ? this.#sorted : marked(this.#sorted, chosen);
    renew(this.#top, this.#controls(points.length, which));
    grid.show({ points, chosen, sorting: this.#sorting });
  }

  #gridOnce(): RowGrid {
    if (this.#grid) {
      return this.#grid;
    }
    const { store } = this.context;
    this.#columns = pointColumns(this.context.scene);
    this.#histograms = new Histograms(this.context);
    this.#grid = new RowGrid(TABLE.label, this.#columns, {
      open: (point) => show(this.context, point),
      choose: (point) => this.#toggle(point),
      hover: (hover) => store.set({ hover }),
      sort: (column) => this.#sort(column),
    });
    this.el.append(
      html("div.ls-table-page", this.#top, this.#histograms.el, this.#grid.el),
    );
    return this.#grid;
  }

  #controls(shown: number, which: Which): HTMLElement[] {
    const { n_points: n } = this.context.scene;
    const options = [
      ["all", TABLE.label],
      ["chosen", TABLE.selected],
    ] as const;
    const pick = choice("Rows", options, which, (wanted) => {
      this.#which = wanted;
      this.#again();
    });
    return [html("p.ls-note", { role: "status" }, TABLE.rows(shown, n)), pick];
  }

  #toggle(point: number): void {
    const { store } = this.context;
    const { selection } = store.state;
    const rest = selection.filter((other) => other !== point);
    const more = new Uint32Array(selection.length + 1);
    more.set(selection);
    more[selection.length] = point;
    if (selection.length === 0) {
      // The user may select more rows here, so the other rows remain visible.
      this.#which = "all";
    }
    const isNew = rest.length === selection.length;
    choose(store, isNew ? more.sort() : rest);
  }

  /** Sort ascending, then descending, then in the original order. */
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
    this.#draw(this.context.store.state);
  }
}

// Histograms of columns, linked: a selection in one histogram changes all histograms.

const WIDTH = 164;
const ADD = { value: "", words: TABLE.addColumn };

interface Shown {
  readonly bins: Bins;
  readonly all: Uint32Array;
  readonly chosen: ReadonlySet<number>;
}

class Histograms {
  readonly el: HTMLElement;
  readonly #menu: Menu;
  readonly #charts = html("div.ls-histograms");
  readonly #none = html("p.ls-note", { role: "status", hidden: true }, TABLE.noRow);
  #shown: readonly Shown[] = [];
  /** The selection made here; other selections were made elsewhere. */
  #own: Uint32Array | null = null;

  constructor(private readonly context: Context) {
    const columns = binnedColumns(context.scene);
    this.#menu = new Menu("Histograms", (value) => {
      const column = columns[Number(value)];
      if (value !== "" && column) {
        this.#add(column.bins());
      }
    });
    const choices = columns.map(({ name }, k) => ({ value: String(k), words: name }));
    this.#menu.update([ADD, ...choices], "");
    this.el = html(
      "div",
      { hidden: columns.length === 0 },
      this.#menu.el,
      this.#charts,
      this.#none,
    );
  }

  /** Whether bars are selected, even if no row is in all of them. */
  get isFiltering(): boolean {
    return this.#shown.some(({ chosen }) => chosen.size > 0);
  }

  /** Follow the selection; a selection made elsewhere clears the selected bars. */
  update({ selection }: State): void {
    if (this.#own !== null && selection !== this.#own) {
      this.#own = null;
      this.#shown = this.#shown.map((one) => ({ ...one, chosen: new Set() }));
    }
    this.#none.hidden = !this.isFiltering || selection.length > 0;
    renew(
      this.#charts,
      this.#shown.map((one) => this.#chart(one, selection)),
    );
  }

  #add(bins: Bins): void {
    if (this.#shown.every(({ bins: { name } }) => name !== bins.name)) {
      const all = binCounts(bins, null).slice();
      this.#shown = [...this.#shown, { bins, all, chosen: new Set() }];
    }
    this.update(this.context.store.state);
  }

  #chart({ bins, all, chosen }: Shown, selection: Uint32Array): HTMLElement {
    const { name, words } = bins;
    const shown = all.reduce((sum, one) => sum + one, 0);
    const missing = bins.codes.length - shown;
    const counts = {
      all,
      chosen:
        this.isFiltering || selection.length > 0 ? binCounts(bins, selection) : null,
    };
    const remove = () => {
      this.#shown = this.#shown.filter(({ bins: other }) => other !== bins);
      this.#choose(chosen.size > 0);
    };
    return html(
      "figure.ls-histogram-box",
      { "data-column": name },
      html(
        "figcaption",
        html("strong", { dir: "auto", title: name }, name),
        button("×", remove, {
          class: "ls-close",
          key: `remove:${name}`,
          "aria-label": TABLE.removeOf(name),
          title: TABLE.remove,
        }),
      ),
      histogram(bins, counts, chosen, WIDTH, (first, last) =>
        this.#press(bins, first, last),
      ),
      html(
        "p.ls-note",
        [
          chosen.size > 0 ? rangeWords(bins, chosen) : "",
          missing > 0 ? TABLE.missing(missing) : "",
        ]
          .filter(Boolean)
          .join("; ") || (words.length > 0 ? "" : TABLE.noValues),
      ),
    );
  }

  /** A click on a bar selects or deselects it; dragging selects all bars on the way. */
  #press(bins: Bins, first: number, last: number): void {
    this.#shown = this.#shown.map((one) => {
      if (one.bins !== bins) {
        return one;
      }
      const chosen = new Set(first < last ? [] : one.chosen);
      for (let k = first; k <= last; k++) {
        if (!chosen.delete(k)) {
          chosen.add(k);
        }
      }
      return { ...one, chosen };
    });
    this.#choose(true);
  }

  /** Select the points that are in all selected bins. */
  #choose(hasChanged: boolean): void {
    const { scene, store } = this.context;
    const wanted = this.#shown.filter(({ chosen }) => chosen.size > 0);
    if (!hasChanged) {
      this.update(store.state);
      return;
    }
    this.#own = wanted.length > 0 ? inBins(scene.n_points, wanted) : new Uint32Array();
    choose(store, this.#own);
  }
}

/** The selected part of a column: a range of numbers, or categories. */
function rangeWords({ words, ends }: Bins, chosen: ReadonlySet<number>): string {
  const sorted = [...chosen].sort((a, b) => a - b);
  const [first, last] = [sorted[0], sorted[sorted.length - 1]];
  const isRange = ends !== null && last - first === sorted.length - 1;
  if (!isRange || first === last) {
    return sorted.map((k) => words[k]).join(", ");
  }
  return NAMES.range(
    words[first].split(" to ")[0],
    words[last].split(" to ").at(-1) ?? "",
  );
}
