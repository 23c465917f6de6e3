/** Why an object got its class: stored in the scene, asked for, or not to be had. */

import type { Context } from "../context";
import type { Asker, Explanation } from "../hosts/questions";
import type { Point } from "../map/geometry";
import { placeOf } from "../map/picking";
import { count, counted } from "../scene/format";
import { positionIn, type Scene, type SceneModel } from "../scene/scene";

type Answer =
  | { readonly state: "answered"; readonly explanation: Explanation }
  | { readonly state: "asking" | "refused" | "unknown"; readonly words: string };

const ASKING: Answer = { state: "asking", words: "Asking the model …" };

/** What was asked so far, and who waits for answers: panels and stages ask the same. */
interface Asked {
  readonly known: Map<number, Answer>;
  readonly waiting: Set<() => void>;
}

const asked = new WeakMap<Asker, Asked>();

/** Explanations that the scene holds, else those that Python gives; each is asked once. */
export class ExplanationSource {
  readonly #scene: Scene;
  readonly #asker: Asker | null;
  readonly #onAnswer: () => void;
  readonly #asked: Asked;

  constructor({ scene, asker }: Context, onAnswer: () => void) {
    this.#scene = scene;
    this.#asker = asker;
    this.#onAnswer = onAnswer;
    this.#asked = (asker && asked.get(asker)) ?? {
      known: new Map(),
      waiting: new Set(),
    };
    if (asker) {
      asked.set(asker, this.#asked);
    }
    this.#asked.waiting.add(onAnswer);
  }

  destroy(): void {
    this.#asked.waiting.delete(this.#onAnswer);
  }

  of(model: SceneModel, object: number): Answer {
    const explanation = storedExplanation(model, object);
    if (explanation !== null) {
      return { state: "answered", explanation };
    }
    return this.#asked.known.get(object) ?? this.#ask(object);
  }

  #ask(object: number): Answer {
    if (this.#asker === null) {
      return { state: "unknown", words: whereItIs(this.#scene) };
    }
    this.#asked.known.set(object, ASKING);
    this.#asker.explain(object).then(
      (explanation) => this.#keep(object, { state: "answered", explanation }),
      (error) => {
        const words = `The model gave no answer: ${error?.message ?? error}`;
        this.#keep(object, { state: "refused", words });
      },
    );
    return ASKING;
  }

  #keep(object: number, answer: Answer): void {
    this.#asked.known.set(object, answer);
    for (const hear of this.#asked.waiting) {
      hear();
    }
  }
}

/** Which objects have more, and how to get it for the others. */
function whereItIs({ model, n_points }: Scene): string {
  const n = model?.explanations?.objects.data.length ?? 0;
  return n === 0
    ? "This page holds no explanations; in a notebook the model gives them."
    : `This page holds it for ${count(n)} of ${counted(n_points, "object")}, errors and ` +
        "doubtful ones first; in a notebook the model gives it for all.";
}

/** The explanation of an object; null where the scene holds none. */
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

/** The features that change, the largest change in terms of its range first. */
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
      // The step over the border leaves crumbs in features that hardly count.
      .filter(({ feature }) => sizes[feature] > 1e-6 * largest)
      .sort((a, b) => sizes[b.feature] - sizes[a.feature])
  );
}

/** Where the smallest change leads on a map; null where that is not known. */
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
