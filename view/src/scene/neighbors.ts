/** The nearest neighbors of a point in the data. */

import type { Metric, Scene } from "./scene";

/** By distance in the data, as used for the map, or by the metric of the model. */
export type Measure = "data" | "model";

export interface Neighbor {
  readonly point: number;
  readonly distance: number;
}

const N_NEIGHBORS = 10;
/** Maximum number of products for one point, so that the page responds quickly. */
const MOST_WORK = 1e7;
/** Relative factors that differ by less are treated as equal. */
const ROUNDING = 1e-6;

/** The available measures for neighbors; empty if the scene has no data. */
export function measuresOf(scene: Scene): Measure[] {
  const { neighbors } = scene;
  const inData = weightsOf(scene) !== null || neighbors?.nearest != null;
  return [
    ...(inData ? (["data"] as const) : []),
    ...(ownMetric(scene) === null ? [] : (["model"] as const)),
  ];
}

/** Used in every frame, so the result is stored. */
const known = new WeakMap<Scene, { key: string; neighbors: readonly Neighbor[] }>();

/** The nearest neighbors of a point, the nearest first; for ties, the first row. */
export function neighborsOf(
  scene: Scene,
  object: number,
  measure: Measure,
): readonly Neighbor[] {
  const key = `${measure} ${object}`;
  const last = known.get(scene);
  if (last?.key === key) {
    return last.neighbors;
  }
  const neighbors = measured(scene, object, measure);
  known.set(scene, { key, neighbors });
  return neighbors;
}

function measured(scene: Scene, object: number, measure: Measure): Neighbor[] {
  const weights = weightsOf(scene);
  const metric = ownMetric(scene);
  if (measure === "model" && metric) {
    return nearest(byMetric(scene, object, metric), object);
  }
  return weights
    ? nearest(byWeights(scene, object, weights), object)
    : listed(scene, object);
}

/** The weights of differences of features, if the scene has all features. */
export function weightsOf({ neighbors, features }: Scene): Float64Array | null {
  const weights = neighbors?.weights?.data ?? null;
  return weights?.length === features.length ? weights : null;
}

/** The metric of the model, if it is a learned metric that differs from that of the data. */
function ownMetric(scene: Scene): Metric | null {
  const { model, features, n_points } = scene;
  const metric = model?.metric;
  if (!metric?.factors) {
    return null;
  }
  const { data, shape } = metric.factors;
  if (metric.kind === "diagonal") {
    const weights = weightsOf(scene);
    const isSame = weights?.every(
      (weight, j) => Math.abs(data[j] - weight) <= ROUNDING * weight,
    );
    return isSame ? null : metric;
  }
  const rows = shape[shape.length - 2];
  return rows * features.length * n_points <= MOST_WORK ? metric : null;
}

/** Squared distances of all points, with a weight for each feature. */
function byWeights(
  { features, n_points }: Scene,
  object: number,
  weights: ArrayLike<number>,
): Float64Array {
  const squares = new Float64Array(n_points);
  features.forEach(({ values }, j) => {
    const [weight, own] = [weights[j], values[object]];
    for (let i = 0; i < n_points; i++) {
      const gap = weight * (values[i] - own);
      squares[i] += gap * gap;
    }
  });
  return squares;
}

/** Squared distances of all points: the squared length of the transformed difference. */
function byMetric(scene: Scene, object: number, metric: Metric): Float64Array {
  const { data, shape } = metric.factors as NonNullable<Metric["factors"]>;
  if (metric.kind === "diagonal") {
    return byWeights(scene, object, data);
  }
  const [rows, d] = shape.slice(-2);
  const prototype = scene.model?.member_of.data[object] ?? 0;
  const start = metric.kind === "local" ? prototype * rows * d : 0;
  const squares = new Float64Array(scene.n_points);
  for (let m = 0; m < rows; m++) {
    const row = data.subarray(start + m * d, start + (m + 1) * d);
    image(scene, object, row).forEach((value, i) => {
      squares[i] += value * value;
    });
  }
  return squares;
}

/** One coordinate of the transformed differences of all points from a point. */
function image(
  { features, n_points }: Scene,
  object: number,
  row: Float64Array,
): Float64Array {
  const sums = new Float64Array(n_points);
  features.forEach(({ values }, j) => {
    const [factor, own] = [row[j], values[object]];
    for (let i = 0; i < n_points; i++) {
      sums[i] += factor * (values[i] - own);
    }
  });
  return sums;
}

/** The nearest other points, by squared distances from a point. */
function nearest(squares: Float64Array, object: number): Neighbor[] {
  return smallest(squares, object).map((point) => ({
    point,
    distance: Math.sqrt(squares[point]),
  }));
}

/** The points with the smallest numbers, in ascending order, without missing numbers. */
function smallest(numbers: Float64Array, without: number): number[] {
  const smallestFirst: number[] = [];
  let worst = Number.POSITIVE_INFINITY;
  for (let i = 0; i < numbers.length; i++) {
    if (!(numbers[i] < worst) || i === without) {
      continue;
    }
    let at = smallestFirst.length;
    while (at > 0 && numbers[smallestFirst[at - 1]] > numbers[i]) {
      at--;
    }
    smallestFirst.splice(at, 0, i);
    smallestFirst.length = Math.min(smallestFirst.length, N_NEIGHBORS);
    worst =
      smallestFirst.length < N_NEIGHBORS
        ? worst
        : numbers[smallestFirst[N_NEIGHBORS - 1]];
  }
  return smallestFirst;
}

/** The neighbors that the scene lists. */
function listed({ neighbors }: Scene, object: number): Neighbor[] {
  const k = neighbors?.nearest?.shape[1] ?? 0;
  return Array.from({ length: k }, (_, j) => ({
    point: neighbors?.nearest?.data[object * k + j] ?? 0,
    distance: neighbors?.distances?.data[object * k + j] ?? Number.NaN,
  }));
}
