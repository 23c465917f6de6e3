/** Questions to Python, and their answers. */

import type { Asker } from "../scene/explanation";
import type { Answer } from "../scene/scene_types";
import type { Model } from "./model";

/** Whether the map can be tested now, and the progress or error of the test. */
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
  resolve(explanation: Answer): void;
  reject(error: Error): void;
}

export class Questions implements Asker {
  readonly #waiting = new Map<number, Waiting>();
  #number = 0;

  constructor(private readonly model: Model) {
    model.on("msg:custom", this.#hear);
  }

  explain(object: number): Promise<Answer> {
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
