/** Questions to the Python behind the page, and their answers. */

import type { Model } from "./model";

/** The decision for one object, as Python explains it. */
export interface Explanation {
  readonly contributions: ArrayLike<number>;
  readonly change: ArrayLike<number>;
  readonly changeDistance: number;
  readonly changeClass: number;
}

/** Answers that only Python has. */
export interface Asker {
  explain(object: number): Promise<Explanation>;
}

/** Whether honesty can be measured now, and how far that is, or why it failed. */
export interface Measuring {
  readonly isPossible: boolean;
  readonly words: string;
}

interface Answer {
  readonly kind?: string;
  readonly number?: number;
  readonly words?: string;
  readonly contributions?: number[];
  readonly change?: number[];
  /** null: no change makes it another class. */
  readonly change_distance?: number | null;
  readonly change_class?: number;
}

interface Waiting {
  resolve(explanation: Explanation): void;
  reject(error: Error): void;
}

export class Questions implements Asker {
  readonly #model: Model;
  readonly #waiting = new Map<number, Waiting>();
  #number = 0;

  constructor(model: Model) {
    this.#model = model;
    model.on("msg:custom", this.#hear);
  }

  explain(object: number): Promise<Explanation> {
    const number = ++this.#number;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#model.send?.({ kind: "explain", object, number });
    });
  }

  destroy(): void {
    this.#model.off("msg:custom", this.#hear);
    this.#waiting.clear();
  }

  readonly #hear = (message: unknown): void => {
    const answer = message as Answer;
    const waiting = this.#waiting.get(answer.number ?? -1);
    if (!waiting || (answer.kind !== "explained" && answer.kind !== "refused")) {
      return;
    }
    this.#waiting.delete(answer.number ?? -1);
    if (answer.kind === "refused") {
      waiting.reject(new Error(answer.words));
      return;
    }
    waiting.resolve({
      contributions: answer.contributions ?? [],
      change: answer.change ?? [],
      changeDistance: answer.change_distance ?? Number.NaN,
      changeClass: answer.change_class ?? -1,
    });
  };
}
