/** The model of a host: of a notebook, a page, or the app. */

import { SCENE } from "../messages";
import type { Labels } from "../scene/decisions";
import type { Traits } from "./traits";

export type { Traits } from "./traits";

/** Events of a model: a trait has changed, or a message has arrived. */
export type ModelEvent = `change:${keyof Traits}` | "msg:custom";
export type ModelListener = (...given: unknown[]) => void;

/** The part of anywidget's model that the view uses. */
export interface Model {
  /** Undefined if a host does not have the trait. */
  get<Name extends keyof Traits>(name: Name): Traits[Name] | undefined;
  set<Name extends keyof Traits>(name: Name, value: Traits[Name]): void;
  save_changes(): void;
  on(name: ModelEvent, callback: ModelListener): void;
  off(name: ModelEvent, callback?: ModelListener): void;
  send?(message: unknown, callbacks?: unknown, buffers?: ArrayBuffer[]): void;
}

// A model without a host: the values of an exported page, stored in the page.

/** The first values of a view. */
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

/** Anywidget's model without Python. It has no `send`, so questions are not possible. */
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

  /** Call the listeners of an event. */
  protected tell(name: ModelEvent, ...given: unknown[]): void {
    for (const callback of this.#callbacks.get(name) ?? []) {
      callback(...given);
    }
  }

  save_changes(): void {
    // Values are not saved, because there is no host.
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

// A model with a server: the page stores the values, and the server answers questions.

interface Question {
  readonly kind: string;
  readonly object: number;
  readonly number: number;
  readonly decisions: readonly (readonly [number, string])[];
}

/** Functions of the server for a page. */
export interface Server {
  explain(object: number): Promise<object>;
  /** Fit the map again to corrected labels. */
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

// The scene of an exported page: gzip data, written as base64 into the page.

/** Return the bytes that are stored in a page. */
export async function unpack(base64: string): Promise<ArrayBuffer> {
  if (typeof DecompressionStream === "undefined") {
    throw new Error(SCENE.tooOld);
  }
  try {
    const packed = new Blob([fromBase64(base64)]);
    const stream = packed.stream().pipeThrough(new DecompressionStream("gzip"));
    return await new Response(stream).arrayBuffer();
  } catch {
    throw new Error(SCENE.damaged);
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) {
    bytes[i] = binary.charCodeAt(i);
  }
  return bytes;
}
