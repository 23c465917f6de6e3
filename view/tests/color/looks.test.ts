import { expect, test } from "vitest";
import { coloring, marksOf } from "../../src/color/coloring";
import { COLORS, classColor, contrast, regionColor } from "../../src/color/colors";
import {
  clipOf,
  colorIn,
  LOOKS,
  lookOf,
  outside,
  paintIn,
  SHAPES,
  shapeIn,
  shapeOf,
  shapeOn,
} from "../../src/color/looks";
import { PLAIN, type Points } from "../../src/color/points";
import { appearanceOf } from "../../src/map/painting/appearance";
import { madeScene, tensor } from "../made_scene";

const NOBODY: Points = {
  positions: new Float32Array(),
  codes: new Uint16Array(),
  states: new Uint8Array(),
  palette: [],
  quietPalette: [],
  frame: { x0: 0, y0: 0, x1: 1, y1: 1 },
};

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

test.each(["light", "dark"] as const)(
  "on %s regions, points of any number stand out",
  (shade) => {
    const colors = coloring(madeScene({ nClasses: 12 }), 0, "class", shade);
    const regions = colors.palette.map((color) => regionColor(color, shade));
    for (const n of [5000, 5001, 1_000_000]) {
      const points = {
        ...NOBODY,
        ...marksOf(colors, n, true),
        codes: new Uint16Array(n),
      };
      const { opacities } = appearanceOf(points, 1);
      // What parts a point from its region: an edge, which is opaque, or all of it.
      const seen = points.edges ?? points.palette;
      expect(points.edges !== null || opacities[PLAIN] === 1).toBe(true);
      seen.forEach((color, c) => {
        expect(contrast(color, regions[c])).toBeGreaterThanOrEqual(3);
      });
    }
  },
);

test("without regions, many points have the colours of the palette and shine through", () => {
  const colors = coloring(madeScene({ nClasses: 12 }), 0, "class", "light");
  const marks = marksOf(colors, 6000, false);
  expect(marks.palette).toBe(colors.palette);
  const points = { ...NOBODY, ...marks, codes: new Uint16Array(6000) };
  expect(appearanceOf(points, 1).opacities[PLAIN]).toBeLessThan(1);
});

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
