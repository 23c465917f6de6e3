/** What the panels of the view have in common. */

import type { Asker } from "./hosts/questions";
import type { Scene } from "./scene/scene";
import type { Disc, State, Store } from "./state";

/** Labels by rows, as they were decided on. */
export type Labels = ReadonlyMap<number, string>;

/**
 * What a panel works with. `asker`, `measure`, which begins to measure honesty, and
 * `refit`, which fits the map again to other labels, are absent where no Python is
 * behind the page that can. `audit` makes another map with an audit, `mend` one of the
 * table after a remedy: an option of the reader with its values.
 */
export interface Context {
  readonly scene: Scene;
  readonly store: Store;
  readonly asker: Asker | null;
  readonly measure?: (() => void) | null;
  readonly refit?: ((labels: Labels) => void) | null;
  readonly audit?: (() => void) | undefined;
  readonly mend?: ((remedy: readonly string[]) => void) | undefined;
}

/** A part of the page: `new Panel(el, context)`, told of changes, and taken away. */
export interface Panel {
  update(state: State, before: State): void;
  destroy(): void;
}

/** A picture of one level: as at first, and bent into the disc. */
export interface Stage extends Panel {
  goHome(): void;
  /** The disc that it is first shown in. */
  usualDisc(): Disc;
}
