/** What speaks for and against a decision, where the scene knows the metric. */

import { distanceTerms } from "./metric";
import { nearestClasses } from "./nearest_classes";
import type { Scene, SceneModel } from "./scene";

/**
 * What each feature adds to the lead of the nearest prototype over the nearest one of
 * another class. Mirror of `contributions` in `prototypes/explain/_explanation.py`. Null where
 * the metric or a value is not known.
 */
export function contributionsOf(
  scene: Scene,
  model: SceneModel,
  object: number,
): Float64Array | null {
  const { metric, squared, prototypes, class_nearest } = model;
  const [own, foreign] = nearestClasses(model, object);
  const isKnown = typeof squared === "boolean" && class_nearest != null;
  if (metric == null || !isKnown || own === undefined || foreign === undefined) {
    return null;
  }
  const d = scene.features.length;
  const x = scene.features.map(({ values }) => values[object]);
  const termsTo = (prototype: number) => {
    const w = prototypes.values.data.subarray(prototype * d, (prototype + 1) * d);
    return distanceTerms(
      x.map((value, j) => value - w[j]),
      metric,
      prototype,
    );
  };
  const [near, far] = [termsTo(own.prototype), termsTo(foreign.prototype)];
  // Differences of squares become differences of distances:
  // d_K - d_J = (d_K^2 - d_J^2) / (d_K + d_J).
  const unit = squared ? 1 : own.distance + foreign.distance || 1;
  const found = far.map((term, j) => (term - near[j]) / unit);
  return found.every(Number.isFinite) ? found : null;
}
