import { describe, expect, it } from "vitest";
import { Grid } from "../../src/map/grid";

/** A generator that gives the same numbers in every run. */
function numbers(n: number): Float32Array {
  let seed = 7;
  return Float32Array.from({ length: n }, () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648;
  });
}

describe("the grid", () => {
  const positions = numbers(2000);
  const grid = new Grid(positions);

  it("finds all points of a box, like looking at each", () => {
    const box = { x0: 0.2, y0: 0.1, x1: 0.5, y1: 0.9 };
    const found: number[] = [];
    grid.within(box, (point) => found.push(point));
    const slowly = Array.from({ length: 1000 }, (_, i) => i).filter((i) => {
      const [x, y] = [positions[2 * i], positions[2 * i + 1]];
      return x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1;
    });
    expect(found.sort((a, b) => a - b)).toEqual(slowly);
  });

  it("finds the nearest wanted point", () => {
    const wanted = (point: number) => point % 2 === 0;
    let best = -1;
    let least = Infinity;
    for (let i = 0; i < 1000; i += 2) {
      const d = Math.hypot(positions[2 * i] - 0.5, positions[2 * i + 1] - 0.5);
      if (d < least) {
        least = d;
        best = i;
      }
    }
    expect(grid.nearest(0.5, 0.5, 1, wanted)).toBe(best);
    expect(grid.nearest(0.5, 0.5, least / 2, wanted)).toBe(-1);
  });

  it("holds points that coincide, and none", () => {
    expect(new Grid(Float32Array.of(1, 1, 1, 1)).nearest(1, 1, 0.1, () => true)).toBe(
      1,
    );
    expect(new Grid(new Float32Array()).nearest(0, 0, 1, () => true)).toBe(-1);
  });
});
