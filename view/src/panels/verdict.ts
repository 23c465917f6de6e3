/** Texts around the picture: lights and distortion above, warnings below. */

import { type Context, shownOf } from "../context";
import { percent } from "../format";
import type { Measuring } from "../hosts/questions";
import { LIGHTS, STRIP } from "../messages";
import { contradictions } from "../scene/marked_points";
import { classOf } from "../scene/names";
import type { Scene, SceneMap } from "../scene/scene";
import { choose, type State } from "../state";
import { button, html } from "../ui/elements";
import { lightList, lightsOf } from "../ui/lights";

/** Warnings below the picture; empty if there are none. */
export class WarningStrip {
  readonly #context: Context;
  readonly #accuracy: string | null;

  constructor(el: HTMLElement, context: Context) {
    this.#context = context;
    this.#accuracy = poorAccuracy(context.scene);
    const names = ["map", "level", "compressed", "regions", "together"] as const;
    context.store.watch(names, (state) => {
      const sentences = this.#sentences(state).filter((sentence) => sentence !== null);
      el.replaceChildren(...sentences.flatMap((sentence) => [sentence, " "]));
    });
  }

  #sentences(state: State): (HTMLElement | null)[] {
    const { scene } = this.#context;
    const map = scene.maps[state.map];
    if (shownOf(scene, state) !== "map") {
      return [];
    }
    const hasRegions = state.regions && map.regions !== null;
    // If held-out points were tested, fitted points are ignored. Classes of new rows may
    // differ from the classes of the model, which the Summary reports.
    const isSaid =
      hasRegions && !scene.new_rows && (scene.held_out !== null || !map.judged_right);
    return [
      ...(map.honesty?.notes ?? []).map((words) => html("p", words)),
      isSaid && this.#accuracy ? html("p.ls-poor", this.#accuracy) : null,
      hasRegions ? this.#contradictions(map) : null,
    ];
  }

  /** A button that selects the points outside the region of their predicted class. */
  #contradictions(map: SceneMap): HTMLElement | null {
    const points = contradictions(map);
    const select = () => choose(this.#context.store, points, { tab: "selection" });
    return points.length === 0
      ? null
      : button(STRIP.contradictions(points.length), select, {
          class: "ls-link",
          "data-act": "contradictions",
        });
  }
}

/** The lights above the picture, a button that tests the map, and a notice of stretching. */
export class LightsBar {
  readonly #context: Context;
  readonly #measure: HTMLButtonElement;
  readonly #words = html("span.ls-note", { role: "status" });

  constructor(el: HTMLElement, context: Context) {
    const { scene, store } = context;
    this.#context = context;
    this.#measure = button("Measure", () => context.measure?.(), {
      title: LIGHTS.measure,
    });
    const list = html("div");
    const stretch = html("p.ls-stretch", { role: "status" });
    el.append(list, html("div.ls-judge", this.#measure, this.#words), stretch);
    this.judging({ isPossible: false, words: "" });
    store.watch(["map", "level", "compressed", "together"], (state) => {
      // The lights belong to one map. Side by side, each map has its own lights.
      el.hidden = shownOf(scene, state) !== "map";
      const map = scene.maps[state.map];
      list.replaceChildren(lightList(lightsOf(map.honesty)));
      stretch.textContent = map.warnings.join(" ");
      stretch.hidden = stretch.textContent === "";
    });
  }

  /** Show whether the map can be tested now, and the progress of the test. */
  judging({ isPossible, words }: Measuring): void {
    this.#measure.hidden = !isPossible || !this.#context.measure;
    this.#words.textContent = words;
    this.#words.hidden = words === "";
  }
}

/** The least improvement of a classifier, as a share of the possible improvement over chance. */
const CLEARLY = 0.1;

/**
 * A warning that the classifier of a picture is hardly better than always predicting one
 * class; otherwise null. All classes have equal weight, as in the light of the classifier.
 * If there are held-out points, only these are used.
 */
export function poorAccuracy(scene: Scene): string | null {
  const { labels, predictions, held_out, classes, n_points } = scene;
  const [known, right] = [classes.map(() => 0), classes.map(() => 0)];
  for (let i = 0; labels && predictions && i < n_points; i++) {
    const own = classOf(labels, i);
    if (own >= 0 && (held_out === null || held_out.data[i])) {
      known[own] += 1;
      right[own] += own === classOf(predictions, i) ? 1 : 0;
    }
  }
  const shares = known.flatMap((n, c) => (n > 0 ? [right[c] / n] : []));
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  const [share, chance] = [sum(shares) / shares.length, 1 / shares.length];
  if (shares.length === 0 || share >= chance + CLEARLY * (1 - chance)) {
    return null;
  }
  const n = sum(known);
  const whom = held_out ? STRIP.heldOut(n) : STRIP.trained;
  // The note about weights is shown only if weights change the result.
  const isByClass = percent(sum(right) / n) !== percent(share);
  const words = `${percent(share)} of ${whom}`;
  return STRIP.poor(words, isByClass, share > chance ? chance : null);
}
