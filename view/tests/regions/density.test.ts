import { expect, test } from "vitest";
import { inPolygon, type Point } from "../../src/geometry/plane";
import { densityOf, SHARES } from "../../src/regions/density";

/** Two round clouds, the first of them three times as large, and one point far off. */
function clouds(n: number): Float32Array {
  let seed = 4711;
  const next = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const normal = () =>
    Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
  const positions = new Float32Array(2 * n);
  for (let i = 0; i < n; i++) {
    positions[2 * i] = normal() + (i % 4 === 0 ? 12 : 0);
    positions[2 * i + 1] = normal();
  }
  positions.set([1000, 1000]);
  return positions;
}

const positions = clouds(30_000);

/** The share of the points inside some closed lines. */
function inside(lines: readonly (readonly Point[])[]): number {
  let count = 0;
  for (let i = 0; i < positions.length; i += 2) {
    const [x, y] = [positions[i], positions[i + 1]];
    count += lines.some((line) => inPolygon(x, y, line)) ? 1 : 0;
  }
  return (2 * count) / positions.length;
}

test("each line encloses its share of the points, although one lies far off", () => {
  densityOf(positions).forEach((lines, k) => {
    expect(Math.abs(inside(lines) - SHARES[k])).toBeLessThan(0.06);
  });
});

test("the lines are found once for a map", () => {
  expect(densityOf(positions)).toBe(densityOf(positions));
});

test("points in one place, and none, have no lines", () => {
  expect(densityOf(new Float32Array(60)).flat()).toEqual([]);
  expect(densityOf(new Float32Array()).flat()).toEqual([]);
});
