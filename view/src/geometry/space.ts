/** A map of three dimensions: its rotation, and the visible positions of its points. */

import { ENOUGH, FENCE, type FirstFrame, MIDDLE, quantile } from "./first_frame";
import { type Box, type Point, sampled } from "./plane";

/** Distance of the eye from the middle, in radii of the first frame. */
const AWAY = 4;
/** Limit of nearness as a share of the way to the eye; nearer places would be behind it. */
const NEAREST = 0.8;
/** Points do not fill a sphere, so the frame may be smaller by at most this factor. */
const ROUND = 0.8;
/** Near points look larger, so a sphere appears slightly larger than its radius. */
const ROOM = 1.04;
/** The number of depths for sorting points. */
const STEPS = 4096;

/** Points as they are visible. */
export interface Seen {
  /** x0, y0, x1, y1, … in the plane of the screen. */
  readonly positions: Float32Array;
  /** Nearness of each point, from 0 to 1. */
  readonly nearness: Float32Array;
  /** The points from the farthest to the nearest. */
  readonly order: Uint32Array;
}

export class Space {
  readonly first: FirstFrame;
  readonly #flat: Float32Array;
  readonly #depths: Float32Array;
  readonly #middle: Place;
  readonly #radius: number;

  /** Positions are x0, y0, x1, y1, …; depths are z0, z1, …; they are not copied. */
  constructor(flat: Float32Array, depths: Float32Array) {
    this.#flat = flat;
    this.#depths = depths;
    this.#middle = [median(flat, 2, 0), median(flat, 2, 1), median(depths, 1, 0)];
    const { radius, most, farthest, nOutside } = this.#reach();
    this.#radius = Math.max(most, ROUND * radius);
    this.first = { frame: square(this.#radius), whole: square(farthest), nOutside };
  }

  /** The place of a point. */
  place(point: number): Place {
    return [this.#flat[2 * point], this.#flat[2 * point + 1], this.#depths[point]];
  }

  /** The visible position of a place. */
  see(turn: Turn, place: Place): Point {
    const [x, y, z] = rowsOf(turn).map((row) =>
      row.reduce((sum, part, k) => sum + part * (place[k] - this.#middle[k]), 0),
    );
    const k = nearer(z, this.#radius);
    return [k * x, k * y];
  }

  /** The visible positions of all points. */
  seeAll(turn: Turn): Seen {
    const [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = rowsOf(turn);
    const [mx, my, mz] = this.#middle;
    const [flat, depths, radius] = [this.#flat, this.#depths, this.#radius];
    const n = depths.length;
    const positions = new Float32Array(2 * n);
    const nearness = new Float32Array(n);
    for (let i = 0; i < n; i++) {
      const x = flat[2 * i] - mx;
      const y = flat[2 * i + 1] - my;
      const z = depths[i] - mz;
      const depth = cx * x + cy * y + cz * z;
      const k = nearer(depth, radius);
      positions[2 * i] = k * (ax * x + ay * y + az * z);
      positions[2 * i + 1] = k * (bx * x + by * y + bz * z);
      nearness[i] = Math.min(Math.max(0.5 + depth / (2 * radius), 0), 1);
    }
    return { positions, nearness, order: ascending(nearness) };
  }

  /** Distances of points from the middle: of most points, of the others, and of outliers. */
  #reach(): { most: number; radius: number; farthest: number; nOutside: number } {
    const n = this.#depths.length;
    const [mx, my, mz] = this.#middle;
    const far = new Float32Array(n);
    for (let i = 0; i < n; i++) {
      const x = this.#flat[2 * i] - mx;
      const y = this.#flat[2 * i + 1] - my;
      const z = this.#depths[i] - mz;
      far[i] = Math.sqrt(x * x + y * y + z * z);
    }
    const farthest = far.reduce((most, one) => Math.max(most, one), 0) || 1;
    const some = Float32Array.from(sampled(n, ENOUGH), (i) => far[i]).sort();
    const most = quantile(some, MIDDLE);
    const limit = FENCE * most;
    if (!(limit > 0) || farthest <= FENCE * limit) {
      return { most, radius: farthest, farthest, nOutside: 0 };
    }
    const inside = far.filter((one) => one <= limit);
    const radius = inside.reduce((reach, one) => Math.max(reach, one), 0);
    return { most, radius, farthest, nOutside: n - inside.length };
  }
}

/** The enlargement of a place at this depth, compared with the middle. */
function nearer(depth: number, radius: number): number {
  const away = AWAY * radius;
  return away / (away - Math.min(depth, NEAREST * away));
}

/** Sort the numbers from 0 to 1 by counting; equal numbers keep their order. */
function ascending(numbers: Float32Array): Uint32Array {
  const n = numbers.length;
  const steps = new Uint16Array(n);
  const starts = new Uint32Array(STEPS + 1);
  for (let i = 0; i < n; i++) {
    steps[i] = numbers[i] * (STEPS - 1);
    starts[steps[i] + 1]++;
  }
  for (let k = 0; k < STEPS; k++) {
    starts[k + 1] += starts[k];
  }
  const order = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    order[starts[steps[i]]++] = i;
  }
  return order;
}

/** The median of one of several interleaved coordinates. */
function median(values: Float32Array, width: number, axis: number): number {
  const rows = sampled(values.length / width, ENOUGH);
  const some = Float32Array.from(rows, (row) => values[row * width + axis]).sort();
  return some[some.length >> 1] ?? 0;
}

function square(radius: number): Box {
  const half = ROOM * radius;
  return { x0: -half, y0: -half, x1: half, y1: half };
}

// The rotation of a 3-D map: a unit quaternion x, y, z, w.

export type Turn = readonly [number, number, number, number];
/** A place in space. */
export type Place = readonly [number, number, number];
/** Rows of a rotation: to the right, upwards, toward the viewer. */
type Rows = readonly [Place, Place, Place];

/** Angle of rotation for each pixel of a drag. */
const PER_PIXEL = 0.008;

/** The rotation by an angle around an axis of length 1. */
export function around([x, y, z]: Place, angle: number): Turn {
  const s = Math.sin(angle / 2);
  return [x * s, y * s, z * s, Math.cos(angle / 2)];
}

/** The product of two rotations. */
export function after([ax, ay, az, aw]: Turn, [bx, by, bz, bw]: Turn): Turn {
  const turn = [
    bw * ax + bx * aw + by * az - bz * ay,
    bw * ay - bx * az + by * aw + bz * ax,
    bw * az + bx * ay - by * ax + bz * aw,
    bw * aw - bx * ax - by * ay - bz * az,
  ];
  // Rounding errors of many small rotations would change the length.
  const length = Math.hypot(...turn);
  return turn.map((part) => part / length) as unknown as Turn;
}

/** A rotation changed by a drag of some pixels: the front follows the pointer. */
export function dragged(turn: Turn, dx: number, dy: number): Turn {
  return after(
    after(turn, around([0, 1, 0], PER_PIXEL * dx)),
    around([1, 0, 0], PER_PIXEL * dy),
  );
}

export function rowsOf([x, y, z, w]: Turn): Rows {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
}

/** At first slightly from the side and from above, so that all three directions are visible. */
export const FIRST_TURN: Turn = after(
  around([0, 1, 0], -0.45),
  around([1, 0, 0], 0.35),
);
