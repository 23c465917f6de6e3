import { expect, test } from "vitest";
import {
  canWeigh,
  pairsOf,
  stressOf,
  weighedLevel,
  weightOf,
} from "../../src/object/class_layout";
import type { ClassLevel, SceneModel } from "../../src/scene/scene";
import type { Weighting } from "../../src/state";
import { madeScene } from "../made_scene";

const scene = madeScene({ perClass: 2, d: 4 });
const model = scene.model as SceneModel;
const level = model.class_level as ClassLevel;
const d = 4;
const images = [
  ...Array.from({ length: 6 }, (_, p) =>
    Array.from(model.prototypes.values.data.subarray(p * d, (p + 1) * d)),
  ),
  ...Array.from(level.objects.data, (i) =>
    scene.features.map(({ values }) => values[i]),
  ),
];

function flat(shown: ClassLevel): Float64Array {
  return Float64Array.from([
    ...shown.prototype_positions.data,
    ...shown.object_positions.data,
  ]);
}

test("weights are those of the paper", () => {
  const weights = (weighting: Weighting) => {
    const weight = weightOf(model, weighting);
    // Two prototypes of one class, of two classes; prototype and object; two objects.
    return [weight(0, 1), weight(0, 2), weight(3, 9), weight(8, 9)];
  };
  expect(weights("prototype")).toEqual([1e-4, 1, 1, 1e-4]);
  expect(weights("same_class")).toEqual([1, 1, 1, 1e-4]);
  expect(weights("object")).toEqual([1e-4, 1e-4, 1, 1e-4]);
  expect(weights("uniform")).toEqual([1, 1, 1, 1]);
});

test("the stress is that of the definition, and its slope that of differences", () => {
  const weight = weightOf(model, "prototype");
  const pairs = pairsOf(images, weight);
  const Z = flat(level).map((value, k) => value / pairs.unit + 0.01 * k);
  let [sum, total] = [0, 0];
  for (let i = 0; i < images.length; i++) {
    for (let j = 0; j < i; j++) {
      const T = images[i].reduce((s, value, m) => s + (value - images[j][m]) ** 2, 0);
      const far =
        pairs.unit * Math.hypot(Z[2 * i] - Z[2 * j], Z[2 * i + 1] - Z[2 * j + 1]);
      sum += (weight(i, j) * (far - T) ** 2) / T;
      total += weight(i, j) * T;
    }
  }
  const objective = stressOf(pairs);
  const { value, gradient } = objective(Z);
  expect(value).toBeCloseTo(sum / total, 10);
  for (const at of [0, 3, 11, 30]) {
    const moved = (by: number) => {
      const there = Z.slice();
      there[at] += by;
      return objective(there).value;
    };
    expect(gradient[at]).toBeCloseTo((moved(1e-5) - moved(-1e-5)) / 2e-5, 6);
  }
});

test("each weighting shows what it weighs better than the picture that was there", () => {
  for (const weighting of ["uniform", "object", "same_class"] as const) {
    const pairs = pairsOf(images, weightOf(model, weighting));
    const stress = (shown: ClassLevel) =>
      stressOf(pairs)(flat(shown).map((value) => value / pairs.unit)).value;
    const found = weighedLevel(scene, model, level, weighting);
    expect(stress(found)).toBeLessThan(stress(level));
    expect(weighedLevel(scene, model, level, weighting)).toBe(found);
    expect(found.agreement).toBeGreaterThanOrEqual(0);
    expect(found.agreement).toBeLessThanOrEqual(1);
  }
});

test("the model's own weights are the picture of the scene, as is all without a metric", () => {
  expect(weighedLevel(scene, model, level, "prototype")).toBe(level);
  const bare = { ...scene, model: { ...model, metric: null } };
  expect(canWeigh(bare)).toBe(false);
  expect(weighedLevel(bare, bare.model, level, "uniform")).toBe(level);
});
