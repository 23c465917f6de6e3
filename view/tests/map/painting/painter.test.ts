import { expect, test } from "vitest";
import { choosePainter } from "../../../src/map/painting/painter";
import { RasterPainter } from "../../../src/map/painting/raster";
import { WebGlPainter } from "../../../src/map/painting/webgl";

const [DISCS, SHAPES, DEPTH] = [
  { shapes: false, depth: false },
  { shapes: true, depth: false },
  { shapes: false, depth: true },
];

test("many points have shapes, and points in space their depth", () => {
  expect(choosePainter(200_000, SHAPES, "card").painter).toBeInstanceOf(WebGlPainter);
  expect(choosePainter(200_000, DEPTH, "card").painter).toBeInstanceOf(WebGlPainter);
  expect(choosePainter(200_000, DISCS, "card").painter).toBeInstanceOf(WebGlPainter);
});

test("without a graphics card, the processor draws what is many or turned", () => {
  expect(choosePainter(200_000, SHAPES, "software").painter).toBeInstanceOf(
    RasterPainter,
  );
  expect(choosePainter(10_000, DEPTH, "software").painter).toBeInstanceOf(
    RasterPainter,
  );
  expect(choosePainter(1000, DEPTH, "software").painter).toBeInstanceOf(WebGlPainter);
  expect(choosePainter(10_000, DISCS, "software").painter).toBeInstanceOf(WebGlPainter);
});

test("without WebGL, a person is told", () => {
  expect(choosePainter(10, DEPTH, "none").words).toContain("no WebGL");
});
