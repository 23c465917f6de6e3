// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { classSwatch, shapeMark, swatch } from "../../src/ui/marks";

test("from the thirteenth look on, classes have shapes wherever they are named", () => {
  const classes = Array.from({ length: 14 }, (_, k) => `kind ${k}`);
  expect(classSwatch({ classes, looks: null }, 11).dataset.shape).toBeUndefined();
  expect(classSwatch({ classes, looks: null }, 12).dataset.shape).toBe("square");
  expect(classSwatch({ classes, looks: null }, -1).dataset.shape).toBeUndefined();
});

test("a shape in a drawing is a polygon, and a disc a circle", () => {
  expect(shapeMark(0, [1, 2], 3, {}).outerHTML).toContain('cx="1.0" cy="2.0" r="3.0"');
  expect(shapeMark(1, [0, 0], 1, {}).getAttribute("points")?.split(" ")).toHaveLength(
    4,
  );
});

test("a light spot has an edge", () => {
  expect(swatch("#000").getAttribute("style")).not.toContain("border");
  expect(swatch("#000", 0.25).getAttribute("style")).toContain("border");
});
