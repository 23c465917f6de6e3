/** One point and the nearest prototype of each class, drawn at exact distances. */

import type { Point } from "../geometry/plane";
import { measured } from "../scene/metric";
import type { Scene, SceneModel } from "../scene/scene";

export interface ObjectLayout {
  /** Positions of the prototypes around the point, which is the origin. */
  readonly places: readonly (readonly [number, number])[];
  /** Radians: the nearest prototype at 0, the next prototype above it. */
  readonly angles: Float64Array;
  /** Error of the distances between prototypes; 0 is exact. */
  readonly stress: number;
}

const N_STARTS = 16;
const DIRECTIONS = 48;
/** Smaller rotations, in radians, are not visible. */
const SMALLEST = 1e-7;
/** Minimum relative improvement of the stress by a rotation. */
const ENOUGH = 1e-9;
/** A lower limit of distances, so that nearly equal prototypes do not dominate the stress. */
const FLOOR = 1e-6;

/**
 * Place prototypes at their exact distances from the point, to the given power.
 *
 * Only the directions are approximate: they show the distances between prototypes,
 * `between` (C, C), as well as possible in a plane.
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

  const stress = pairStress(radii, T);
  const next = generator();
  let best = settled(greedyAngles(radii, stress), stress);
  for (let start = 0; start < N_STARTS && n > 1; start++) {
    const other = settled(
      radii.map(() => 2 * Math.PI * next()),
      stress,
    );
    best = other.value < best.value ? other : best;
  }
  const angles = turned(best.angles, radii);
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

/** Prototypes at their distances in equally spaced directions, if no directions are known. */
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

/** The stress of two prototypes, as a function of the angle between them. */
type PairStress = (k: number, l: number, angle: number) => number;

/**
 * The stress is sum_{k<l} (d_kl - T_kl)^2 / T_kl, divided by sum_{k<l} T_kl, where
 * prototype k is at r_k e^{i a_k}.
 */
function pairStress(radii: Float64Array, T: Float64Array): PairStress {
  const n = radii.length;
  const total = T.reduce((sum, value) => sum + value, 0);
  const least = (FLOOR * total) / (n * n);
  return (k, l, angle) => {
    const [a, b, t] = [radii[k], radii[l], T[k * n + l]];
    const square = a * a + b * b - 2 * a * b * Math.cos(angle);
    const gap = Math.sqrt(Math.max(0, square)) - t;
    // Each pair occurs twice in the sum of T.
    return 2 * gap * gap * (total > 0 ? 1 / (Math.max(t, least) * total) : 1);
  };
}

/** Add the prototypes one by one, the farthest first, each in its best direction. */
function greedyAngles(radii: Float64Array, stress: PairStress): Float64Array {
  const order = Array.from(radii.keys()).sort((a, b) => radii[b] - radii[a]);
  const angles = new Float64Array(radii.length);
  order.forEach((k, placed) => {
    const others = order.slice(0, placed);
    const tried = Array.from({ length: DIRECTIONS }, (_, i) => {
      const angle = (2 * Math.PI * i) / DIRECTIONS;
      return others.reduce((sum, l) => sum + stress(k, l, angle - angles[l]), 0);
    });
    const best = tried.indexOf(Math.min(...tried));
    angles[k] = (2 * Math.PI * best) / DIRECTIONS;
  });
  return angles;
}

/** Rotate one prototype at a time by smaller and smaller angles, while the stress decreases. */
function settled(start: Float64Array, stress: PairStress) {
  const angles = start.slice();
  const stressOf = (k: number, angle: number) =>
    angles.reduce(
      (sum, other, l) => (l === k ? sum : sum + stress(k, l, angle - other)),
      0,
    );
  for (let step = Math.PI / 2; step > SMALLEST; step /= 2) {
    for (let isBetter = true; isBetter; ) {
      isBetter = false;
      angles.forEach((angle, k) => {
        const most = (1 - ENOUGH) * stressOf(k, angle);
        const way = [step, -step].find((by) => stressOf(k, angle + by) < most);
        angles[k] += way ?? 0;
        isBetter ||= way !== undefined;
      });
    }
  }
  const value = angles.reduce((sum, angle, k) => sum + stressOf(k, angle) / 2, 0);
  return { angles, value };
}

