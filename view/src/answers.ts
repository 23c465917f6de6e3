/** Why an object got its class: known, asked for, or not to be had. */

import { storedExplanation } from "./explanation";
import { count, counted } from "./format";
import type { Asker, Explanation } from "./host";
import type { Context } from "./panel";
import type { Scene, SceneModel } from "./scene";

export type Answer =
  | { readonly state: "answered"; readonly explanation: Explanation }
  | { readonly state: "asking" | "refused" | "unknown"; readonly words: string };

const ASKING: Answer = { state: "asking", words: "Asking the model …" };

/** Explanations that the scene holds, else those that Python gives; each is asked once. */
export class Answers {
  readonly #scene: Scene;
  readonly #asker: Asker | null;
  readonly #onAnswer: () => void;
  readonly #known = new Map<number, Answer>();

  constructor({ scene, asker }: Context, onAnswer: () => void) {
    this.#scene = scene;
    this.#asker = asker;
    this.#onAnswer = onAnswer;
  }

  of(model: SceneModel, object: number): Answer {
    const explanation = storedExplanation(model, object);
    if (explanation !== null) {
      return { state: "answered", explanation };
    }
    return this.#known.get(object) ?? this.#asked(object);
  }

  #asked(object: number): Answer {
    if (this.#asker === null) {
      return { state: "unknown", words: whereItIs(this.#scene) };
    }
    this.#known.set(object, ASKING);
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
    this.#known.set(object, answer);
    this.#onAnswer();
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
