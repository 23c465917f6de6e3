/** Contour lines on a grid, with the middle of cell (c, r) at x = c, y = r. */

import { joined, lengthOf, type Polyline, simplified, straightened } from "./polylines";

interface Grid {
  readonly rows: number;
  readonly columns: number;
}

/** Shorter isolines, in cells, are noise. */
const SHORTEST = 12;
/** Isolines closer to a border, in cells, would only repeat the border. */
const CLEAR = 2;
/** Maximum share of an isoline that is so close to a border. */
const MOST_NEAR = 0.5;
const TOLERANCE = 0.05;

/**
 * Lines where the heights cross a level (marching squares), except where `skipped` is set.
 * A line that is mostly where `near` is set is left out completely.
 */
export function isolines(
  { rows, columns }: Grid,
  heights: ArrayLike<number>,
  level: number,
  skipped: ArrayLike<number> = [],
  near: ArrayLike<number> = [],
): Polyline[] {
  const pieces: number[] = [];
  for (let r = 0; r + 1 < rows; r++) {
    for (let c = 0; c + 1 < columns; c++) {
      const cell = r * columns + c;
      if (!skipped[cell]) {
        cross(
          pieces,
          c,
          r,
          heights[cell] - level,
          heights[cell + 1] - level,
          heights[cell + columns] - level,
          heights[cell + columns + 1] - level,
        );
      }
    }
  }
  return joined(pieces)
    .filter((line) => lengthOf(line) >= Math.min(SHORTEST, rows - 1, columns - 1))
    .filter((line) => shareOf(line, columns, near) <= MOST_NEAR)
    .map((line) => simplified(line, TOLERANCE));
}

/** The share of a line's points that are in marked cells. */
function shareOf(line: Polyline, columns: number, marked: ArrayLike<number>): number {
  let count = 0;
  for (let i = 0; i < line.length; i += 2) {
    const cell = Math.round(line[i + 1]) * columns + Math.round(line[i]);
    count += marked[cell] ? 1 : 0;
  }
  return count / (line.length / 2);
}

/** Mean of each height and its eight neighbors, which smooths the steps of the grid. */
export function smoothed(grid: Grid, heights: ArrayLike<number>): Float32Array {
  return Float32Array.from({ length: grid.rows * grid.columns }, (_, cell) =>
    around(grid, cell, (k) => heights[k]),
  );
}

/** Cells that are close to a cell with another label. */
export function nearBorders(
  { rows, columns }: Grid,
  labels: ArrayLike<number>,
): Uint8Array {
  const near = new Uint8Array(rows * columns);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      const label = labels[r * columns + c];
      const isBorder =
        (c + 1 < columns && labels[r * columns + c + 1] !== label) ||
        (r + 1 < rows && labels[(r + 1) * columns + c] !== label);
      for (let y = r - CLEAR; isBorder && y <= r + CLEAR + 1; y++) {
        for (let x = c - CLEAR; x <= c + CLEAR + 1; x++) {
          if (y >= 0 && x >= 0 && y < rows && x < columns) {
            near[y * columns + x] = 1;
          }
        }
      }
    }
  }
  return near;
}

/**
 * Lines where the labels change, up to the edges of the grid. Heights are distances of cells
 * from the border of their label: the line is nearer to the cell with the lower height.
 */
export function borders(
  { rows, columns }: Grid,
  labels: ArrayLike<number>,
  heights: ArrayLike<number>,
): Polyline[] {
  const pieces: number[] = [];
  // Cells beyond the edge equal the cells at the edge, so lines reach the edge.
  const cellAt = (c: number, r: number) =>
    Math.min(Math.max(r, 0), rows - 1) * columns +
    Math.min(Math.max(c, 0), columns - 1);
  for (let r = -1; r < rows; r++) {
    for (let c = -1; c < columns; c++) {
      const at: number[] = [];
      for (const [x, y, dx, dy] of SIDES) {
        const [a, b] = [cellAt(c + x, r + y), cellAt(c + x + dx, r + y + dy)];
        if (labels[a] !== labels[b]) {
          const t = (heights[a] + 1) / (heights[a] + heights[b] + 2);
          at.push(c + x + dx * t, r + y + dy * t);
        }
      }
      if (at.length === 4) {
        pieces.push(...at);
      }
      // Three or four labels meet here, or two labels cross.
      for (let k = 0; at.length > 4 && k < at.length; k += 2) {
        pieces.push(at[k], at[k + 1], c + 0.5, r + 0.5);
      }
    }
  }
  return joined(pieces).map((line) => simplified(straightened(line), TOLERANCE));
}

/** Closed lines around the cells that are inside, including lines around holes. */
export function outlines(
  { rows, columns }: Grid,
  isInside: (cell: number) => boolean,
): Polyline[] {
  // Everything ends half a cell beyond the edge of the grid.
  const height = (c: number, r: number) =>
    c >= 0 && r >= 0 && c < columns && r < rows && isInside(r * columns + c) ? 1 : -1;
  const pieces: number[] = [];
  for (let r = -1; r < rows; r++) {
    for (let c = -1; c < columns; c++) {
      const [a, b] = [height(c, r), height(c + 1, r)];
      const [d, e] = [height(c, r + 1), height(c + 1, r + 1)];
      cross(pieces, c, r, a, b, d, e);
    }
  }
  return joined(pieces).map((line) => simplified(straightened(line), TOLERANCE));
}

/** The sides of a square: a corner, and the step to the next corner. */
const SIDES = [
  [0, 0, 1, 0],
  [1, 0, 0, 1],
  [0, 1, 1, 0],
  [0, 0, 0, 1],
] as const;

/** Weighted mean of a cell (weight 4), its side neighbors (2) and its corner neighbors (1). */
function around(
  { rows, columns }: Grid,
  cell: number,
  height: (cell: number) => number,
): number {
  const c = cell % columns;
  const r = (cell - c) / columns;
  let sum = 0;
  let weight = 0;
  for (let y = Math.max(r - 1, 0); y <= Math.min(r + 1, rows - 1); y++) {
    for (let x = Math.max(c - 1, 0); x <= Math.min(c + 1, columns - 1); x++) {
      const w = (y === r ? 2 : 1) * (x === c ? 2 : 1);
      sum += w * height(y * columns + x);
      weight += w;
    }
  }
  return sum / weight;
}

/** The line through one square, whose corners are above (> 0) or below. */
function cross(
  lines: number[],
  c: number,
  r: number,
  a: number,
  b: number,
  d: number,
  e: number,
): void {
  const at: number[] = [];
  if (a > 0 !== b > 0) at.push(c + a / (a - b), r);
  if (b > 0 !== e > 0) at.push(c + 1, r + b / (b - e));
  if (d > 0 !== e > 0) at.push(c + d / (d - e), r + 1);
  if (a > 0 !== d > 0) at.push(c, r + a / (a - d));
  if (at.length === 4) {
    lines.push(...at);
  } else if (at.length === 8) {
    // A saddle: the mean of the corners decides which corners are connected.
    const joins = a + b + d + e > 0 === a > 0;
    const [p, q] = joins ? [2, 6] : [6, 2];
    lines.push(at[0], at[1], at[p], at[p + 1], at[4], at[5], at[q], at[q + 1]);
  }
}
