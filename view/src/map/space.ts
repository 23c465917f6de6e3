/** Points in three dimensions, and how they are seen from where somebody stands. */

import { ENOUGH, FENCE, type FirstFrame, MIDDLE, quantile } from "./first_frame";
import type { Box, Point } from "./geometry";
import { sampled } from "./sampled";
import { type Place, rowsOf, type Turn } from "./turn";

/** Who looks stands so many radii of the first frame from its middle. */
const AWAY = 4;
/** Nobody comes nearer than this part of the way: beyond it, places would be behind. */
const NEAREST = 0.8;
/** No cloud fills a sphere: the frame is so much smaller at most than what all need. */
const ROUND = 0.8;
/** What is nearer than others is larger: a sphere shows a little more than its radius. */
const ROOM = 1.04;
/** Depths that are told apart when points are put in order. */
const STEPS = 4096;

/** Points as they are seen. */
export interface Seen {
  /** x0, y0, x1, y1, … in the plane of the screen. */
  readonly positions: Float32Array;
  /** How near each is, from 0 to 1. */
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

  /** Positions are x0, y0, x1, y1, …; depths z0, z1, …; none are copied. */
  constructor(flat: Float32Array, depths: Float32Array) {
    this.#flat = flat;
    this.#depths = depths;
    this.#middle = [median(flat, 2, 0), median(flat, 2, 1), median(depths, 1, 0)];
    const { radius, most, farthest, nOutside } = this.#reach();
    this.#radius = Math.max(most, ROUND * radius);
    this.first = {
      frame: square(this.#radius),
      whole: square(farthest),
      nOutside,
    };
  }

  /** The place of a point. */
  place(point: number): Place {
    return [this.#flat[2 * point], this.#flat[2 * point + 1], this.#depths[point]];
  }

  /** Where a place is seen. */
  see(turn: Turn, place: Place): Point {
    const [x, y, z] = rowsOf(turn).map((row) =>
      row.reduce((sum, part, k) => sum + part * (place[k] - this.#middle[k]), 0),
    );
    const k = nearer(z, this.#radius);
    return [k * x, k * y];
  }

  /** Where all points are seen. */
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

  /** How far the points reach from the middle: most of them, the others, those far out. */
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

/** How much larger what is so near is seen than what is in the middle. */
function nearer(depth: number, radius: number): number {
  const away = AWAY * radius;
  return away / (away - Math.min(depth, NEAREST * away));
}

/** The numbers from 0 to 1 in order, by counting: the same order for the same numbers. */
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

/** The median of one of several coordinates that lie side by side. */
function median(values: Float32Array, width: number, axis: number): number {
  const rows = sampled(values.length / width, ENOUGH);
  const some = Float32Array.from(rows, (row) => values[row * width + axis]).sort();
  return some[some.length >> 1] ?? 0;
}

function square(radius: number): Box {
  const half = ROOM * radius;
  return { x0: -half, y0: -half, x1: half, y1: half };
}
