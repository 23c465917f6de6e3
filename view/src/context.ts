/** What the panels of the view have in common. */

import type { Asker } from "./hosts/questions";
import type { Scene } from "./scene/scene";
import type { Disc, Labels, State, Store } from "./state";

/**
 * What a panel works with. `asker`, `measure`, which begins to measure honesty, and
 * `refit`, which fits the map again to other labels, are absent where no Python is
 * behind the page that can. `audit` makes another map with an audit, `fix` one of the
 * table after a remedy: an option of the reader with its values.
 */
export interface Context {
  readonly scene: Scene;
  readonly store: Store;
  readonly asker: Asker | null;
  readonly measure?: (() => void) | null;
  readonly refit?: ((labels: Labels) => void) | null;
  readonly audit?: (() => void) | undefined;
  readonly fix?: ((remedy: readonly string[]) => void) | undefined;
}

/** What is on the stage: one map or several, centers, the classes, or an object. */
export type Shown = "map" | "maps" | "centers" | "classes" | "object";

export function shownOf({ model, comparison }: Scene, state: State): Shown {
  const { level, compressed, together } = state;
  if (level !== "data") {
    return level;
  }
  return together && comparison
    ? "maps"
    : compressed && model?.compressed
      ? "centers"
      : "map";
}

/** The page of a tab, `new Panel(el, context)`: it watches the store. */
export interface Panel {
  destroy(): void;
}

/** A picture of one level, which can be bent into the disc. */
export interface Stage {
  update(state: State, before: State): void;
  destroy(): void;
  goHome(): void;
  /** The disc that it is first shown in. */
  usualDisc(): Disc;
}
