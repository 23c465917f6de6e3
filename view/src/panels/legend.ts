/** The legend: what colours stand for, how many there are, and which are shown. */

import { grouping, isError, numbersOf, rampOf } from "../coloring";
import { COLORS, classPaint, ramp } from "../colors";
import { html } from "../elements";
import * as format from "../format";
import type { Context, Panel } from "../panel";
import { type State, toggleClass } from "../state";
import { shadeOf } from "../theme";

interface Row {
  readonly el: HTMLButtonElement;
  readonly count: HTMLElement;
}

export class LegendPanel implements Panel {
  readonly #context: Context;
  readonly #scale = html("div", { class: "ls-scale", hidden: true });
  readonly #heading = html("h2", {});
  readonly #all: HTMLButtonElement;
  readonly #rows: readonly Row[];

  constructor(el: HTMLElement, context: Context) {
    const { scene, store } = context;
    this.#context = context;
    this.#rows = scene.classes.map((name, index) => this.#row(name, index));
    this.#all = html(
      "button",
      {
        type: "button",
        class: "ls-link",
        hidden: true,
        onclick: () => store.set({ hiddenClasses: new Set() }),
      },
      "Show all",
    );
    const list = html(
      "div",
      { class: "ls-classes", role: "group", "aria-label": "Classes" },
      ...this.#rows.map((row) => row.el),
    );
    const search = html("input", {
      type: "search",
      placeholder: "Find a class",
      "aria-label": "Find a class",
      hidden: scene.classes.length <= COLORS.length,
      oninput: () => this.#find(search.value),
    });
    el.append(this.#scale, html("header", {}, this.#heading, this.#all), search, list);
    this.#color(store.state);
    this.#count(store.state);
  }

  update(state: State, before: State): void {
    const changed = (...names: (keyof State)[]) =>
      names.some((name) => state[name] !== before[name]);
    if (changed("colorBy", "map", "theme", "level")) {
      this.#color(state);
    }
    if (changed("colorBy", "selection", "hiddenClasses")) {
      this.#count(state);
    }
  }

  destroy(): void {}

  #row(name: string, index: number): Row {
    const { scene, store } = this.#context;
    const swatch = html("i", { class: "ls-swatch", "aria-hidden": "true" });
    swatch.style.background = classPaint(index, scene.classes.length);
    const count = html("span", { class: "ls-count" });
    const el = html(
      "button",
      {
        type: "button",
        class: "ls-class-row",
        "data-class": index,
        "aria-pressed": "true",
        title: `${name}\nClick to hide or show; with Shift or Alt, show only this.`,
        onclick: (event) => {
          const { shiftKey, altKey } = event as MouseEvent;
          if (shiftKey || altKey) {
            this.#solo(index);
          } else {
            toggleClass(store, index);
          }
        },
      },
      swatch,
      html("span", { class: "ls-class-name" }, name),
      count,
    );
    return { el, count };
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

  #color({ map, colorBy, theme, level }: State): void {
    const { scene } = this.#context;
    // Other levels than that of the data show classes only.
    const shown = level === "data" ? colorBy : "class";
    const numbers = numbersOf(scene, map, shown);
    this.#heading.textContent =
      { prediction: "Predictions", errors: "Errors" }[colorBy] ?? "Classes";
    this.#scale.hidden = numbers === null;
    this.#scale.replaceChildren();
    if (numbers) {
      const bar = html("div", { class: "ls-bar", "aria-hidden": "true" });
      const stops = ramp(rampOf(colorBy), shadeOf(theme)).filter(
        (_, i) => i % 15 === 0,
      );
      bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
      const { low, high } = numbers;
      this.#scale.append(
        html("h2", {}, numbers.words),
        bar,
        html(
          "div",
          { class: "ls-bar-ends" },
          html("span", {}, format.number(low)),
          html("span", {}, format.number((low + high) / 2)),
          html("span", {}, format.number(high)),
        ),
        html("p", { class: "ls-note" }, WORDS[colorBy] ?? ""),
      );
    }
    for (const { el } of this.#rows) {
      el.classList.toggle("ls-hollow", numbers !== null);
    }
  }

  #count({ colorBy, selection, hiddenClasses }: State): void {
    const { scene } = this.#context;
    const classes = grouping(scene, colorBy);
    const all = new Uint32Array(scene.classes.length);
    const chosen = new Uint32Array(scene.classes.length);
    classes?.data.forEach((index, point) => {
      if (index < all.length && (colorBy !== "errors" || isError(scene, point))) {
        all[index]++;
      }
    });
    for (const point of selection) {
      const index = classes?.data[point] ?? all.length;
      if (index < chosen.length) {
        chosen[index]++;
      }
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

const WORDS: Readonly<Record<string, string>> = {
  certainty: "How sure the model is of its decision.",
  false_neighbours: "Strong: its neighbours here are not its neighbours in the data.",
  tears: "Strong: its neighbours in the data are far away here.",
};
