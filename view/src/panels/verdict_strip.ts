/** What else to know of the picture, in words, below it. */

import type { Context, Panel } from "../context";
import { type Accuracy, accuracyOf, hasRegions } from "../scene/accuracy";
import { contradictions } from "../scene/marked_points";
import type { SceneMap } from "../scene/scene";
import { count } from "../scene/words/format";
import type { State } from "../state";
import { button } from "../ui/button";
import { type Child, html } from "../ui/elements";

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
    const names = ["map", "level", "compressed", "regions", "together"] as const;
    if (names.some((name) => state[name] !== before[name])) {
      this.#fill(state);
    }
  }

  destroy(): void {}

  #fill(state: State): void {
    const sentences = this.#sentences(state).filter((sentence) => sentence !== null);
    this.#el.replaceChildren(...sentences.flatMap((sentence) => [sentence, " "]));
  }

  #sentences(state: State): Child[] {
    const { map, level, compressed, together } = state;
    const { scene } = this.#context;
    if (level !== "data") {
      return [html("p", {}, scene.model?.words ?? "")];
    }
    if (compressed && scene.model?.compressed) {
      return [html("p", {}, CENTERS)];
    }
    if (together && scene.comparison) {
      return []; // of all maps, the stage says it
    }
    const shown = scene.maps[map];
    const isPicture = hasRegions(scene, state);
    // Where unseen points were judged, nobody needs to hear of seen ones; and classes of
    // new rows may be others than the model's, which the Summary tells.
    const isSaid =
      isPicture && !scene.new_rows && (scene.held_out !== null || !shown.judged_right);
    const accuracy = isSaid ? this.#accuracy : null;
    return [
      ...(shown.honesty?.notes ?? []).map((words) => html("p", {}, words)),
      accuracy
        ? html("p", { class: accuracy.isPoor ? "ls-poor" : null }, accuracy.words)
        : null,
      isPicture ? this.#contradictions(shown) : null,
      // What a map preserves is of little interest where nothing was learnt.
      accuracy?.isPoor
        ? null
        : html("p", { class: "ls-about" }, `${shown.name}: ${shown.words}`),
    ];
  }

  /** Chooses the points that the picture shows as something else. */
  #contradictions(map: SceneMap): HTMLElement | null {
    const selection = contradictions(map);
    const n = selection.length;
    if (n === 0) {
      return null;
    }
    const [points, them] = n === 1 ? ["point lies", "it"] : ["points lie", "them"];
    return button(
      `${count(n)} ${points} in a region of another class than predicted: choose ${them}`,
      () => this.#context.store.set({ selection, tab: "selection" }),
      { class: "ls-link", "data-act": "contradictions" },
    );
  }
}
