import { expect, test } from "vitest";
import { around, Space } from "../../src/geometry/space";

const NOT = around([1, 0, 0], 0);
/** A cross of seven points around the middle, 1 away from it. */
const FLAT = Float32Array.of(0, 0, 1, 0, -1, 0, 0, 1, 0, -1, 0, 0, 0, 0);
const DEPTHS = Float32Array.of(0, 0, 0, 0, 0, 1, -1);

test("seen from the front, a map is its first two coordinates", () => {
  const { positions } = new Space(FLAT, new Float32Array(7)).seeAll(NOT);
  positions.forEach((value, i) => {
    expect(value).toBeCloseTo(FLAT[i], 6);
  });
});

test("from the farthest to the nearest, points are drawn in order", () => {
  const { order, nearness } = new Space(FLAT, DEPTHS).seeAll(NOT);
  expect([order[0], order[6]]).toEqual([6, 5]);
  expect([nearness[6], nearness[5]]).toEqual([0, 1]);
});

test("turned by a quarter, depth becomes width, and what is nearer is larger", () => {
  const space = new Space(FLAT, DEPTHS);
  const { positions } = space.seeAll(around([0, 1, 0], Math.PI / 2));
  expect(positions[2 * 5]).toBeCloseTo(1);
  const near = space.see(NOT, [0.5, 0, 1])[0];
  const far = space.see(NOT, [0.5, 0, -1])[0];
  expect(near).toBeGreaterThan(0.5);
  expect(far).toBeLessThan(0.5);
});

test("one place is seen where a point at the same place is", () => {
  const turn = around([0.6, 0.8, 0], 1.1);
  const space = new Space(FLAT, DEPTHS);
  const { positions } = space.seeAll(turn);
  for (let i = 0; i < 7; i++) {
    const [x, y] = space.see(turn, space.place(i));
    expect(x).toBeCloseTo(positions[2 * i], 6);
    expect(y).toBeCloseTo(positions[2 * i + 1], 6);
  }
});

test("points far from all others are left out of the first frame, and counted", () => {
  const n = 200;
  const flat = Float32Array.from({ length: 2 * n }, (_, i) => Math.sin(i));
  const depths = Float32Array.from({ length: n }, (_, i) => Math.cos(3 * i));
  depths[7] = 100;
  const { first } = new Space(flat, depths);
  expect(first.nOutside).toBe(1);
  expect(first.frame.x1).toBeLessThan(2);
  expect(first.whole.x1).toBeGreaterThan(100);
});

test("a point behind who looks is drawn somewhere, and not turned around", () => {
  const n = 200;
  const flat = Float32Array.from({ length: 2 * n }, (_, i) => Math.sin(i));
  const depths = Float32Array.from({ length: n }, (_, i) => Math.cos(3 * i));
  flat[14] = 50;
  depths[7] = 100;
  const { positions } = new Space(flat, depths).seeAll(NOT);
  expect(positions[14]).toBeGreaterThan(50);
});

test("points at one place are seen there", () => {
  const { positions } = new Space(
    new Float32Array(6).fill(4),
    new Float32Array(3),
  ).seeAll(NOT);
  expect([...positions]).toEqual([0, 0, 0, 0, 0, 0]);
});
