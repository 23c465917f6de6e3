/** How far to believe the picture, in words, on the picture itself. */

import type { Context, Panel } from "../context";
import { type Accuracy, accuracyOf, hasRegions } from "../scene/accuracy";
import type { State } from "../state";
import { html } from "../ui/elements";
import { honestyMark } from "../ui/verdict";

const CENTERS = "Centres found inside each class, placed by their distances alone.";

export class VerdictStrip implements Panel {
  readonly #el: HTMLElement;
  readonly #context: Context;
  readonly #accuracy: Accuracy | null;

  constructor(el: HTMLElement, context: Context) {
    this.#el = el;
    this.#context = context;
    this.#accuracy = accuracyOf(context.scene);
    this.#fill(context.store.state);
  }

  update(state: State, before: State): void {
    const names = ["map", "level", "compressed", "regions"] as const;
    if (names.some((name) => state[name] !== before[name])) {
      this.#fill(state);
    }
  }

  destroy(): void {}

  #fill(state: State): void {
    const { map, level, compressed } = state;
    const { scene } = this.#context;
    const { model } = scene;
    const { honesty, words, name } = scene.maps[map];
    if (level !== "data") {
      this.#el.replaceChildren(html("p", {}, model?.words ?? ""));
      return;
    }
    if (compressed && model?.compressed) {
      this.#el.replaceChildren(html("p", {}, CENTERS));
      return;
    }
    const accuracy = hasRegions(scene, state) ? this.#accuracy : null;
    const told = [
      honesty ? html("p", {}, honestyMark(honesty.level), honesty.verdict) : null,
      accuracy
        ? html("p", { class: accuracy.isPoor ? "ls-poor" : null }, accuracy.words)
        : null,
      // What a map preserves is of little interest where nothing was learnt.
      accuracy?.isPoor ? null : html("p", { class: "ls-about" }, `${name}: ${words}`),
    ];
    this.#el.replaceChildren(
      ...told.flatMap((sentence) => (sentence ? [sentence, " "] : [])),
    );
  }
}
