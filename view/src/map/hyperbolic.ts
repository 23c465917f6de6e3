/** The hyperbolic view: the whole plane in a disc, enlarged around a focus. */

import { type Point, sampled } from "../geometry/plane";
import type { Disc } from "../state";

/** tanh rounds to 1 for large distances, and a point on the rim has no inverse. */
const RIM = 1 - 1e-12;
/** The number of points that are used to estimate distances. */
const ENOUGH = 5000;

/**
 * The disc around a base point B, moved so that the focus F is in the middle:
 *
 *     tau_B(x) = tanh(s |x - B|) (x - B) / |x - B|
 *     shown(x) = (tau_B(x) - a) / (1 - conj(a) tau_B(x)),   a = tau_B(F)
 *
 * Moving F is a rigid motion of the disc, so circles remain circles.
 */
export class HyperbolicDisc {
  readonly #base: Point;
  readonly #strength: number;
  readonly #a: Point;

  constructor(base: Point, { focus, strength }: Disc) {
    this.#base = base;
    this.#strength = strength;
    this.#a = tau(focus, base, strength);
  }

  /** The place inside the unit disc at which a place of the plane is shown. */
  shown(place: Point): Point {
    return moved(tau(place, this.#base, this.#strength), this.#a);
  }

  /** The place of the plane that is shown at a point of the disc. */
  placeAt(z: Point): Point {
    const [u, v] = moved(inside(z), [-this.#a[0], -this.#a[1]]);
    return tauInverse([u, v], this.#base, this.#strength);
  }

  /** The focus that moves a place of the plane to a point of the disc. */
  focusBringing(place: Point, to: Point): Point {
    // Solve (g - a) / (1 - conj(a) g) = p for a:  a - c conj(a) = g - p with c = p g.
    const g = tau(place, this.#base, this.#strength);
    const p = inside(to);
    const c = times(p, g);
    const d: Point = [g[0] - p[0], g[1] - p[1]];
    const [re, im] = times(c, [d[0], -d[1]]);
    const norm = 1 - (c[0] * c[0] + c[1] * c[1]);
    const a: Point = [(d[0] + re) / norm, (d[1] + im) / norm];
    return tauInverse(inside(a), this.#base, this.#strength);
  }

  /** The places in the disc of all positions (x0, y0, x1, y1, …). */
  shownAll(positions: ArrayLike<number>, into: Float32Array): void {
    const [bx, by] = this.#base;
    const [ax, ay] = this.#a;
    const s = this.#strength;
    for (let i = 0; i + 1 < positions.length; i += 2) {
      const x = positions[i] - bx;
      const y = positions[i + 1] - by;
      const r = Math.sqrt(x * x + y * y);
      const k = r > 0 ? Math.min(Math.tanh(s * r), RIM) / r : 0;
      const u = k * x;
      const v = k * y;
      // (z - a) / (1 - conj(a) z), written without arrays because it runs for all points.
      const re = 1 - (ax * u + ay * v);
      const im = ay * u - ax * v;
      const n = re * re + im * im;
      into[i] = ((u - ax) * re + (v - ay) * im) / n;
      into[i + 1] = ((v - ay) * re - (u - ax) * im) / n;
    }
  }
}

/** tau_F(x) = tanh(s |x - F|) (x - F) / |x - F|, and tau_F(F) = 0. */
export function tau(x: Point, focus: Point, strength: number): Point {
  const dx = x[0] - focus[0];
  const dy = x[1] - focus[1];
  const r = Math.hypot(dx, dy);
  const k = r > 0 ? Math.min(Math.tanh(strength * r), RIM) / r : 0;
  return [k * dx, k * dy];
}

/** x = F + artanh(r) / s u, for r = |z| and its direction u. */
export function tauInverse(z: Point, focus: Point, strength: number): Point {
  const r = Math.hypot(z[0], z[1]);
  const k = r > 0 ? Math.atanh(Math.min(r, RIM)) / (strength * r) : 0;
  return [focus[0] + k * z[0], focus[1] + k * z[1]];
}

/** The rigid motion z -> (z - a) / (1 - conj(a) z), which moves a to the middle. */
export function moved(z: Point, a: Point): Point {
  const [re, im] = times([a[0], -a[1]], z);
  const [p, q] = [1 - re, -im];
  const n = p * p + q * q;
  const [x, y] = [z[0] - a[0], z[1] - a[1]];
  return [(x * p + y * q) / n, (y * p - x * q) / n];
}

/** The point at a share of the hyperbolic distance from the middle of the disc to z. */
export function toward(z: Point, share: number): Point {
  const r = Math.hypot(z[0], z[1]);
  const k = r > 0 ? Math.tanh(share * Math.atanh(Math.min(r, RIM))) / r : 0;
  return [k * z[0], k * z[1]];
}

/** The strength at which half of the points are within 0.6 of the radius. */
export function usualStrength(positions: ArrayLike<number>, focus: Point): number {
  const radii = Float64Array.from(sampled(positions.length / 2, ENOUGH), (i) =>
    Math.hypot(positions[2 * i] - focus[0], positions[2 * i + 1] - focus[1]),
  ).sort();
  return Math.atanh(0.6) / (radii[radii.length >> 1] || 1);
}

/** The first disc of a picture, whose focus is the middle of the picture. */
export function usualDisc(
  positions: ArrayLike<number>,
  focus = middle(positions),
): Disc {
  return { focus, strength: usualStrength(positions, focus) };
}

/** The mean of all positions. */
export function middle(positions: ArrayLike<number>): Point {
  let x = 0;
  let y = 0;
  for (let i = 0; i + 1 < positions.length; i += 2) {
    x += positions[i];
    y += positions[i + 1];
  }
  const n = positions.length / 2 || 1;
  return [x / n, y / n];
}

function inside(z: Point): Point {
  const r = Math.hypot(z[0], z[1]);
  return r > RIM ? [(z[0] / r) * RIM, (z[1] / r) * RIM] : z;
}

function times(a: Point, b: Point): Point {
  return [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
}
