import { expect, test } from "vitest";
import { COLORS, classColor } from "../../src/color/colors";
import {
  clipOf,
  LOOKS,
  outside,
  SHAPES,
  shapeOf,
  shapeOn,
} from "../../src/color/shapes";

test("no two classes have the same colour and shape, up to 120 of them", () => {
  expect(LOOKS).toBe(120);
  const looks = Array.from(
    { length: LOOKS },
    (_, c) => `${classColor(c, LOOKS, "light")} ${shapeOf(c)}`,
  );
  expect(new Set(looks).size).toBe(LOOKS);
});

test("up to twelve classes, all are discs", () => {
  expect(SHAPES[0]).toBe("disc");
  expect(COLORS.map((_, c) => shapeOf(c))).toEqual(COLORS.map(() => 0));
  expect(shapeOf(-1)).toBe(0);
  expect(shapeOn(0, [0, 0], 4)).toBeNull();
});

test("every shape is known, has its middle inside, and is about as large as a disc", () => {
  SHAPES.forEach((_, shape) => {
    let inside = 0;
    for (let x = -19; x < 20; x++) {
      for (let y = -19; y < 20; y++) {
        inside += outside(shape, 10, x, y) < 0 ? 1 : 0;
      }
    }
    expect(outside(shape, 10, 0, 0)).toBeLessThan(-2);
    expect(inside / (100 * Math.PI)).toBeGreaterThan(0.6);
    expect(inside / (100 * Math.PI)).toBeLessThan(1.2);
    expect(clipOf(shape) === "").toBe(shape === 0);
  });
});
