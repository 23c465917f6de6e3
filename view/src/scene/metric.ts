/** How a model measures. Terms mirror `prototypes/explain/_explanation.py`. */

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
