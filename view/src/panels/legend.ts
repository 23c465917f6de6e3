/** The legend: what colours stand for, how many there are, and which are shown. */

import {
  categoriesOf,
  colorsOf,
  countMissing,
  grouping,
  headingOf,
  isError,
  type Numbers,
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
import type { Context, Panel } from "../context";
import { type CategoryColumn, categoryOf, categoryTitle } from "../scene/fields";
import * as format from "../scene/words/format";
import { classOrder, classTitle } from "../scene/words/names";
import {
  hideCategories,
  type Part,
  type State,
  toggleClass,
  togglePart,
} from "../state";
import { button } from "../ui/button";
import { html } from "../ui/elements";
import { classSwatch, lookSwatch, swatch } from "../ui/marks";

interface Row {
  readonly el: HTMLButtonElement;
  readonly count: HTMLElement;
}

export class LegendPanel implements Panel {
  readonly #context: Context;
  readonly #scale = html("div", { class: "ls-scale", hidden: true });
  readonly #categories = html("div", { class: "ls-categories", hidden: true });
  readonly #heading = html("h2", {});
  readonly #none = html("p", { class: "ls-note", role: "status", hidden: true });
  readonly #all: HTMLButtonElement;
  readonly #rows: readonly Row[];
  readonly #parts: readonly HTMLButtonElement[];

  constructor(el: HTMLElement, context: Context) {
    const { scene, store } = context;
    this.#context = context;
    this.#rows = scene.classes.map((_, index) => this.#row(index));
    this.#parts = scene.held_out ? PARTS.map((part) => this.#part(part)) : [];
    this.#all = button("Show all", () => store.set({ hiddenClasses: new Set() }), {
      class: "ls-link",
      hidden: true,
    });
    const list = html(
      "div",
      { class: "ls-classes", role: "group", "aria-label": "Classes" },
      ...classOrder(scene).map((index) => this.#rows[index].el),
    );
    const search = html("input", {
      type: "search",
      placeholder: "Find a class",
      "aria-label": "Find a class",
      hidden: scene.classes.length <= COLORS.length,
      oninput: () => this.#find(search.value),
    });
    el.append(
      this.#scale,
      this.#categories,
      html("header", {}, this.#heading, this.#all),
      this.#none,
      search,
      list,
      ...(scene.held_out ? [html("h2", {}, "Rows"), partList(this.#parts)] : []),
    );
    this.#color(store.state);
    this.#categorize(store.state);
    this.#count(store.state);
  }

  update(state: State, before: State): void {
    const changed = (...names: (keyof State)[]) =>
      names.some((name) => state[name] !== before[name]);
    if (changed("colorBy", "map", "theme", "level")) {
      this.#color(state);
    }
    if (changed("colorBy", "level", "selection", "hiddenClasses")) {
      this.#count(state);
    }
    if (changed("colorBy", "level", "hiddenCategories", "selection")) {
      this.#categorize(state);
    }
    if (changed("hiddenParts")) {
      this.#press(state);
    }
  }

  destroy(): void {}

  #row(index: number): Row {
    const { scene, store } = this.#context;
    const name = classTitle(scene, index);
    const count = html("span", { class: "ls-count" });
    const shown = html("span", { class: "ls-class-name", dir: "auto" }, name);
    const choose = (event: Event) => {
      const { shiftKey, altKey } = event as MouseEvent;
      if (shiftKey || altKey) {
        this.#solo(index);
      } else {
        toggleClass(store, index);
      }
    };
    const el = button([classSwatch(scene, index), shown, count], choose, {
      class: "ls-class-row",
      "data-class": index,
      "aria-pressed": "true",
      title: `${name}\nClick to hide or show; with Shift or Alt, show only this.`,
    });
    return { el, count };
  }

  /** One of the two kinds of rows, which it shows or hides. */
  #part(part: Part): HTMLButtonElement {
    const { scene, store } = this.#context;
    const n = partSize(scene, part);
    const mark = html("i", { class: "ls-swatch", "aria-hidden": "true" });
    const count = html("span", { class: "ls-count" }, format.count(n));
    const name = html("span", { class: "ls-class-name" }, partWords(scene, part));
    return button([mark, name, count], () => togglePart(store, part), {
      class: "ls-part-row",
      "data-part": part,
      "aria-pressed": "true",
      title: `${partWords(scene, part)}\nClick to hide or show.`,
    });
  }

  #press({ hiddenParts }: State): void {
    this.#parts.forEach((el, k) => {
      el.setAttribute("aria-pressed", String(!hiddenParts.has(PARTS[k])));
    });
  }

  /** Show one class alone; once more, all again. */
  #solo(index: number): void {
    const { scene, store } = this.#context;
    const others = scene.classes.map((_, c) => c).filter((c) => c !== index);
    const { hiddenClasses: hidden } = store.state;
    const isSolo = hidden.size === others.length && !hidden.has(index);
    store.set({ hiddenClasses: new Set(isSolo ? [] : others) });
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
      const bar = html("div", { class: "ls-bar", "aria-hidden": "true" });
      const stops = ramp(rampOf(colorBy), shadeOf(theme)).filter(
        (_, i) => i % 15 === 0,
      );
      bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
      const { low, high, kind } = numbers;
      this.#scale.append(
        html("h2", {}, numbers.words),
        bar,
        html(
          "div",
          { class: "ls-bar-ends" },
          ...(kind ? [low, high] : [low, (low + high) / 2, high]).map((value) =>
            html("span", {}, scaleWords(numbers, value)),
          ),
        ),
        html("p", { class: "ls-note" }, WORDS[colorBy] ?? ""),
        missingNote(numbers),
      );
    }
    const isByClass = showsClasses(scene, map, colorBy);
    for (const { el } of this.#rows) {
      el.classList.toggle("ls-hollow", !isByClass);
    }
    this.#parts.forEach((el, k) => {
      const isOwn = colorBy === "held_out";
      const color = isOwn ? partColors(shadeOf(theme))[k] : "currentColor";
      el.style.setProperty("--ls-part", color);
    });
  }

  /** The categories that colours stand for, and what is hidden of other columns. */
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
          "p",
          { class: "ls-note" },
          `${name}: ${format.counted(hidden.size, "category", "categories")} hidden. `,
          button("Show all", () => hideCategories(store, name, new Set()), {
            class: "ls-link",
          }),
        ),
      ),
    );
  }

  #count(state: State): void {
    const { scene } = this.#context;
    const { selection, hiddenClasses } = state;
    const colorBy = colorsOf(state);
    const classes = grouping(scene, colorBy);
    const all = new Uint32Array(scene.classes.length);
    const chosen = new Uint32Array(scene.classes.length);
    let n = 0;
    const count = (counts: Uint32Array, point: number) => {
      const index = classes?.data[point] ?? counts.length;
      if (index < counts.length && (colorBy !== "errors" || isError(scene, point))) {
        counts[index]++;
        n++;
      }
    };
    for (let point = 0; point < scene.n_points; point++) {
      count(all, point);
    }
    this.#none.hidden = colorBy !== "errors" || n > 0;
    this.#none.textContent = `No errors among ${format.counted(scene.n_points, "point")}.`;
    for (const point of selection) {
      count(chosen, point);
    }
    this.#rows.forEach(({ el, count }, index) => {
      const shown = !hiddenClasses.has(index);
      el.setAttribute("aria-pressed", String(shown));
      count.textContent = selection.length
        ? `${format.rough(chosen[index])} / ${format.rough(all[index])}`
        : format.count(all[index]);
    });
    this.#all.hidden = hiddenClasses.size === 0;
  }
}

