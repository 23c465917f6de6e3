/** A model with a server behind it: the values are the page's, answers the server's. */

import type { Labels } from "../context";
import { FrozenModel } from "./frozen_model";
import type { Traits } from "./model";

interface Question {
  readonly kind: string;
  readonly object: number;
  readonly number: number;
  readonly decisions: readonly (readonly [number, string])[];
}

/** What the server does for a page. */
export interface Server {
  explain(object: number): Promise<Record<string, unknown>>;
  /** Fit the map again to labels that were decided on. */
  refit?: ((labels: Labels) => void) | undefined;
}

/** Anywidget's model in the local app. */
export class HttpModel extends FrozenModel {
  readonly #server: Server;

  constructor(values: Partial<Traits>, server: Server) {
    super({ can_ask: true, can_refit: server.refit !== undefined, ...values });
    this.#server = server;
  }

  send(message: unknown): void {
    const { kind, object, number, decisions } = message as Question;
    if (kind === "refit") {
      this.#server.refit?.(new Map(decisions));
    } else if (kind === "explain") {
      this.#server.explain(object).then(
        (answer) => this.tell("msg:custom", { ...answer, kind: "explained", number }),
        (error: Error) =>
          this.tell("msg:custom", { kind: "refused", number, words: error.message }),
      );
    }
  }
}
