/** A model with nobody behind it: the values of an exported page, kept in the page. */

import type { Model, ModelEvent, ModelListener, Traits } from "./model";

/** What a view begins with, where nobody says otherwise. */
const START: Omit<Traits, "scene"> = {
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
  can_measure: false,
  measuring: "",
  decisions: "[]",
  can_refit: false,
};

/** Anywidget's model without Python. It has no `send`, so nothing is asked. */
export class FrozenModel implements Model {
  #values: Partial<Traits>;
  readonly #callbacks = new Map<ModelEvent, Set<ModelListener>>();

  constructor(values: Partial<Traits>) {
    this.#values = { ...START, ...values };
  }

  get<Name extends keyof Traits>(name: Name): Traits[Name] | undefined {
    return this.#values[name];
  }

  set<Name extends keyof Traits>(name: Name, value: Traits[Name]): void {
    if (Object.is(this.#values[name], value)) {
      return;
    }
    this.#values = { ...this.#values, [name]: value };
    this.tell(`change:${name}`);
  }

  /** Call those who listen to something. */
  protected tell(name: ModelEvent, ...given: unknown[]): void {
    for (const callback of this.#callbacks.get(name) ?? []) {
      callback(...given);
    }
  }

  save_changes(): void {
    // There is nobody to save them for.
  }

  on(name: ModelEvent, callback: ModelListener): void {
    const callbacks = this.#callbacks.get(name) ?? new Set();
    this.#callbacks.set(name, callbacks.add(callback));
  }

  off(name: ModelEvent, callback?: ModelListener): void {
    if (callback) {
      this.#callbacks.get(name)?.delete(callback);
    } else {
      this.#callbacks.delete(name);
    }
  }
}
