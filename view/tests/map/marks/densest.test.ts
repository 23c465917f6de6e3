import { expect, test } from "vitest";
import { densestPlace } from "../../../src/map/marks/densest";

function all(positions: ArrayLike<number>): Uint32Array {
  return Uint32Array.from({ length: positions.length / 2 }, (_, i) => i);
}

test("of two parts of a class, the denser one has its name, and not the gap", () => {
  const places = Array.from({ length: 100 }, (_, i) => {
    const t = (i / 100) * 2 * Math.PI;
    const [x, width] = i % 5 < 3 ? [0, 1] : [20, 3];
    return [x + width * Math.cos(7 * t), width * Math.sin(7 * t)];
  });
  const [x, y] = densestPlace(places.flat(), all(places.flat()));
  expect(Math.abs(x)).toBeLessThan(1.5);
  expect(Math.abs(y)).toBeLessThan(1.5);
});

test("of a few points, or of points at one place, it is the median", () => {
  const few = [0, 0, 1, 5, 2, 1];
  expect(densestPlace(few, all(few))).toEqual([1, 1]);
  const same = Array.from({ length: 80 }, () => 3);
  expect(densestPlace(same, all(same))).toEqual([3, 3]);
});
