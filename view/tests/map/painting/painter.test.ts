import { expect, test } from "vitest";
import { choosePainter } from "../../../src/map/painting/painter";
import { RasterPainter } from "../../../src/map/painting/raster";
import { ScatterPainter } from "../../../src/map/painting/scatter";
import { ShapedPainter } from "../../../src/map/painting/shaped";

const [DISCS, SHAPES, DEPTH] = [
  { shapes: false, depth: false },
  { shapes: true, depth: false },
  { shapes: false, depth: true },
];

test("many points have shapes, and points in space their depth", () => {
  expect(choosePainter(200_000, SHAPES, "card").painter).toBeInstanceOf(ShapedPainter);
  expect(choosePainter(200_000, DEPTH, "card").painter).toBeInstanceOf(ShapedPainter);
  expect(choosePainter(200_000, DISCS, "card").painter).toBeInstanceOf(ScatterPainter);
});

test("without a graphics card, the processor draws what is many or turned", () => {
  expect(choosePainter(200_000, SHAPES, "software").painter).toBeInstanceOf(
    RasterPainter,
  );
  expect(choosePainter(10_000, DEPTH, "software").painter).toBeInstanceOf(
    RasterPainter,
  );
  expect(choosePainter(1000, DEPTH, "software").painter).toBeInstanceOf(ShapedPainter);
  expect(choosePainter(10_000, DISCS, "software").painter).toBeInstanceOf(
    ScatterPainter,
  );
});

test("without WebGL, a person is told", () => {
  expect(choosePainter(10, DEPTH, "none").words).toContain("no WebGL");
});
