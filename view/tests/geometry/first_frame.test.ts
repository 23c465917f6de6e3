import { expect, test } from "vitest";
import { firstFrame } from "../../src/geometry/first_frame";

/** A square grid of 20 × 20 points between 0 and 1, and some others. */
function square(...others: number[]): Float32Array {
  const places = Array.from({ length: 400 }, (_, i) => [(i % 20) / 19, (i / 20) | 0]);
  return Float32Array.from([...places.flatMap(([x, y]) => [x, y / 19]), ...others]);
}

const UNIT = { x0: 0, y0: 0, x1: 1, y1: 1 };

test("where all points fit well, all are shown", () => {
  expect(firstFrame(square())).toEqual({ frame: UNIT, whole: UNIT, nOutside: 0 });
  const all = { ...UNIT, x1: 1.45 };
  const found = firstFrame(square(1.5, 0.5).map((v) => (v === 1.5 ? 1.45 : v)));
  expect(found.frame.x1).toBeCloseTo(all.x1);
  expect(found.nOutside).toBe(0);
});

test("a few points far out do not take the canvas", () => {
  const far = Array.from({ length: 8 }, (_, i) => [50 + i, -30]).flat();
  expect(firstFrame(square(...far))).toEqual({
    frame: UNIT,
    whole: { x0: 0, y0: -30, x1: 57, y1: 1 },
    nOutside: 8,
  });
});

test("what holds more than two in a hundred points is no outlier", () => {
  const far = Array.from({ length: 9 }, (_, i) => [50 + i / 9, 0.5]).flat();
  const { frame, nOutside } = firstFrame(square(...far));
  expect(nOutside).toBe(0);
  expect(frame.x1).toBeGreaterThan(50);
});

test("prototypes are always in the first frame", () => {
  const far = Array.from({ length: 8 }, () => [50, -30]).flat();
  const { frame, nOutside } = firstFrame(square(...far), [0.5, 3]);
  expect(frame).toEqual({ ...UNIT, y1: 3 });
  expect(nOutside).toBe(8);
});

test("missing places, no points and points at one place are no trouble", () => {
  expect(firstFrame(square(Number.NaN, 2)).nOutside).toBe(0);
  expect(firstFrame([]).nOutside).toBe(0);
  const same = new Float32Array(600);
  expect(firstFrame(same).nOutside).toBe(0);
  same.set([7, 7], 10);
  expect(firstFrame(same)).toMatchObject({ nOutside: 1, whole: { x1: 7 } });
});

test("of many points, too, rows that come in a pattern are all looked at", () => {
  const both = Float32Array.from({ length: 100_000 }, (_, i) => {
    const row = i >> 1;
    return row % 2 === 0 ? Math.sin(row) : 50 + Math.cos(row);
  });
  const { frame, nOutside } = firstFrame(both);
  expect(nOutside).toBe(0);
  expect(frame.x1).toBeGreaterThan(50);
});
