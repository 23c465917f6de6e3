/** What a host is to the view: anywidget's model, and nothing more. */

/** The part of anywidget's model that the view uses. */
export interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  on(name: string, callback: (...given: unknown[]) => void): void;
  off(name: string, callback?: (...given: unknown[]) => void): void;
  send?(message: unknown, callbacks?: unknown, buffers?: ArrayBuffer[]): void;
}
