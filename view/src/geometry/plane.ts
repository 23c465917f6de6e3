/** Points, boxes and polygons in the plane. */

export type Point = readonly [number, number];

export interface Box {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** The smallest box around points given as x0, y0, x1, y1, …; missing points are ignored. */
export function bounds(...lists: ArrayLike<number>[]): Box {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const positions of lists) {
    for (let i = 0; i + 1 < positions.length; i += 2) {
      const x = positions[i];
      const y = positions[i + 1];
      if (x < x0) x0 = x;
      if (x > x1) x1 = x;
      if (y < y0) y0 = y;
      if (y > y1) y1 = y;
    }
  }
  return x0 <= x1 && y0 <= y1 ? { x0, y0, x1, y1 } : { x0: -1, y0: -1, x1: 1, y1: 1 };
}

/** The box between two corners in any order. */
export function boxOf(a: Point, b: Point): Box {
  return {
    x0: Math.min(a[0], b[0]),
    y0: Math.min(a[1], b[1]),
    x1: Math.max(a[0], b[0]),
    y1: Math.max(a[1], b[1]),
  };
}

/** Whether a point lies inside a polygon (even-odd rule). */
export function inPolygon(x: number, y: number, polygon: readonly Point[]): boolean {
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i];
    const [xj, yj] = polygon[j];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) {
      inside = !inside;
    }
  }
  return inside;
}

/** The median of each coordinate over some points. */
export function medianPoint(positions: ArrayLike<number>, rows: Uint32Array): Point {
  return [0, 1].map((axis) => {
    const values = Float32Array.from(rows, (row) => positions[2 * row + axis]).sort();
    return values[values.length >> 1];
  }) as unknown as Point;
}

/** The SVG path of straight lines from point to point. */
export function linePath(line: readonly Point[]): string {
  return `M${line.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
}

/** Multiples of the golden ratio (modulo 1) are evenly spread, without a period. */
const GOLDEN = 0.6180339887498949;

/**
 * Indices of all n rows, or of a sample of the rows. Rows may have a periodic order, so
 * every second row, for example, could contain only some of the classes.
 */
export function sampled(n: number, most: number): Uint32Array {
  return Uint32Array.from({ length: Math.min(n, most) }, (_, k) =>
    n <= most ? k : Math.floor(((k * GOLDEN) % 1) * n),
  );
}

/** The place of a point, from positions x0, y0, x1, y1, … */
export function placeOf(positions: ArrayLike<number>, point: number): Point {
  return [positions[2 * point], positions[2 * point + 1]];
}
