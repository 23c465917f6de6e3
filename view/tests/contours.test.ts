import { describe, expect, it } from "vitest";
import { borders, isolines, smoothed } from "../src/contours";

describe("contours", () => {
  it("cross a slope where it has the level", () => {
    const lines = isolines({ rows: 2, columns: 3 }, [0, 10, 20, 0, 10, 20], 5);
    expect(lines).toEqual([0.5, 0, 0.5, 1]);
  });

  it("go around a peak and close", () => {
    const heights = [0, 0, 0, 0, 10, 0, 0, 0, 0];
    const lines = isolines({ rows: 3, columns: 3 }, heights, 5);
    expect(lines).toHaveLength(4 * 4);
    const ends = new Map<string, number>();
    for (let i = 0; i < lines.length; i += 2) {
      const key = `${lines[i]},${lines[i + 1]}`;
      ends.set(key, (ends.get(key) ?? 0) + 1);
    }
    expect([...ends.values()]).toEqual([2, 2, 2, 2]);
  });

  it("part two labels half way between them", () => {
    const grid = { rows: 2, columns: 4 };
    const lines = borders(grid, [0, 0, 1, 1, 0, 0, 1, 1], new Uint8Array(8).fill(9));
    expect(lines.filter((_, i) => i % 2 === 0)).toEqual([1.5, 1.5]);
  });

  it("draw nothing where all agree", () => {
    expect(
      borders({ rows: 3, columns: 3 }, new Uint8Array(9), new Uint8Array(9)),
    ).toEqual([]);
  });

  it("leave a flat grid as it is when smoothing", () => {
    const flat = smoothed({ rows: 2, columns: 2 }, [3, 3, 3, 3]);
    expect([...flat]).toEqual([3, 3, 3, 3]);
  });
});
