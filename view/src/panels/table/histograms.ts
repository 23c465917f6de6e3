/** Histograms of columns, linked: what is chosen in them is chosen everywhere. */

import { histogram } from "../../charts/histogram";
import type { Context } from "../../context";
import { type Bins, binCounts, binnedColumns, inBins } from "../../scene/rows/bins";
import { counted } from "../../scene/words/format";
import type { State } from "../../state";
import { button } from "../../ui/button";
import { html } from "../../ui/elements";
import { Menu } from "../../ui/menu";
import { renew } from "../../ui/renew";

const WIDTH = 164;
const ADD = { value: "", words: "Add a column" };

interface Shown {
  readonly bins: Bins;
  readonly all: Uint32Array;
  readonly chosen: ReadonlySet<number>;
}

export class Histograms {
  readonly el: HTMLElement;
  readonly #context: Context;
  readonly #menu: Menu;
  readonly #charts = html("div", { class: "ls-histograms" });
  readonly #none = html(
    "p",
    { class: "ls-note", role: "status", hidden: true },
    "No row is in all of these bars.",
  );
  #shown: readonly Shown[] = [];
  /** What was chosen here; anything else was chosen elsewhere. */
  #own: Uint32Array | null = null;

  constructor(context: Context) {
    const columns = binnedColumns(context.scene);
    this.#context = context;
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

  /** Whether bars are chosen, even if no row is in all of them. */
  get isFiltering(): boolean {
    return this.#shown.some(({ chosen }) => chosen.size > 0);
  }

  /** Follow the selection; one that was made elsewhere takes back what was chosen here. */
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
    this.update(this.#context.store.state);
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
      "figure",
      { class: "ls-histogram-box", "data-column": name },
      html(
        "figcaption",
        {},
        html("strong", { dir: "auto", title: name }, name),
        button("×", remove, {
          class: "ls-close",
          key: `remove:${name}`,
          "aria-label": `Take away the histogram of ${name}`,
          title: "Take away",
        }),
      ),
      histogram(bins, counts, chosen, WIDTH, (first, last) =>
        this.#press(bins, first, last),
      ),
      html(
        "p",
        { class: "ls-note" },
        [
          chosen.size > 0 ? rangeWords(bins, chosen) : "",
          missing > 0 ? `${counted(missing, "value")} missing` : "",
        ]
          .filter(Boolean)
          .join("; ") || (words.length > 0 ? "" : "No values."),
      ),
    );
  }

  /** A click on a bar chooses it or puts it back; drawing over bars chooses these. */
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

  /** Choose the points that are in all bins that were chosen. */
  #choose(hasChanged: boolean): void {
    const { scene, store } = this.#context;
    const wanted = this.#shown.filter(({ chosen }) => chosen.size > 0);
    if (!hasChanged) {
      this.update(store.state);
      return;
    }
    this.#own = wanted.length > 0 ? inBins(scene.n_points, wanted) : new Uint32Array();
    store.set({ selection: this.#own });
  }
}

/** What is chosen of a column: a range of numbers, or categories. */
function rangeWords({ words, ends }: Bins, chosen: ReadonlySet<number>): string {
  const sorted = [...chosen].sort((a, b) => a - b);
  const [first, last] = [sorted[0], sorted[sorted.length - 1]];
  const isRange = ends !== null && last - first === sorted.length - 1;
  if (!isRange || first === last) {
    return sorted.map((k) => words[k]).join(", ");
  }
  return `${words[first].split(" to ")[0]} to ${words[last].split(" to ").at(-1)}`;
}
