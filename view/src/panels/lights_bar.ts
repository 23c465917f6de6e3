/** How far to believe the picture, above it: its lights, and a button that measures. */

import type { Context, Panel } from "../context";
import type { Measuring } from "../hosts/questions";
import { lightsOf } from "../scene/lights";
import type { State } from "../state";
import { button } from "../ui/button";
import { html } from "../ui/elements";
import { lightList } from "../ui/lights";

const TITLE = "Fit the map to parts of the data, and see what is left for the others";

export class LightsBar implements Panel {
  readonly #el: HTMLElement;
  readonly #context: Context;
  readonly #list = html("div", {});
  readonly #measure: HTMLButtonElement;
  readonly #words = html("span", { class: "ls-note", role: "status" });

  constructor(el: HTMLElement, context: Context) {
    this.#el = el;
    this.#context = context;
    this.#measure = button("Measure", () => context.measure?.(), { title: TITLE });
    el.append(
      this.#list,
      html("div", { class: "ls-judge" }, this.#measure, this.#words),
    );
    this.judging({ isPossible: false, words: "" });
    this.#fill(context.store.state);
  }

  update(state: State, before: State): void {
    const names = ["map", "level", "compressed", "together"] as const;
    if (names.some((name) => state[name] !== before[name])) {
      this.#fill(state);
    }
  }

  /** Say whether honesty can be measured now, and how far that is. */
  judging({ isPossible, words }: Measuring): void {
    this.#measure.hidden = !isPossible || !this.#context.measure;
    this.#words.textContent = words;
    this.#words.hidden = words === "";
  }

  destroy(): void {}

  #fill({ map, level, compressed, together }: State): void {
    const { maps, model, comparison } = this.#context.scene;
    // They are lights of a map: other levels and centres show no map. Side by side,
    // each map has its own.
    this.#el.hidden =
      level !== "data" ||
      (compressed && Boolean(model?.compressed)) ||
      (together && Boolean(comparison));
    this.#list.replaceChildren(lightList(lightsOf(maps[map].honesty)));
  }
}
