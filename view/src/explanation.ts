/** Explanations of decisions that the scene brings along. */

import { position } from "./ascending";
import type { Explanation } from "./host";
import type { SceneModel } from "./scene";

/** The explanation of an object; null where the scene holds none. */
export function storedExplanation(
  model: SceneModel,
  object: number,
): Explanation | null {
  const given = model.explanations;
  const at = given === null ? -1 : position(given.objects.data, object);
  if (given === null || at < 0) {
    return null;
  }
  const d = given.contributions.shape[1];
  return {
    contributions: given.contributions.data.subarray(at * d, (at + 1) * d),
    change: given.changes.data.subarray(at * d, (at + 1) * d),
    changeDistance: given.change_distances.data[at],
    changeClass: given.change_classes.data[at],
  };
}

export interface Change {
  readonly feature: number;
  readonly from: number;
  readonly to: number;
}

/** The features that change, the largest change in terms of its range first. */
export function changesOf(
  change: ArrayLike<number>,
  values: ArrayLike<number>,
  ranges: ArrayLike<number>,
): Change[] {
  const sizes = Array.from(change, (by, j) => Math.abs(by) / (ranges[j] || 1));
  const largest = sizes.reduce((a, b) => Math.max(a, b), 0);
  return (
    Array.from(change, (by, feature) => ({
      feature,
      from: values[feature],
      to: values[feature] + by,
    }))
      // The step over the border leaves crumbs in features that hardly count.
      .filter(({ feature }) => sizes[feature] > 1e-6 * largest)
      .sort((a, b) => sizes[b.feature] - sizes[a.feature])
  );
}
