/** Finds points near a place, in a grid whose cells list their points. */

import { type Box, bounds } from "../geometry/plane";

const POINTS_PER_CELL = 4;
const MOST_CELLS = 1024;

export class Grid {
  #box: Box = { x0: 0, y0: 0, x1: 0, y1: 0 };
  #columns = 0;
  #rows = 0;
  #starts = new Uint32Array();
  #members = new Uint32Array();

  /** Positions are x0, y0, x1, y1, …; they are not copied. */
  constructor(readonly positions: Float32Array) {}

  /** Build the cells on first use, because a rotated map needs many grids. */
  #cut(): void {
    const n = this.positions.length / 2;
    const side = Math.ceil(Math.sqrt(n / POINTS_PER_CELL));
    this.#box = bounds(this.positions);
    this.#columns = this.#rows = Math.min(Math.max(side, 1), MOST_CELLS);
    this.#starts = new Uint32Array(this.#columns * this.#rows + 1);
    this.#members = new Uint32Array(n);
    this.#fill(n);
  }

  /** Call `visit` with every point in a box. */
  within(box: Box, visit: (point: number) => void): void {
    if (this.#rows === 0) {
      this.#cut();
    }
    const first = this.#column(box.x0);
    const last = this.#column(box.x1);
    const bottom = this.#row(box.y0);
    const top = this.#row(box.y1);
    for (let row = bottom; row <= top; row++) {
      for (let column = first; column <= last; column++) {
        const cell = row * this.#columns + column;
        for (let k = this.#starts[cell]; k < this.#starts[cell + 1]; k++) {
          const point = this.#members[k];
          const x = this.positions[2 * point];
          const y = this.positions[2 * point + 1];
          if (x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1) {
            visit(point);
          }
        }
      }
    }
  }

  /** The nearest of the wanted points within a radius, or -1. */
  nearest(
    x: number,
    y: number,
    radius: number,
    wanted: (point: number) => boolean,
  ): number {
    let best = -1;
    let least = radius * radius;
    const box = { x0: x - radius, y0: y - radius, x1: x + radius, y1: y + radius };
    this.within(box, (point) => {
      const dx = this.positions[2 * point] - x;
      const dy = this.positions[2 * point + 1] - y;
      const d = dx * dx + dy * dy;
      // Of equally near points, the later point is used, because it is drawn on top.
      if (d <= least && wanted(point)) {
        least = d;
        best = point;
      }
    });
    return best;
  }

  #fill(n: number): void {
    const cells = new Uint32Array(n);
    for (let i = 0; i < n; i++) {
      const row = this.#row(this.positions[2 * i + 1]);
      const cell = row * this.#columns + this.#column(this.positions[2 * i]);
      cells[i] = cell;
      this.#starts[cell + 1]++;
    }
    for (let cell = 0; cell < this.#starts.length - 1; cell++) {
      this.#starts[cell + 1] += this.#starts[cell];
    }
    const next = this.#starts.slice();
    for (let i = 0; i < n; i++) {
      this.#members[next[cells[i]]++] = i;
    }
  }

  #column(x: number): number {
    return place(x, this.#box.x0, this.#box.x1, this.#columns);
  }

  #row(y: number): number {
    return place(y, this.#box.y0, this.#box.y1, this.#rows);
  }
}

function place(value: number, low: number, high: number, count: number): number {
  const index = Math.floor(((value - low) / (high - low || 1)) * count);
  // Places outside are in the border cells; so are missing positions, which are never returned.
  return index > 0 ? Math.min(index, count - 1) : 0;
}
