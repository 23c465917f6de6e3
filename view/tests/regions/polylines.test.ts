import { expect, test } from "vitest";
import {
  joined,
  lengthOf,
  simplified,
  straightened,
} from "../../src/regions/polylines";

test("pieces that meet become one line, in whatever order they come", () => {
  const pieces = [1, 0, 2, 0, 1, 0, 0, 0, 3, 0, 2, 0];
  const [line, ...others] = joined(pieces);
  expect(others).toEqual([]);
  expect(line).toEqual([0, 0, 1, 0, 2, 0, 3, 0]);
});

test("a ring is one line that ends where it begins", () => {
  const ring = [0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 0, 1, 0, 1, 0, 0];
  expect(joined(ring)).toEqual([[0, 0, 1, 0, 1, 1, 0, 1, 0, 0]]);
  expect(lengthOf(joined(ring)[0])).toBe(4);
});

test("lines end where three of them meet", () => {
  const star = [0, 0, 1, 0, 1, 0, 2, 0, 1, 0, 1, 1];
  expect(joined(star)).toHaveLength(3);
});

test("stairs are pulled straight, the ends stay", () => {
  const stairs = Array.from({ length: 40 }, (_, i) => [i, Math.floor(i / 4)]).flat();
  const line = straightened(stairs);
  expect(line.slice(0, 2)).toEqual([0, 0]);
  expect(line.slice(-2)).toEqual([39, 9]);
  for (let i = 10; i < 30; i++) {
    const slope = (line[2 * i + 3] - line[2 * i + 1]) / (line[2 * i + 2] - line[2 * i]);
    expect(slope).toBeCloseTo(0.25, 1);
  }
});

test("a ring keeps its place and stays closed", () => {
  const ring = Array.from({ length: 61 }, (_, i) => {
    const angle = (2 * Math.PI * (i % 60)) / 60;
    return [9 * Math.cos(angle), 9 * Math.sin(angle)];
  }).flat();
  const line = straightened(ring);
  expect(line.slice(0, 2)).toEqual(line.slice(-2));
  for (let i = 0; i < line.length; i += 2) {
    expect(Math.hypot(line[i], line[i + 1])).toBeGreaterThan(8);
  }
});

test("corners that are none go, real ones stay", () => {
  expect(simplified([0, 0, 1, 0.01, 2, 0, 2, 5, 2, 9], 0.05)).toEqual([
    0, 0, 2, 0, 2, 9,
  ]);
  const ring = [0, 0, 4, 0, 4, 4, 0, 4, 0, 0];
  expect(simplified(ring, 0.05)).toEqual(ring);
});
