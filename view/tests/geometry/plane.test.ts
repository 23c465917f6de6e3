import { describe, expect, it } from "vitest";
import { bounds, boxOf, inPolygon, medianPoint } from "../../src/geometry/plane";

describe("geometry", () => {
  it("bounds points, and leaves missing ones out", () => {
    expect(bounds([1, 2, Number.NaN, 9, -3, 5])).toEqual({
      x0: -3,
      y0: 2,
      x1: 1,
      y1: 9,
    });
    expect(bounds([0, 0, 1, 1], [5, -2])).toEqual({ x0: 0, y0: -2, x1: 5, y1: 1 });
    expect(bounds([])).toEqual({ x0: -1, y0: -1, x1: 1, y1: 1 });
  });

  it("makes a box of corners in any order", () => {
    expect(boxOf([3, 1], [0, 2])).toEqual({ x0: 0, y0: 1, x1: 3, y1: 2 });
  });

  it("knows what is inside a polygon with a bay", () => {
    const bay = [
      [0, 0],
      [4, 0],
      [4, 4],
      [2, 1],
      [0, 4],
    ] as const;
    expect(inPolygon(1, 1, bay)).toBe(true);
    expect(inPolygon(2, 3, bay)).toBe(false);
    expect(inPolygon(5, 1, bay)).toBe(false);
  });

  it("takes the median of each coordinate", () => {
    const positions = [0, 9, 1, 8, 100, 7];
    expect(medianPoint(positions, Uint32Array.of(0, 1, 2))).toEqual([1, 8]);
  });
});
