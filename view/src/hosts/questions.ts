/** Questions to the Python behind the page, and their answers. */

import type { Answer } from "../app/api_types";
import type { Model } from "./model";

/** The decision for one object, as Python explains it. */
export type Explanation = Answer;

/** Answers that only Python has. */
export interface Asker {
  explain(object: number): Promise<Explanation>;
}

/** Whether honesty can be measured now, and how far that is, or why it failed. */
export interface Measuring {
  readonly isPossible: boolean;
  readonly words: string;
}

interface Message extends Answer {
  readonly kind?: string;
  readonly number?: number;
  readonly words?: string;
}

interface Waiting {
  resolve(explanation: Explanation): void;
  reject(error: Error): void;
}

export class Questions implements Asker {
  readonly #waiting = new Map<number, Waiting>();
  #number = 0;

  constructor(private readonly model: Model) {
    model.on("msg:custom", this.#hear);
  }

  explain(object: number): Promise<Explanation> {
    const number = ++this.#number;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.model.send?.({ kind: "explain", object, number });
    });
  }

  destroy(): void {
    this.model.off("msg:custom", this.#hear);
    this.#waiting.clear();
  }

  readonly #hear = (message: unknown): void => {
    const { kind, number, words, ...answer } = message as Message;
    const waiting = this.#waiting.get(number ?? -1);
    if (!waiting || (kind !== "explained" && kind !== "refused")) {
      return;
    }
    this.#waiting.delete(number ?? -1);
    if (kind === "refused") {
      waiting.reject(new Error(words));
    } else {
      waiting.resolve(answer);
    }
  };
}
