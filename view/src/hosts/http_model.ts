/** A model with a server behind it: the values are the page's, answers the server's. */

import { FrozenModel } from "./frozen_model";
import type { Traits } from "./model";

interface Question {
  readonly kind: string;
  readonly object: number;
  readonly number: number;
}

type Explain = (object: number) => Promise<Record<string, unknown>>;

/** Anywidget's model in the local app. */
export class HttpModel extends FrozenModel {
  readonly #explain: Explain;

  constructor(values: Partial<Traits>, explain: Explain) {
    super({ can_ask: true, ...values });
    this.#explain = explain;
  }

  send(message: unknown): void {
    const { kind, object, number } = message as Question;
    if (kind === "explain") {
      this.#explain(object).then(
        (answer) => this.tell("msg:custom", { ...answer, kind: "explained", number }),
        (error: Error) =>
          this.tell("msg:custom", { kind: "refused", number, words: error.message }),
      );
    }
  }
}
