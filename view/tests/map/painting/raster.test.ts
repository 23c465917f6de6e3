import { expect, test } from "vitest";
import { CHOSEN, HIDDEN, PLAIN, type Points, QUIET } from "../../../src/color/points";
import type { Look } from "../../../src/map/painting/appearance";
import { blank, drawPoints } from "../../../src/map/painting/raster";

const look: Look = { sizes: [4, 4, 4, 0], opacities: [0.5, 0.1, 1, 0] };
const placing = { scale: 1, dx: 0, dy: 20 };

function drawn(states: number[], xy: number[], stride = 1) {
  const points: Points = {
    positions: Float32Array.from(xy),
    codes: Uint16Array.from(states, (_, i) => i),
    states: Uint8Array.from(states),
    palette: ["#FF0000", "#0000FF", "#00FF00"],
    quietPalette: ["#00FFFF", "#FFFF00", "#FF00FF"],
    frame: { x0: 0, y0: 0, x1: 20, y1: 20 },
  };
  const pixels = blank(20, 20);
  drawPoints(pixels, points, placing, look, stride);
  return (column: number, row: number) => [
    ...pixels.data.subarray(4 * (20 * row + column)).slice(0, 4),
  ];
}

test("a point is a disc of its colour and opacity where it belongs", () => {
  const at = drawn([PLAIN], [5.5, 9.5]); // y counts upwards from 20
  expect(at(5, 10)).toEqual([0.5, 0, 0, 0.5]);
  expect(at(5, 14)).toEqual([0, 0, 0, 0]);
});

test("a quiet point has the quiet one of its colours", () => {
  const at = drawn([QUIET], [5.5, 9.5]);
  const [red, green, blue, cover] = at(5, 10);
  expect(red).toBe(0);
  expect(green).toBeCloseTo(cover);
  expect(blue).toBeCloseTo(cover);
});

test("chosen points cover quiet ones, whatever their order", () => {
  const at = drawn([CHOSEN, QUIET], [5.5, 9.5, 5.5, 9.5]);
  expect(at(5, 10)).toEqual([1, 0, 0, 1]);
});

test("hidden points, missing positions and places outside leave no trace", () => {
  const at = drawn([HIDDEN, PLAIN, PLAIN], [5.5, 9.5, Number.NaN, 3, 500, 3]);
  for (let row = 0; row < 20; row++) {
    for (let column = 0; column < 20; column++) {
      expect(at(column, row)[3]).toBe(0);
    }
  }
});

test("with a stride, those drawn are darker in place of those left out", () => {
  const at = drawn([PLAIN, PLAIN], [5.5, 9.5, 15.5, 9.5], 2);
  expect(at(5, 10)[3]).toBeCloseTo(1 - 0.5 ** Math.SQRT2);
  expect(at(15, 10)[3]).toBe(0);
});

test("a class beyond the twelfth has another shape than a disc", () => {
  const at = (shape: number) => {
    const points: Points = {
      positions: Float32Array.of(10.5, 9.5),
      codes: Uint16Array.of(0),
      states: Uint8Array.of(PLAIN),
      palette: ["#FF0000"],
      quietPalette: ["#00FFFF"],
      shapes: Uint8Array.of(shape),
      frame: { x0: 0, y0: 0, x1: 20, y1: 20 },
    };
    const pixels = blank(20, 20);
    const large: Look = { sizes: [12, 12, 12, 0], opacities: [1, 1, 1, 0] };
    drawPoints(pixels, points, placing, large, 1);
    return (column: number, row: number) => pixels.data[4 * (20 * row + column) + 3];
  };
  const square = 1;
  expect(at(square)(10, 10)).toBe(1);
  // In the corner of the square, outside of the disc.
  expect(at(square)(14, 14)).toBe(1);
  expect(at(0)(15, 15)).toBe(0);
  const down = 4;
  expect(at(down)(10, 17)).toBeGreaterThan(0);
  expect(at(down)(10, 4)).toBe(0);
});

test("an edge goes around a point, but not around one that steps back", () => {
  const covered = (state: number) => {
    const points: Points = {
      positions: Float32Array.of(10.5, 9.5),
      codes: Uint16Array.of(0),
      states: Uint8Array.of(state),
      palette: ["#FF0000"],
      quietPalette: ["#00FFFF"],
      edges: ["#0000FF"],
      frame: { x0: 0, y0: 0, x1: 20, y1: 20 },
    };
    const pixels = blank(20, 20);
    const large: Look = { sizes: [8, 8, 8, 0], opacities: [1, 1, 1, 0], edge: 2 };
    drawPoints(pixels, points, placing, large, 1);
    return [...pixels.data.subarray(4 * (20 * 10 + 15)).slice(0, 4)];
  };
  expect(covered(PLAIN)).toEqual([0, 0, 1, 1]);
  expect(covered(QUIET)).toEqual([0, 0, 0, 0]);
});

test("in depth, the nearest point is on top, and far ones are paler and smaller", () => {
  const pixels = blank(20, 20);
  const points: Points = {
    positions: Float32Array.of(5.5, 9.5, 5.5, 9.5, 15.5, 9.5),
    codes: Uint16Array.of(0, 1, 0),
    states: Uint8Array.of(CHOSEN, CHOSEN, CHOSEN),
    palette: ["#FF0000", "#0000FF"],
    quietPalette: ["#FF0000", "#0000FF"],
    frame: { x0: 0, y0: 0, x1: 20, y1: 20 },
    depth: {
      order: Uint32Array.of(2, 1, 0),
      nearness: Float32Array.of(1, 0.5, 0),
      paper: "#FFFFFF",
    },
  };
  drawPoints(pixels, points, placing, look, 1);
  const at = (column: number) => [
    ...pixels.data.subarray(4 * (200 + column)).slice(0, 4),
  ];
  expect(at(5)).toEqual([1, 0, 0, 1]);
  const [red, green] = at(15);
  expect(red).toBe(1);
  expect(green).toBeGreaterThan(0.2);
  const covered = (from: number) =>
    Array.from({ length: 10 }, (_, k) => at(from + k)[3]).reduce((a, b) => a + b);
  expect(covered(0)).toBeGreaterThan(1.5 * covered(10));
});
