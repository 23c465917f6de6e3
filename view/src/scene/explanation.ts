/** Explanation of the class of a point: stored in the scene, computed by Python, or missing. */

import type { Point } from "../geometry/plane";
import { placeOf } from "../geometry/plane";
import { EXPLANATION } from "../messages";
import { once, positionIn, type Scene, type SceneModel } from "./scene";
import type { Answer as Explanation } from "./scene_types";

/** Asks Python for explanations. */
export interface Asker {
  explain(object: number): Promise<Explanation>;
}

interface Asking {
  readonly scene: Scene;
  readonly asker: Asker | null;
}

type Answer =
  | { readonly state: "answered"; readonly explanation: Explanation }
  | { readonly state: "asking" | "refused" | "unknown"; readonly words: string };

const ASKING: Answer = { state: "asking", words: EXPLANATION.asking };

/** Received explanations, and the listeners, because panels and stages share them. */
interface Asked {
  readonly known: Map<number, Answer>;
  readonly listeners: Set<() => void>;
}

const askedBy = once((_: Asker): Asked => ({ known: new Map(), listeners: new Set() }));

/** Explanations from the scene, or else from Python; each is requested only once. */
export class ExplanationSource {
  readonly #scene: Scene;
  readonly #asker: Asker | null;
  readonly #onAnswer: () => void;

  constructor({ scene, asker }: Asking, onAnswer: () => void) {
    this.#scene = scene;
    this.#asker = asker;
    this.#onAnswer = onAnswer;
    if (asker) {
      askedBy(asker).listeners.add(onAnswer);
    }
  }

  destroy(): void {
    if (this.#asker) {
      askedBy(this.#asker).listeners.delete(this.#onAnswer);
    }
  }

  of(model: SceneModel, object: number): Answer {
    const explanation = storedExplanation(model, object);
    if (explanation !== null) {
      return { state: "answered", explanation };
    }
    return this.#asker
      ? (askedBy(this.#asker).known.get(object) ?? ask(this.#asker, object))
      : { state: "unknown", words: whereItIs(this.#scene) };
  }
}

function ask(asker: Asker, object: number): Answer {
  const { known, listeners } = askedBy(asker);
  const keep = (answer: Answer) => {
    known.set(object, answer);
    for (const listener of listeners) {
      listener();
    }
  };
  known.set(object, ASKING);
  asker.explain(object).then(
    (explanation) => keep({ state: "answered", explanation }),
    (error) =>
      keep({ state: "refused", words: EXPLANATION.refused(error?.message ?? error) }),
  );
  return ASKING;
}

/** Which points have explanations, and how to get other explanations. */
function whereItIs({ model, n_points }: Scene): string {
  const n = model?.explanations?.objects.data.length ?? 0;
  return n === 0 ? EXPLANATION.none : EXPLANATION.some(n, n_points);
}

/** The explanation of a point; null if the scene has none. */
export function storedExplanation(
  model: SceneModel,
  object: number,
): Explanation | null {
  const given = model.explanations;
  const at = given == null ? -1 : positionIn(given.objects.data, object);
  if (given == null || at < 0) {
    return null;
  }
  const d = given.contributions.shape[1];
  const distance = given.change_distances.data[at];
  return {
    contributions: [...given.contributions.data.subarray(at * d, (at + 1) * d)],
    change: [...given.changes.data.subarray(at * d, (at + 1) * d)],
    change_distance: Number.isFinite(distance) ? distance : null,
    change_class: given.change_classes.data[at],
  };
}

interface Change {
  readonly feature: number;
  readonly from: number;
  readonly to: number;
}

/** The features that change, the largest change relative to the feature's range first. */
export function changesOf(
  change: ArrayLike<number>,
  values: ArrayLike<number>,
  ranges: ArrayLike<number>,
): Change[] {
  const sizes = Array.from(change, (by, j) => Math.abs(by) / (ranges[j] || 1));
  const largest = sizes.reduce((a, b) => Math.max(a, b), 0);
  return (
    Array.from(change, (by, feature) => ({
      feature,
      from: values[feature],
      to: values[feature] + by,
    }))
      // The step over the border leaves tiny changes in unimportant features.
      .filter(({ feature }) => sizes[feature] > 1e-6 * largest)
      .sort((a, b) => sizes[b.feature] - sizes[a.feature])
  );
}

/** The end of the smallest change on a map; null if unknown. */
export function borderOnMap(
  { maps, model }: Scene,
  map: number,
  object: number,
): Point | null {
  const { borders } = maps[map];
  const objects = model?.explanations?.objects.data;
  const at = objects ? positionIn(objects, object) : -1;
  if (!borders || at < 0) {
    return null;
  }
  const place = placeOf(borders.data, at);
  return place.every(Number.isFinite) ? place : null;
}
