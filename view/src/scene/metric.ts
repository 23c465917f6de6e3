/** The metric of a model: distances, the nearest classes, and contributions of features. */

import type { Metric, Scene, SceneModel } from "./scene";

/**
 * The length of a difference in the metric of the model, squared if the model compares
 * squares. NaN if it is unknown.
 */
export function measured(
  { features, n_features }: Scene,
  { metric, squared }: SceneModel,
  gap: ArrayLike<number>,
  prototype: number,
): number {
  if (!metric || features.length !== n_features || typeof squared !== "boolean") {
    return Number.NaN;
  }
  const square = distanceTerms(gap, metric, prototype).reduce((a, b) => a + b, 0);
  return squared ? square : Math.sqrt(Math.max(square, 0));
}

/**
 * The distance of two prototypes. Local metrics measure the two directions differently, so
 * the mean is returned. NaN if the scene does not contain the distance.
 */
export function betweenPrototypes(
  { prototypes }: SceneModel,
  a: number,
  b: number,
): number {
  const { data, shape } = prototypes.distances;
  const k = shape[1];
  return k === 0 ? Number.NaN : (data[a * k + b] + data[b * k + a]) / 2;
}

/**
 * Terms v_j (Lambda v)_j of the squared distance |Omega v|^2.
 *
 * The terms add up to the squared distance; if features interact, a term may be negative.
 * `prototype` chooses the matrix if each prototype has its own.
 */
export function distanceTerms(
  v: ArrayLike<number>,
  metric: Metric,
  prototype: number,
): Float64Array {
  const d = v.length;
  if (metric.kind === "euclidean" || metric.factors === null) {
    return Float64Array.from(v, (value) => value * value);
  }
  const { data, shape } = metric.factors;
  if (metric.kind === "diagonal") {
    return Float64Array.from(v, (value, j) => (data[j] * value) ** 2);
  }
  const rows = shape[shape.length - 2];
  const start = metric.kind === "local" ? prototype * rows * d : 0;
  const terms = new Float64Array(d);
  for (let m = 0; m < rows; m++) {
    const row = data.subarray(start + m * d, start + (m + 1) * d);
    let image = 0;
    for (let j = 0; j < d; j++) {
      image += row[j] * v[j];
    }
    for (let j = 0; j < d; j++) {
      terms[j] += v[j] * image * row[j];
    }
  }
  return terms;
}

// The classes of a model, sorted by distance from a point.

export interface NearClass {
  readonly index: number;
  /** The nearest prototype of the class; -1 if it is unknown. */
  readonly prototype: number;
  readonly distance: number;
}

/** Classes of a model by their exact distance from a point, the nearest first. */
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

// Contributions of features to a prediction, if the scene contains the metric.

/**
 * The contribution of each feature to the margin between the nearest prototype and the
 * nearest prototype of another class. Same as `contributions` in
 * `prototypes/explain/_explanation.py`. Null if the metric or a value is unknown.
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
  // Convert differences of squared distances to differences of distances:
  // d_K - d_J = (d_K^2 - d_J^2) / (d_K + d_J).
  const unit = squared ? 1 : own.distance + foreign.distance || 1;
  const leads = far.map((term, j) => (term - near[j]) / unit);
  return leads.every(Number.isFinite) ? leads : null;
}