/** The angles after a rotation: the nearest prototype at 0, the next prototype above it. */
function turned(angles: Float64Array, radii: Float64Array): Float64Array {
  const order = Array.from(radii.keys())
    .filter((k) => radii[k] > 0) // a prototype at the point has no direction
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

/** A random generator with a fixed seed (Park and Miller), so that pictures are reproducible. */
function generator(): () => number {
  let seed = 20_001;
  return () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
}

// The nearest point of the class border, as drawn around the open point.

/** A prototype in the picture, and its position. */
interface Drawn {
  readonly prototype: number;
  readonly place: Point;
}

const BORDER_DIRECTIONS = 360;
const REFINEMENTS = 24;

/**
 * The position of the point after the smallest change that flips its prediction: at the exact
 * distance of the model, in the direction that shows its distances from the prototypes best.
 * Null if the scene does not contain the metric.
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
  // If metrics are local, the metric of the nearest prototype is used.
  const radius = measured(scene, model, change, around[0].prototype);
  if (!Number.isFinite(radius)) {
    return null;
  }
  const angle = bestAngle(radius, wanted, around);
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

/** The direction in which distances from the drawn prototypes fit best. */
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
  for (let i = 1; i < BORDER_DIRECTIONS; i++) {
    const angle = (2 * Math.PI * i) / BORDER_DIRECTIONS;
    best = stress(angle) < stress(best) ? angle : best;
  }
  // Search between the neighbors of the best angle; each step shrinks the interval by a third.
  let [low, high] = [
    best - (2 * Math.PI) / BORDER_DIRECTIONS,
    best + (2 * Math.PI) / BORDER_DIRECTIONS,
  ];
  for (let i = 0; i < REFINEMENTS; i++) {
    const [a, b] = [(2 * low + high) / 3, (low + 2 * high) / 3];
    [low, high] = stress(a) < stress(b) ? [low, b] : [a, high];
  }
  return (low + high) / 2;
}

// Labels in a column to the left and right of a picture, in the order of their points.

interface SideLabel {
  readonly side: "left" | "right";
  /** Middle of the label. */
  readonly y: number;
}

/**
 * Give each point (x, y) a label on its side of the middle, without overlaps.
 *
 * If a side is full, the points nearest to the middle move to the other side. `top` and
 * `bottom` limit the columns; `step` is the height of a label.
 */
export function sideLabels(
  points: readonly (readonly [number, number])[],
  middle: number,
  top: number,
  bottom: number,
  step: number,
): SideLabel[] {
  const most = Math.max(
    Math.ceil(points.length / 2),
    Math.floor((bottom - top) / step),
  );
  const byX = Array.from(points.keys()).sort((a, b) => points[a][0] - points[b][0]);
  const onLeft = points.filter(([x]) => x < middle).length;
  const nLeft = Math.min(Math.max(onLeft, points.length - most), most);
  const labels: SideLabel[] = [];
  for (const side of ["left", "right"] as const) {
    const members = side === "left" ? byX.slice(0, nLeft) : byX.slice(nLeft);
    members.sort((a, b) => points[a][1] - points[b][1]);
    const places = spread(
      members.map((i) => points[i][1]),
      top,
      bottom,
      step,
    );
    members.forEach((i, k) => {
      labels[i] = { side, y: places[k] };
    });
  }
  return labels;
}

/** Ascending positions moved apart by at least `step`, with the smallest changes. */
export function spread(
  wanted: readonly number[],
  top: number,
  bottom: number,
  step: number,
): number[] {
  const apart = Math.min(step, (bottom - top) / Math.max(wanted.length, 1));
  // Neighbors that touch move as one block, centered at the mean of their wanted positions.
  const blocks: { sum: number; size: number }[] = [];
  const first = ({ sum, size }: { sum: number; size: number }) => {
    const start = sum / size - ((size - 1) * apart) / 2;
    const last = bottom - apart / 2 - (size - 1) * apart;
    return Math.max(Math.min(start, last), top + apart / 2);
  };
  for (const y of wanted) {
    let block = { sum: y, size: 1 };
    for (
      let before = blocks.at(-1);
      before !== undefined && first(before) + before.size * apart > first(block);
      before = blocks.at(-1)
    ) {
      blocks.pop();
      block = { sum: before.sum + block.sum, size: before.size + block.size };
    }
    blocks.push(block);
  }
  return blocks.flatMap((block) =>
    Array.from({ length: block.size }, (_, i) => first(block) + i * apart),
  );
}