/** Each category with its points, to hide or show; alone with Shift or Alt. */
function categoryList(
  { scene, store }: Context,
  column: CategoryColumn,
  { selection, hiddenCategories }: State,
): HTMLElement[] {
  const { name } = column;
  const hidden = hiddenCategories.get(name) ?? new Set<number>();
  const all = countsOf(column, null, scene.n_points);
  const chosen = selection.length ? countsOf(column, selection, 0) : null;
  // What is missing comes last, if anything is.
  const order = [...column.words.keys(), -1].filter((c) => c >= 0 || all.has(c));
  const rows = order.map((index) => {
    const n = all.get(index) ?? 0;
    const words = chosen
      ? `${format.rough(chosen.get(index) ?? 0)} / ${format.rough(n)}`
      : format.count(n);
    const title = categoryTitle(column, index);
    const choose = (event: Event) => {
      const { shiftKey, altKey } = event as MouseEvent;
      const solo = shiftKey || altKey;
      hideCategories(
        store,
        name,
        solo ? alone(hidden, order, index) : toggled(hidden, index),
      );
    };
    return button(
      [
        lookSwatch(index, column.words.length),
        html("span", { class: "ls-class-name", dir: "auto" }, title),
        html("span", { class: "ls-count" }, words),
      ],
      choose,
      {
        class: "ls-class-row",
        "data-category": index,
        "aria-pressed": String(!hidden.has(index)),
        title: `${title}\nClick to hide or show; with Shift or Alt, show only this.`,
      },
    );
  });
  const show = button("Show all", () => hideCategories(store, name, new Set()), {
    class: "ls-link",
    hidden: hidden.size === 0,
  });
  return [
    html("header", {}, html("h2", { title: name }, name), show),
    html("div", { class: "ls-classes", role: "group", "aria-label": name }, ...rows),
  ];
}

function toggled(hidden: ReadonlySet<number>, index: number): Set<number> {
  const next = new Set(hidden);
  return next.delete(index) ? next : next.add(index);
}

/** All others; once more, none. */
function alone(hidden: ReadonlySet<number>, order: readonly number[], index: number) {
  const others = order.filter((c) => c !== index);
  const isAlone = hidden.size === others.length && !hidden.has(index);
  return new Set(isAlone ? [] : others);
}

/** How many of some points, or of the first n, are of each category. */
function countsOf(
  column: CategoryColumn,
  points: Uint32Array | null,
  n: number,
): Map<number, number> {
  const counts = new Map<number, number>();
  for (let k = 0; k < (points?.length ?? n); k++) {
    const index = categoryOf(column, points?.[k] ?? k);
    counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  return counts;
}

function partList(parts: readonly HTMLElement[]): HTMLElement {
  return html(
    "div",
    { class: "ls-classes ls-parts", role: "group", "aria-label": "Rows of the fit" },
    ...parts,
  );
}

/** What grey points are, where some have no number. */
function missingNote(numbers: Numbers): HTMLElement | string {
  const n = numbers.missing ? countMissing(numbers) : 0;
  if (n === 0) {
    return "";
  }
  const words = `${numbers.missing}: ${format.count(n)}`;
  return html("p", { class: "ls-note ls-missing" }, swatch(NONE), words);
}

const WORDS: Readonly<Record<string, string>> = {
  certainty: "How sure the model is of its decision.",
  false_neighbours: "Strong: its neighbours here are not its neighbours in the data.",
  judged_right:
    "How often its neighbours on the map judged it right while it was held out.",
  tears: "Strong: its neighbours in the data are far away here.",
};
