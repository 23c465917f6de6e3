/** Why an object got its class: known, asked for, or not to be had. */

import { storedExplanation } from "./explanation";
import type { Asker, Explanation } from "./host";
import type { SceneModel } from "./scene";

export type Answer =
  | { readonly state: "answered"; readonly explanation: Explanation }
  | { readonly state: "asking" | "refused" | "unknown"; readonly words: string };

const ASKING: Answer = { state: "asking", words: "Asking the model …" };
const UNKNOWN: Answer = {
  state: "unknown",
  words: "Not computed for this object in this page.",
};

/** Explanations that the scene holds, else those that Python gives; each is asked once. */
export class Answers {
  readonly #asker: Asker | null;
  readonly #onAnswer: () => void;
  readonly #known = new Map<number, Answer>();

  constructor(asker: Asker | null, onAnswer: () => void) {
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
      return UNKNOWN;
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
