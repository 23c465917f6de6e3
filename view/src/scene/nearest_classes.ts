/** The classes of a model as one object sees them. */

import type { SceneModel } from "./scene";

export interface NearClass {
  readonly index: number;
  /** Its nearest prototype; -1 where it is not known. */
  readonly prototype: number;
  readonly distance: number;
}

/** Classes of a model by their exact distance from an object, the nearest first. */
export function nearestClasses(model: SceneModel, object: number): NearClass[] {
  const { class_distances, class_nearest } = model;
  if (class_distances == null) {
    return [];
  }
  const n = class_distances.shape[1];
  return Array.from({ length: n }, (_, index) => ({
    index,
    prototype: class_nearest?.data[object * n + index] ?? -1,
    distance: class_distances.data[object * n + index],
  }))
    .filter(({ distance }) => Number.isFinite(distance))
    .sort((a, b) => a.distance - b.distance);
}
