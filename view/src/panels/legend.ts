/** The legend: the meaning of colors, the number of points of each, and which are shown. */

import {
  categoriesOf,
  categoryCounts,
  classCounts,
  colorsOf,
  headingOf,
  missingWords,
  numbersOf,
  PARTS,
  partColors,
  partSize,
  partWords,
  rampOf,
  scaleWords,
  showsClasses,
} from "../color/coloring";
import { COLORS, NONE, ramp } from "../color/colors";
import { shadeOf } from "../color/theme";
import type { Context } from "../context";
import * as format from "../format";
import { LEGEND } from "../messages";
import { type CategoryColumn, categoryTitle } from "../scene/fields";
import { classOrder, classTitle } from "../scene/names";
import { hideCategories, type Part, type State } from "../state";
import { type Attributes, button, html } from "../ui/elements";
import { classSwatch, lookSwatch, swatch } from "../ui/marks";

interface Row {
  readonly el: HTMLButtonElement;
  readonly count: HTMLElement;
}

export class LegendPanel {
  readonly #context: Context;
  readonly #scale = html("div.ls-scale", { hidden: true });
  readonly #categories = html("div.ls-categories", { hidden: true });
  readonly #heading = html("h2");
  readonly #none = html("p.ls-note", { role: "status", hidden: true });
  readonly #all: HTMLButtonElement;
  readonly #rows: readonly Row[];
  readonly #parts: readonly Row[];

  constructor(el: HTMLElement, context: Context) {
    const { scene, store } = context;
    this.#context = context;
    this.#rows = scene.classes.map((_, index) => this.#row(index));
    this.#parts = scene.held_out ? PARTS.map((part) => this.#part(part)) : [];
    this.#all = showAll(() => store.set({ hiddenClasses: new Set() }), true);
    const list = html(
      "div.ls-classes",
      { role: "group", "aria-label": "Classes" },
      ...classOrder(scene).map((index) => this.#rows[index].el),
    );
    const search = html("input", {
      type: "search",
      placeholder: LEGEND.find,
      "aria-label": LEGEND.find,
      hidden: scene.classes.length <= COLORS.length,
      oninput: () => this.#find(search.value),
    });
    el.append(
      this.#scale,
      this.#categories,
      html("header", this.#heading, this.#all),
      this.#none,
      search,
      list,
      ...(scene.held_out
        ? [
            html("h2", "Rows"),
            html(
              "div.ls-classes.ls-parts",
              { role: "group", "aria-label": LEGEND.parts },
              ...this.#parts.map(({ el }) => el),
            ),
          ]
        : []),
    );
    store.watch(["colorBy", "map", "theme", "level"], (now) => this.#color(now));
    store.watch(["colorBy", "level", "selection", "hiddenClasses"], (now) =>
      this.#count(now),
    );
    store.watch(["colorBy", "level", "hiddenCategories", "selection"], (now) =>
      this.#categorize(now),
    );
    store.watch(["hiddenParts"], ({ hiddenParts }) => {
      this.#parts.forEach(({ el }, k) => {
        el.setAttribute("aria-pressed", String(!hiddenParts.has(PARTS[k])));
      });
    });
  }

  #row(index: number): Row {
    const { scene, store } = this.#context;
    return legendRow(
      classSwatch(scene, index),
      classTitle(scene, index),
      (solo) => {
        const { hiddenClasses: hidden } = store.state;
        const all = [...scene.classes.keys()];
        store.set({ hiddenClasses: otherHidden(hidden, all, index, solo) });
      },
      { "data-class": index },
    );
  }

