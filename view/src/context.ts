/** What the panels of the view have in common. */

import type { Asker } from "./hosts/questions";
import type { Scene } from "./scene/scene";
import type { State, Store } from "./state";

/**
 * What a panel works with. `asker` and `measure`, which begins to measure honesty, are
 * absent where no Python is behind the page.
 */
export interface Context {
  readonly scene: Scene;
  readonly store: Store;
  readonly asker: Asker | null;
  readonly measure?: (() => void) | null;
}

/** A part of the page: `new Panel(el, context)`, told of changes, and taken away. */
export interface Panel {
  update(state: State, before: State): void;
  destroy(): void;
}
