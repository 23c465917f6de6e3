/** How far to believe the picture: lights above it, and what else to know below. */

import { type Context, shownOf } from "../context";
import type { Measuring } from "../hosts/questions";
import { count, counted, percent } from "../scene/format";
import { contradictions } from "../scene/marked_points";
import { classOf } from "../scene/names";
import type { Scene, SceneMap } from "../scene/scene";
import { choose, type State } from "../state";
import { button, type Child, html } from "../ui/elements";
import { lightList, lightsOf } from "../ui/lights";

const CENTERS = "Centres found inside each class, placed by their distances alone.";

export class VerdictStrip {
  readonly #el: HTMLElement;
  readonly #context: Context;
  readonly #accuracy: Accuracy | null;

  constructor(el: HTMLElement, context: Context) {
    this.#el = el;
    this.#context = context;
    this.#accuracy = accuracyOf(context.scene);
    const names = ["map", "level", "compressed", "regions", "together"] as const;
    context.store.watch(names, (state) => this.#fill(state));
  }

  #fill(state: State): void {
    const sentences = this.#sentences(state).filter((sentence) => sentence !== null);
    this.#el.replaceChildren(...sentences.flatMap((sentence) => [sentence, " "]));
  }

  #sentences(state: State): Child[] {
    const { scene } = this.#context;
    const kind = shownOf(scene, state);
    if (kind === "classes" || kind === "object") {
      return [html("p", {}, scene.model?.words ?? "")];
    }
    if (kind !== "map") {
      // Of all maps, the stage says it.
      return kind === "centers" ? [html("p", {}, CENTERS)] : [];
    }
    const shown = scene.maps[state.map];
    const isPicture = hasRegions(scene, state);
    // Where unseen points were judged, seen ones do not matter; and classes of
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
      () => choose(this.#context.store, selection, { tab: "selection" }),
      { class: "ls-link", "data-act": "contradictions" },
    );
  }
}

// How far to believe the picture, above it: its lights, and a button that measures.

const TITLE = "Fit the map to parts of the data, and see what is left for the others";

export class LightsBar {
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
    const names = ["map", "level", "compressed", "together"] as const;
    context.store.watch(names, (state) => this.#fill(state));
  }

  /** Say whether honesty can be measured now, and how far that is. */
  judging({ isPossible, words }: Measuring): void {
    this.#measure.hidden = !isPossible || !this.#context.measure;
    this.#words.textContent = words;
    this.#words.hidden = words === "";
  }

  #fill(state: State): void {
    const { scene } = this.#context;
    // They are lights of a map. Side by side, each map has its own.
    this.#el.hidden = shownOf(scene, state) !== "map";
    this.#list.replaceChildren(lightList(lightsOf(scene.maps[state.map].honesty)));
  }
}

// How often the classifier of a picture is right, in words.

/** Part of what chance leaves that a classifier has to win. */
const CLEARLY = 0.1;

/** A sentence, and whether the classifier has learnt hardly anything. */
interface Accuracy {
  readonly words: string;
  readonly isPoor: boolean;
}

/**
 * How often the classifier is right for points that have a class, every class counting
 * the same, as in its light: for held-out points where these are known. Null where
 * there is nothing to count. One that is hardly better than always saying the same is
 * compared with that.
 */
export function accuracyOf(scene: Scene): Accuracy | null {
  const { known, right } = tallied(scene);
  const shares = known.flatMap((n, c) => (n > 0 ? [right[c] / n] : []));
  if (shares.length === 0) {
    return null;
  }
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  const [share, chance] = [sum(shares) / shares.length, 1 / shares.length];
  const n = sum(known);
  const whom = scene.held_out
    ? counted(n, "held-out point")
    : "the objects it may have been trained on";
  // Said where it makes a difference.
  const isPlain = shareOf(sum(right) / n, whom) === shareOf(share, whom);
  const how = isPlain ? "" : ", every class counting the same";
  const words = `The classifier is right for ${shareOf(share, whom)}${how}`;
  if (share >= chance + CLEARLY * (1 - chance)) {
    return { words: `${words}.`, isPoor: false };
  }
  const rest =
    share > chance
      ? `; always saying the same would be right for ${percent(chance)}.`
      : ", no more than always saying the same.";
  return { words: words + rest, isPoor: true };
}

/** Points of each class that count, and how many of them the classifier gets right. */
function tallied({ labels, predictions, held_out, classes, n_points }: Scene) {
  const [known, right] = [classes.map(() => 0), classes.map(() => 0)];
  for (let i = 0; labels && predictions && i < n_points; i++) {
    const own = classOf(labels, i);
    if (own >= 0 && (held_out === null || held_out.data[i])) {
      known[own] += 1;
      right[own] += own === classOf(predictions, i) ? 1 : 0;
    }
  }
  return { known, right };
}

/** Whether the picture shows what the classifier decides where. */
function hasRegions({ maps }: Scene, { level, map, regions }: State): boolean {
  return level === "data" && regions && maps[map].regions != null;
}

function shareOf(share: number, whom: string): string {
  // Not "100 %" while one of them is wrong.
  return share === 1
    ? `all of ${whom}`
    : `${percent(Math.min(share, 0.99))} of ${whom}`;
}
