/** Lines of equal density on a map of many points, computed once on a grid. */

import { type Point, sampled } from "../geometry/plane";
import { bentLine, type Projection } from "../map/projection";
import { once } from "../scene/scene";
import { isolines, smoothed } from "./contours";

/** With fewer points, dense areas are visible without lines. */
export const FEWEST_POINTS = 20_000;
/** The shares of the points that the lines enclose, the densest area first. */
export const SHARES = [0.25, 0.5, 0.75, 0.95] as const;
/** Number of cells along the longer side. */
const CELLS = 128;
const PASSES = 4;
/** Share of the points at each end that may be outside the grid. */
const OUTSIDE = 0.005;
const MARGIN = 0.08;
const MOST_SAMPLED = 20_000;

/** Lines on the map for each of the shares. */
type Density = readonly (readonly (readonly Point[])[])[];

/** The lines for the points of a map (x0, y0, x1, y1, …). */
export const densityOf: (positions: Float32Array) => Density = once(traced);

/** The lines as they appear on the stage. */
export function densityOnStage(density: Density, projection: Projection): Density {
  return density.map((lines) =>
    lines.map((line) => [
      ...line.slice(1).flatMap((place, k) => bentLine(projection, line[k], place)),
      projection.screen(line[line.length - 1]),
    ]),
  );
}

/** Draw the lines; the line of the densest area is the strongest. */
export function drawDensity(
  context: CanvasRenderingContext2D,
  density: Density,
  color: string,
): void {
  context.strokeStyle = color;
  context.lineJoin = "round";
  density.forEach((lines, k) => {
    context.lineWidth = widthOf(k);
    context.beginPath();
    for (const line of lines) {
      line.forEach(([x, y], i) => {
        if (i === 0) {
          context.moveTo(x, y);
        } else {
          context.lineTo(x, y);
        }
      });
    }
    context.stroke();
  });
}

/** Width of the line for a share. */
export function widthOf(k: number): number {
  return 2 - 0.4 * k;
}

function traced(positions: Float32Array): Density {
  const [x0, x1] = reach(positions, 0);
  const [y0, y1] = reach(positions, 1);
  const step = Math.max(x1 - x0, y1 - y0) / CELLS;
  if (!(step > 0)) {
    return SHARES.map(() => []);
  }
  const columns = Math.ceil((x1 - x0) / step) + 1;
  const rows = Math.ceil((y1 - y0) / step) + 1;
  const grid = { rows, columns };
  let heights = new Float32Array(rows * columns);
  for (let i = 0; i + 1 < positions.length; i += 2) {
    const column = Math.round((positions[i] - x0) / step);
    const row = Math.round((positions[i + 1] - y0) / step);
    if (column >= 0 && row >= 0 && column < columns && row < rows) {
      heights[row * columns + column] += 1;
    }
  }
  for (let pass = 0; pass < PASSES; pass++) {
    heights = new Float32Array(smoothed(grid, heights));
  }
  return levels(heights).map((level) =>
    isolines(grid, heights, level).map((line) => {
      const places: Point[] = [];
      for (let k = 0; k < line.length; k += 2) {
        places.push([x0 + line[k] * step, y0 + line[k + 1] * step]);
      }
      return places;
    }),
  );
}

/** The density levels that enclose the shares of all points. */
function levels(heights: Float32Array): number[] {
  const sorted = heights.slice().sort().reverse();
  const total = sorted.reduce((sum, height) => sum + height, 0);
  const levels: number[] = [];
  let sum = 0;
  for (const height of sorted) {
    sum += height;
    while (levels.length < SHARES.length && sum >= SHARES[levels.length] * total) {
      // Slightly lower, because lines break where a height equals the level.
      levels.push(height * (1 - 1e-4));
    }
  }
  return levels;
}

/** The interval that contains nearly all points along an axis, with a margin. */
function reach(positions: Float32Array, axis: 0 | 1): [number, number] {
  const rows = sampled(positions.length / 2, MOST_SAMPLED);
  const sample = Float32Array.from(rows, (row) => positions[2 * row + axis])
    .filter(Number.isFinite)
    .sort();
  const outside = Math.floor(OUTSIDE * sample.length);
  const [low, high] = [sample[outside], sample[sample.length - 1 - outside]];
  const margin = MARGIN * (high - low);
  return [low - margin, high + margin];
}
