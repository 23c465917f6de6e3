/** The nearest point of the class border, as it is drawn around its object. */

import type { Point } from "../map/geometry";
import { measured } from "../scene/metric";
import type { Scene, SceneModel } from "../scene/scene";

/** A prototype in the picture, and where it is drawn. */
interface Drawn {
  readonly prototype: number;
  readonly place: Point;
}

const DIRECTIONS = 360;
const REFINEMENTS = 24;

/**
 * Where the object is after the smallest change that makes it another class: as far from
 * the middle as the model measures that, in the direction that shows its distances from
 * the prototypes best. Null where the scene does not know the metric.
 */
export function borderPlace(
  scene: Scene,
  model: SceneModel,
  object: number,
  change: ArrayLike<number>,
  around: readonly Drawn[],
): Point | null {
  if (around.length === 0) {
    return null;
  }
  const d = scene.features.length;
  const { data } = model.prototypes.values;
  const after = scene.features.map(({ values }, j) => values[object] + change[j]);
  const wanted = around.map(({ prototype }) => {
    const gap = after.map((value, j) => value - data[prototype * d + j]);
    return measured(scene, model, gap, prototype);
  });
  // Of local metrics, that of the nearest prototype measures around the object.
  const radius = measured(scene, model, change, around[0].prototype);
  if (!Number.isFinite(radius)) {
    return null;
  }
  const angle = bestAngle(radius, wanted, around);
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

/** The direction in which distances from what is drawn are nearest to those wanted. */
function bestAngle(
  radius: number,
  wanted: readonly number[],
  around: readonly Drawn[],
): number {
  const stress = (angle: number) => {
    const [x, y] = [radius * Math.cos(angle), radius * Math.sin(angle)];
    return around.reduce((sum, { place }, k) => {
      const far = Math.hypot(x - place[0], y - place[1]);
      return sum + (far - wanted[k]) ** 2 / (wanted[k] || 1);
    }, 0);
  };
  let best = 0;
  for (let i = 1; i < DIRECTIONS; i++) {
    const angle = (2 * Math.PI * i) / DIRECTIONS;
    best = stress(angle) < stress(best) ? angle : best;
  }
  // Between the neighbours of the best one, a third less each time.
  let [low, high] = [
    best - (2 * Math.PI) / DIRECTIONS,
    best + (2 * Math.PI) / DIRECTIONS,
  ];
  for (let i = 0; i < REFINEMENTS; i++) {
    const [a, b] = [(2 * low + high) / 3, (low + 2 * high) / 3];
    [low, high] = stress(a) < stress(b) ? [low, b] : [a, high];
  }
  return (low + high) / 2;
}
