/** What a host is to the view: anywidget's model, and nothing more. */

import type { Traits } from "./traits";

export type { Traits } from "./traits";

/** What a model tells: a trait has changed, or a message has come. */
export type ModelEvent = `change:${keyof Traits}` | "msg:custom";
export type ModelListener = (...given: unknown[]) => void;

/** The part of anywidget's model that the view uses. */
export interface Model {
  /** Undefined where a host does not know the trait. */
  get<Name extends keyof Traits>(name: Name): Traits[Name] | undefined;
  set<Name extends keyof Traits>(name: Name, value: Traits[Name]): void;
  save_changes(): void;
  on(name: ModelEvent, callback: ModelListener): void;
  off(name: ModelEvent, callback?: ModelListener): void;
  send?(message: unknown, callbacks?: unknown, buffers?: ArrayBuffer[]): void;
}
