/** Objects that all panels of the view share. */

import type { Labels } from "./scene/decisions";
import type { Asker } from "./scene/explanation";
import type { Scene } from "./scene/scene";
import type { Disc, State, Store } from "./state";

/**
 * The objects that a panel uses. `asker`, `measure`, which starts the test of a map, and
 * `refit`, which fits the map again to corrected labels, are absent without Python or the
 * app. `audit` starts a new run with an audit, and `fix` starts a run with a changed
 * table: an option for reading, with its values.
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

/** The picture on the stage: one map or several, centers, the classes, or a point. */
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

/** The page of a tab, `new Panel(el, context)`, which watches the store. */
export interface Panel {
  destroy(): void;
}

/** The picture of one level, for which a fisheye view is possible. */
export interface Stage {
  update(state: State, before: State): void;
  destroy(): void;
  goHome(): void;
  /** The disc of the fisheye view at first. */
  usualDisc(): Disc;
}
