/** A model with nobody behind it: the values of an exported page, kept in the page. */

import type { Model } from "./model";

type Callback = (...given: unknown[]) => void;

/** What a view begins with, where nobody says otherwise: the names of `scene/README.md`. */
const START = {
  selection: new DataView(new ArrayBuffer(0)),
  object: -1,
  level: "data",
  map: 0,
  color_by: "class",
  theme: "auto",
  height: 0,
  forming: new DataView(new ArrayBuffer(0)),
  forming_words: "",
  can_ask: false,
};

/** Anywidget's model without Python. It has no `send`, so nothing is asked. */
export class FrozenModel implements Model {
  readonly #values: Map<string, unknown>;
  readonly #callbacks = new Map<string, Set<Callback>>();

  constructor(values: Record<string, unknown>) {
    this.#values = new Map(Object.entries({ ...START, ...values }));
  }

  get(name: string): unknown {
    return this.#values.get(name);
  }

  set(name: string, value: unknown): void {
    if (Object.is(this.#values.get(name), value)) {
      return;
    }
    this.#values.set(name, value);
    this.tell(`change:${name}`);
  }

  /** Call those who listen to something. */
  protected tell(name: string, ...given: unknown[]): void {
    for (const callback of this.#callbacks.get(name) ?? []) {
      callback(...given);
    }
  }

  save_changes(): void {
    // There is nobody to save them for.
  }

  on(name: string, callback: Callback): void {
    const callbacks = this.#callbacks.get(name) ?? new Set();
    this.#callbacks.set(name, callbacks.add(callback));
  }

  off(name: string, callback?: Callback): void {
    if (callback) {
      this.#callbacks.get(name)?.delete(callback);
    } else {
      this.#callbacks.delete(name);
    }
  }
}
