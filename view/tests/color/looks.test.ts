import { expect, test } from "vitest";
import { coloring } from "../../src/color/coloring";
import { COLORS } from "../../src/color/colors";
import { colorIn, dressed, lookOf, paintIn, shapeIn } from "../../src/color/looks";
import { madeScene, tensor } from "../made_scene";

/** Thirteen classes of which the first two have traded their looks with the last. */
function traded() {
  const scene = madeScene({ nClasses: 13, n: 26 });
  const looks = Uint8Array.from([12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0]);
  return { ...scene, looks: tensor(looks) };
}

test("a class has the colour and the shape of its look", () => {
  const scene = traded();
  expect(lookOf(scene, 0)).toBe(12);
  expect(colorIn(scene, 0, "light")).toBe(COLORS[0]);
  expect([shapeIn(scene, 0), shapeIn(scene, 12)]).toEqual([1, 0]);
  expect(paintIn(scene, 1)).toContain("--ls-class-1");
});

test("without looks, classes have them in their order; what is none has none", () => {
  const scene = madeScene({ nClasses: 13 });
  expect([lookOf(scene, 12), lookOf(scene, -1), lookOf(scene, 255)]).toEqual([
    12, -1, -1,
  ]);
});

test("points are drawn as their class looks", () => {
  const { codes, shapes } = coloring(traded(), 0, "class", "light");
  expect([codes[0], codes[12], codes[1]]).toEqual([12, 0, 1]);
  expect(shapes?.[codes[0]]).toBe(1);
});

test("a scene of the same classes can look as another one does", () => {
  const [one, other] = [traded(), madeScene({ nClasses: 13 })];
  expect(lookOf(dressed(other, one), 0)).toBe(12);
  expect(lookOf(dressed(one, other), 0)).toBe(0);
  expect(lookOf(dressed(one, madeScene({ nClasses: 14 })), 0)).toBe(12);
});
