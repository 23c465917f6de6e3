import { expect, test } from "vitest";
import { binCounts, binnedColumns, inBins } from "../../src/scene/bins";
import type { Scene } from "../../src/scene/scene";
import { columnedScene } from "../columned";
import { feature, madeScene, tensor } from "../made_scene";

function binsOf(scene: Scene, name: string) {
  const column = binnedColumns(scene).find((one) => one.name === name);
  if (!column) {
    throw new Error(`No column is called ${name}`);
  }
  return column.bins();
}

test("every point with a value is in one bin", () => {
  const scene = columnedScene();
  const dose = binsOf(scene, "dose");
  expect(dose.ends).toEqual(["0", "59"]);
  expect(binCounts(dose, null).reduce((a, b) => a + b)).toBe(60);
  const colour = binsOf(scene, "colour");
  // One colour is missing.
  expect([...binCounts(colour, null)]).toEqual([20, 20, 19]);
  expect([...binCounts(colour, Uint32Array.of(0, 1, 5))]).toEqual([1, 1, 0]);
});

test("few whole numbers have bins of their own, and values that were assumed none", () => {
  const values = Float32Array.of(1, 3, 3, 2);
  const imputed = Uint32Array.of(3);
  const rings = feature({ name: "rings", low: 1, high: 3, values, imputed });
  const bins = binsOf({ ...madeScene({ n: 4 }), features: [rings] }, "rings");
  expect(bins.words).toEqual(["1", "2", "3"]);
  expect([...binCounts(bins, null)]).toEqual([1, 0, 2]);
});

test("a column of one value, and one of none, can be counted", () => {
  const one = (values: Float32Array) => {
    const x = feature({ name: "x", high: 0, values });
    return binsOf({ ...madeScene({ n: 2 }), features: [x] }, "x");
  };
  expect([...binCounts(one(Float32Array.of(2.5, 2.5)), null)][0]).toBe(2);
  expect(one(new Float32Array(2).fill(Number.NaN)).words).toEqual([]);
});

test("of many classes the most frequent have a bin, the others share one", () => {
  const labels = Uint8Array.from({ length: 60 }, (_, i) => (i < 40 ? i % 4 : i % 20));
  const classes = Array.from({ length: 20 }, (_, c) => `class ${c}`);
  const bins = binsOf({ ...madeScene(), classes, labels: tensor(labels) }, "class");
  expect(bins.words).toHaveLength(9);
  expect(bins.words.at(-1)).toBe("12 others");
  expect(binCounts(bins, null).reduce((a, b) => a + b)).toBe(60);
});

test("several columns are met together", () => {
  const scene = columnedScene();
  const points = inBins(60, [
    { bins: binsOf(scene, "colour"), chosen: new Set([2]) },
    { bins: binsOf(scene, "batch"), chosen: new Set([0]) },
  ]);
  expect([...points]).toEqual([2, 8]);
});
