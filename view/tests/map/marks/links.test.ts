import { expect, test } from "vitest";
import { HyperbolicDisc } from "../../../src/map/hyperbolic";
import { linksOf } from "../../../src/map/marks/point_marks";
import { Projection } from "../../../src/map/projection";

const SIZE = { width: 200, height: 100 };
const flat = new Projection({ x: 0, y: 0, scale: 10 }, SIZE, null);
const POSITIONS = [0, 0, 5, 0, 0.2, 0];

test("lines lead from ring to ring, and each neighbour has one", () => {
  const { lines, rings } = linksOf(flat, POSITIONS, [0, 1], 4);
  expect(lines).toEqual([
    [
      [104, 50],
      [146, 50],
    ],
  ]);
  expect(rings).toEqual([{ at: [150, 50], radius: 4 }]);
});

test("between points that touch there is no line", () => {
  const { lines, rings } = linksOf(flat, POSITIONS, [0, 2], 4);
  expect(lines).toEqual([]);
  expect(rings).toHaveLength(1);
});

test("in the disc lines are bent, and keep out of the rings", () => {
  const disc = new HyperbolicDisc([0, 0], { focus: [0, 3], strength: 0.2 });
  const bent = new Projection({ x: 0, y: 0, scale: 90 }, SIZE, disc);
  const { lines, rings } = linksOf(bent, POSITIONS, [0, 1], 4);
  expect(lines[0].length).toBeGreaterThan(2);
  const [{ at }] = rings;
  for (const [x, y] of lines[0]) {
    expect(Math.hypot(x - at[0], y - at[1])).toBeGreaterThanOrEqual(4);
  }
});
