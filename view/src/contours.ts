/** Lines on a grid (marching squares): x0, y0, x1, y1, … with cell (c, r) at x = c, y = r. */

export interface Grid {
  readonly rows: number;
  readonly columns: number;
}

/** Where the heights cross a level. */
export function isolines(
  { rows, columns }: Grid,
  heights: ArrayLike<number>,
  level: number,
): number[] {
  const lines: number[] = [];
  for (let r = 0; r + 1 < rows; r++) {
    for (let c = 0; c + 1 < columns; c++) {
      const cell = r * columns + c;
      cross(
        lines,
        c,
        r,
        heights[cell] - level,
        heights[cell + 1] - level,
        heights[cell + columns] - level,
        heights[cell + columns + 1] - level,
      );
    }
  }
  return lines;
}

/** Each height mixed with its eight neighbours: a grid shows stairs that aren't there. */
export function smoothed(grid: Grid, heights: ArrayLike<number>): Float32Array {
  return Float32Array.from({ length: grid.rows * grid.columns }, (_, cell) =>
    around(grid, cell, (k) => heights[k]),
  );
}

/**
 * Where the labels change. Heights say how far a cell is from the border of its label;
 * they make the lines smooth where labels alone would give stairs.
 */
export function borders(
  grid: Grid,
  labels: ArrayLike<number>,
  heights: ArrayLike<number>,
): number[] {
  const { rows, columns } = grid;
  const lines: number[] = [];
  for (let r = 0; r + 1 < rows; r++) {
    for (let c = 0; c + 1 < columns; c++) {
      const near = labelsNear(grid, labels, c, r);
      // Of two labels one is enough: the other's border is the same line.
      for (const label of near.length === 2 ? near.slice(1) : near) {
        const lead = (cell: number) =>
          around(grid, cell, (k) => (labels[k] === label ? 1 : -1) * (heights[k] + 1));
        const a = r * columns + c;
        if (near.length > 1) {
          cross(
            lines,
            c,
            r,
            lead(a),
            lead(a + 1),
            lead(a + columns),
            lead(a + columns + 1),
          );
        }
      }
    }
  }
  return lines;
}

/** Labels of a square and of the cells around it. */
function labelsNear(
  { rows, columns }: Grid,
  labels: ArrayLike<number>,
  c: number,
  r: number,
): number[] {
  const found: number[] = [];
  for (let y = Math.max(r - 1, 0); y <= Math.min(r + 2, rows - 1); y++) {
    for (let x = Math.max(c - 1, 0); x <= Math.min(c + 2, columns - 1); x++) {
      const label = labels[y * columns + x];
      if (!found.includes(label)) {
        found.push(label);
      }
    }
  }
  return found;
}

/** The mean over a cell and its neighbours; the cell counts four times, a side twice. */
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
    // A saddle: the mean of the corners says which of them belong together.
    const joined = a + b + d + e > 0 === a > 0;
    const [p, q] = joined ? [2, 6] : [6, 2];
    lines.push(at[0], at[1], at[p], at[p + 1], at[4], at[5], at[q], at[q + 1]);
  }
}
