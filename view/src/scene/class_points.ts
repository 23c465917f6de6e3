/** The points among the prototypes on the map of classes: default points, or chosen points. */

import type { Point } from "../geometry/plane";
import { distanceTerms } from "./metric";
import { type ClassLevel, positionIn, type Scene, type SceneModel } from "./scene";

export interface ClassPoints {
  readonly points: readonly number[];
  /** Positions of the points: x0, y0, x1, y1, … */
  readonly places: readonly number[];
  /** Share of the points whose nearest prototype on this map has the predicted class. */
  readonly agreement: number | null;
}

/** Moving more marks would be slow. */
export const MOST_CHOSEN = 1000;
const DIRECTIONS = 8;
/** As a share of the largest distance. */
const SMALLEST_STEP = 1e-5;

/** Whether the scene contains the metric of the model, so that any point can be placed. */
export function canPlace({ features, n_features, model }: Scene): boolean {
  return (
    !!(model?.metric && model.class_levels?.length) && features.length === n_features
  );
}

/**
 * The chosen points. Points without a stored position are placed so that their distances
 * from the prototypes fit best; points with missing values are left out.
 */
export function classPoints(
  scene: Scene,
  model: SceneModel,
  level: ClassLevel,
  chosen: Uint32Array,
): ClassPoints {
  const own = level.object_positions.data;
  const at = level.prototype_positions.data;
  const labels = model.prototypes.labels.data;
  const points: number[] = [];
  const places: number[] = [];
  let nAgreeing = 0;
  for (const point of chosen) {
    const k = positionIn(level.objects.data, point);
    const wanted = k < 0 ? squaredDistances(scene, model, point) : null;
    const known: Point | null = k < 0 ? null : [own[2 * k], own[2 * k + 1]];
    const place = known ?? (wanted && bestPlace(at, wanted));
    if (place) {
      points.push(point);
      places.push(...place);
      const gaps = Array.from(labels, (_, p) => distance(place, at, p));
      const nearest = labels[gaps.indexOf(Math.min(...gaps))];
      nAgreeing += Number(nearest === scene.predictions?.data[point]);
    }
  }
  const isKnown = points.length > 0 && scene.predictions !== null;
  return { points, places, agreement: isKnown ? nAgreeing / points.length : null };
}

/** The squared distances of a point from all prototypes, by the metric of the model. */
function squaredDistances(
  { features }: Scene,
  { metric, prototypes }: SceneModel,
  point: number,
): number[] | null {
  const { data, shape } = prototypes.values;
  const x = features.map(({ values }) => values[point]);
  return metric && x.every(Number.isFinite)
    ? Array.from({ length: shape[0] }, (_, p) => {
        const gap = x.map((value, j) => value - data[p * shape[1] + j]);
        return distanceTerms(gap, metric, p).reduce((a, b) => a + b, 0);
      })
    : null;
}

/**
 * The place z with the least sum of (|z - w_p| - t_p)² / t_p, for prototypes at w_p and wanted
 * distances t_p, as in the stress of the map. The step size decreases.
 */
export function bestPlace(at: ArrayLike<number>, wanted: readonly number[]): Point {
  const largest = Math.max(...wanted) || 1;
  const stress = (z: Point) =>
    wanted.reduce(
      (sum, t, p) => sum + (distance(z, at, p) - t) ** 2 / Math.max(t, 1e-9 * largest),
      0,
    );
  const near = wanted.indexOf(Math.min(...wanted));
  let best: Point = [at[2 * near], at[2 * near + 1]];
  let least = stress(best);
  for (let step = largest; step > SMALLEST_STEP * largest; ) {
    const before = least;
    const [x, y] = best;
    for (let i = 0; i < DIRECTIONS; i++) {
      const angle = (2 * Math.PI * i) / DIRECTIONS;
      const next: Point = [x + step * Math.cos(angle), y + step * Math.sin(angle)];
      const value = stress(next);
      [best, least] = value < least ? [next, value] : [best, least];
    }
    step /= least < before ? 1 : 2;
  }
  return best;
}

function distance([x, y]: Point, at: ArrayLike<number>, p: number): number {
  return Math.hypot(x - at[2 * p], y - at[2 * p + 1]);
}