  /** An entry that shows or hides the fitted rows or the other rows. */
  #part(part: Part): Row {
    const { scene, store } = this.#context;
    const name = partWords(scene, part);
    const mark = html("i.ls-swatch", { "aria-hidden": "true" });
    const toggle = () => {
      const { hiddenParts: hidden } = store.state;
      store.set({ hiddenParts: otherHidden(hidden, PARTS, part, false) });
    };
    const row = legendRow(mark, name, toggle, {
      class: "ls-part-row",
      "data-part": part,
      title: LEGEND.partTitle(name),
    });
    row.count.textContent = format.count(partSize(scene, part));
    return row;
  }

  #find(text: string): void {
    const wanted = text.trim().toLowerCase();
    this.#rows.forEach(({ el }, index) => {
      el.hidden = !this.#context.scene.classes[index].toLowerCase().includes(wanted);
    });
  }

  #color(state: State): void {
    const { scene } = this.#context;
    const { map, theme } = state;
    const colorBy = colorsOf(state);
    const numbers = numbersOf(scene, map, colorBy);
    this.#heading.textContent = headingOf(colorBy);
    this.#scale.hidden = numbers === null;
    this.#scale.replaceChildren();
    if (numbers) {
      const bar = html("div.ls-bar", { "aria-hidden": "true" });
      const colors = ramp(rampOf(colorBy), shadeOf(theme));
      const stops = colors.filter((_, i) => i % 15 === 0);
      bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
      const { low, high, kind } = numbers;
      const missing = missingWords(numbers);
      this.#scale.append(
        html("h2", numbers.words),
        bar,
        html(
          "div.ls-bar-ends",
          ...(kind ? [low, high] : [low, (low + high) / 2, high]).map((value) =>
            html("span", scaleWords(numbers, value)),
          ),
        ),
        html("p.ls-note", LEGEND.scales[colorBy] ?? ""),
        missing ? html("p.ls-note.ls-missing", swatch(NONE), missing) : "",
      );
    }
    const isByClass = showsClasses(scene, map, colorBy);
    for (const { el } of this.#rows) {
      el.classList.toggle("ls-hollow", !isByClass);
    }
    this.#parts.forEach(({ el }, k) => {
      const isOwn = colorBy === "held_out";
      const color = isOwn ? partColors(shadeOf(theme))[k] : "currentColor";
      el.style.setProperty("--ls-part", color);
    });
  }

  /** The categories shown by colors, and hidden categories of other columns. */
  #categorize(state: State): void {
    const { level, colorBy, hiddenCategories } = state;
    const { scene, store } = this.#context;
    const column = level === "data" ? categoriesOf(scene, colorBy) : null;
    const others = [...hiddenCategories].filter(([name]) => name !== column?.name);
    this.#categories.hidden = level !== "data" || (column === null && !others.length);
    this.#categories.replaceChildren(
      ...(column ? categoryList(this.#context, column, state) : []),
      ...others.map(([name, hidden]) =>
        html(
          "p.ls-note",
          LEGEND.hidden(name, hidden.size),
          showAll(() => hideCategories(store, name, new Set())),
        ),
      ),
    );
  }

  #count(state: State): void {
    const { scene } = this.#context;
    const { selection, hiddenClasses } = state;
    const colorBy = colorsOf(state);
    const all = classCounts(scene, colorBy, null);
    const chosen = selection.length ? classCounts(scene, colorBy, selection) : null;
    this.#none.hidden = colorBy !== "errors" || all.some((n) => n > 0);
    this.#none.textContent = LEGEND.noErrors(scene.n_points);
    this.#rows.forEach(({ el, count }, index) => {
      el.setAttribute("aria-pressed", String(!hiddenClasses.has(index)));
      count.textContent = countWords(all[index], chosen?.[index]);
    });
    this.#all.hidden = hiddenClasses.size === 0;
  }
}

/** Each category with its number of points; a click hides or shows it, alone with Shift or Alt. */
function categoryList(
  { scene, store }: Context,
  column: CategoryColumn,
  { selection, hiddenCategories }: State,
): HTMLElement[] {
  const { name } = column;
  const hidden = hiddenCategories.get(name) ?? new Set<number>();
  const all = categoryCounts(column, null, scene.n_points);
  const chosen = selection.length ? categoryCounts(column, selection, 0) : null;
  // Missing values come last, if there are any.
  const order = [...column.words.keys(), -1].filter((c) => c >= 0 || all.has(c));
  const rows = order.map((index) => {
    const mark = lookSwatch(index, column.words.length);
    const row = legendRow(
      mark,
      categoryTitle(column, index),
      (solo) => hideCategories(store, name, otherHidden(hidden, order, index, solo)),
      { "data-category": index },
    );
    row.el.setAttribute("aria-pressed", String(!hidden.has(index)));
    row.count.textContent = countWords(
      all.get(index) ?? 0,
      chosen ? (chosen.get(index) ?? 0) : undefined,
    );
    return row.el;
  });
  const showHidden = () => hideCategories(store, name, new Set());
  return [
    html(
      "header",
      html("h2", { title: name }, name),
      showAll(showHidden, !hidden.size),
    ),
    html("div.ls-classes", { role: "group", "aria-label": name }, ...rows),
  ];
}

function showAll(show: () => void, hidden = false): HTMLButtonElement {
  return button(LEGEND.showAll, show, { class: "ls-link", hidden });
}

/** A class or category with its number of points; `choose` shows or hides it. */
function legendRow(
  mark: Element,
  name: string,
  choose: (solo: boolean) => void,
  attributes: Attributes,
): Row {
  const count = html("span.ls-count");
  const shown = html("span.ls-class-name", { dir: "auto" }, name);
  const onclick = (event: Event) => {
    const { shiftKey, altKey } = event as MouseEvent;
    choose(shiftKey || altKey);
  };
  const el = button([mark, shown, count], onclick, {
    class: "ls-class-row",
    "aria-pressed": "true",
    title: LEGEND.rowTitle(name),
    ...attributes,
  });
  return { el, count };
}

/** The hidden entries after a click on an entry, or after a click that shows only this entry. */
function otherHidden<T>(
  hidden: ReadonlySet<T>,
  all: readonly T[],
  index: T,
  solo: boolean,
): Set<T> {
  const others = all.filter((c) => c !== index);
  if (solo) {
    const isAlone = hidden.size === others.length && !hidden.has(index);
    return new Set(isAlone ? [] : others);
  }
  const next = new Set(hidden);
  return next.delete(index) ? next : next.add(index);
}

function countWords(all: number, chosen: number | undefined): string {
  return chosen === undefined
    ? format.count(all)
    : `${format.rough(chosen)} / ${format.rough(all)}`;
}
