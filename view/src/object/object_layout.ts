/**
 * One object and the nearest prototype of each class, drawn at exact distances.
 * Mirror of `object_layout` in `embeddings/weighted_mds/levels.py`.
 */

import { minimize, type Slope } from "./lbfgs";

export interface ObjectLayout {
  /** Places of the prototypes around the object, which is the origin. */
  readonly places: readonly (readonly [number, number])[];
  /** Radians: the nearest prototype at 0, the next one above it. */
  readonly angles: Float64Array;
  /** Error of the distances between prototypes; 0 is exact. */
  readonly stress: number;
}

const N_STARTS = 16;
const DIRECTIONS = 48;
const MAX_ITER = 300;
const TOL = 1e-10;
/** Nearly equal prototypes must not outweigh all others. */
const FLOOR = 1e-6;

/**
 * Place prototypes at their exact distances from the object, to the given power.
 *
 * Only the directions are a compromise: they show the distances between prototypes,
 * `between` (C, C), as well as a plane can.
 */
export function objectLayout(
  distances: ArrayLike<number>,
  between: ArrayLike<number>,
  power = 2,
): ObjectLayout {
  const n = distances.length;
  let unit = 0;
  for (const given of [distances, between]) {
    for (let i = 0; i < given.length; i++) {
      unit = Math.max(unit, given[i]);
    }
  }
  unit ||= 1;
  const shown = (value: number) => (value / unit) ** power;
  const radii = Float64Array.from(distances, shown);
  const T = Float64Array.from(between, shown);

  const objective = angleStress(radii, T);
  const next = generator();
  let best = minimize(objective, greedyAngles(radii, T), MAX_ITER, TOL);
  for (let start = 0; start < N_STARTS && n > 1; start++) {
    const random = radii.map(() => 2 * Math.PI * next());
    const found = minimize(objective, random, MAX_ITER, TOL);
    best = found.value < best.value ? found : best;
  }
  const angles = turned(best.x, radii);
  const scale = unit ** power;
  return {
    places: Array.from(angles, (angle, k) => {
      const radius = radii[k] * scale;
      return [radius * Math.cos(angle), radius * Math.sin(angle)] as const;
    }),
    angles,
    stress: best.value,
  };
}

/** Prototypes at their distances in even directions, where nothing tells better ones. */
export function evenLayout(distances: readonly number[]): ObjectLayout {
  const angles = Float64Array.from(
    distances,
    (_, k) => (2 * Math.PI * k) / distances.length,
  );
  const places = distances.map(
    (radius, k) =>
      [radius * Math.cos(angles[k]), radius * Math.sin(angles[k])] as const,
  );
  return { places, angles, stress: Number.NaN };
}

/**
 * The stress between prototypes as a function of their angles, with its slope.
 *
 * sum_{k<l} (d_kl - T_kl)^2 / T_kl, divided by sum_{k<l} T_kl; the prototype k stands
 * at r_k e^{i a_k}.
 */
export function angleStress(
  radii: Float64Array,
  T: Float64Array,
): (angles: Float64Array) => Slope {
  const n = radii.length;
  const total = T.reduce((sum, value) => sum + value, 0);
  const least = (FLOOR * total) / (n * n);
  // Every pair stands twice in the sum of T.
  const weight = (t: number) => (total > 0 ? 2 / (Math.max(t, least) * total) : 2);
  return (angles) => {
    const x = angles.map((angle, k) => radii[k] * Math.cos(angle));
    const y = angles.map((angle, k) => radii[k] * Math.sin(angle));
    const gradient = new Float64Array(n);
    let value = 0;
    for (let k = 0; k < n; k++) {
      const [xk, yk] = [x[k], y[k]];
      for (let l = 0; l < k; l++) {
        const [xl, yl] = [x[l], y[l]];
        const t = T[k * n + l];
        const d = Math.hypot(xk - xl, yk - yl);
        const v = weight(t);
        value += v * (d - t) ** 2;
        if (d > 0) {
          // Turning k moves it by (-y_k, x_k), and d by this times the unit gap.
          const pull = (2 * v * (d - t) * (xk * yl - yk * xl)) / d;
          gradient[k] -= pull;
          gradient[l] += pull;
        }
      }
    }
    return { value, gradient };
  };
}

/** One prototype after the other, the farthest first, in its best direction so far. */
function greedyAngles(radii: Float64Array, T: Float64Array): Float64Array {
  const order = Array.from(radii.keys()).sort((a, b) => radii[b] - radii[a]);
  const angles = new Float64Array(radii.length);
  order.forEach((k, placed) => {
    angles[k] = bestDirection(k, order.slice(0, placed), angles, radii, T);
  });
  return angles;
}

/** The direction of k, one of many, with the least stress to the others. */
function bestDirection(
  k: number,
  others: readonly number[],
  angles: Float64Array,
  radii: Float64Array,
  T: Float64Array,
): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (let i = 0; i < DIRECTIONS; i++) {
    const angle = (2 * Math.PI * i) / DIRECTIONS;
    let stress = 0;
    for (const l of others) {
      const [a, b, t] = [radii[k], radii[l], T[k * radii.length + l]];
      const square = a * a + b * b - 2 * a * b * Math.cos(angle - angles[l]);
      stress += (Math.sqrt(Math.max(0, square)) - t) ** 2 / Math.max(t, FLOOR);
    }
    if (stress < least) {
      [best, least] = [angle, stress];
    }
  }
  return best;
}

/** The angles with the nearest prototype at 0, and the next one above it. */
function turned(angles: Float64Array, radii: Float64Array): Float64Array {
  const order = Array.from(radii.keys())
    .filter((k) => radii[k] > 0) // one at the object has no direction
    .sort((a, b) => radii[a] - radii[b]);
  const nearest = order[0];
  if (nearest === undefined) {
    return new Float64Array(angles.length);
  }
  const zero = angles[nearest];
  const from = angles.map((angle) =>
    Math.atan2(Math.sin(angle - zero), Math.cos(angle - zero)),
  );
  const smallest = 1e-9 * radii.reduce((a, b) => Math.max(a, b), 0);
  const heights = order.map((k) => radii[k] * Math.sin(from[k]));
  const beside = heights.find((height) => Math.abs(height) > smallest);
  return beside !== undefined && beside < 0 ? from.map((angle) => -angle) : from;
}

/** The same random numbers for everybody (Park and Miller), so that pictures repeat. */
function generator(): () => number {
  let seed = 20_001;
  return () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
}
