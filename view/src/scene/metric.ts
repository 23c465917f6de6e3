/** How a model measures: distances, the nearest classes, and what each feature adds. */

import type { Metric, Scene, SceneModel } from "./scene";

/**
 * How far two are apart that differ by a gap, as the model measures: squared where it
 * compares squares. NaN where the scene can't tell.
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
 * The distance of two prototypes; local metrics measure the way there and the way back
 * differently: their mean. NaN where the scene leaves it out.
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
 * Terms v_j (Lambda v)_j of the squared distance |Omega v|^2 (prototype_views B).
 *
 * They add up to the squared distance; where features work together a term may be
 * negative. `prototype` says whose matrix counts, where each prototype has its own.
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

// The classes of a model as one object sees them.

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

// What speaks for and against a decision, where the scene knows the metric.

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
  const leads = far.map((term, j) => (term - near[j]) / unit);
  return leads.every(Number.isFinite) ? leads : null;
}
