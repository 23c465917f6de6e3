import { describe, expect, it } from "vitest";
import {
  borders,
  isolines,
  nearBorders,
  outlines,
  smoothed,
} from "../../src/regions/contours";

describe("contours", () => {
  it("cross a slope where it has the level", () => {
    const lines = isolines({ rows: 2, columns: 3 }, [0, 10, 20, 0, 10, 20], 5);
    expect(lines).toEqual([[0.5, 0, 0.5, 1]]);
  });

  it("go around a peak and close", () => {
    const heights = [0, 0, 0, 0, 10, 0, 0, 0, 0];
    const lines = isolines({ rows: 3, columns: 3 }, heights, 5);
    expect(lines).toHaveLength(1);
    expect(lines[0].slice(0, 2)).toEqual(lines[0].slice(-2));
  });

  it("part two labels half way between them", () => {
    const grid = { rows: 2, columns: 4 };
    const lines = borders(grid, [0, 0, 1, 1, 0, 0, 1, 1], new Uint8Array(8).fill(9));
    expect(lines).toEqual([[1.5, -1, 1.5, 2]]);
  });

  it("leave out isolines that are short, or along a border", () => {
    const grid = { rows: 30, columns: 30 };
    const label = (cell: number) => (cell % 30 < 15 ? 0 : 1);
    const labels = Uint8Array.from({ length: 900 }, (_, cell) => label(cell));
    const dip = labels.map((_, cell) => (cell % 30 === 14 || cell === 65 ? 0 : 255));
    expect(isolines(grid, dip, 128)).toHaveLength(2);
    expect(isolines(grid, dip, 128, nearBorders(grid, labels))).toEqual([]);
  });

  it("stay whole where they come near a border, and go where they follow it", () => {
    const grid = { rows: 30, columns: 30 };
    const slope = Float32Array.from({ length: 900 }, (_, cell) => cell % 30);
    const rows = (first: number) =>
      Uint8Array.from({ length: 900 }, (_, cell) => (cell / 30 < first ? 0 : 1));
    const [line] = isolines(grid, slope, 14.5, [], rows(20));
    expect(line.slice(0, 2)).toEqual([14.5, 0]);
    expect(line.slice(-2)).toEqual([14.5, 29]);
    expect(isolines(grid, slope, 14.5, [], rows(5))).toEqual([]);
  });

  it("are straight where a border is, whatever stairs the grid has", () => {
    const grid = { rows: 60, columns: 60 };
    const line = (x: number) => 12 + 0.37 * x;
    const labels = Uint8Array.from({ length: 3600 }, (_, cell) =>
      Math.floor(cell / 60) < line(cell % 60) ? 0 : 1,
    );
    const [border, ...others] = borders(grid, labels, new Uint8Array(3600).fill(255));
    expect(others).toEqual([]);
    const turns = [];
    for (let i = 2; i + 3 < border.length; i += 2) {
      const ahead = Math.atan2(
        border[i + 3] - border[i + 1],
        border[i + 2] - border[i],
      );
      const back = Math.atan2(border[i + 1] - border[i - 1], border[i] - border[i - 2]);
      turns.push(Math.abs(ahead - back));
    }
    expect(Math.max(...turns)).toBeLessThan(0.12);
    for (let i = 0; i < border.length; i += 2) {
      expect(Math.abs(border[i + 1] - (line(border[i]) - 0.5))).toBeLessThan(0.6);
    }
  });

  it("meet where three labels do", () => {
    const labels = [0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 2, 2];
    const lines = borders({ rows: 3, columns: 4 }, labels, new Uint8Array(12));
    const ends = lines.flatMap((line) => [line.slice(0, 2), line.slice(-2)]);
    expect(lines).toHaveLength(3);
    expect(ends.filter(([x, y]) => x === 1.5 && y === 1.5)).toHaveLength(3);
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

  it("go around areas out to the edge of the grid, and around their holes", () => {
    const middle = (k: number) => k >= 20 && k < 60;
    const found = outlines(
      { rows: 80, columns: 80 },
      (cell) => !(middle(cell % 80) && middle(Math.floor(cell / 80))),
    );
    expect(found).toHaveLength(2);
    for (const line of found) {
      expect(line.slice(-2)).toEqual(line.slice(0, 2));
    }
    const least = found.map((line) => Math.min(...line)).sort((a, b) => a - b);
    expect(least[0]).toBeCloseTo(-0.5, 1);
    expect(least[1]).toBeCloseTo(19.5, 1);
    expect(outlines({ rows: 2, columns: 2 }, () => false)).toEqual([]);
  });
});
